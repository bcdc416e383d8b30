/* SPDX-License-Identifier: Apache-2.0
 *
 * Bindings with replicas in flight, in the order in which they take capacity: largest replicas
 * first. A small replica fits beside a large one; a large one does not fit among scattered small
 * ones.
 */
#ifndef BALLAST_CAPACITY_BINDINGS_BEHIND_H
#define BALLAST_CAPACITY_BINDINGS_BEHIND_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"

/* Returns indices into the fleet's bindings, in `arena`. *ret_count is their number. */
uint32_t *bindings_behind(struct arena *arena, const struct fleet *fleet,
                          const struct diagnosis *diagnosis, uint32_t *ret_count);

#endif
