/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of a plan by cluster and by namespace.
 */
#ifndef BALLAST_REPORT_TALLY_H
#define BALLAST_REPORT_TALLY_H

#include "view.h"

struct cluster_tally {
    const char *name;
    uint32_t cluster;  /* CLUSTER_NONE: gone */
    uint32_t bindings; /* bindings that leave or arrive */
    int64_t leaving, arriving;
    int64_t before, after;             /* assigned replicas */
    int64_t stuck_before, stuck_after; /* part of before and after: see cluster_side */
    bool is_ill;                       /* the cluster does not stand well */
    bool has_room;                     /* `room` is known, and the cluster ready */
    struct ledger_free room;
};

struct namespace_tally {
    const char *name; /* "": cluster-scoped bindings */
    uint32_t changed, blocked, deferred;
    int64_t moved, added, homeless, replicas_deferred;
};

/* Returns the clusters whose replicas change, by leaving replicas, in the view's memory. After
 * writes, only done writes count. */
const struct cluster_tally *tally_clusters(const struct report_view *view, uint32_t *ret_count);
/* Returns all clusters, also gone ones, in the view's memory: changing clusters first, then
 * unhealthy ones. After writes, only done writes count. */
const struct cluster_tally *tally_fleet(const struct report_view *view, uint32_t *ret_count);
/* Returns the resource with the smallest free share; N_LEDGER_RESOURCES: none is known. */
enum ledger_resource tally_tightest(const struct ledger_free *room);
/* Returns an amount in cores (one decimal below 10), pods, or GiB, rounded down, in `arena`. */
const char *tally_amount_text(struct arena *arena, enum ledger_resource resource,
                              struct quantity amount);
/* Returns the namespaces with changed, blocked, deferred or homeless replicas, by changed replicas,
 * in the view's memory. */
const struct namespace_tally *tally_namespaces(const struct report_view *view, uint32_t *ret_count);

#endif
