/* SPDX-License-Identifier: Apache-2.0
 *
 * The room that a Cluster's status tells of, by its resource summary or models,
 * less what was given out since.
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

/* Returns the room of a cluster, in `arena`. The cluster must outlive it. */
struct status_room *status_room_new(struct arena *arena, const struct cluster *cluster);

/* True if the cluster's status has a resource summary. */
bool status_room_tells(const struct status_room *room);
/* True if the replicas that fit are what is left of cpu, memory and pods, divided by what a replica
 * asks for: the status has a summary and no models, pods are whole, and nothing is below 0 or above
 * STATUS_SUM_MAX, where upstream's arithmetic would lose some of it. */
bool status_room_is_sum(const struct status_room *room);
#define STATUS_SUM_MAX ((nanos128)(INT64_MAX / 4) * 1000000) /* 1e-9 of a unit */
/* Returns what the numbers come from, for reasons: a constant. */
const char *status_room_source(const struct status_room *room);

/* Returns how many replicas are left. 0 where the status tells nothing. NULL requirements ask for a
 * pod alone. */
int32_t status_room_available(const struct status_room *room,
                              const struct requirements *requirements);
/* Returns how many whole sets of components are left, at most `most`. */
int32_t status_room_sets(const struct status_room *room, struct arena *scratch,
                         const struct binding *set, int32_t most);

/* Sets how much of a resource the cluster has, and how much is neither allocated nor taken, in 1e-9
 * of a unit; below 0 where more is allocated than there is. False: the status does not say. */
bool status_room_left(const struct status_room *room, const char *resource, nanos128 *ret_whole,
                      nanos128 *ret_left);

/* Takes room for replicas. Returns what was taken, in `arena`, for status_room_give_back; NULL:
 * exactly what the replicas ask for. */
const struct status_taking *status_room_take(struct status_room *room, struct arena *arena,
                                             const struct requirements *requirements,
                                             int32_t replicas);
/* Gives back what one status_room_take took, whatever was taken since. */
void status_room_give_back(struct status_room *room, const struct requirements *requirements,
                           int32_t replicas, const struct status_taking *taking);

#endif
