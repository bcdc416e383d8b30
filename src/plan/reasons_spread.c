/* SPDX-License-Identifier: Apache-2.0
 *
 * A split that is spread over fewer clusters or regions than its placement wants.
 */
#include "ballast/base/str.h"
#include "planner.h"

static int64_t
clusters_with_replicas(const struct target_list *list)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        count += list->items[i].replicas > 0 ? 1 : 0;
    }
    return count;
}

void
tell_spread(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct placement *placement = move->binding->placement;

    if (!str_is_empty(decision->error_type)) {
        return;
    }
    const struct spread_constraint *clusters = placement_spread_by(placement, SPREAD_BY_CLUSTER);
    const struct spread_constraint *regions = placement_spread_by(placement, SPREAD_BY_REGION);
    int64_t over = clusters_with_replicas(&decision->after);

    if (clusters != NULL && over < clusters->min_groups) {
        reason_add(planner, decision, "SpreadDegraded", "",
                   "clusters: %lld, and the placement wants %lld at least", (long long)over,
                   (long long)clusters->min_groups);
    }
    over = scheduler_count_regions(planner->scheduler, &decision->after);
    if (regions != NULL && over < regions->min_groups) {
        reason_add(planner, decision, "SpreadDegraded", "",
                   "regions: %lld, and the placement wants %lld at least", (long long)over,
                   (long long)regions->min_groups);
    }
}
