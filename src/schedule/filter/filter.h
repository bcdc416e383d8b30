/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters pass, and why no cluster is left.
 */
#ifndef BALLAST_SCHEDULE_FILTER_H
#define BALLAST_SCHEDULE_FILTER_H

#include "ballast/base/order.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/schedule.h"
#include "ballast/schedule/workload_groups.h"
#include "schedule/attempt/scheduler.h"

#define POSITION_NONE UINT32_MAX

/* --- candidates.c --- */

/* The clusters that pass, in upstream's global order. */
bool attempt_filter(struct attempt *attempt);
/* Whether replicas are divided or copied at all, and not only a place is chosen. */
bool attempt_assigns_replicas(const struct attempt *attempt);
/* Keeps the candidates of these indices, in this order. */
void attempt_keep(struct attempt *attempt, const uint32_t *indices, uint32_t count);

/* --- filter.c --- */

/* A cluster is one of the term's, or, for what is a workload, of its overflow. */
bool affinity_term_matches(const struct affinity_term *term, bool is_workload,
                           const struct cluster *cluster);
/* The cached view; valid until the next call. */
struct filter_view *filter_view_get(struct scheduler *scheduler, const struct binding *binding,
                                    const struct affinity_term *term);
/* Returns what the filters of a view say of a cluster; `is_target`: the binding has it as a target
 * already, which some filters let pass. */
enum filter_verdict filter_view_verdict(const struct filter_view *view, uint32_t cluster,
                                        bool is_target);
/* 0 where the term's own affinity matches, else 1 + the index of the first overflow affinity that
 * does; upstream's 1000 for what matches none (a cluster that is kept all the same). */
uint32_t filter_view_overflow_order(const struct filter_view *view, uint32_t cluster);
/* What of the filters no view holds, since it differs by binding and changes as a run goes on. */
enum filter_verdict filter_own_verdict(const struct scheduler *scheduler,
                                       const struct binding *binding, bool is_evicting,
                                       uint32_t cluster);
/* By cluster, the largest weight of the static weight list's rules that match it; 0: none. */
const int64_t *filter_view_weights(struct scheduler *scheduler, struct filter_view *view);
/* The fixed text of a verdict, without what differs by cluster. */
const char *filter_text(const struct binding *binding, const struct placement *placement,
                        enum filter_verdict verdict, const struct cluster *cluster);
/* The taint that a verdict is about; NULL: it is about none. */
const struct taint *filter_taint(const struct placement *placement, enum filter_verdict verdict,
                                 const struct cluster *cluster);
/* Clusters of the verdict count in a FitError. */
bool filter_is_counted(enum filter_verdict verdict);

/* --- fit_error.c --- */

/* Why no cluster is left. */
const char *fit_error_text(const struct attempt *attempt);

#endif
