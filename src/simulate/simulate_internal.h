/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of simulate/.
 */
#ifndef BALLAST_SIMULATE_SIMULATE_INTERNAL_H
#define BALLAST_SIMULATE_SIMULATE_INTERNAL_H

#include "ballast/simulate/change.h"

/* A fleet under change. Only private copies are written. */
struct draft {
    struct arena *arena;
    const struct fleet *original;
    const struct policy *policy;
    struct fleet fleet; /* the fleet so far */
    struct cluster *clusters;
    struct member *members;
    struct binding *bindings; /* NULL: the original's */
    enum cluster_fate *fates;
    uint32_t *origins;
};

/* Returns the bindings as a private copy. */
struct binding *draft_bindings(struct draft *draft);

/* simulate_clusters.c: adds the clusters of all changes, sorted, and updates all indices. */
bool draft_add_clusters(struct draft *draft, const struct change_list *changes, struct error *err);
/* Sets a Ready condition with that status and no transition time. */
void draft_set_ready(struct draft *draft, struct cluster *cluster, const char *status);
/* Returns false with ERROR_NOT_FOUND and the nearest name. */
bool draft_refuse_cluster(const struct draft *draft, const char *name, struct error *err);

/* resize.c: resizes one cluster. */
bool draft_resize(struct draft *draft, const struct change *change, struct error *err);

/* Adds the requests of replicas to sums by enum ledger_resource. Skips sums that overflow. */
void add_requests(struct quantity *sums, const struct binding *binding, int64_t replicas);

#endif
