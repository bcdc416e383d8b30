/* SPDX-License-Identifier: Apache-2.0
 *
 * What PodDisruptionBudgets of members leave of one run. They bind replicas that run
 * and are taken all the same: by balance, and by a drain. Other replicas that are
 * taken count against them.
 */
#ifndef BALLAST_PLAN_DISRUPTIONS_H
#define BALLAST_PLAN_DISRUPTIONS_H

#include "ballast/plan/budget.h"
#include "flows.h"

/* One budget, the pods that it expects (account.whole), and how many of them it allows to go. */
struct disruption_account {
    const struct disruption_budget *budget;
    struct limit_account account;
    int64_t ready;     /* of the pods that it expects */
    int64_t leaving;   /* ready pods beyond those that it expects */
    const char *doubt; /* why it is not known whether it protects these pods; NULL: it does */
    bool in_steps;     /* it allows what all steps of a drain take, and no more for ever */
};

/* Returns the budgets of all members, in `arena`, with what they allow by the diagnosis. NULL: no
 * member has any. */
struct disruptions *disruptions_new(struct arena *arena, const struct fleet *fleet,
                                    const struct diagnosis *diagnosis);
/* Lets drains take what all their steps may (budget_drain_in_steps), instead of what may go now.
 * `by_binding` outlives the disruptions. */
void disruptions_go_in_steps(struct disruptions *disruptions,
                             struct drain_allowance *const *by_binding);
/* True if some budget protects, or may protect, pods of the binding in one of its clusters. */
bool disruptions_concern(const struct planner *planner, const struct move *move);
/* Marks the flows of which a budget keeps replicas: kept_by, may_go. */
void disruptions_bind(const struct planner *planner, const struct move *move, struct flows *flows);
/* Spends the budgets on the ready replicas that the flows take, and adds that to the charges of the
 * decision. */
void disruptions_spend(struct planner *planner, const struct move *move, const struct flows *flows,
                       struct decision *decision);

#endif
