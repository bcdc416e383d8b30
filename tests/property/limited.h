/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of a plan under limits, and of what earlier runs left.
 */
#ifndef BALLAST_PROPERTY_LIMITED_H
#define BALLAST_PROPERTY_LIMITED_H

#include "ballast/model/limits.h"
#include "world.h"

/* Some limits of a seed. */
void limited_generate(struct limits *limits, uint64_t seed);
/* Appends a line for each limit that is exceeded, and where something waits for none. */
void limited_check(const struct world *world, const struct fleet *fleet, const struct plan *plan,
                   const struct limits *limits, struct buf *complaints);

/* Appends a line where what only moves because it is stuck goes back within the cooldown. */
void cooldown_check(const struct world *world, const struct fleet *fleet, const struct plan *plan,
                    struct buf *complaints);

#endif
