/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes that a cluster's resource models stand for, as groups of equal
 * ones, so that what is given out can be taken from them.
 */
#ifndef BALLAST_CAPACITY_VIRTUAL_NODES_H
#define BALLAST_CAPACITY_VIRTUAL_NODES_H

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"
#include "ballast/model/placement.h"

struct virtual_nodes;

/* Returns the nodes that the resource models of a cluster stand for, in `arena`. */
struct virtual_nodes *virtual_nodes_new(struct arena *arena, const struct cluster *cluster);
/* Returns a copy in `arena`: what is taken from one is not taken from the other. */
struct virtual_nodes *virtual_nodes_copy(struct arena *arena, const struct virtual_nodes *nodes);
/* Returns how many replicas fit in what is left, pinned to int64. */
int64_t virtual_nodes_fit(const struct virtual_nodes *nodes,
                          const struct requirements *requirements);
/* A group of nodes that one take put replicas on. */
struct virtual_split {
    uint32_t group;
    int64_t replicas; /* on each node */
    const struct virtual_split *next;
};

/* Takes room for `replicas`, or for as many as fit. Returns where, in the nodes' arena; NULL:
 * nowhere. */
const struct virtual_split *virtual_nodes_take(struct virtual_nodes *nodes,
                                               const struct requirements *requirements,
                                               int64_t replicas);
/* Gives back what one take took, whatever was put on the nodes since. */
void virtual_nodes_give_back(struct virtual_nodes *nodes, const struct virtual_split *splits,
                             const struct requirements *requirements);

#endif
