/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for a decision: attempts at a binding in the order of a table, until one is enough.
 */
#ifndef BALLAST_PLAN_LADDER_H
#define BALLAST_PLAN_LADDER_H

#include "plan/move/move.h"

/* --- decide_binding.c --- */

/* Decides a binding for the first time, in the plan's memory. NULL: nothing to keep. */
const struct decision *decide_first(struct planner *planner, uint32_t binding);
/* Decides the binding once more, under further assumptions. `said` leaves it as it is, with the
 * reasons so far. Returns the decision in the plan's memory; NULL: nothing to keep. */
const struct decision *decide_again(struct planner *planner, const struct decision *said,
                                    struct assumptions assumed);

#endif
