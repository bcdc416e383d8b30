/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for a decision: attempts at a binding in the order of a table, the first that is
 * enough, and what follows once it is taken.
 */
#ifndef BALLAST_PLAN_LADDER_H
#define BALLAST_PLAN_LADDER_H

#include "plan/move/move.h"

/* --- decide_binding.c --- */

/* Decides the binding for the first time. Returns the decision in the plan's memory, or NULL
 * where there is nothing to keep. */
const struct decision *decide_first(struct planner *planner, uint32_t binding);
/* Decides the binding once more, under further assumptions. `said` is the decision that leaves
 * it as it is, with what has been said of it already. Returns the decision in the plan's memory,
 * or NULL where there is nothing to keep. */
const struct decision *decide_again(struct planner *planner, const struct decision *said,
                                    struct assumptions assumed);

#endif
