/* SPDX-License-Identifier: Apache-2.0
 *
 * The last steps of a plan: decisions are placed anew so that more replicas fit, and grow onto new
 * nodes.
 */
#ifndef BALLAST_PLAN_SECOND_LOOK_H
#define BALLAST_PLAN_SECOND_LOOK_H

#include "plan/move/move.h"

/* --- growth.c --- */

/* Decides bindings again, in order, whose lost replicas have no place: these may go where an
 * autoscaler may add nodes. Replaces decisions. False: no binding, or no growth by policy. */
bool grow_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions);

/* --- pack.c --- */

/* Places decisions anew if replicas are unplaced, and replaces them if more replicas fit then.
 * Fills *ret if the run counts capacity. False: nothing is replaced. */
bool pack_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions,
               struct plan_rest *ret);
/* Gives back to the ledger and the accounts of limits all that a decision took. NULL is fine. */
void decision_take_back(struct planner *planner, const struct decision *decision);
/* Takes from the ledger and the accounts of limits again all that a decision took, after
 * decision_take_back(). Returns a copy with receipts of its own. Empties the planner's scratch. */
const struct decision *decision_enter_again(struct planner *planner,
                                            const struct decision *decision);

#endif
