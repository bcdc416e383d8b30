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

/* Assigns replicas to each chosen candidate, if there are any. False with the attempt's failure. */
bool attempt_assign(struct attempt *attempt);

/* --- assign_dynamic.c --- */

/* Assigns `replicas` to the candidates of a list. Divides added replicas (in a fresh attempt all)
 * by capacity, and fewer replicas by present ones. False with the attempt's failure if capacity is
 * missing; a partial attempt adds replicas without a place to attempt->unplaced. */
bool assign_dynamic(struct attempt *attempt, struct candidate *list, uint32_t count,
                    int32_t replicas);

/* --- assign_static.c --- */

/* Assigns `replicas` to the candidates of a list by static weights. With keep_current, divides only
 * replicas that are added or removed. False with the attempt's failure if capacity counts and is
 * missing; a partial attempt adds replicas without a place to attempt->unplaced. */
bool assign_static(struct attempt *attempt, struct candidate *list, uint32_t count,
                   int32_t replicas);

#endif
