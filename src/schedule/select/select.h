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

/* Chooses regions. Group i is the i-th by name. Fills `chosen` with indices of groups, best first,
 * and returns how many; 0: no combination meets the bounds. */
uint32_t choose_groups(struct scheduler *scheduler, const struct region_group *groups,
                       uint32_t count, const struct group_bounds *bounds, uint32_t *chosen);

/* --- select.c --- */

/* Cuts the candidates down to those that the spread constraints choose; all, where there are no
 * constraints. False with the attempt's failure. */
bool attempt_select(struct attempt *attempt);

/* --- select_cluster.c --- */

/* Cuts the candidates down to the clusters that a constraint by cluster chooses. False with the
 * attempt's failure: too few clusters, or too little room in as many as it allows. */
bool select_by_cluster(struct attempt *attempt, const struct spread_constraint *constraint);

/* --- select_region.c --- */

/* Cuts the candidates down to clusters of the regions that a constraint by region chooses, and at
 * most as many as a constraint by cluster allows (NULL: there is none). False with the attempt's
 * failure: too few regions, or too few clusters. */
bool select_by_region(struct attempt *attempt, const struct spread_constraint *region,
                      const struct spread_constraint *cluster);

#endif
