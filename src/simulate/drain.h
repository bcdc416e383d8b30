/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans the steps in which clusters are drained.
 */
#ifndef BALLAST_SIMULATE_DRAIN_H
#define BALLAST_SIMULATE_DRAIN_H

#include "ballast/plan/budget.h"
#include "ballast/simulate/simulate.h"

/* Returns the steps of a drain, in `arena`, for a simulation that has its plan; `drained` by
 * cluster. The limit on moved replicas of a run bounds how many a wave starts; replicas that stop
 * at once are not divided, and are a wave of their own if they are more. A binding of which
 * PodDisruptionBudgets keep some replicas for ever does not move. *ret_allowances then has the
 * replicas that may leave each target, to plan again with budget_drain_in_steps; else NULL. */
struct drain drain_of(struct arena *arena, const struct simulation *simulation, const bool *drained,
                      const struct limits *limits, struct drain_allowance ***ret_allowances);

/* Returns the replicas of a target in a list; 0: there is none of that name. */
int64_t replicas_of(const struct target_list *list, const char *name);

#endif
