/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of one run, as accounts that decisions spend. A decision that is not carried out gets
 * its charges back.
 */
#ifndef BALLAST_PLAN_RUN_ACCOUNTS_H
#define BALLAST_PLAN_RUN_ACCOUNTS_H

#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/limits.h"

/* One limit on the run, on a namespace or on a cluster. */
struct limit_account {
    int64_t whole;   /* 100 % of a limit in percent */
    int64_t allowed; /* LIMIT_OPEN: no limit */
    int64_t spent;
};

/* The amount that one decision spends from an account. */
struct charge {
    struct limit_account *account;
    int64_t amount;
};

struct run_accounts;
struct disruptions;

/* The replicas that may leave a target in all steps of a drain. */
struct drain_allowance {
    const struct disruption_budget *kept_by; /* keeps the others; NULL: all may go */
    int64_t may_go;
};

/* Returns the accounts of the limits of a run, in `arena`. Percentages are of all bindings in the
 * policy's scope that are not being deleted: of their number, or of their assigned replicas. */
struct run_accounts *run_accounts_new(struct arena *arena, const struct fleet *fleet,
                                      const struct diagnosis *diagnosis,
                                      const struct limits *limits);
/* Returns the account of a rule: of the run, of a namespace of the fleet, or of a cluster
 * by its index. NULL: the cluster is CLUSTER_NONE. LIMIT_WORKLOAD_IN_MOTION has no account. */
struct limit_account *run_account(struct run_accounts *run_accounts, enum limit_rule rule,
                                  const char *namespace_, uint32_t cluster);
/* Returns the PodDisruptionBudgets of all members with what they allow; NULL: no member has any. */
struct disruptions *run_disruptions(struct run_accounts *run_accounts);
/* Lets a drain take all replicas that PodDisruptionBudgets let go in all its steps, not only those
 * that they let go now. `by_binding` has an allowance for each of spec.clusters, or NULL: all may
 * go. `by_binding` outlives the accounts. */
void run_drain_in_steps(struct run_accounts *run_accounts,
                        struct drain_allowance *const *by_binding);
/* Returns how much may still be spent; LIMIT_OPEN: no limit. */
int64_t account_left(const struct limit_account *account);
/* Returns how much may still be spent on a change that goes as a whole: LIMIT_OPEN while nothing is
 * spent, unless the limit is 0. So a workload that is larger than the limit goes alone in a run,
 * and does not wait for ever. */
int64_t account_left_for_whole(const struct limit_account *account);

/* Spends the charges of a decision. */
void charges_spend(const struct charge *charges, uint32_t count);
/* Gives back the charges of a decision that is not carried out. Call once. */
void charges_give_back(const struct charge *charges, uint32_t count);

#endif
