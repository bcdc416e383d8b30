/* SPDX-License-Identifier: Apache-2.0
 *
 * What is decided, placed anew so that more of it fits, and what nodes to come may take.
 */
#ifndef BALLAST_PLAN_SECOND_LOOK_H
#define BALLAST_PLAN_SECOND_LOOK_H

#include "plan/move/move.h"

/* --- growth.c --- */

/* Decides again, in order, for bindings with lost replicas that found no room: they may go to
 * clusters where an autoscaler may add nodes. Replaces their decisions. False: there is no such
 * binding, or the policy does not allow growth. */
bool grow_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions);

/* --- pack.c --- */

/* Packs all that is decided anew where replicas are left over, and replaces decisions where more
 * fits then. Sets in *ret what is left over, where the run counts room. False: nothing is replaced.
 */
bool pack_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions,
               struct plan_rest *ret);
/* Gives back to the ledger and the budgets what a decision took. NULL is fine. */
void decision_take_back(struct planner *planner, const struct decision *decision);
/* Takes from the ledger and the budgets again what a decision takes, after decision_take_back.
 * Returns a copy with receipts of its own. Empties the planner's scratch. */
const struct decision *decision_enter_again(struct planner *planner,
                                            const struct decision *decision);

#endif
