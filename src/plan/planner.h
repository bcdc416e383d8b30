/* SPDX-License-Identifier: Apache-2.0
 *
 * The totals of a plan, and the order in which bindings are planned.
 */
#ifndef BALLAST_PLAN_PLANNER_H
#define BALLAST_PLAN_PLANNER_H

#include "plan/move/move.h"

/* --- plan_totals.c --- */

/* Lowers `reckoned` to the plan's unplaced replicas, and `at_most` to `reckoned`. */
void plan_rest_bound(struct plan_rest *rest, const struct plan_totals *totals);
/* Adds one decision to the totals. NULL: none was made. */
void totals_add(struct plan_totals *totals, const struct decision *decision);
/* Adds the diagnosis of the bindings that the plan is about to the totals. */
void totals_add_diagnosis(struct plan_totals *totals, const struct diagnosis *diagnosis,
                          const struct plan *plan);

/* --- urgency.c --- */

/* Returns the indices of all bindings, the most urgent first, in the plan's memory. Bindings that
 * only balance come last. Then priority decides, the wait if there are limits, the share of
 * replicas that do not run, namespace and name. */
uint32_t *urgency_order(struct planner *planner);

#endif
