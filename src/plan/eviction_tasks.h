/* SPDX-License-Identifier: Apache-2.0
 *
 * Graceful eviction tasks for clusters that a decision leaves.
 */
#ifndef BALLAST_PLAN_EVICTION_TASKS_H
#define BALLAST_PLAN_EVICTION_TASKS_H

#include "planner.h"

/* Adds a task to the decision for every target that it leaves altogether because the cluster is
 * lost, or because the binding's failover behaviour asks for it; unless the binding has one for
 * that cluster already, or the Cluster is gone. */
void eviction_tasks_add(struct planner *planner, const struct move *move,
                        struct decision *decision);

/* The target is to be left because its cluster is lost, or as the failover behaviour asks. */
bool eviction_is_failover(const struct move *move, uint32_t target);

/* Why the state that a task would have to preserve is not to be had, NULL where nothing is wrong;
 * of a target that would be left by failover. */
const char *eviction_state_problem(const struct move *move, uint32_t target);

#endif
