/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the level up to which rooms fill when each replica goes to the room with most capacity.
 */
#ifndef BALLAST_PACKING_PACK_LEVEL_H
#define BALLAST_PACKING_PACK_LEVEL_H

#include <stdint.h>

/* Returns the smallest capacity to leave free in each room so that at most `wanted` replicas fit
 * beyond it. `rooms`: capacity of each, in replicas. */
int64_t pack_level(const int64_t *rooms, uint32_t n_rooms, int64_t wanted);

#endif
