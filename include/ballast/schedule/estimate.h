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

/* Returns the general estimator's answer for a cluster; `requirements` NULL: bounded by pods alone.
 * Cut to 32 bits as upstream's: negative where a cluster claims more than 2^31 free pods. */
int32_t estimate_cluster(const struct cluster *cluster, const struct requirements *requirements);
/* True if a cluster's resource models decide the estimate, not its resource summary. */
bool estimate_by_models(const struct cluster *cluster);
/* Returns how many nodes a cluster's allocatable modelings have of a grade. */
int64_t estimate_nodes_of_grade(const struct cluster *cluster, uint64_t grade);

/* Free resources of one node: whole units, cpu in milli. */
struct node_room {
    const struct node *node;
    struct resource_amount *free; /* by allocatable resource, sorted by name; >= 0 */
    uint32_t n_free;
    int64_t pods; /* free pod slots, >= 0 */
};

/* Which pods of a member count, and for how much. */
struct pods_counted {
    /* As kube-scheduler counts, which counts more than the scheduler-estimator, such as pods for
     * which it has made room on a node (nominatedNodeName). */
    bool by_scheduler;
    bool preempts; /* pods of a lower priority than `priority` do not count */
    int32_t priority;
};

/* Returns the free resources of each node of a member after its pods, in the order of
 * member->nodes, in `arena`. Finished pods, and pods without a known node, do not count. */
struct node_room *estimate_node_rooms(struct arena *arena, const struct member *member,
                                      struct pods_counted counted);

/* True if a node can take a replica at all: not cordoned, taints tolerated, selector and affinity
 * match. `by_default`: also by the tolerations that kube-apiserver gives each pod, of NoExecute
 * taints of a node that is not ready or unreachable. The scheduler-estimator does not know them. */
bool estimate_node_eligible(const struct node *node, const struct requirements *requirements,
                            bool by_default);

/* True if a node's taints are tolerated, also by default tolerations. A cordon does not count. */
bool estimate_node_tolerated(const struct node *node, const struct requirements *requirements);

/* True if the node selector and the node affinity match a node. */
bool estimate_node_selected(const struct node *node, const struct requirements *requirements);

/* Returns how many replicas fit into the free resources of an eligible node; NULL: bounded by pods
 * alone. */
int32_t estimate_node_room(const struct node_room *room, const struct requirements *requirements);
/* Returns how many replicas fit into the free resources of an eligible node. `request` is of
 * estimate_node_request, found once for many nodes. */
int32_t estimate_node_room_for(const struct node_room *room,
                               const struct resource_amounts *request);
/* Writes the amounts that bound replicas of these requirements on a node to `ret`, which has room
 * for as many as are requested. Returns their number. */
uint32_t estimate_node_request(const struct requirements *requirements,
                               struct resource_amount *ret);

#endif
