/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans the steps in which clusters are drained.
 */
#ifndef BALLAST_SIMULATE_DRAIN_H
#define BALLAST_SIMULATE_DRAIN_H

#include "ballast/plan/run_accounts.h"
#include "ballast/simulate/simulate.h"

/* Returns the steps of a drain, in `arena`, for a simulation that has its plan; `drained` by
 * cluster. A run's limit on moved replicas bounds the starts of a wave. Replicas that stop together
 * are one wave, even above the limit. Bindings of which PodDisruptionBudgets keep some replicas
 * permanently do not move. Then *ret_allowances has the replicas that may leave each target, for
 * another plan with run_drain_in_steps; else NULL. */
struct drain drain_of(struct arena *arena, const struct simulation *simulation, const bool *drained,
                      const struct limits *limits, struct drain_allowance ***ret_allowances);

/* Returns the replicas of a target in a list, or 0. */
int64_t replicas_of(const struct target_list *list, const char *name);

#endif
