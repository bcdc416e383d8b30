/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds the relaxation of a packing in several tries.
 */
#ifndef BALLAST_PACKING_PACK_TRIES_H
#define BALLAST_PACKING_PACK_TRIES_H

#include "ballast/packing/packing.h"

/* Returns the sum of all floors. */
int64_t pack_floors(const struct packing *packing);
/* Does what pack_replicas() does, in one round. An item with replicas must have just its floor. */
bool pack_in_tries(struct packing *packing, int64_t *work, int64_t *ret_bound);

#endif
