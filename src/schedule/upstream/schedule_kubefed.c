/* SPDX-License-Identifier: Apache-2.0
 *
 * Scheduling as KubeFed's scheduling manager does (kubefed
 * pkg/controller/schedulingpreference): its planner divides over all clusters
 * that are Ready, by what is ready there, and by what is stuck there.
 */
#include "schedule_kubefed.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/model/preference.h"
#include "schedule/attempt/scheduler.h"

bool
kubefed_is_ready(const struct cluster *cluster)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    return ready != NULL && str_eq(ready->status, "True");
}

/* If all replicas are ready, all count. Else ready ones count, and stuck ones lower the
 * capacity. */
static void
take_current(struct rebalance_cluster *entry, int32_t replicas, const struct target_state *state)
{
    if (replicas == state->ready) {
        entry->current = replicas;
        return;
    }
    entry->current = state->ready;
    if (state->unschedulable > 0) {
        entry->capacity = (int64_t)replicas - state->unschedulable;
    }
}

static void
take_preference(struct rebalance_cluster *entry, const struct preference *preference,
                const struct cluster *cluster)
{
    const struct preference_cluster *own = NULL;

    if (preference == NULL || preference->n_clusters == 0) {
        entry->takes_part = true; /* equal weights */
        entry->max_replicas = PREFERENCE_UNLIMITED;
        entry->weight = 1;
        return;
    }
    own = preference_cluster_for(preference, cluster);
    if (own != NULL) {
        entry->takes_part = true;
        entry->min_replicas = own->min_replicas;
        entry->max_replicas = own->max_replicas;
        entry->weight = own->weight;
    }
}

struct rebalance_cluster *
kubefed_add_cluster(struct ready_clusters *all, const struct preference *preference,
                    const struct cluster *cluster, uint32_t index)
{
    struct rebalance_cluster *entry = &all->entries[all->count];

    *entry = (struct rebalance_cluster){
        .name = cluster->name, .current = REBALANCE_UNKNOWN, .capacity = REBALANCE_UNKNOWN};
    take_preference(entry, preference, cluster);
    all->clusters[all->count++] = index;
    return entry;
}

/* KubeFed's intersectWithClusterSelector: clusters that the placement refuses take no part. */
static struct ready_clusters
gather(struct scheduler *scheduler, struct arena *arena, const struct schedule_request *request,
       const char **ret_unknown)
{
    const struct fleet *fleet = scheduler->fleet;
    const char *affinity = schedule_observed_affinity(request->binding);
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, fleet->n_clusters); /* index of its entry + 1 */
    struct ready_clusters all = {
        .entries = ARENA_ARRAY(arena, struct rebalance_cluster, fleet->n_clusters),
        .clusters = ARENA_ARRAY(arena, uint32_t, fleet->n_clusters),
    };

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];

        if (!kubefed_is_ready(cluster) ||
            scheduler_filter(scheduler, request->binding, affinity, i) != FILTER_PASSED) {
            continue;
        }
        kubefed_add_cluster(&all, request->preference, cluster, i);
        places[i] = all.count;
    }
    for (uint32_t i = 0; i < request->current.count; i++) {
        const struct target *target = &request->current.items[i];

        if (target->cluster == CLUSTER_NONE || places[target->cluster] == 0) {
            continue;
        }
        if (request->states[i].ready < 0) {
            *ret_unknown = target->name;
        }
        take_current(&all.entries[places[target->cluster] - 1], target->replicas,
                     &request->states[i]);
    }
    return all;
}

static int32_t
pin(int64_t replicas, int32_t least)
{
    return replicas < least ? least : pin_int32(replicas);
}

void
kubefed_divide(struct arena *arena, const struct schedule_request *request,
               struct ready_clusters *all, int32_t least, struct schedule_result *ret)
{
    const struct object_reference *resource = &request->binding->resource;
    struct target *items = ARENA_ARRAY(arena, struct target, all->count);

    if (all->count == 0) {
        return; /* KubeFed waits for a cluster */
    }
    rebalance_plan(arena, all->entries, all->count, request->replicas,
                   request->preference != NULL && request->preference->rebalance,
                   arena_printf(arena, "%s/%s", resource->namespace_, resource->name));
    for (uint32_t i = 0; i < all->count; i++) {
        const struct rebalance_cluster *entry = &all->entries[i];

        items[i] = (struct target){.name = entry->name,
                                   .cluster = all->clusters[i],
                                   .replicas = pin(entry->plan + entry->overflow, least)};
    }
    ret->targets = (struct target_list){.items = items, .count = all->count, .is_sorted = true};
}

void
schedule_kubefed(struct scheduler *scheduler, struct arena *arena,
                 const struct schedule_request *request, struct schedule_result *ret)
{
    const struct binding *binding = request->binding;
    const char *unknown = NULL; /* target with an unknown number of ready replicas */

    *ret =
        (struct schedule_result){.message = "", .affinity_name = "", .targets = request->current};
    if (binding->federated != NULL) {
        schedule_federated(scheduler, arena, request, ret);
        return;
    }
    if (binding->placement == NULL || !binding_is_workload(binding) || binding_is_set(binding) ||
        !placement_is_divided(binding->placement)) {
        schedule(scheduler, arena, request, ret); /* no number to divide */
        return;
    }
    struct ready_clusters all = gather(scheduler, arena, request, &unknown);

    if (unknown != NULL) { /* KubeFed plans nothing then */
        ret->failure = SCHEDULE_UNSEEN_ERROR;
        ret->message =
            arena_printf(arena, "it is not known how many replicas are ready in %s", unknown);
        return;
    }
    kubefed_divide(arena, request, &all, 0, ret);
}
