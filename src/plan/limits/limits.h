/* SPDX-License-Identifier: Apache-2.0
 *
 * Applies the limits of a run and PodDisruptionBudgets to decisions.
 */
#ifndef BALLAST_PLAN_LIMITS_H
#define BALLAST_PLAN_LIMITS_H

#include "plan/move/move.h"

/* The part of a changing decision that the limits of a run allow. */
struct allowance {
    bool goes;             /* something is to be written */
    bool in_part;          /* some replicas stay until another run */
    const char *too_large; /* why it may not be divided anew now, though lost replicas need not
                              wait; NULL: it may, or all waits */
    const int32_t *held;   /* by target: replicas that a limit keeps from leaving; NULL: none */
};

/* Applies the limits and PodDisruptionBudgets to a decision that changes something: lets it go,
 * cuts `after` to a part, defers or blocks it. Adds the reason, and charges the part that goes. */
struct allowance limit_moves(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Applies the limits to a decision that goes as a whole or not at all, whatever is in motion;
 * charges it if it goes. False: it is deferred or blocked, with the reason. */
bool limit_whole(struct planner *planner, const struct move *move, struct decision *decision);

#endif
