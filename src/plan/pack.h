/* SPDX-License-Identifier: Apache-2.0
 *
 * The second look: what a run gives out, put so that more of it fits.
 */
#ifndef BALLAST_PLAN_PACK_H
#define BALLAST_PLAN_PACK_H

#include "ballast/capacity/ledger.h"

#define PACK_ROOMS_MAX 64
#define AMOUNT_MAX (INT64_MAX / 4) /* larger ones count as this */

/* Where an item may go. */
struct pack_option {
    uint32_t room;
    int32_t seats; /* replicas that are there */
    int32_t most;  /* that fit in the room while nothing of the packing is there */
};

/* What a binding is given by this run. */
struct pack_item {
    uint32_t binding;
    int64_t each[N_LEDGER_RESOURCES]; /* that a replica takes, as in `packing.free` */
    int32_t floor;                    /* replicas that it has now, and has to keep */
    int32_t wanted;                   /* with those that are left over */
    int32_t priority;                 /* what has less has none of it while more could be placed */
    uint32_t first, n_options;        /* in `packing.options` */
};

struct packing {
    uint32_t n_rooms, n_items, n_options; /* an item has no room twice */
    int64_t (*free)[N_LEDGER_RESOURCES];  /* by room, while nothing of the packing is there;
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

/* pack_seats.c: seats anew, so that as few as can be are left over and no item has less than its
 * floor, in the rooms as `free` has them; false: none that are better were found, and they are what
 * they were. `work`: in multiplications, about; less of it is left behind. `ret_bound`: seats
 * beyond the floors, that no others have more of. */
bool pack_seats(struct packing *packing, int64_t *work, int64_t *ret_bound);
/* pack_settle.c: only that bound. */
int64_t pack_bound(const struct packing *packing, int64_t *work);

#endif
