/* SPDX-License-Identifier: Apache-2.0
 *
 * Scheduling as KubeFed's scheduling manager does (kubefed
 * pkg/controller/schedulingpreference): its planner divides over all clusters
 * that are Ready, by what is ready there, and by what is stuck there.
 */
#include "ballast/base/str.h"
#include "ballast/model/preference.h"
#include "ballast/schedule/rebalance.h"
#include "scheduler.h"
#include "schedulers.h"

struct ready_clusters {
    struct rebalance_cluster *entries;
    uint32_t *clusters; /* of the fleet, by entry */
    uint32_t count;
    const char *unknown; /* a target of which it is not known what is ready; NULL: none */
};

static bool
is_ready(const struct cluster *cluster)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    return ready != NULL && str_eq(ready->status, "True");
}

/* What is all ready counts as it is; else what is ready does, and what is stuck is more than fits.
 */
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
        entry->takes_part = true; /* all weigh the same */
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

/* As with its intersectWithClusterSelector: what the placement refuses takes no part. */
static struct ready_clusters
gather(struct scheduler *scheduler, struct arena *arena, const struct schedule_request *request)
{
    const struct fleet *fleet = scheduler->fleet;
    const char *affinity = schedule_observed_affinity(request->binding);
    uint32_t *seats = ARENA_ARRAY(arena, uint32_t, fleet->n_clusters); /* 1 + its entry */
    struct ready_clusters all = {
        .entries = ARENA_ARRAY(arena, struct rebalance_cluster, fleet->n_clusters),
        .clusters = ARENA_ARRAY(arena, uint32_t, fleet->n_clusters),
    };

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];

        if (!is_ready(cluster) ||
            scheduler_filter(scheduler, request->binding, affinity, i) != FILTER_PASSED) {
            continue;
        }
        struct rebalance_cluster *entry = &all.entries[all.count];

        *entry = (struct rebalance_cluster){
            .name = cluster->name, .current = REBALANCE_UNKNOWN, .capacity = REBALANCE_UNKNOWN};
        take_preference(entry, request->preference, cluster);
        all.clusters[all.count] = i;
        seats[i] = ++all.count;
    }
    for (uint32_t i = 0; i < request->current.count; i++) {
        const struct target *target = &request->current.items[i];

        if (target->cluster == CLUSTER_NONE || seats[target->cluster] == 0) {
            continue;
        }
        if (request->states[i].ready < 0) {
            all.unknown = target->name;
        }
        take_current(&all.entries[seats[target->cluster] - 1], target->replicas,
                     &request->states[i]);
    }
    return all;
}

/* Plan and overflow together are written: the sum may exceed what is wanted, and clusters that take
 * part are written with 0. */
static struct target_list
targets_of(struct arena *arena, const struct ready_clusters *all)
{
    struct target *items = ARENA_ARRAY(arena, struct target, all->count);

    for (uint32_t i = 0; i < all->count; i++) {
        const struct rebalance_cluster *entry = &all->entries[i];
        int64_t replicas = entry->plan + entry->overflow;

        items[i] = (struct target){.name = entry->name, .cluster = all->clusters[i]};
        items[i].replicas = replicas < 0 ? 0 : replicas > INT32_MAX ? INT32_MAX : (int32_t)replicas;
    }
    return (struct target_list){.items = items, .count = all->count, .is_sorted = true};
}

void
schedule_kubefed(struct scheduler *scheduler, struct arena *arena,
                 const struct schedule_request *request, struct schedule_result *ret)
{
    const struct binding *binding = request->binding;
    struct ready_clusters all;

    if (binding->placement == NULL || !binding_is_workload(binding) || binding_is_set(binding) ||
        !placement_is_divided(binding->placement)) {
        schedule(scheduler, arena, request, ret); /* there is no number to divide */
        return;
    }
    *ret =
        (struct schedule_result){.message = "", .affinity_name = "", .targets = request->current};
    all = gather(scheduler, arena, request);
    if (all.unknown != NULL) { /* KubeFed plans nothing then */
        ret->failure = SCHEDULE_OTHER_ERROR;
        ret->message =
            arena_printf(arena, "it is not known how many replicas are ready in %s", all.unknown);
        return;
    }
    if (all.count == 0) {
        return; /* KubeFed waits for a cluster */
    }
    rebalance_plan(
        arena, all.entries, all.count, request->replicas,
        request->preference != NULL && request->preference->rebalance,
        arena_printf(arena, "%s/%s", binding->resource.namespace_, binding->resource.name));
    ret->targets = targets_of(arena, &all);
}
