/* SPDX-License-Identifier: Apache-2.0
 *
 * What may come to each room of a packing, by size, and what of it is there.
 */
#ifndef BALLAST_PACKING_PACK_LISTS_H
#define BALLAST_PACKING_PACK_LISTS_H

#include "ballast/base/arena.h"
#include "ballast/packing/packing.h"

/* The options of a packing, listed by room and size: alike for every rounding of it. */
struct room_lists {
    uint32_t *item_of;                   /* by option */
    uint32_t *in_room[N_PACK_RESOURCES]; /* options, room by room, the one that takes least first */
    uint32_t *place_of[N_PACK_RESOURCES]; /* by option: its place in in_room */
    uint32_t *first_in;                   /* by room, and one beyond the last: its first place */
    uint32_t
        *first_with[N_PACK_RESOURCES]; /* by room: the first place that takes of the resource */
    int32_t lowest_priority;           /* of all items */
};

/* Which options have replicas: a bit for each place of the lists. */
struct taken_places {
    uint64_t *bits[N_PACK_RESOURCES];
};

/* Returns the lowest priority of all items; INT32_MAX where there are none. */
int32_t pack_lowest_priority(const struct packing *packing);
/* Returns the lists of a packing, in `arena`. */
struct room_lists room_lists_new(struct arena *arena, const struct packing *packing);
/* Returns bits for the places of a packing, in `arena`: no option has replicas. */
struct taken_places taken_places_new(struct arena *arena, const struct packing *packing);
/* Notes that an option has replicas now and had none, or has none now and had some. */
void taken_places_turn(struct taken_places *taken, const struct room_lists *lists, uint32_t option);
/* Sets *at to the last place before it in the room's list that has replicas and takes of the
 * resource. False: there is none, and *at becomes the first place that takes of the resource, if it
 * was behind that. */
bool taken_places_before(const struct taken_places *taken, const struct room_lists *lists,
                         uint32_t room, int resource, uint32_t *at);

#endif
