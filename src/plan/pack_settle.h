/* SPDX-License-Identifier: Apache-2.0
 *
 * Seats of a packing: its relaxation in whole replicas, in several tries.
 */
#ifndef BALLAST_PLAN_PACK_SETTLE_H
#define BALLAST_PLAN_PACK_SETTLE_H

#include "pack.h"

/* Replicas that all have to keep. */
int64_t pack_floors(const struct packing *packing);
/* As pack_seats(), but by that alone. What has seats has as many as its floor. */
bool settle_seats(struct packing *packing, int64_t *work, int64_t *ret_bound);

#endif
