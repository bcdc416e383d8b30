/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the options of each room by size, and tracks which have replicas.
 */
#ifndef BALLAST_PACKING_PACK_LISTS_H
#define BALLAST_PACKING_PACK_LISTS_H

#include "ballast/base/arena.h"
#include "ballast/packing/packing.h"

/* The options of a packing, by room and size; the same for every rounding. */
struct room_lists {
    uint32_t *item_of;                      /* by option */
    uint32_t *in_room[N_PACK_RESOURCES];    /* options, room by room, smallest first */
    uint32_t *place_of[N_PACK_RESOURCES];   /* by option: its place in in_room */
    uint32_t *first_in;                     /* by room, and one beyond the last: its first place */
    uint32_t *first_with[N_PACK_RESOURCES]; /* by room: its first place that takes the resource */
    int32_t lowest_priority;                /* of all items */
};

/* Which options have replicas: a bit for each place of the lists. */
struct taken_places {
    uint64_t *bits[N_PACK_RESOURCES];
};

/* Returns the lowest priority of all items; INT32_MAX: there are none. */
int32_t pack_lowest_priority(const struct packing *packing);
/* Returns the lists of a packing, in `arena`. */
struct room_lists room_lists_new(struct arena *arena, const struct packing *packing);
/* Returns empty bits for the places of a packing, in `arena`. */
struct taken_places taken_places_new(struct arena *arena, const struct packing *packing);
/* Flips an option's bits, after its replicas rose from 0 or fell to 0. */
void taken_places_turn(struct taken_places *taken, const struct room_lists *lists, uint32_t option);
/* Moves *at back to the nearest earlier place in the room's list that has replicas and takes the
 * resource. False: there is none, and *at stops at the first place that takes the resource. */
bool taken_places_before(const struct taken_places *taken, const struct room_lists *lists,
                         uint32_t room, int resource, uint32_t *at);

#endif
