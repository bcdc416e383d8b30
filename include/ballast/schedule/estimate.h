/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates how many more replicas fit: in a cluster by its status (Karmada's general estimator,
 * pkg/estimator/client/general.go and pkg/modeling), and on nodes (the scheduler-estimator's
 * noderesource plugin). Pure.
 */
#ifndef BALLAST_SCHEDULE_ESTIMATE_H
#define BALLAST_SCHEDULE_ESTIMATE_H

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"
#include "ballast/model/member.h"
#include "ballast/model/placement.h"

/* Returns the general estimator's answer for a cluster; `requirements` NULL: limited only by pods.
 * Cut to 32 bits as upstream's: negative if a cluster claims more than 2^31 free pods. */
int32_t estimate_cluster(const struct cluster *cluster, const struct requirements *requirements);
/* True if a cluster's resource models decide the estimate instead of its resource summary. */
bool estimate_by_models(const struct cluster *cluster);
/* Returns the number of nodes of a grade in a cluster's allocatable modelings. */
int64_t estimate_nodes_of_grade(const struct cluster *cluster, uint64_t grade);

/* Free resources of one node: whole units, cpu in milli. */
struct node_room {
    const struct node *node;
    struct resource_amount *free; /* by allocatable resource, sorted by name; >= 0 */
    uint32_t n_free;
    int64_t pods; /* free pod slots, >= 0 */
};

/* Pods of a member that count. */
struct pods_counted {
    /* Count as kube-scheduler, which counts more than the scheduler-estimator: also pods that it
     * has nominated for a node (nominatedNodeName). */
    bool by_scheduler;
    bool preempts; /* pods with a priority below `priority` do not count */
    int32_t priority;
};

/* Returns the free resources of each node of a member after its pods, in the order of
 * member->nodes, in `arena`. Ignores finished pods and pods without a known node. */
struct node_room *estimate_node_rooms(struct arena *arena, const struct member *member,
                                      struct pods_counted counted);

/* True if a node can take any replica: not cordoned, taints tolerated, selector and affinity match.
 * `by_default` also counts the tolerations that kube-apiserver gives each pod, for NoExecute taints
 * of a node that is not ready or unreachable. The scheduler-estimator does not know them. */
bool estimate_node_eligible(const struct node *node, const struct requirements *requirements,
                            bool by_default);

/* True if a node's taints are tolerated, also by default tolerations. Ignores a cordon. */
bool estimate_node_tolerated(const struct node *node, const struct requirements *requirements);

/* True if the node selector and the node affinity match a node. */
bool estimate_node_selected(const struct node *node, const struct requirements *requirements);

/* Returns how many replicas fit into an eligible node's free resources; NULL: limited by pods. */
int32_t estimate_node_room(const struct node_room *room, const struct requirements *requirements);
/* Returns how many replicas fit into an eligible node's free resources. `request` comes from
 * estimate_node_request(), once for many nodes. */
int32_t estimate_node_room_for(const struct node_room *room,
                               const struct resource_amounts *request);
/* Writes the amounts that limit these replicas on a node to `ret`, which holds all requested
 * resources. Returns their number. */
uint32_t estimate_node_request(const struct requirements *requirements,
                               struct resource_amount *ret);

#endif
