/* SPDX-License-Identifier: Apache-2.0
 *
 * A split that is spread over fewer clusters or regions than its placement wants.
 */
#include "ballast/base/str.h"
#include "planner.h"

/* What of a split is not lost. */
static struct target_list
living(struct planner *planner, const struct move *move, const struct target_list *list)
{
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        int at = binding_find_target(move->binding, list->items[i].name);

        counts[i] = at >= 0 && move->targets[at].lost ? 0 : list->items[i].replicas;
    }
    return targets_counted(planner->scratch, list, counts, 1);
}

void
tell_spread(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct placement *placement = move->binding->placement;

    if (placement == NULL || !move_may_degrade(move) || !str_is_empty(decision->error_type) ||
        targets_more(&decision->before, &decision->after) == 0) {
        return;
    }
    const struct spread_constraint *clusters = placement_spread_by(placement, SPREAD_BY_CLUSTER);
    const struct spread_constraint *regions = placement_spread_by(placement, SPREAD_BY_REGION);
    const struct target_list after = living(planner, move, &decision->after);
    int64_t over = after.count;

    if (clusters != NULL && over < clusters->min_groups) {
        reason_add(planner, decision, "SpreadDegraded", "",
                   "clusters: %lld, and the placement wants %lld at least", (long long)over,
                   (long long)clusters->min_groups);
    }
    over = scheduler_count_regions(planner->scheduler, &after);
    if (regions != NULL && over < regions->min_groups) {
        reason_add(planner, decision, "SpreadDegraded", "",
                   "regions: %lld, and the placement wants %lld at least", (long long)over,
                   (long long)regions->min_groups);
    }
}
