/* SPDX-License-Identifier: Apache-2.0
 *
 * How many whole sets of a workload's components fit: as Karmada's general
 * estimator and its scheduler-estimator count them (MaxAvailableComponentSets;
 * pkg/estimator/client/general.go, pkg/estimator/scheduling_simulator_components.go).
 * Private to plan/.
 *
 * Where nodes are known, or resource models tell of some, one set after the other
 * is put on a copy of what is free there, component by component in their order.
 * Upstream fills the first node that fits; here it goes where a taken replica
 * goes, as kube-scheduler would put it.
 */
#ifndef BALLAST_CAPACITY_COMPONENT_SETS_H
#define BALLAST_CAPACITY_COMPONENT_SETS_H

#include "ballast/model/binding.h"
#include "capacity/nodes/node_pools.h"
#include "capacity/nodes/virtual_nodes.h"

/* What a resource summary leaves of a resource. */
nanos128 component_sets_left(const struct cluster *cluster, const char *name);
/* By the resource summary of the cluster's status, which is there; at most `most`. Amounts are
 * compared as they are, where upstream mistakes one written in Gi beside one in G. */
int32_t component_sets_by_summary(const struct cluster *cluster, const struct binding *set,
                                  int32_t most);
/* On the nodes of resource models, at most `most`; `scratch` is used up. */
int32_t component_sets_on_models(struct arena *scratch, const struct virtual_nodes *nodes,
                                 const struct binding *set, int32_t most);
/* On known nodes, likewise. */
int32_t component_sets_on_nodes(struct arena *scratch, const struct node_pools *rooms,
                                const struct binding *set, int32_t most);

#endif
