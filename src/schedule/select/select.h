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

/* Number of regions to take, and of clusters that they need together. */
struct group_bounds {
    int64_t min, max, clusters;
};

/* --- choose_groups.c --- */

/* Chooses regions. Group i is the i-th by name. Fills `chosen` with indices of groups, best first,
 * and returns their number; 0: no combination meets the bounds. */
uint32_t choose_groups(struct scheduler *scheduler, const struct region_group *groups,
                       uint32_t count, const struct group_bounds *bounds, uint32_t *chosen);

/* --- select.c --- */

/* Reduces the candidates by the spread constraints. False with the attempt's failure. */
bool attempt_select(struct attempt *attempt);

/* --- select_cluster.c --- */

/* Reduces the candidates to the clusters that a constraint by cluster chooses. False with the
 * attempt's failure: too few clusters, or too little capacity in the allowed number. */
bool select_by_cluster(struct attempt *attempt, const struct spread_constraint *constraint);

/* --- select_region.c --- */

/* Reduces the candidates to clusters of the regions that a constraint by region chooses, and to the
 * number that a constraint by cluster allows (NULL: any). False with the attempt's failure: too few
 * regions or clusters. */
bool select_by_region(struct attempt *attempt, const struct spread_constraint *region,
                      const struct spread_constraint *cluster);

#endif
