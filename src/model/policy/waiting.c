/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells which pods wait for a node, and which ones kube-scheduler refused.
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

static bool
wants_node(const struct pod *pod)
{
    return str_is_empty(pod_node(pod)) && !pod_is_finished(pod) &&
           pod->deletion_timestamp == TIME_NONE && !is_gated(pod);
}

bool
pod_is_waiting(const struct pod *pod, const struct policy *policy)
{
    const struct condition *refused = pod_unschedulable_condition(pod);

    return wants_node(pod) &&
           (refused == NULL || !timestamp_is_past(pod_unschedulable_since(pod, refused),
                                                  policy->unschedulable_threshold, policy->now));
}

bool
pod_is_refused(const struct pod *pod)
{
    return wants_node(pod) && pod_unschedulable_condition(pod) != NULL;
}
