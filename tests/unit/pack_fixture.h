/* SPDX-License-Identifier: Apache-2.0
 *
 * Packings for tests: dice that fall alike each time, and a hall of many rooms.
 */
#ifndef BALLAST_PACK_FIXTURE_H
#define BALLAST_PACK_FIXTURE_H

#include "ballast/capacity/ledger.h"
#include "ballast/packing/packing.h"

#define PLENTY INT64_C(1000000000) /* of work */
#define HALL_ROOMS 12
#define HALL_ITEMS 150

struct dice {
    uint64_t state;
};

/* Many rooms, some of them wide and some narrow in a resource: rows come to be tight, and loose
 * again. */
struct hall {
    struct packing packing;
    int64_t free[HALL_ROOMS][N_LEDGER_RESOURCES];
    struct pack_item items[HALL_ITEMS];
    struct pack_option options[HALL_ITEMS * HALL_ROOMS];
};

/* Not below 0. */
int dice_below(struct dice *dice, int bound);
void set_hall(struct hall *hall, struct dice *dice);

#endif
