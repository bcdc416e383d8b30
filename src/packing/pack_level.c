/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the level by bisection.
 */
#include "pack_level.h"

static int64_t
room_beyond(const int64_t *rooms, uint32_t n_rooms, int64_t level)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < n_rooms; i++) {
        sum += rooms[i] > level ? rooms[i] - level : 0;
    }
    return sum;
}

int64_t
pack_level(const int64_t *rooms, uint32_t n_rooms, int64_t wanted)
{
    int64_t low = 0, high = 0;

    for (uint32_t i = 0; i < n_rooms; i++) {
        high = rooms[i] > high ? rooms[i] : high;
    }
    while (low < high) {
        int64_t level = (low + high) / 2;

        if (room_beyond(rooms, n_rooms, level) > wanted) {
            low = level + 1;
        } else {
            high = level;
        }
    }
    return low;
}
