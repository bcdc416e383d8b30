/* SPDX-License-Identifier: Apache-2.0
 *
 * One simulation: diagnose and plan of the changed fleet, and each cluster
 * before and after.
 */
#include "ballast/simulate/simulate.h"

#include "ballast/diagnose/diagnose.h"
#include "drain.h"

static void
look_at_clusters(struct arena *arena, struct simulation *ret, const struct policy *policy)
{
    const struct changed_fleet *changed = ret->changed;
    struct ledger *ledger = ledger_new(arena, ret->before, ret->diagnosis_before, policy);
    const struct cluster_side *before =
        cluster_sides(arena, ret->before, ret->diagnosis_before, NULL, ledger);
    const struct cluster_side *after =
        cluster_sides(arena, &changed->fleet, ret->diagnosis, ret->plan, ret->ledger);
    struct cluster_outlook *clusters =
        ARENA_ARRAY(arena, struct cluster_outlook, changed->fleet.n_clusters);

    for (uint32_t i = 0; i < changed->fleet.n_clusters; i++) {
        clusters[i].name = changed->fleet.clusters[i].name;
        clusters[i].fate = changed->fates[i];
        clusters[i].after = after[i];
        if (changed->origins[i] != CLUSTER_NONE) {
            clusters[i].before = before[changed->origins[i]];
        }
    }
    ret->clusters = clusters;
    ret->n_clusters = changed->fleet.n_clusters;
}

static bool *
clusters_of_fate(struct arena *arena, const struct changed_fleet *changed, enum cluster_fate fate)
{
    bool *ret = ARENA_ARRAY(arena, bool, changed->fleet.n_clusters);

    for (uint32_t i = 0; i < changed->fleet.n_clusters; i++) {
        ret[i] = changed->fates[i] == fate;
    }
    return ret;
}

static struct policy
policy_of(const struct changed_fleet *changed, const struct policy *policy)
{
    struct policy ret = simulation_policy(policy, changed->n_lost + changed->n_drained > 0);

    if (changed->n_drained > 0) { /* it is left, and does not come back */
        ret.failover.kubefed = FAILOVER_KUBEFED_ZERO;
    }
    return ret;
}

const struct simulation *
simulate(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
         const struct changed_fleet *changed, const struct policy *policy)
{
    struct simulation *ret = ARENA_NEW(arena, struct simulation);
    const struct fleet *after = &changed->fleet;

    ret->before = fleet;
    ret->diagnosis_before = diagnosis;
    ret->changed = changed;
    ret->policy = policy_of(changed, policy);
    ret->diagnosis = diagnose(arena, after, &ret->policy);
    ret->ledger = ledger_new(arena, after, ret->diagnosis, &ret->policy);
    ret->plan = plan_fleet(arena, after, ret->diagnosis, &ret->policy, ret->ledger,
                           budget_new(arena, after, ret->diagnosis, &ret->policy.limits));
    look_at_clusters(arena, ret, policy);
    const struct planned planned = {after, fleet, ret->diagnosis, ret->plan};

    ret->loss = loss_of_plan(arena, &planned, clusters_of_fate(arena, changed, FATE_LOST));
    if (changed->n_drained > 0) {
        ret->drain =
            drain_of(arena, ret, clusters_of_fate(arena, changed, FATE_DRAINED), &policy->limits);
    }
    return ret;
}
