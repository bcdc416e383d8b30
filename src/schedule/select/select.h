/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of those that pass are chosen, under spread constraints.
 */
#ifndef BALLAST_SCHEDULE_SELECT_H
#define BALLAST_SCHEDULE_SELECT_H

#include "ballast/base/order.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/schedule.h"
#include "ballast/schedule/workload_groups.h"
#include "schedule/attempt/scheduler.h"

#define REGION_NONE UINT32_MAX

/* How many regions to take, and how many clusters they need to have together. */
struct group_bounds {
    int64_t min, max, clusters;
};

/* --- choose_groups.c --- */

/* Which regions to take. Group i is the i-th by name. Fills `chosen` with indices
 * of groups, best first, and returns how many; 0 when no combination will do. */
uint32_t choose_groups(struct scheduler *scheduler, const struct region_group *groups,
                       uint32_t count, const struct group_bounds *bounds, uint32_t *chosen);

/* --- select.c --- */

/* select.c, select_cluster.c, select_region.c: cut the candidates down to the chosen ones. */
bool attempt_select(struct attempt *attempt);

/* --- select_cluster.c --- */

bool select_by_cluster(struct attempt *attempt, const struct spread_constraint *constraint);

/* --- select_region.c --- */

bool select_by_region(struct attempt *attempt, const struct spread_constraint *region,
                      const struct spread_constraint *cluster);

#endif
