/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells which pods wait for a node.
 */
#include "ballast/model/waiting.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

static bool
is_gated(const struct pod *pod)
{
    const struct condition *scheduled = condition_list_find(&pod->conditions, "PodScheduled");

    return scheduled != NULL && str_eq(scheduled->reason, "SchedulingGated");
}

/* True for pods that kube-scheduler has not refused for too long; policy NULL: for refused pods. */
static bool
is_in_question(const struct pod *pod, const struct policy *policy)
{
    const struct condition *refused = pod_unschedulable_condition(pod);

    if (policy == NULL || refused == NULL) {
        return (policy == NULL) == (refused != NULL);
    }
    return !timestamp_is_past(pod_unschedulable_since(pod, refused),
                              policy->unschedulable_threshold, policy->now);
}

bool
pod_is_waiting(const struct pod *pod, const struct policy *policy)
{
    return str_is_empty(pod_node(pod)) && !pod_is_finished(pod) &&
           pod->deletion_timestamp == TIME_NONE && !is_gated(pod) && is_in_question(pod, policy);
}
