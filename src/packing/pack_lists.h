/* SPDX-License-Identifier: Apache-2.0
 *
 * What may come to each room of a packing, by size, and what of it is there.
 */
#ifndef BALLAST_PACKING_PACK_LISTS_H
#define BALLAST_PACKING_PACK_LISTS_H

#include "ballast/base/arena.h"
#include "ballast/packing/packing.h"

/* The same of every rounding of a packing. */
struct room_lists {
    uint32_t *item_of;                    /* by option */
    uint32_t *in_room[N_PACK_RESOURCES];  /* options, room by room, what takes least of it first */
    uint32_t *place_of[N_PACK_RESOURCES]; /* by option: where it is in that list */
    uint32_t *first_in;                   /* by room, and one beyond the last */
    uint32_t *first_with[N_PACK_RESOURCES]; /* by room: the first that takes any of it */
    int32_t lowest_priority;                /* of all */
};

/* What has replicas, a bit for each place of the lists. */
struct taken_places {
    uint64_t *bits[N_PACK_RESOURCES];
};

/* Of all items. */
int32_t pack_lowest_priority(const struct packing *packing);
/* In `arena`. */
struct room_lists room_lists_new(struct arena *arena, const struct packing *packing);
/* In `arena`: nothing has any. */
struct taken_places taken_places_new(struct arena *arena, const struct packing *packing);
/* The option has replicas now and had none, or has none any more. */
void taken_places_turn(struct taken_places *taken, const struct room_lists *lists, uint32_t option);
/* The last place before `at` in the room's list that has replicas and takes of the resource; where
 * there is none, the first one that takes of it. `at` becomes that place; false: it has none. */
bool taken_places_before(const struct taken_places *taken, const struct room_lists *lists,
                         uint32_t room, int resource, uint32_t *at);

#endif
