/* SPDX-License-Identifier: Apache-2.0
 *
 * A packing: items of so many replicas each, of which each replica takes so much of what rooms have
 * free. More of them are placed than were, in work that is bounded. It knows numbers only.
 */
#ifndef BALLAST_PACKING_PACKING_H
#define BALLAST_PACKING_PACKING_H

#include <stdbool.h>
#include <stdint.h>

#define N_PACK_RESOURCES 3
#define PACK_ROOMS_MAX 64
#define AMOUNT_MAX (INT64_MAX / 4) /* larger ones count as this */

/* Where an item may go. */
struct pack_option {
    uint32_t room;
    int32_t replicas; /* replicas that are there */
    int32_t most;     /* that fit in the room while nothing of the packing is there */
};

/* What a binding is given by this run. */
struct pack_item {
    uint32_t binding;
    int64_t each[N_PACK_RESOURCES]; /* that a replica takes, as in `packing.free` */
    int32_t floor;                  /* replicas that it has now, and has to keep */
    int32_t wanted;                 /* with those that are left over */
    int32_t priority;               /* what has less has none of it while more could be placed */
    uint32_t first, n_options;      /* in `packing.options` */
};

struct packing {
    uint32_t n_rooms, n_items, n_options; /* an item has no room twice */
    int64_t (*free)[N_PACK_RESOURCES];    /* by room, while nothing of the packing is there;
                                               INT64_MAX: not bounded */
    struct pack_item *items;              /* the most urgent first */
    struct pack_option *options;
};

/* `times` what a replica takes, within AMOUNT_MAX on both sides of 0. */
static inline int64_t
pack_amount(int64_t each, int64_t times)
{
    int64_t amount;

    if (__builtin_mul_overflow(each, times, &amount)) {
        return (each < 0) == (times < 0) ? AMOUNT_MAX : -AMOUNT_MAX;
    }
    return amount > AMOUNT_MAX ? AMOUNT_MAX : amount < -AMOUNT_MAX ? -AMOUNT_MAX : amount;
}

/* Places replicas anew, so that as few as possible are left over, no item has less than its floor,
 * and no room has more than `free` says. Returns false where nothing better was found: then the
 * packing is as it was. `work` is what may be done, in multiplications, about; what is left of it
 * is left there. `ret_bound`: replicas beyond the floors, of which no placement has more. */
bool pack_replicas(struct packing *packing, int64_t *work, int64_t *ret_bound);

#endif
