/* SPDX-License-Identifier: Apache-2.0
 *
 * The free capacity of a member's nodes, folded. Nodes that no binding can tell apart and that
 * have equal capacity left are one kind with a count. So memory and time follow the kinds, not the
 * nodes.
 */
#ifndef BALLAST_CAPACITY_NODE_POOLS_H
#define BALLAST_CAPACITY_NODE_POOLS_H

#include "ballast/base/arena.h"
#include "ballast/capacity/ledger.h"
#include "ballast/model/fleet.h"
#include "node_marks.h"

struct node_pools;

/* Returns the capacity of a member with known nodes, in `arena`, folded by the fleet's marks. */
struct node_pools *node_pools_new(struct arena *arena, const struct fleet *fleet,
                                  const struct node_marks *marks, const struct member *member);
/* Returns the capacity of a member with known nodes, in `arena`. Each node is a kind of its own, in
 * the member's order. */
struct node_pools *node_pools_new_unfolded(struct arena *arena, const struct fleet *fleet,
                                           const struct node_marks *marks,
                                           const struct member *member);
/* Returns a copy in `arena` that is taken from separately. */
struct node_pools *node_pools_copy(struct arena *arena, const struct node_pools *pools);
/* Returns how many replicas fit on all nodes, pinned to int32. Requirements read after the folding
 * may tell folded nodes apart; then only classes count whose nodes are all eligible. */
int32_t node_pools_fit(struct node_pools *pools, const struct requirements *requirements);

/* The last answer for the same requirements. Zero to begin with. */
struct kept_fit {
    int32_t fit;
    uint32_t n_seen; /* changes included; 0: no answer */
};
/* Returns what node_pools_fit() would, from the kept answer and later changes where that is faster.
 * Updates `kept`, which belongs to these requirements and these pools. */
int32_t node_pools_fit_again(struct node_pools *pools, const struct requirements *requirements,
                             struct kept_fit *kept);

/* Fills `ret`, by kind, with how many replicas fit on one node of the kind. */
void node_pools_fit_each(struct node_pools *pools, const struct requirements *requirements,
                         int32_t *ret);

/* Returns how many replicas would fit in all without pods of lower priority, pinned to int32. */
int32_t node_pools_fit_preempting(struct node_pools *pools, const struct requirements *requirements,
                                  int32_t priority);
/* Fills `ret`, by node in the member's order, with node_pools_fit_preempting() of each. */
void node_pools_fit_each_preempting(struct node_pools *pools,
                                    const struct requirements *requirements, int32_t priority,
                                    int32_t *ret);

/* Adds to *ret the numbers of nodes, of nodes open to the replicas, and of those where one fits. */
void node_pools_count(struct node_pools *pools, const struct requirements *requirements,
                      struct room_bound *ret);

/* Sets a resource's allocatable and free amounts on nodes that are not cordoned, in 1e-9 of a unit.
 * False: these nodes have none. */
bool node_pools_left(const struct node_pools *pools, const char *resource, nanos128 *ret_whole,
                     nanos128 *ret_left);

/* One take's nodes and replicas, in the arena it was given. */
struct room_taken;

/* Takes capacity for as many of the replicas as fit, spread as kube-scheduler does by default. The
 * real scheduler may choose other nodes. Returns what was taken, in `arena`; NULL: nothing.
 * `requirements` must outlive it. */
const struct room_taken *node_pools_take(struct node_pools *pools, struct arena *arena,
                                         const struct requirements *requirements, int32_t replicas);
/* Takes capacity for all replicas, even beyond what fits, from a kind with one node. Returns what
 * was taken, in `arena`. `requirements` must outlive it. */
const struct room_taken *node_pools_take_on(struct node_pools *pools, struct arena *arena,
                                            const struct requirements *requirements, uint32_t kind,
                                            int32_t replicas);
/* Gives back one take, whatever was taken since. NULL is fine. */
void node_pools_give_back(struct node_pools *pools, const struct room_taken *taken);

#endif
