/* SPDX-License-Identifier: Apache-2.0
 *
 * The policies.
 */
#include "policies.h"

#include "ballast/base/str.h"

/* Room is taken as soon as it is there. */
#define AT_ONCE                                                                                    \
    {                                                                                              \
        ALLOW_ANY, .patience = 2                                                                   \
    }

const struct sim_policy policies[] = {
    {.name = "scheduler", .summary = "karmada-scheduler alone"},
    {.name = "karmada", .summary = "with karmada-descheduler", .deschedules = true},
    {.name = "karmada-fo",
     .summary = "with its failover as well",
     .deschedules = true,
     .fails_over = true},
    {.name = "ballast", .summary = "Ballast as it comes", .config = "", .allowance = AT_ONCE},
    {.name = "no-failover",
     .summary = "Ballast, leaving lost clusters alone",
     .config = "triggers: {UnhealthyCluster: false}\n",
     .allowance = AT_ONCE},
    {.name = "regions",
     .summary = "Ballast, its guard by region; every kind may move",
     .config = "guard: {groupBy: region}\n"
               "movableKinds: [StatefulSet, Job, Engine.example.com]\n",
     .allowance = {ALLOW_ANY, .patience = 2, .by_region = true, .moves_all_kinds = true}},
    {.name = "limits",
     .summary = "Ballast, a little in each run",
     .config = "limits:\n"
               "  maxReplicasMoved: 6\n"
               "  maxBindingsChanged: 4\n"
               "  perSourceCluster: {maxReplicasMoved: 5}\n"
               "  perDestinationCluster: {maxReplicasMoved: 3}\n"
               "  perWorkload: {maxReplicasInMotion: 50%}\n",
     .allowance =
         {.replicas = 6, .bindings = 4, .to_cluster = 3, .from_cluster = 5, .patience = 30}},
    {.name = "failback",
     .summary = "Ballast, restoring static weights",
     .config = "triggers: {Imbalance: true}\n"
               "balance: {staticWeights: true, moveRunning: true}\n",
     .allowance = {ALLOW_ANY, .patience = 2, .balances = true}},
    {.name = "evict",
     .summary = "Ballast in mode Evict",
     .config = "mode: Evict\n",
     .allowance = {ALLOW_ANY, .patience = -1, .evicts = true}},
    {.name = "estimators",
     .summary = "Ballast through estimators alone",
     .estimators = true,
     .config = "members: [estimator, status]\n",
     .allowance = AT_ONCE},
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
