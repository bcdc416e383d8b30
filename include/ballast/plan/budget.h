/* SPDX-License-Identifier: Apache-2.0
 *
 * What the limits still allow in one run: made once, like the ledger. Each decision spends a part,
 * and gets it back if it is not carried out.
 */
#ifndef BALLAST_PLAN_BUDGET_H
#define BALLAST_PLAN_BUDGET_H

#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/limits.h"

/* One limit in one place: the run, a namespace, a cluster. */
struct limit_account {
    int64_t whole;   /* 100 % of a limit in percent */
    int64_t allowed; /* LIMIT_OPEN: no limit */
    int64_t spent;
};

/* The amount that one decision spends of an account. */
struct charge {
    struct limit_account *account;
    int64_t amount;
};

struct budget;
struct disruptions;

/* How many replicas may leave a target in all the steps of a drain. */
struct drain_allowance {
    const struct disruption_budget *kept_by; /* keeps the other replicas; NULL: all may go */
    int64_t may_go;
};

/* Returns the budget of a run, in `arena`. Percentages are of all bindings in the policy's scope:
 * of their number, or of their assigned replicas. */
struct budget *budget_new(struct arena *arena, const struct fleet *fleet,
                          const struct diagnosis *diagnosis, const struct limits *limits);
/* Returns the account of a rule: the run's, that of a namespace (of the budget's fleet), or that of
 * a cluster by its index. NULL for a cluster that is gone: nothing can be spared there. Not for
 * LIMIT_WORKLOAD_IN_MOTION, which needs only the workload. */
struct limit_account *budget_account(struct budget *budget, enum limit_rule rule,
                                     const char *namespace_, uint32_t cluster);
/* Returns what PodDisruptionBudgets allow; NULL: no member has any. */
struct disruptions *budget_disruptions(struct budget *budget);
/* Lets a drain take all that PodDisruptionBudgets let go in all its steps, instead of what they let
 * go now. `by_binding` has an allowance for each of its spec.clusters, or NULL: all may go. It
 * lives as long as the budget. */
void budget_drain_in_steps(struct budget *budget, struct drain_allowance *const *by_binding);
/* Returns how much may still be spent; LIMIT_OPEN: no limit. */
int64_t account_left(const struct limit_account *account);
/* Returns how much may still be spent on something that goes as a whole: LIMIT_OPEN while nothing
 * is spent, unless the limit is 0. So a workload that is larger than the limit goes alone in a run,
 * and does not wait for ever. */
int64_t account_left_for_whole(const struct limit_account *account);

/* Spends the charges of a decision. */
void budget_spend(const struct charge *charges, uint32_t count);
/* Gives the charges of a decision back, because it is not carried out. Call it once. */
void budget_give_back(const struct charge *charges, uint32_t count);

#endif
