/* SPDX-License-Identifier: Apache-2.0
 *
 * What the limits of a run and PodDisruptionBudgets leave of a decision.
 */
#ifndef BALLAST_PLAN_LIMITS_H
#define BALLAST_PLAN_LIMITS_H

#include "plan/move/move.h"

/* What the limits of a run leave of a decision that changes something. */
struct allowance {
    bool goes;             /* something is to be written */
    bool in_part;          /* some of it stays where it is until another run */
    const char *too_large; /* why this run may not divide it anew although what is lost need not
                              wait; NULL: it waits with the rest */
    const int32_t *held;   /* by target: replicas that a limit keeps from leaving; NULL: none */
};

/* Applies the limits and PodDisruptionBudgets to a decision that changes something. Lets all of it
 * go, cuts `after` down to a part, or defers or blocks it; adds the reason, and charges what goes.
 */
struct allowance limit_moves(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Applies the limits to a decision that goes as a whole or not at all, whatever of the workload is
 * in motion; charges it where it goes. False: it is deferred or blocked, with the reason. */
bool limit_whole(struct planner *planner, const struct move *move, struct decision *decision);

#endif
