/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters that fail together, as their objects tell: by region, provider or
 * zone.
 */
#ifndef BALLAST_MODEL_FAILURE_DOMAIN_H
#define BALLAST_MODEL_FAILURE_DOMAIN_H

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"
#include "ballast/model/policy.h"

/* Which one a cluster is in: clusters of equal names fail together. Of several zones the names
 * stand between commas. "" where the object does not say. */
const char *failure_domain_name(struct arena *arena, const struct cluster *cluster,
                                enum guard_group by);

/* "region", "regions" */
const char *failure_domain_word(enum guard_group by, bool plural);

#endif
