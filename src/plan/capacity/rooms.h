/* SPDX-License-Identifier: Apache-2.0
 *
 * The free room of a member's nodes, folded: nodes that no binding of the fleet
 * can tell apart and that have the same left are one kind with a count. So
 * memory and time follow the kinds of nodes and not the nodes.
 */
#ifndef BALLAST_PLAN_ROOMS_H
#define BALLAST_PLAN_ROOMS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

struct rooms;

/* Of a member of the fleet whose nodes are known, in `arena`. */
struct rooms *rooms_new(struct arena *arena, const struct fleet *fleet,
                        const struct member *member);
/* Of its own, in `arena`, to try what would be taken. */
struct rooms *rooms_copy(struct arena *arena, const struct rooms *rooms);
/* How many replicas fit: the sum over nodes, pinned to int32. Requirements that came into the fleet
 * later (a binding read again) may tell nodes apart that are folded: then those count that all of
 * their like fit. */
int32_t rooms_fit(struct rooms *rooms, const struct requirements *requirements);

/* How much of a resource usable (not cordoned) nodes have, and how much of it is left, in 1e-9 of a
 * unit. false where none of them has any. */
bool rooms_left(const struct rooms *rooms, const char *resource, nanos128 *ret_whole,
                nanos128 *ret_left);

/* What a take took, in the arena it was given. */
struct room_part;

/* Spread as kube-scheduler would by default: where they really go is the member's scheduler's
 * choice. `requirements` must outlive the part. */
const struct room_part *rooms_take(struct rooms *rooms, struct arena *arena,
                                   const struct requirements *requirements, int32_t replicas);
/* In any order of the takes. */
void rooms_give_back(struct rooms *rooms, const struct room_part *parts);
/* How many kinds there are. */
uint32_t rooms_count(const struct rooms *rooms);

#endif
