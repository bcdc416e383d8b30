/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes of copies, and of workloads that go whole.
 */
#include "ballast/diagnose/balance.h"
#include "move.h"

/* A part that goes whole keeps its size if there are other parts, or if a scale-up waits. A single
 * part gets all wanted replicas. */
int32_t
move_copy_size_in(const struct move *move, uint32_t target)
{
    bool as_is =
        move_goes_whole(move) && (move->binding->clusters.count > 1 || move->assumed.as_many);

    return as_is ? move->binding->clusters.items[target].replicas
                 : binding_copy_size(move->binding);
}

/* A workload that goes whole may leave with parts of several sizes: returns the largest. */
int32_t
move_copy_size(const struct move *move)
{
    int32_t most = 0;

    if (!move_goes_whole(move)) {
        return binding_is_workload(move->binding) ? binding_copy_size(move->binding) : 0;
    }
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        int32_t size = move_copy_size_in(move, i);

        most = (move->leaves == NULL || move->leaves[i]) && size > most ? size : most;
    }
    return most;
}

const char *
move_bound_of_whole(const struct planner *planner, const struct move *move,
                    const struct preference *preference, uint32_t index)
{
    const struct placement *placement = move->binding->placement;
    const struct cluster *cluster = &planner->fleet->clusters[index];

    if (!move_goes_whole(move)) {
        return NULL;
    }
    if (preference != NULL && preference->n_clusters > 0) {
        const struct preference_cluster *entry = preference_cluster_for(preference, cluster);
        int32_t size = move_copy_size(move);
        bool is_open = entry != NULL && (entry->weight > 0 || size <= entry->min_replicas) &&
                       size <= entry->max_replicas;

        return is_open ? NULL : preference->origin;
    }
    return preference == NULL && placement_strategy(placement) == STRATEGY_STATIC_WEIGHT &&
                   placement->replica_scheduling.static_weights.count > 0 &&
                   static_weight_of(&placement->replica_scheduling.static_weights, cluster) == 0
               ? "the static weight list"
               : NULL;
}
