/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that wait for a node, which kube-scheduler will give free capacity.
 */
#ifndef BALLAST_CAPACITY_WAITING_PODS_H
#define BALLAST_CAPACITY_WAITING_PODS_H

#include "ballast/model/member.h"
#include "ballast/model/policy.h"
#include "node_pools.h"

/* Takes what the member's waiting pods request, for good, on nodes that have all of it. A pod that
 * fits nowhere takes nothing: waiting for a GPU does not take cpu. Gated pods take nothing, nor
 * pods that kube-scheduler has refused for longer than the policy waits. */
void waiting_pods_take(struct arena *arena, struct node_pools *rooms, const struct member *member,
                       const struct policy *policy);

/* Takes what refused pods request from the nodes that an autoscaler may add. */
void waiting_pods_take_refused(struct arena *arena, struct node_pools *rooms,
                               const struct member *member);

#endif
