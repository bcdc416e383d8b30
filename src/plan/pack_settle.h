/* SPDX-License-Identifier: Apache-2.0
 *
 * Seats of a packing: its relaxation in whole replicas, in several tries.
 */
#ifndef BALLAST_PLAN_PACK_SETTLE_H
#define BALLAST_PLAN_PACK_SETTLE_H

#include "pack.h"

/* As pack_seats(), but by that alone. */
bool settle_seats(struct packing *packing, int64_t *work, int64_t *ret_bound);

#endif
