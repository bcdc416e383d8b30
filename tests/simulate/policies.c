/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies.
 */
#include "policies.h"

#include "ballast/str.h"

#define ANY_AMOUNT(patience_)                                                                      \
    {                                                                                              \
        .replicas = -1, .bindings = -1, .patience = (patience_), .may_return = false               \
    }

const struct sim_policy policies[] = {
    {.name = "scheduler", .summary = "karmada-scheduler alone"},
    {.name = "karmada", .summary = "with karmada-descheduler", .deschedules = true},
    {.name = "karmada-fo",
     .summary = "with its failover as well",
     .deschedules = true,
     .fails_over = true},
    {.name = "ballast", .summary = "Ballast as it comes", .config = "", .allowance = ANY_AMOUNT(2)},
    {.name = "limits",
     .summary = "Ballast, 4 replicas a run",
     .config = "limits:\n  maxReplicas: 4\n",
     .allowance = {.replicas = 4, .bindings = -1, .patience = -1, .may_return = false}},
    {.name = "estimators",
     .summary = "Ballast through estimators alone",
     .estimators = true,
     .config = "members: [estimator, status]\n",
     .allowance = ANY_AMOUNT(2)},
    {0},
};

const struct sim_policy *
policy_find(const char *name)
{
    for (const struct sim_policy *policy = policies; policy->name != NULL; policy++) {
        if (str_eq(policy->name, name)) {
            return policy;
        }
    }
    return NULL;
}
