/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan comes to in each cluster and in each namespace.
 */
#ifndef BALLAST_REPORT_TALLY_H
#define BALLAST_REPORT_TALLY_H

#include "view.h"

struct cluster_tally {
    const char *name;
    uint32_t cluster;  /* CLUSTER_NONE: it is gone */
    uint32_t bindings; /* that leave it or arrive */
    int64_t leaving, arriving;
    int64_t before, after;             /* replicas that are assigned to it */
    int64_t stuck_before, stuck_after; /* of them, those of which a finding says that they do not
                                          run; what leaves is taken from them first */
    int64_t stuck_of_row;              /* while one binding is counted */
    bool is_ill;                       /* tally_fleet's: it does not stand well */
    bool has_room;                     /* what is free of it is known, and it can be used */
    struct ledger_free room;
};

struct namespace_tally {
    const char *name; /* "" of what is in no namespace */
    uint32_t changed, blocked, deferred;
    int64_t moved, added, homeless, replicas_deferred;
};

/* Of clusters whose replicas change, the one that most leave first; in the view's memory. Where
 * writes were tried, only what was done counts. */
const struct cluster_tally *tally_clusters(const struct report_view *view, uint32_t *ret_count);
/* The same of all clusters, those that are gone as well; behind those that change, what is not
 * well. */
const struct cluster_tally *tally_fleet(const struct report_view *view, uint32_t *ret_count);
/* The decision on a binding as far as it holds: one whose write did not come about changes nothing.
 */
bool row_takes_effect(const struct row *row);
/* Of the resources that are known, the one of which the least share is left; N: none is. */
enum ledger_resource tally_tightest(const struct ledger_free *room);
/* Whole ones of cpu (one decimal below 10) and pods, GiB of memory; rounded down, as nobody can use
 * more. In `arena`. */
const char *tally_amount_text(struct arena *arena, enum ledger_resource resource,
                              struct quantity amount);
/* Of namespaces in which something is changed or held back, the one with most replicas first. */
const struct namespace_tally *tally_namespaces(const struct report_view *view, uint32_t *ret_count);

#endif
