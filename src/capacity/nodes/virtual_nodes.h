/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of a cluster's resource models, in groups of equal nodes, for a run to take from.
 */
#ifndef BALLAST_CAPACITY_VIRTUAL_NODES_H
#define BALLAST_CAPACITY_VIRTUAL_NODES_H

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"
#include "ballast/model/placement.h"

struct virtual_nodes;

/* Returns the nodes of a cluster's resource models, in `arena`. */
struct virtual_nodes *virtual_nodes_new(struct arena *arena, const struct cluster *cluster);
/* Returns a copy in `arena` that is taken from separately. */
struct virtual_nodes *virtual_nodes_copy(struct arena *arena, const struct virtual_nodes *nodes);
/* Returns how many replicas fit, pinned to int64. */
int64_t virtual_nodes_fit(const struct virtual_nodes *nodes,
                          const struct requirements *requirements);
/* A group of nodes to which one take added replicas. */
struct virtual_split {
    uint32_t group;
    int64_t replicas; /* on each node */
    const struct virtual_split *next;
};

/* Takes capacity for `replicas`, or as many as fit. Returns the splits, in the nodes' arena; NULL:
 * nothing. */
const struct virtual_split *virtual_nodes_take(struct virtual_nodes *nodes,
                                               const struct requirements *requirements,
                                               int64_t replicas);
/* Gives back one take, whatever was taken since. */
void virtual_nodes_give_back(struct virtual_nodes *nodes, const struct virtual_split *splits,
                             const struct requirements *requirements);

#endif
