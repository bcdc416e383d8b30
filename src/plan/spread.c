/* SPDX-License-Identifier: Apache-2.0
 *
 * Over how many groups targets are spread, beside what the placement allows.
 */
#include "ballast/schedule/scheduler.h"

#include "planner.h"

/* Clusters, or regions: one that is gone or has none is of no region that is known. */
static int64_t
count_groups(struct planner *planner, enum spread_field field, const struct target_list *list)
{
    const struct scheduler *scheduler = planner->scheduler;
    bool *seen = ARENA_ARRAY(planner->scratch, bool, scheduler->n_regions);
    int64_t count = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        const struct target *target = &list->items[i];

        if (target->replicas == 0) {
            continue;
        }
        if (field == SPREAD_BY_CLUSTER) {
            count++;
            continue;
        }
        uint32_t region =
            target->cluster != CLUSTER_NONE ? scheduler->region[target->cluster] : REGION_NONE;

        if (region != REGION_NONE && !seen[region]) {
            seen[region] = true;
            count++;
        }
    }
    return count;
}

bool
spread_is_too_wide(struct planner *planner, const struct move *move,
                   const struct decision *decision)
{
    static const enum spread_field fields[] = {SPREAD_BY_CLUSTER, SPREAD_BY_REGION};
    const struct placement *placement = move->binding->placement;

    if (placement == NULL || !spread_constraints_apply(placement)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const struct spread_constraint *constraint = spread_constraint_for(placement, fields[i]);

        if (constraint == NULL) {
            continue;
        }
        int64_t after = count_groups(planner, fields[i], &decision->after);

        if (after > constraint->max_groups &&
            after > count_groups(planner, fields[i], &decision->before)) {
            return true;
        }
    }
    return false;
}
