/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this room have in common.
 */
#ifndef BALLAST_SIMULATE_SIMULATE_INTERNAL_H
#define BALLAST_SIMULATE_SIMULATE_INTERNAL_H

#include "ballast/simulate/change.h"

/* A fleet on its way to another: what may be written to is a copy. */
struct draft {
    struct arena *arena;
    const struct fleet *original;
    const struct policy *policy;
    struct fleet fleet; /* as far as it is changed */
    struct cluster *clusters;
    struct member *members;
    struct binding *bindings; /* NULL: still the original's */
    enum cluster_fate *fates;
    uint32_t *origins;
};

/* The bindings, to be written to. */
struct binding *draft_bindings(struct draft *draft);

/* simulate_clusters.c: those of all changes, in their places; what names a cluster by its index
 * follows. */
bool draft_add_clusters(struct draft *draft, const struct change_list *changes, struct error *err);
/* A Ready condition of that status for as long as anybody knows. */
void draft_set_ready(struct draft *draft, struct cluster *cluster, const char *status);
/* There is no such cluster: false with ERROR_NOT_FOUND and the nearest name. */
bool draft_refuse_cluster(const struct draft *draft, const char *name, struct error *err);

/* resize.c */
bool draft_resize(struct draft *draft, const struct change *change, struct error *err);

/* To sums by enum ledger_resource: what so many replicas of the binding ask for. What overflows is
 * left out. */
void add_requests(struct quantity *sums, const struct binding *binding, int64_t replicas);

#endif
