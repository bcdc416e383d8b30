/* SPDX-License-Identifier: Apache-2.0
 *
 * How many more replicas fit: in a cluster by its status (Karmada's general
 * estimator, pkg/estimator/client/general.go and pkg/modeling) and on nodes
 * (the scheduler-estimator's noderesource plugin). Pure.
 */
#ifndef BALLAST_SCHEDULE_ESTIMATE_H
#define BALLAST_SCHEDULE_ESTIMATE_H

#include "ballast/base/arena.h"
#include "ballast/model/cluster.h"
#include "ballast/model/member.h"
#include "ballast/model/placement.h"

/* The general estimator's answer; `requirements` NULL: bounded by pods alone. Cut to 32 bits as
 * upstream's: negative where a cluster claims more than 2^31 free pods. */
int32_t estimate_cluster(const struct cluster *cluster, const struct requirements *requirements);
/* Its resource models tell, not its summary; and how many nodes they say are of a grade. */
bool estimate_by_models(const struct cluster *cluster);
int64_t estimate_nodes_of_grade(const struct cluster *cluster, uint64_t grade);

/* Free room of one node: whole units, cpu in milli. */
struct node_room {
    const struct node *node;
    struct resource_amount
        *free; /* one entry for each allocatable resource, sorted by name; >= 0 */
    uint32_t n_free;
    int64_t pods; /* free pod slots, >= 0 */
};

/* Which pods of a member count, and for how much. */
struct pods_counted {
    /* As kube-scheduler counts: also what it counts beyond the scheduler-estimator, and pods for
     * which it has made room on a node (nominatedNodeName). */
    bool by_scheduler;
    bool preempts; /* those of a lower priority do not count */
    int32_t priority;
};

/* Room of every node of a member after its pods (finished ones and those without a known node do
 * not count); as many as member->n_nodes, in their order, in `arena`. */
struct node_room *estimate_node_rooms(struct arena *arena, const struct member *member,
                                      struct pods_counted counted);

/* The node can be used at all: not cordoned, taints tolerated, selector and affinity match.
 * `by_default`: also by the tolerations that kube-apiserver gives each pod, of NoExecute taints for
 * a node that is not ready or unreachable. The scheduler-estimator does not know of them. */
bool estimate_node_eligible(const struct node *node, const struct requirements *requirements,
                            bool by_default);

/* Its taints are tolerated, also by the default tolerations; whether it is cordoned does not count.
 */
bool estimate_node_tolerated(const struct node *node, const struct requirements *requirements);

/* Its node selector and node affinity match. */
bool estimate_node_selected(const struct node *node, const struct requirements *requirements);

/* Replicas that fit in the room that is left of a node that is eligible. */
int32_t estimate_node_room(const struct node_room *room, const struct requirements *requirements);
/* The same of many rooms: what bounds replicas of these requirements on a node is found once. */
int32_t estimate_node_room_for(const struct node_room *room,
                               const struct resource_amounts *request);
/* Into room for as many as are requested; returns how many bound. */
uint32_t estimate_node_request(const struct requirements *requirements,
                               struct resource_amount *ret);

#endif
