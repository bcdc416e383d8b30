/* SPDX-License-Identifier: Apache-2.0
 *
 * The PodDisruptionBudgets of members in one run. They bind running replicas that balance or a
 * drain takes. Other replicas that are taken count against them.
 */
#ifndef BALLAST_PLAN_DISRUPTIONS_H
#define BALLAST_PLAN_DISRUPTIONS_H

#include "ballast/plan/run_accounts.h"
#include "flows.h"

/* One budget with the pods that it expects (account.whole), and how many of them it lets go. */
struct disruption_account {
    const struct disruption_budget *budget;
    struct limit_account account;
    int64_t ready;     /* ready ones of the expected pods */
    int64_t leaving;   /* ready pods beyond the expected ones */
    const char *doubt; /* why it is not known whether it protects these pods; NULL: it does */
    bool in_steps;     /* it allows all that the steps of a drain take, and never more */
};

/* Returns the budgets of all members, in `arena`, with the disruptions that they allow by the
 * diagnosis. NULL: no member has any. */
struct disruptions *disruptions_new(struct arena *arena, const struct fleet *fleet,
                                    const struct diagnosis *diagnosis);
/* Lets drains take all that their steps may take (run_drain_in_steps()), not only the present
 * allowance. `by_binding` outlives the disruptions. */
void disruptions_go_in_steps(struct disruptions *disruptions,
                             struct drain_allowance *const *by_binding);
/* True if a budget protects, or may protect, pods of the binding in one of its clusters. False if
 * the policy stands in for a scheduler. */
bool disruptions_concern(const struct planner *planner, const struct move *move);
/* Sets `kept_by` and `may_go` of the flows of which a budget keeps replicas. */
void disruptions_bind(const struct planner *planner, const struct move *move, struct flows *flows);
/* Spends the budgets on the ready replicas that the flows take, by charges of the decision. */
void disruptions_spend(struct planner *planner, const struct move *move, const struct flows *flows,
                       struct decision *decision);

#endif
