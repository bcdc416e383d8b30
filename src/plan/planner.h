/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner: every binding in order of urgency, and the totals.
 */
#ifndef BALLAST_PLAN_PLANNER_H
#define BALLAST_PLAN_PLANNER_H

#include "plan/move/move.h"

/* --- plan_totals.c ------------------------------------------------------------------------------
 */

/* No more of it is left over than of the plan. */
void plan_rest_bound(struct plan_rest *rest, const struct plan_totals *totals);
/* One decision more (NULL: none was made) on a binding in that state. */
void totals_add(struct plan_totals *totals, const struct decision *decision,
                const struct binding_state *state);
/* What was diagnosed, of the bindings that the plan is about. */
void totals_add_diagnosis(struct plan_totals *totals, const struct diagnosis *diagnosis,
                          const struct plan *plan);

/* --- urgency.c --- */

/* Indices of all bindings: what only balances last, by priority, under limits by the
 * wait, by the share of replicas that do not run, then by namespace and name. */
uint32_t *urgency_order(struct planner *planner);

#endif
