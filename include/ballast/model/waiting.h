/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods without a node: those that wait for one, and hold capacity meanwhile, and refused ones.
 */
#ifndef BALLAST_MODEL_WAITING_H
#define BALLAST_MODEL_WAITING_H

#include "ballast/model/member.h"
#include "ballast/model/policy.h"

/* True if kube-scheduler may soon give the pod a node: the pod is not gated, and has not been
 * refused for longer than the policy waits. */
bool pod_is_waiting(const struct pod *pod, const struct policy *policy);
/* True if kube-scheduler has refused the pod for any time, and the pod still wants a node. */
bool pod_is_refused(const struct pod *pod);

#endif
