/* SPDX-License-Identifier: Apache-2.0
 *
 * What the limits of a run and PodDisruptionBudgets leave of a decision.
 */
#ifndef BALLAST_PLAN_LIMITS_H
#define BALLAST_PLAN_LIMITS_H

#include "plan/move/move.h"

/* What the run's budget leaves of a decision that changes something: all of it, a
 * part (`after` is cut down), or nothing (the action is Deferred or Blocked). */
struct allowance {
    bool goes;             /* something is to be written */
    bool in_part;          /* some of it stays where it is until another run */
    const char *too_large; /* why this run may not divide it anew, and what is lost need not
                              wait; NULL: it waits */
    const int32_t *held;   /* by target: replicas that should go, but for a limit; NULL: none */
};

struct allowance limit_moves(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* The same for what goes as a whole or not at all, and takes back what is in motion: false when the
 * decision waits, or is blocked. */
bool limit_whole(struct planner *planner, const struct move *move, struct decision *decision);

#endif
