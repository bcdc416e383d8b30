/* SPDX-License-Identifier: Apache-2.0
 *
 * Which spread constraint decides how clusters are selected.
 */
#include "ballast/schedule/scheduler.h"

/* Upstream ignores constraints beside static weights, but for `weightPreference: {}`, which it
 * takes for static weights everywhere else. */
static bool
strategy_ignores_constraints(const struct replica_scheduling *strategy)
{
    if (!strategy->present || !str_eq(strategy->type, "Divided") ||
        !str_eq(strategy->preference, "Weighted")) {
        return false;
    }
    return !strategy->has_weight_preference ||
           (strategy->static_weights.count > 0 && str_is_empty(strategy->dynamic_weight));
}

bool
spread_constraints_apply(const struct placement *placement)
{
    return placement->spread_constraints.count > 0 &&
           !strategy_ignores_constraints(&placement->replica_scheduling);
}

const struct spread_constraint *
spread_constraint_for(const struct placement *placement, enum spread_field field)
{
    const struct spread_constraint_list *list = &placement->spread_constraints;

    for (uint32_t i = list->count; i > 0; i--) {
        if (list->items[i - 1].field == field) {
            return &list->items[i - 1];
        }
    }
    return NULL;
}

bool
attempt_select(struct attempt *attempt)
{
    const struct spread_constraint *region;
    const struct spread_constraint *cluster;

    if (!spread_constraints_apply(attempt->placement)) {
        return true;
    }
    region = spread_constraint_for(attempt->placement, SPREAD_BY_REGION);
    cluster = spread_constraint_for(attempt->placement, SPREAD_BY_CLUSTER);
    if (region != NULL) {
        return select_by_region(attempt, region, cluster);
    }
    if (cluster != NULL) {
        return select_by_cluster(attempt, cluster);
    }
    return attempt_fail(attempt, SCHEDULE_OTHER_ERROR,
                        "failed to select clusters: just support cluster and region spread "
                        "constraint");
}
