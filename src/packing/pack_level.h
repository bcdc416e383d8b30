/* SPDX-License-Identifier: Apache-2.0
 *
 * How far rooms are filled where each replica goes to the roomiest.
 */
#ifndef BALLAST_PACKING_PACK_LEVEL_H
#define BALLAST_PACKING_PACK_LEVEL_H

#include <stdint.h>

/* The least that may be left free in each room so that no more than `wanted` fit in what is beyond
 * it; rooms as replicas that fit in each. */
int64_t pack_level(const int64_t *rooms, uint32_t n_rooms, int64_t wanted);

#endif
