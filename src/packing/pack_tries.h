/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas of a packing: its relaxation in whole replicas, in several tries.
 */
#ifndef BALLAST_PACKING_PACK_TRIES_H
#define BALLAST_PACKING_PACK_TRIES_H

#include "ballast/packing/packing.h"

/* Replicas that all have to keep. */
int64_t pack_floors(const struct packing *packing);
/* As pack_replicas(), but by that alone. What has replicas has as many as its floor. */
bool pack_in_tries(struct packing *packing, int64_t *work, int64_t *ret_bound);

#endif
