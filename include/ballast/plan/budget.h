/* SPDX-License-Identifier: Apache-2.0
 *
 * What the limits leave of one run: made once, as the ledger is, spent by one
 * decision after the other, and given back what is not done.
 */
#ifndef BALLAST_PLAN_BUDGET_H
#define BALLAST_PLAN_BUDGET_H

#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/limits.h"

/* Of one limit, in one place: the run, a namespace, a cluster. */
struct limit_account {
    int64_t whole;   /* what a percentage is of */
    int64_t allowed; /* LIMIT_OPEN: no limit */
    int64_t spent;
};

/* What one decision spends of an account. */
struct charge {
    struct limit_account *account;
    int64_t amount;
};

struct budget;
struct disruptions;

/* How many replicas may leave a target in all the steps of a drain. */
struct drain_allowance {
    const struct disruption_budget *kept_by; /* the PodDisruptionBudget that keeps the others; NULL:
                                                all may go */
    int64_t may_go;
};

/* Wholes are those of all bindings that are within the policy's scope: their assigned replicas,
 * and how many they are. */
struct budget *budget_new(struct arena *arena, const struct fleet *fleet,
                          const struct diagnosis *diagnosis, const struct limits *limits);
/* The account of a rule: the run's, that of a namespace (of the fleet it was made for), or that of
 * a cluster by its index. NULL for a cluster that is gone: nothing can be spared there. Not for
 * LIMIT_WORKLOAD_IN_MOTION, which is told by the workload alone. */
struct limit_account *budget_account(struct budget *budget, enum limit_rule rule,
                                     const char *namespace_, uint32_t cluster);
/* What PodDisruptionBudgets leave; NULL: no member has any. */
struct disruptions *budget_disruptions(struct budget *budget);
/* A drain takes what PodDisruptionBudgets let go in all its steps, and not what they let go now.
 * `by_binding`: of each of its spec.clusters, or NULL: all may go. It has to live as long. */
void budget_drain_in_steps(struct budget *budget, struct drain_allowance *const *by_binding);
/* LIMIT_OPEN: no limit. */
int64_t account_left(const struct limit_account *account);
/* For what goes as a whole: of any size where nothing is spent yet, unless the limit is 0. So what
 * is larger than the limit goes alone in a run, and does not wait for ever. */
int64_t account_left_for_whole(const struct limit_account *account);

void budget_spend(const struct charge *charges, uint32_t count);
void budget_give_back(const struct charge *charges, uint32_t count);

#endif
