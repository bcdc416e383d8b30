/* SPDX-License-Identifier: Apache-2.0
 *
 * A request answered as the scheduler of Karmada 0.8 would.
 */
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/model/preference.h"
#include "ballast/schedule/divide.h"
#include "karmada08.h"
#include "schedule/attempt/scheduler.h"
#include "schedulers.h"

static void
karmada08_fail(struct arena *arena, const struct error *err, struct schedule_result *ret)
{
    *ret = (struct schedule_result){
        .failure = err->code == ERROR_NOT_FOUND ? SCHEDULE_FIT_ERROR
                   : err->code == ERROR_LIMIT   ? SCHEDULE_UNSCHEDULABLE_ERROR
                                                : SCHEDULE_OTHER_ERROR,
        .message = arena_printf(arena, "%s", err->message),
        .affinity_name = "",
    };
}

/* 0.8 fails over only clusters that are certainly not Ready: not Unknown or gone. */
static bool
has_failed_target(const struct fleet *fleet, const struct target_list *bound)
{
    for (uint32_t i = 0; i < bound->count; i++) {
        uint32_t cluster = bound->items[i].cluster;
        const struct condition *ready =
            cluster < fleet->n_clusters
                ? condition_list_find(&fleet->clusters[cluster].conditions, "Ready")
                : NULL;

        if (ready != NULL && str_eq(ready->status, "False")) {
            return true;
        }
    }
    return false;
}

/* 0.8 writes only names, and scales targets without replicas later. Here, both are one step. */
static bool
replace_failed(struct arena *arena, const struct fleet *fleet, struct karmada08_binding *asked,
               struct target_list *ret, struct error *err)
{
    const struct karmada08_fleet clusters = {fleet->clusters, fleet->n_clusters};
    struct karmada08_failover failover;

    karmada08_failover(arena, &clusters, asked, KARMADA_V0_8, &failover);
    if (failover.targets.count == 0) {
        *ret = asked->bound;
        return true;
    }
    struct target *targets = ARENA_ARRAY(arena, struct target, failover.targets.count);

    for (uint32_t i = 0; i < failover.targets.count; i++) {
        const char *name = failover.targets.items[i];

        targets[i] = (struct target){.name = name, .cluster = fleet_find_cluster(fleet, name)};
    }
    asked->bound = (struct target_list){.items = targets, .count = failover.targets.count};
    return karmada08_scale(arena, &clusters, asked, ret, err);
}

#define POLICY_ORIGIN "ReplicaSchedulingPolicy "

/* Returns the ReplicaSchedulingPolicy of a Deployment, in its namespace; NULL if there is none. */
static const struct preference *
find_policy(const struct fleet *fleet, const struct binding *binding)
{
    const struct preference *found = preference_list_find(&fleet->preferences, &binding->resource);
    const size_t prefix = strlen(POLICY_ORIGIN), length = strlen(binding->resource.namespace_);

    return found != NULL && str_eq(binding->resource.kind, "Deployment") &&
                   strncmp(found->origin, POLICY_ORIGIN, prefix) == 0 &&
                   strncmp(found->origin + prefix, binding->resource.namespace_, length) == 0 &&
                   found->origin[prefix + length] == '/'
               ? found
               : NULL;
}

/* Without a strategy, 0.8's scheduler writes clusters without replicas. */
static bool
is_left_without_replicas(const struct binding *binding, const struct target_list *targets)
{
    bool has_replicas = false;

    for (uint32_t i = 0; i < targets->count; i++) {
        has_replicas = has_replicas || targets->items[i].replicas > 0;
    }
    return !has_replicas || !binding->placement->replica_scheduling.present;
}

/* 0.8's binding controller then divides the policy's total by its weights
 * (pkg/controllers/binding/common.go at v0.8.0), whatever the workload wants. Clusters without
 * weight get 0. A cluster that is gone is an error there: nothing changes. */
static struct target_list
divide_by_policy(struct arena *arena, const struct fleet *fleet, const struct preference *policy,
                 const struct target_list *targets)
{
    struct target *items = ARENA_ARRAY(arena, struct target, targets->count);
    struct share *shares = ARENA_ARRAY(arena, struct share, targets->count);
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, targets->count);
    uint32_t n_shares = 0;

    for (uint32_t i = 0; i < targets->count; i++) {
        if (targets->items[i].cluster >= fleet->n_clusters) {
            return *targets;
        }
        const struct preference_cluster *entry =
            preference_cluster_for(policy, &fleet->clusters[targets->items[i].cluster]);

        items[i] = targets->items[i];
        items[i].replicas = 0;
        if (entry != NULL && entry->weight > 0) {
            places[n_shares] = i;
            shares[n_shares++] = (struct share){.name = items[i].name, .weight = entry->weight};
        }
    }
    if (n_shares > 0) {
        proportional_allocate(shares, n_shares, pin_int32(policy->total_replicas));
    }
    for (uint32_t i = 0; i < n_shares; i++) {
        items[places[i]].replicas = shares[i].replicas;
    }
    return (struct target_list){.items = items, .count = targets->count};
}

/* In 0.8's order: no targets or another placement, another number of replicas, a failed cluster.
 * Ignores capacity and other fields: 0.8 reads resource summaries, and divides in one way. */
void
schedule_karmada08(struct scheduler *scheduler, struct arena *arena,
                   const struct schedule_request *request, struct schedule_result *ret)
{
    const struct binding *binding = request->binding;
    const struct fleet *fleet = scheduler->fleet;
    const struct karmada08_fleet clusters = {fleet->clusters, fleet->n_clusters};
    const struct karmada08_workload workload = {
        .api_version = binding->resource.api_version,
        .kind = binding->resource.kind,
        .replicas = request->replicas,
        .request = binding->requirements != NULL ? &binding->requirements->request : NULL,
    };
    struct karmada08_binding asked = {binding->placement, &workload, request->current};
    struct target_list targets = request->current;
    struct error err = ERROR_INIT;
    bool done = true;

    if (binding->placement == NULL) {
        schedule(scheduler, arena, request, ret); /* which reports the error */
        return;
    }
    if (targets.count == 0 || schedule_placement_changed(binding)) {
        done = karmada08_schedule(arena, &clusters, &asked, &targets, &err);
    } else if (schedule_replicas_changed(binding)) {
        done = karmada08_scale(arena, &clusters, &asked, &targets, &err);
    } else if (has_failed_target(fleet, &targets)) {
        done = replace_failed(arena, fleet, &asked, &targets, &err);
    }
    if (!done) {
        karmada08_fail(arena, &err, ret);
        return;
    }
    const struct preference *policy = find_policy(fleet, binding);

    if (policy != NULL && is_left_without_replicas(binding, &targets)) {
        targets = divide_by_policy(arena, fleet, policy, &targets);
    }
    *ret = (struct schedule_result){.message = "", .affinity_name = "", .targets = targets};
}
