/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of a plan under a preference.
 */
#ifndef BALLAST_PROPERTY_PREFERRED_H
#define BALLAST_PROPERTY_PREFERRED_H

#include "world.h"

/* A preference of a seed, for all bindings. */
struct preferred {
    struct preference preference;
    struct preference_cluster clusters[WORLD_CLUSTERS + 1];
};

/* `preferred` is not to be moved: it points into itself. */
void preferred_generate(struct preferred *preferred, const struct world *world, uint64_t seed);
/* Appends a line for each cluster that is given replicas without an entry, or beyond its maximum.
 */
void preferred_check(const struct world *world, const struct fleet *fleet, const struct plan *plan,
                     const struct preferred *preferred, struct buf *complaints);

#endif
