/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts how many whole sets of components fit, as Karmada's general estimator and
 * scheduler-estimator do (MaxAvailableComponentSets; pkg/estimator/client/general.go,
 * pkg/estimator/scheduling_simulator_components.go). Nodes, known or from resource models, are
 * filled in a copy: set by set, component by component. Karmada fills the first node that fits;
 * Ballast fills nodes as its takes do.
 */
#ifndef BALLAST_CAPACITY_COMPONENT_SETS_H
#define BALLAST_CAPACITY_COMPONENT_SETS_H

#include "ballast/model/binding.h"
#include "capacity/nodes/node_pools.h"
#include "capacity/nodes/virtual_nodes.h"

/* Returns what a resource summary leaves of a resource, in 1e-9 of a unit; may be below 0. */
nanos128 component_sets_left(const struct cluster *cluster, const char *name);
/* Returns how many sets fit by the status' resource summary, at most `most`. The status must have
 * one. Compares amounts by value, where Karmada mistakes Gi beside G. */
int32_t component_sets_by_summary(const struct cluster *cluster, const struct binding *set,
                                  int32_t most);
/* Returns how many sets fit on nodes of resource models, at most `most`. Allocates in `scratch`. */
int32_t component_sets_on_models(struct arena *scratch, const struct virtual_nodes *nodes,
                                 const struct binding *set, int32_t most);
/* Returns how many sets fit on known nodes, at most `most`. Allocates in `scratch`. */
int32_t component_sets_on_nodes(struct arena *scratch, const struct node_pools *rooms,
                                const struct binding *set, int32_t most);

#endif
