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

/* Finds the clusters that pass, in upstream's global order. False with the attempt's failure. */
bool attempt_filter(struct attempt *attempt);
/* True if the decision assigns replicas, divided or copied, and not only clusters. */
bool attempt_assigns_replicas(const struct attempt *attempt);
/* Keeps the candidates at these indices, in this order. */
void attempt_keep(struct attempt *attempt, const uint32_t *indices, uint32_t count);

/* --- filter.c --- */

/* True if the term or, for a workload, its overflow selects the cluster. */
bool affinity_term_matches(const struct affinity_term *term, bool is_workload,
                           const struct cluster *cluster);
/* Returns the cached view, valid until the next call. */
struct filter_view *filter_view_get(struct scheduler *scheduler, const struct binding *binding,
                                    const struct affinity_term *term);
/* Returns the view's verdict on a cluster. `is_target`: a target, which some filters let pass. */
enum filter_verdict filter_view_verdict(const struct filter_view *view, uint32_t cluster,
                                        bool is_target);
/* Returns 0 if the term's own affinity matches, else 1 + the index of the first overflow affinity
 * that matches. Upstream's 1000 if none does (a cluster that is kept nevertheless). */
uint32_t filter_view_overflow_order(const struct filter_view *view, uint32_t cluster);
/* Returns the verdict of the filters by binding, which changes during a run. */
enum filter_verdict filter_own_verdict(const struct scheduler *scheduler,
                                       const struct binding *binding, bool is_evicting,
                                       uint32_t cluster);
/* Returns, by cluster, the largest weight of matching rules in the static weight list; 0: none. */
const int64_t *filter_view_weights(struct scheduler *scheduler, struct filter_view *view);
/* Returns the fixed text of a verdict, without parts that differ by cluster. */
const char *filter_text(const struct binding *binding, const struct placement *placement,
                        enum filter_verdict verdict, const struct cluster *cluster);
/* Returns the taint of a verdict; NULL: the verdict is not about a taint. */
const struct taint *filter_taint(const struct placement *placement, enum filter_verdict verdict,
                                 const struct cluster *cluster);
/* True if clusters with the verdict count in a FitError. */
bool filter_is_counted(enum filter_verdict verdict);

/* --- fit_error.c --- */

/* Returns the text that explains why no cluster is left. */
const char *fit_error_text(const struct attempt *attempt);

#endif
