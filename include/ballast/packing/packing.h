/* SPDX-License-Identifier: Apache-2.0
 *
 * Packs replicas of items into rooms that have limited free resources, with bounded work. Only the
 * caller knows what items and rooms stand for.
 */
#ifndef BALLAST_PACKING_PACKING_H
#define BALLAST_PACKING_PACKING_H

#include <stdbool.h>
#include <stdint.h>

#define N_PACK_RESOURCES 3
#define PACK_ROOMS_MAX 64
#define AMOUNT_MAX (INT64_MAX / 4) /* larger amounts count as this */

/* A room that an item may go to. */
struct pack_option {
    uint32_t room;
    int32_t replicas; /* replicas in the room */
    int32_t most;     /* replicas that fit into the room without the packing's own */
};

/* Replicas of one binding. */
struct pack_item {
    uint32_t binding;
    int64_t each[N_PACK_RESOURCES]; /* taken by a replica, in the units of `packing.free` */
    int32_t floor;                  /* replicas to keep */
    int32_t wanted;                 /* floor and unplaced replicas */
    int32_t priority;               /* the higher one is placed beyond its floor first */
    uint32_t first, n_options;      /* in `packing.options` */
};

struct packing {
    uint32_t n_rooms, n_items, n_options; /* an item has each room at most once */
    int64_t (*free)[N_PACK_RESOURCES];    /* by room, when empty; INT64_MAX: unbounded */
    struct pack_item *items;              /* most urgent first */
    struct pack_option *options;
};

/* Returns `each` times `times`, within AMOUNT_MAX on both sides of 0. */
static inline int64_t
pack_amount(int64_t each, int64_t times)
{
    int64_t amount;

    if (__builtin_mul_overflow(each, times, &amount)) {
        return (each < 0) == (times < 0) ? AMOUNT_MAX : -AMOUNT_MAX;
    }
    return amount > AMOUNT_MAX ? AMOUNT_MAX : amount < -AMOUNT_MAX ? -AMOUNT_MAX : amount;
}

/* Places as many replicas as it can; items keep their floors, and no room exceeds `free`. False:
 * nothing better was found, and the packing is unchanged. *work is the budget, about in
 * multiplications; the call leaves the rest of it. *ret_bound: no placement has more replicas
 * beyond the floors. */
bool pack_replicas(struct packing *packing, int64_t *work, int64_t *ret_bound);

#endif
