/* SPDX-License-Identifier: Apache-2.0
 *
 * Which spread constraint decides how clusters are selected.
 */
#include "select.h"
#include "schedule/attempt/scheduler.h"

bool
attempt_select(struct attempt *attempt)
{
    const struct spread_constraint *region;
    const struct spread_constraint *cluster;

    if (!placement_spreads(attempt->placement)) {
        return true;
    }
    region = placement_spread_by(attempt->placement, SPREAD_BY_REGION);
    cluster = placement_spread_by(attempt->placement, SPREAD_BY_CLUSTER);
    if (region != NULL) {
        return select_by_region(attempt, region, cluster);
    }
    if (cluster != NULL) {
        return select_by_cluster(attempt, cluster);
    }
    if (attempt->request->degraded) {
        return true;
    }
    return attempt_fail(attempt, SCHEDULE_SPREAD_ERROR,
                        "failed to select clusters: just support cluster and region spread "
                        "constraint");
}
