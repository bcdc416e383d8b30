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

/* Of a member of the fleet whose nodes are known, in `arena`; by the fleet's marks. */
struct node_pools *node_pools_new(struct arena *arena, const struct fleet *fleet,
                                  const struct node_marks *marks, const struct member *member);
/* Likewise, and each node is a kind of its own, in the order of the member's nodes. */
struct node_pools *node_pools_new_unfolded(struct arena *arena, const struct fleet *fleet,
                                           const struct node_marks *marks,
                                           const struct member *member);
/* Of its own, in `arena`, to try what would be taken. */
struct node_pools *node_pools_copy(struct arena *arena, const struct node_pools *pools);
/* How many replicas fit: the sum over nodes, pinned to int32. Requirements that came into the fleet
 * later (a binding read again) may tell nodes apart that are folded: then those count that all of
 * their like fit. */
int32_t node_pools_fit(struct node_pools *pools, const struct requirements *requirements);

/* The answer of before, for whoever asks about the same requirements again. Zero to begin with. */
struct kept_fit {
    int32_t fit;
    uint32_t n_seen; /* changes that it knows of; 0: it is no answer */
};
/* The same answer, by what changed since. */
int32_t node_pools_fit_again(struct node_pools *pools, const struct requirements *requirements,
                             struct kept_fit *kept);

/* The same of each kind's nodes by themselves, into as many numbers as there are kinds. */
void node_pools_fit_each(struct node_pools *pools, const struct requirements *requirements,
                         int32_t *ret);

/* As the two above, if pods of a lower priority were gone, by the nodes in the member's order. */
int32_t node_pools_fit_preempting(struct node_pools *pools, const struct requirements *requirements,
                                  int32_t priority);
void node_pools_fit_each_preempting(struct node_pools *pools,
                                    const struct requirements *requirements, int32_t priority,
                                    int32_t *ret);

/* How many nodes there are, may be gone to, and have room for one. */
void node_pools_count(struct node_pools *pools, const struct requirements *requirements,
                      struct room_bound *ret);

/* How much of a resource usable (not cordoned) nodes have, and how much of it is left, in 1e-9 of a
 * unit. false where none of them has any. */
bool node_pools_left(const struct node_pools *pools, const char *resource, nanos128 *ret_whole,
                     nanos128 *ret_left);

/* What a take took, in the arena it was given. */
struct room_taken;

/* Spread as kube-scheduler would by default: where they really go is the member's scheduler's
 * choice. `requirements` must outlive what was taken. NULL: nothing was. */
const struct room_taken *node_pools_take(struct node_pools *pools, struct arena *arena,
                                         const struct requirements *requirements, int32_t replicas);
/* From the node of a kind that has one. */
const struct room_taken *node_pools_take_on(struct node_pools *pools, struct arena *arena,
                                            const struct requirements *requirements, uint32_t kind,
                                            int32_t replicas);
/* In any order of the takes. */
void node_pools_give_back(struct node_pools *pools, const struct room_taken *taken);

#endif
