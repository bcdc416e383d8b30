/* SPDX-License-Identifier: Apache-2.0
 *
 * Bindings that have replicas in flight, in the order in which these take
 * capacity on nodes: the largest first, since a small replica fits beside a
 * large one, and a large one no longer where small ones are spread.
 */
#ifndef BALLAST_CAPACITY_BINDINGS_BEHIND_H
#define BALLAST_CAPACITY_BINDINGS_BEHIND_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"

/* Indices into the fleet's bindings; `arena` owns them. */
uint32_t *bindings_behind(struct arena *arena, const struct fleet *fleet,
                          const struct diagnosis *diagnosis, uint32_t *ret_count);

#endif
