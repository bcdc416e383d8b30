/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one simulation: diagnosis and plan of the changed fleet, and each cluster before and after.
 */
#include "ballast/simulate/simulate.h"

#include "ballast/diagnose/diagnose.h"
#include "drain.h"
#include "drain_rounds.h"

#define PLANS_MAX 4 /* plans of a drain: kept replicas change other moves */

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
        /* replicas that are still assigned to a lost cluster do not run */
        clusters[i].after.replicas =
            changed->fates[i] == FATE_LOST
                ? 0
                : after[i].replicas - (ret->drain.ended != NULL ? ret->drain.ended[i] : 0);
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

    if (changed->n_drained > 0) { /* a drained cluster does not come back */
        ret.failover.kubefed = FAILOVER_KUBEFED_ZERO;
    }
    return ret;
}

static void
plan(struct arena *arena, struct simulation *ret, struct drain_allowance *const *allowances,
     struct plan_trace *trace)
{
    const struct fleet *fleet = &ret->changed->fleet;
    struct run_accounts *run_accounts =
        run_accounts_new(arena, fleet, ret->diagnosis, &ret->policy.limits);

    if (allowances != NULL) {
        run_drain_in_steps(run_accounts, allowances);
    }
    ret->ledger = ledger_new(arena, fleet, ret->diagnosis, &ret->policy);
    const struct plan_inputs inputs = {.fleet = fleet,
                                       .diagnosis = ret->diagnosis,
                                       .policy = &ret->policy,
                                       .ledger = ret->ledger,
                                       .run_accounts = run_accounts};

    ret->plan = plan_fleet_traced(arena, &inputs, trace);
}

/* Replicas kept in one plan stay kept in the next. */
static void
add_kept(const struct fleet *fleet, struct drain_allowance **allowances,
         struct drain_allowance *const *kept)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct drain_allowance *before = allowances[i];

        if (kept[i] == NULL) {
            continue;
        }
        allowances[i] = kept[i];
        for (uint32_t j = 0; before != NULL && j < fleet->bindings[i].clusters.count; j++) {
            if (allowances[i][j].kept_by == NULL) {
                allowances[i][j] = before[j];
            }
        }
    }
}

/* Plans again without the replicas that PodDisruptionBudgets keep permanently. */
static void
plan_drain(struct arena *arena, struct simulation *ret, const struct limits *limits)
{
    const bool *drained = clusters_of_fate(arena, ret->changed, FATE_DRAINED);
    const struct fleet *fleet = &ret->changed->fleet;
    struct drain_allowance **allowances =
        ARENA_ARRAY(arena, struct drain_allowance *, fleet->n_bindings);
    struct drain_allowance **kept = NULL;

    for (int tries = 0; tries < PLANS_MAX && (tries == 0 || kept != NULL); tries++) {
        if (kept != NULL) {
            add_kept(fleet, allowances, kept);
        }
        plan(arena, ret, allowances, NULL);
        ret->drain = drain_of(arena, ret, drained, limits, &kept);
    }
}

/* Makes today's repairs before losses and drains. Other changes are planned together with them. */
static void
repair(struct arena *arena, struct simulation *ret, const struct changed_fleet *changed,
       const struct policy *policy)
{
    const bool harms = changed->n_lost + changed->n_drained > 0;
    const struct policy of_run = simulation_policy(policy, harms);
    const struct fleet *fleet = harms ? &changed->unharmed : ret->before;
    const struct repairs repairs = repairs_of(arena, fleet, &of_run);

    ret->repairs = arena_memdup(arena, &repairs, sizeof(repairs));
    ret->changed = changed;
    if (harms) {
        const struct fleet repaired = repairs_carry_out(arena, ret->repairs, policy);
        struct changed_fleet *copy = arena_memdup(arena, changed, sizeof(*changed));

        copy->fleet.bindings = repaired.bindings;
        copy->fleet.grouped = repaired.grouped;
        ret->changed = copy;
    }
}

const struct simulation *
simulate(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
         const struct changed_fleet *changed, const struct policy *policy, struct plan_trace *trace)
{
    struct simulation *ret = ARENA_NEW(arena, struct simulation);

    ret->before = fleet;
    ret->diagnosis_before = diagnosis;
    repair(arena, ret, changed, policy);
    const struct fleet *after = &ret->changed->fleet;

    ret->policy = policy_of(changed, policy);
    ret->diagnosis =
        plan_drop_idle_guard(arena, after, diagnose(arena, after, &ret->policy), &ret->policy);
    if (changed->n_drained > 0) {
        plan_drain(arena, ret, &policy->limits);
    } else {
        plan(arena, ret, NULL, trace);
    }
    look_at_clusters(arena, ret, policy);
    const struct planned planned = {after, fleet, ret->diagnosis, ret->plan};

    ret->loss = loss_of_plan(arena, &planned, clusters_of_fate(arena, changed, FATE_LOST));
    return ret;
}
