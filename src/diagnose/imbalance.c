/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a preference with `rebalance` wants another split than the current
 * one, as KubeFed's planner would divide over the clusters that can take part.
 */
#include "parts.h"

#include "ballast/buf.h"
#include "ballast/estimate.h"
#include "ballast/rebalance.h"
#include "ballast/schedule.h"

#define MESSAGE_MAX 400

static bool
is_overridden_in(const struct finder *finder, uint32_t index, uint32_t cluster)
{
    const struct binding_state *state = &finder->diagnosis->bindings[index];

    return state->overridden_in != NULL && state->overridden_in[cluster] != NULL;
}

static bool
takes_part(struct finder *finder, uint32_t index, const struct target_state *state,
           uint32_t cluster)
{
    const struct binding *binding = &finder->fleet->bindings[index];
    const struct cluster_health *health = &finder->diagnosis->clusters[cluster];

    if (state != NULL) {
        return !state->lost;
    }
    return cluster_may_receive(health) && !is_overridden_in(finder, index, cluster) &&
           scheduler_filter(finder->scheduler, binding, schedule_observed_affinity(binding),
                            cluster) == FILTER_PASSED;
}

/* What the cluster holds when full, as far as is known. */
static int64_t
estimate_capacity(const struct cluster *cluster, const struct binding *binding,
                  const struct target_state *state, int64_t assigned)
{
    if (state != NULL && (state->unschedulable > 0 || state->failed > 0)) {
        return assigned - (state->unschedulable > 0 ? state->unschedulable : 0) -
               (state->failed > 0 ? state->failed : 0);
    }
    return cluster->has_resource_summary
               ? assigned + estimate_cluster(cluster, binding->requirements)
               : REBALANCE_UNKNOWN;
}

static uint32_t
gather(struct finder *finder, uint32_t index, const struct preference *preference,
       struct rebalance_cluster *entries)
{
    const struct fleet *fleet = finder->fleet;
    const struct binding *binding = &fleet->bindings[index];
    const struct target_state *states =
        finder->diagnosis->targets + finder->diagnosis->bindings[index].first_target;
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];
        int at = binding_find_target(binding, cluster->name);
        const struct target_state *state = at >= 0 ? &states[at] : NULL;
        int64_t assigned = at >= 0 ? binding->clusters.items[at].replicas : 0;
        const struct preference_cluster *entry = preference_cluster_for(preference, cluster);

        if (!takes_part(finder, index, state, i)) {
            continue;
        }
        entries[count++] = (struct rebalance_cluster){
            .name = cluster->name,
            .takes_part = entry != NULL,
            .min_replicas = entry != NULL ? entry->min_replicas : 0,
            .max_replicas = entry != NULL ? entry->max_replicas : 0,
            .weight = entry != NULL ? entry->weight : 0,
            .current = assigned,
            .capacity = estimate_capacity(cluster, binding, state, assigned),
        };
    }
    return count;
}

static int32_t
compare(struct finder *finder, const struct rebalance_cluster *entries, uint32_t count,
        const char *origin, const char **ret_message)
{
    struct buf text;
    int64_t moves = 0;

    buf_init(&text, MESSAGE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        int64_t more = entries[i].plan - entries[i].current;

        moves += more > 0 ? more : 0;
        if (more != 0) {
            buf_printf(&text, "%s%s %lld -> %lld", text.length > 0 ? ", " : "", entries[i].name,
                       (long long)entries[i].current, (long long)entries[i].plan);
        }
    }
    *ret_message = arena_printf(finder->arena, "%s wants %s%s", quote_text(finder->arena, origin),
                                buf_text(&text), text.overflowed ? ", ..." : "");
    buf_release(&text);
    return moves > INT32_MAX ? INT32_MAX : (int32_t)moves;
}

int32_t
find_imbalance(struct finder *finder, uint32_t index, const char **ret_message)
{
    const struct fleet *fleet = finder->fleet;
    const struct binding *binding = &fleet->bindings[index];
    const struct preference *preference = preference_for(finder->policy, fleet, binding);

    if (preference == NULL || !preference->rebalance || binding->clusters.count == 0 ||
        binding->n_components > 1 || !placement_is_divided(binding->placement)) {
        return 0;
    }
    struct rebalance_cluster *entries =
        ARENA_ARRAY(finder->scratch, struct rebalance_cluster, fleet->n_clusters);
    uint32_t count = gather(finder, index, preference, entries);
    const char *key = arena_printf(finder->scratch, "%s/%s", binding->resource.namespace_,
                                   binding->resource.name);

    rebalance_plan(finder->scratch, entries, count, binding->replicas, true, key);
    return compare(finder, entries, count, preference->origin, ret_message);
}
