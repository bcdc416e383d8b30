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
    int64_t stuck_before, stuck_after; /* of these, replicas that do not run by a finding; what
                                          leaves is taken from them first */
    int64_t stuck_of_row;              /* while one binding is counted */
    bool is_ill;                       /* by tally_fleet: it does not stand well */
    bool has_room;                     /* what is free in it is known, and can be used */
    struct ledger_free room;
};

struct namespace_tally {
    const char *name; /* "": for bindings in no namespace */
    uint32_t changed, blocked, deferred;
    int64_t moved, added, homeless, replicas_deferred;
};

/* Returns the clusters whose replicas change, the cluster that most replicas leave first, in the
 * view's memory. Where writes were tried, only what was done counts. */
const struct cluster_tally *tally_clusters(const struct report_view *view, uint32_t *ret_count);
/* Returns all clusters, also those that are gone: first those that change, then those that are not
 * well. In the view's memory. Where writes were tried, only what was done counts. */
const struct cluster_tally *tally_fleet(const struct report_view *view, uint32_t *ret_count);
/* True if a binding changes: by its decision, and, where its write was tried, by what was done. */
bool row_takes_effect(const struct row *row);
/* Returns the resource with the least share left, of those that are known; N_LEDGER_RESOURCES: none
 * is. */
enum ledger_resource tally_tightest(const struct ledger_free *room);
/* Returns an amount in whole cores (one decimal below 10), pods, or GiB of memory, in `arena`. It
 * is rounded down, as nobody can use more. */
const char *tally_amount_text(struct arena *arena, enum ledger_resource resource,
                              struct quantity amount);
/* Returns the namespaces in which something changes, is held back or is homeless, the namespace
 * with most replicas first, in the view's memory. */
const struct namespace_tally *tally_namespaces(const struct report_view *view, uint32_t *ret_count);

#endif
