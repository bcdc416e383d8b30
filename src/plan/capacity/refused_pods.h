/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods for which a Cluster's summary holds room that they do not take.
 */
#ifndef BALLAST_PLAN_REFUSED_PODS_H
#define BALLAST_PLAN_REFUSED_PODS_H

#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "node_pools.h"

/* What the cluster's status lists as allocating, without those of the member's pods that
 * kube-scheduler has refused for longer than the policy waits though some node (of `rooms`, not
 * NULL) has what they request: what keeps them out is something else, and keeps nobody else out.
 * Karmada counts every pod without a node (pkg/controllers/status/cluster_status_controller.go,
 * getAllocatingResource). Never below 0; in `arena`, or the cluster's own list where nothing is
 * left out. */
struct resource_list refused_pods_left_out(struct arena *arena, const struct cluster *cluster,
                                           const struct member *member, struct node_pools *rooms,
                                           const struct policy *policy);

#endif
