/* SPDX-License-Identifier: Apache-2.0
 *
 * Graceful eviction tasks for clusters that a decision leaves.
 */
#ifndef PLAN_EVICTION_TASKS_H
#define PLAN_EVICTION_TASKS_H

#include "planner.h"

/* Adds a task to the decision for every lost cluster that it leaves altogether, unless the binding
 * has one already or the Cluster is gone. */
void eviction_tasks_add(struct arena *arena, const struct move *move, struct decision *decision);

#endif
