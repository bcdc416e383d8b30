/* SPDX-License-Identifier: Apache-2.0
 *
 * The free room of a member's nodes, folded: nodes that no binding of the fleet
 * can tell apart and that have the same left are one kind with a count. So
 * memory and time follow the kinds of nodes and not the nodes.
 */
#ifndef BALLAST_CAPACITY_NODE_POOLS_H
#define BALLAST_CAPACITY_NODE_POOLS_H

#include "ballast/base/arena.h"
#include "ballast/capacity/ledger.h"
#include "ballast/model/fleet.h"
#include "node_marks.h"

struct node_pools;

/* Returns the free room of a member whose nodes are known, in `arena`, folded by the fleet's marks.
 */
struct node_pools *node_pools_new(struct arena *arena, const struct fleet *fleet,
                                  const struct node_marks *marks, const struct member *member);
/* Returns the free room of a member whose nodes are known, in `arena`. Each node is a kind of its
 * own, in the order of the member's nodes. */
struct node_pools *node_pools_new_unfolded(struct arena *arena, const struct fleet *fleet,
                                           const struct node_marks *marks,
                                           const struct member *member);
/* Returns a copy in `arena`: what is taken from one is not taken from the other. */
struct node_pools *node_pools_copy(struct arena *arena, const struct node_pools *pools);
/* Returns how many replicas fit: the sum over nodes, pinned to int32. Requirements that came into
 * the fleet later (a binding read again) may tell nodes apart that are folded: then only those
 * nodes count whose like all fit. */
int32_t node_pools_fit(struct node_pools *pools, const struct requirements *requirements);

/* The last answer, for a caller that asks about the same requirements again. Zero to begin with. */
struct kept_fit {
    int32_t fit;
    uint32_t n_seen; /* changes that it knows of; 0: it is no answer */
};
/* Returns what node_pools_fit would, worked out from the kept answer and what changed since where
 * that is faster; keeps it. `kept` is of these requirements and these pools alone. */
int32_t node_pools_fit_again(struct node_pools *pools, const struct requirements *requirements,
                             struct kept_fit *kept);

/* Sets how many replicas fit on one node of each kind; `ret` has an item for each kind. */
void node_pools_fit_each(struct node_pools *pools, const struct requirements *requirements,
                         int32_t *ret);

/* Returns how many replicas would fit if pods of a lower priority were gone: the sum over nodes,
 * pinned to int32. */
int32_t node_pools_fit_preempting(struct node_pools *pools, const struct requirements *requirements,
                                  int32_t priority);
/* Sets how many replicas would fit on each node if pods of a lower priority were gone; `ret` has an
 * item for each node, in the member's order. */
void node_pools_fit_each_preempting(struct node_pools *pools,
                                    const struct requirements *requirements, int32_t priority,
                                    int32_t *ret);

/* Adds to *ret how many nodes there are, how many of them replicas may go to, and how many of those
 * have room for one. */
void node_pools_count(struct node_pools *pools, const struct requirements *requirements,
                      struct room_bound *ret);

/* Sets how much of a resource usable (not cordoned) nodes have, and how much of it is left, in 1e-9
 * of a unit. False: no such node has any. */
bool node_pools_left(const struct node_pools *pools, const char *resource, nanos128 *ret_whole,
                     nanos128 *ret_left);

/* What a take took, in the arena it was given. */
struct room_taken;

/* Takes room for as many of the replicas as fit, spread as kube-scheduler would by default: the
 * member's scheduler chooses where they really go. `requirements` must outlive what was taken.
 * NULL: nothing was taken. */
const struct room_taken *node_pools_take(struct node_pools *pools, struct arena *arena,
                                         const struct requirements *requirements, int32_t replicas);
/* Takes room for all replicas from the node of a kind that has one node, whether or not they fit.
 * `requirements` must outlive what was taken. */
const struct room_taken *node_pools_take_on(struct node_pools *pools, struct arena *arena,
                                            const struct requirements *requirements, uint32_t kind,
                                            int32_t replicas);
/* Gives back what one take took, in any order of the takes. NULL is fine. */
void node_pools_give_back(struct node_pools *pools, const struct room_taken *taken);

#endif
