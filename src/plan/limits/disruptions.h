/* SPDX-License-Identifier: Apache-2.0
 *
 * What PodDisruptionBudgets of members leave of one run. They bind what is taken
 * although it runs: by balance, and by a drain. What is taken otherwise counts.
 */
#ifndef BALLAST_PLAN_DISRUPTIONS_H
#define BALLAST_PLAN_DISRUPTIONS_H

#include "ballast/plan/budget.h"
#include "flows.h"

/* One budget, and what it allowed at first of so many pods that it expects. */
struct disruption_account {
    const struct disruption_budget *budget;
    struct limit_account account;
    int64_t ready;     /* of them */
    int64_t leaving;   /* that are ready, and more than are expected */
    const char *doubt; /* why nobody knows whether it protects what is there; NULL: it does */
    bool in_steps;     /* what it allows is what all steps of a drain take, and no more for ever */
};

/* NULL: no member has any. */
struct disruptions *disruptions_new(struct arena *arena, const struct fleet *fleet,
                                    const struct diagnosis *diagnosis);
void disruptions_go_in_steps(struct disruptions *disruptions,
                             struct drain_allowance *const *by_binding);
/* Some budget protects pods of the binding where it is, or may. */
bool disruptions_concern(const struct planner *planner, const struct move *move);
/* Marks the flows that a budget keeps from going whole: kept_by, may_go. */
void disruptions_bind(const struct planner *planner, const struct move *move, struct flows *flows);
/* What the flows take of what is ready is spent, and charged to the decision. */
void disruptions_spend(struct planner *planner, const struct move *move, const struct flows *flows,
                       struct decision *decision);

#endif
