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

/* Sets how many replicas each chosen candidate is assigned, where the workload has replicas to
 * divide. False with the attempt's failure. */
bool attempt_assign(struct attempt *attempt);

/* --- assign_dynamic.c --- */

/* Assigns `replicas` to the candidates of a list. Divides what is added, or in a fresh attempt all,
 * by the room that they have, and what is kept of too many by what they have. False with the
 * attempt's failure where the room is too small; a partial attempt adds what finds none to
 * attempt->unplaced. */
bool assign_dynamic(struct attempt *attempt, struct candidate *list, uint32_t count,
                    int32_t replicas);

/* --- assign_static.c --- */

/* Assigns `replicas` to the candidates of a list by static weights. An attempt that keeps what is
 * there divides only what is added or taken away. False with the attempt's failure where the room
 * is respected and too small; a partial attempt adds what finds none to attempt->unplaced. */
bool assign_static(struct attempt *attempt, struct candidate *list, uint32_t count,
                   int32_t replicas);

#endif
