/* SPDX-License-Identifier: Apache-2.0
 *
 * Seats of a packing bettered by emptying parts of rooms and filling them again.
 */
#ifndef BALLAST_PLAN_PACK_RUIN_H
#define BALLAST_PLAN_PACK_RUIN_H

#include "ballast/base/arena.h"
#include "pack.h"

/* From seats that fit, and by which everybody has the floor, to some of which that is true, too:
 * until so many are placed that it is enough, or the work is spent. What has more priority has not
 * fewer of all by what has less. Nothing is done where they do not fit. */
void ruin_and_fill(struct arena *arena, struct packing *packing, int64_t enough, int64_t *work);

#endif
