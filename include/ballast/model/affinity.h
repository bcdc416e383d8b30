/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a Karmada ClusterAffinity selects a cluster (pkg/util/selector.go,
 * ClusterMatches).
 */
#ifndef BALLAST_MODEL_AFFINITY_H
#define BALLAST_MODEL_AFFINITY_H

#include <stdbool.h>

#include "ballast/model/cluster.h"
#include "ballast/model/placement.h"

/* True if the affinity selects the cluster: every given part must hold. An empty affinity selects
 * all clusters, an affinity with an invalid selector none. */
bool cluster_affinity_matches(const struct cluster_affinity *affinity,
                              const struct cluster *cluster);

#endif
