/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks a decision against the most clusters and regions that its placement allows.
 */
#include "plan/move/move.h"
#include "reasons.h"

static int64_t
count_groups(struct planner *planner, enum spread_field field, const struct target_list *list)
{
    int64_t clusters = 0;

    if (field == SPREAD_BY_REGION) {
        return scheduler_count_regions(planner->scheduler, list);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        clusters += list->items[i].replicas != 0 ? 1 : 0;
    }
    return clusters;
}

bool
move_spreads_too_wide(struct planner *planner, const struct move *move,
                      const struct decision *decision)
{
    static const enum spread_field fields[] = {SPREAD_BY_CLUSTER, SPREAD_BY_REGION};
    const struct placement *placement = move->binding->placement;

    if (placement == NULL || !placement_spreads(placement)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const struct spread_constraint *constraint = placement_spread_by(placement, fields[i]);

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
