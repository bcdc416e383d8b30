/* SPDX-License-Identifier: Apache-2.0
 *
 * How much room a cluster really has, for checks: what is assigned to it and
 * has no pod yet counts as taken.
 */
#ifndef BALLAST_SIMULATE_ROOM_H
#define BALLAST_SIMULATE_ROOM_H

#include "model.h"

/* Milli cpu that is free on nodes that take pods, less what is in flight; not below 0. */
int64_t room_in_all(struct sim *sim, int cluster);

/* A replica of so much cpu fits however those in flight are packed, and by the cluster's summary,
 * too. */
bool room_for_one(struct sim *sim, int cluster, int cpu);

#endif
