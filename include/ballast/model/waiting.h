/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that wait for a node, and hold capacity meanwhile.
 */
#ifndef BALLAST_MODEL_WAITING_H
#define BALLAST_MODEL_WAITING_H

#include "ballast/model/member.h"
#include "ballast/model/policy.h"

/* True if kube-scheduler may soon give the pod a node: the pod is not gated, and has not been
 * refused for longer than the policy waits. `policy` NULL: true for refused pods instead. */
bool pod_is_waiting(const struct pod *pod, const struct policy *policy);

#endif
