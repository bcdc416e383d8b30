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

struct virtual_nodes *virtual_nodes_new(struct arena *arena, const struct cluster *cluster);
/* Of its own, in `arena`, to try what would be taken. */
struct virtual_nodes *virtual_nodes_copy(struct arena *arena, const struct virtual_nodes *nodes);
/* Replicas that fit in what is left, pinned to int64. */
int64_t virtual_nodes_fit(const struct virtual_nodes *nodes,
                          const struct requirements *requirements);
/* Nodes that one take put so many replicas on, each. */
struct virtual_split {
    uint32_t group;
    int64_t replicas;
    const struct virtual_split *next;
};

/* Takes room for `replicas`, or for as many as fit. Returns where, in the nodes' arena. */
const struct virtual_split *virtual_nodes_take(struct virtual_nodes *nodes,
                                               const struct requirements *requirements,
                                               int64_t replicas);
/* Frees what that take took on these nodes, whatever else was put on them since. */
void virtual_nodes_give_back(struct virtual_nodes *nodes, const struct virtual_split *splits,
                             const struct requirements *requirements);

#endif
