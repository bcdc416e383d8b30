/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters that fail together, by the region, provider or zone in their objects.
 */
#ifndef BALLAST_MODEL_FAILURE_DOMAIN_H
#define BALLAST_MODEL_FAILURE_DOMAIN_H

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"
#include "ballast/model/policy.h"

/* Returns the name of a cluster's region, provider or (any other `by`) zone; "" if absent. Clusters
 * with equal names fail together. Several zones are joined by commas, in `arena`. */
const char *failure_domain_name(struct arena *arena, const struct cluster *cluster,
                                enum guard_group by);

/* Returns the word for a group, a constant: "region", "regions". `by` is not GUARD_BY_AUTO. */
const char *failure_domain_word(enum guard_group by, bool plural);

#endif
