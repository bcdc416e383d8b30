/* SPDX-License-Identifier: Apache-2.0
 *
 * The capacity by a Cluster's resource summary or models, less what the run gave out since.
 */
#ifndef BALLAST_CAPACITY_STATUS_ROOM_H
#define BALLAST_CAPACITY_STATUS_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/model/binding.h"
#include "ballast/model/cluster.h"

struct status_room;
struct status_taking;

/* Returns the capacity of a cluster, in `arena`. The cluster must outlive it. */
struct status_room *status_room_new(struct arena *arena, const struct cluster *cluster);

/* True if the cluster's status has a resource summary. */
bool status_room_tells(const struct status_room *room);
/* True if capacity is what is left of cpu, memory and pods, divided by a replica's request. That
 * needs a summary without models, whole pods, and amounts from 0 to STATUS_SUM_MAX, where Karmada's
 * arithmetic is exact. */
bool status_room_is_sum(const struct status_room *room);
#define STATUS_SUM_MAX ((nanos128)(INT64_MAX / 4) * 1000000) /* 1e-9 of a unit */
/* Returns the source of the numbers, for reasons: a constant. */
const char *status_room_source(const struct status_room *room);

/* Returns how many replicas are left; 0 without a status. NULL requirements ask for a pod slot. */
int32_t status_room_available(const struct status_room *room,
                              const struct requirements *requirements);
/* Returns how many whole sets of components are left, at most `most`. */
int32_t status_room_sets(const struct status_room *room, struct arena *scratch,
                         const struct binding *set, int32_t most);

/* Sets how much of a resource the cluster has, and how much is neither allocated nor taken, in 1e-9
 * of a unit. Below 0: overcommitted. False: the status does not say. */
bool status_room_left(const struct status_room *room, const char *resource, nanos128 *ret_whole,
                      nanos128 *ret_left);

/* Takes capacity for replicas. Returns what was taken, in `arena`; NULL: exactly the request. */
const struct status_taking *status_room_take(struct status_room *room, struct arena *arena,
                                             const struct requirements *requirements,
                                             int32_t replicas);
/* Gives back one take with its replicas, whatever was taken since. */
void status_room_give_back(struct status_room *room, const struct requirements *requirements,
                           int32_t replicas, const struct status_taking *taking);

#endif
