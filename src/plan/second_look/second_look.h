/* SPDX-License-Identifier: Apache-2.0
 *
 * What is decided, placed anew so that more of it fits, and what nodes to come may take.
 */
#ifndef BALLAST_PLAN_SECOND_LOOK_H
#define BALLAST_PLAN_SECOND_LOOK_H

#include "plan/move/move.h"

/* --- growth.c --- */

/* What found no room anywhere goes where nodes may come; false: nothing does. */
bool grow_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions);

/* --- pack.c --- */

/* A second look at all that is decided, where replicas are left over; false: nothing is
 * better than it is. `ret`: what is left over then. */
bool pack_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions,
               struct plan_rest *ret);
/* What was taken for it is so no more. */
void decision_take_back(struct planner *planner, const struct decision *decision);
/* It holds again, with receipts of its own. What it was given has no surplus where it is. */
const struct decision *decision_enter_again(struct planner *planner,
                                            const struct decision *decision);

#endif
