/* SPDX-License-Identifier: Apache-2.0
 *
 * Packings for tests: dice that fall alike each time, and a hall of many rooms.
 */
#include "pack_fixture.h"

int
dice_below(struct dice *dice, int bound)
{
    dice->state ^= dice->state >> 12;
    dice->state ^= dice->state << 25;
    dice->state ^= dice->state >> 27;
    return (int)((dice->state * UINT64_C(0x2545F4914F6CDD1D) >> 16) % (uint64_t)bound);
}

void
set_hall(struct hall *hall, struct dice *dice)
{
    *hall = (struct hall){.packing = {.n_rooms = HALL_ROOMS, .n_items = HALL_ITEMS}};
    hall->packing.free = hall->free;
    hall->packing.items = hall->items;
    hall->packing.options = hall->options;
    for (int r = 0; r < HALL_ROOMS; r++) {
        hall->free[r][LEDGER_CPU] = 100 + dice_below(dice, 400);
        hall->free[r][LEDGER_MEMORY] = 100 + dice_below(dice, 400);
        hall->free[r][LEDGER_PODS] = 20 + dice_below(dice, 60);
    }
    for (uint32_t n = 0; n < HALL_ITEMS; n++) {
        struct pack_item *item = &hall->items[n];

        *item = (struct pack_item){
            .binding = n, .first = hall->packing.n_options, .wanted = 1 + dice_below(dice, 12)};
        item->each[LEDGER_CPU] = 1 + dice_below(dice, 9);
        item->each[LEDGER_MEMORY] = dice_below(dice, 9);
        item->each[LEDGER_PODS] = 1;
        item->floor = n < HALL_ITEMS / 3 ? dice_below(dice, 3) : 0;
        for (uint32_t r = 0; r < HALL_ROOMS; r++) {
            if (dice_below(dice, 3) == 0) {
                hall->options[hall->packing.n_options++] =
                    (struct pack_option){.room = r, .most = 1000};
                item->n_options++;
            }
        }
        item->floor = item->floor < item->wanted && item->n_options > 0 ? item->floor : 0;
    }
}
