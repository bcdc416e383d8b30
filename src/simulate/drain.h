/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps in which clusters are drained.
 */
#ifndef BALLAST_SIMULATE_DRAIN_H
#define BALLAST_SIMULATE_DRAIN_H

#include "ballast/plan/budget.h"
#include "ballast/simulate/simulate.h"

/* Of a simulation whose plan is made; `drained` by cluster. The limit on the replicas of a run says
 * how many a wave starts; what of a binding is stopped at once is not divided, and is a wave of its
 * own where it is more. Where PodDisruptionBudgets keep for ever some of what the plan moves, it
 * does not go, and `ret_allowances` is what goes of each (budget_drain_in_steps): to plan with
 * anew. Else it is NULL. */
struct drain drain_of(struct arena *arena, const struct simulation *simulation, const bool *drained,
                      const struct limits *limits, struct drain_allowance ***ret_allowances);

/* 0 where it is not. */
int64_t replicas_of(const struct target_list *list, const char *name);

#endif
