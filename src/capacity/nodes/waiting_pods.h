/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that wait for a node: kube-scheduler will give them room that is free now.
 */
#ifndef BALLAST_CAPACITY_WAITING_PODS_H
#define BALLAST_CAPACITY_WAITING_PODS_H

#include "ballast/model/member.h"
#include "ballast/model/policy.h"
#include "node_pools.h"

/* Takes, for good, what the member's waiting pods request, on nodes that have all of it. A pod that
 * lacks something anywhere takes nothing: waiting for a GPU does not take the CPU. Nor does one
 * that is gated, or that kube-scheduler has refused for longer than the policy waits. */
void waiting_pods_take(struct arena *arena, struct node_pools *rooms, const struct member *member,
                       const struct policy *policy);

/* Books the pods that kube-scheduler has refused on the nodes that an autoscaler may add. */
void waiting_pods_take_refused(struct arena *arena, struct node_pools *rooms,
                               const struct member *member);

#endif
