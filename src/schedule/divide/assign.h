/* SPDX-License-Identifier: Apache-2.0
 *
 * How many replicas each chosen cluster gets.
 */
#ifndef BALLAST_SCHEDULE_ASSIGN_H
#define BALLAST_SCHEDULE_ASSIGN_H

#include "ballast/base/order.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/schedule.h"
#include "ballast/schedule/workload_groups.h"
#include "schedule/attempt/scheduler.h"

/* --- assign.c --- */

/* assign.c, assign_dynamic.c, assign_static.c: replicas for each chosen candidate. */
bool attempt_assign(struct attempt *attempt);

/* --- assign_dynamic.c --- */

bool assign_dynamic(struct attempt *attempt, struct candidate *list, uint32_t count,
                    int32_t replicas);

/* --- assign_static.c --- */

bool assign_static(struct attempt *attempt, struct candidate *list, uint32_t count,
                   int32_t replicas);

#endif
