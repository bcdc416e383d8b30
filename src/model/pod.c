/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod says of itself.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/member.h"

const char *
pod_node(const struct pod *pod)
{
    return str_is_empty(pod->node_name) ? pod->nominated_node : pod->node_name;
}

bool
pod_is_finished(const struct pod *pod)
{
    return str_eq(pod->phase, "Succeeded") || str_eq(pod->phase, "Failed");
}

bool
pod_is_ready(const struct pod *pod)
{
    const struct condition *ready = condition_list_find(&pod->conditions, "Ready");

    return !pod_is_finished(pod) && ready != NULL && str_eq(ready->status, "True");
}

const struct condition *
pod_unschedulable_condition(const struct pod *pod)
{
    const struct condition *scheduled = condition_list_find(&pod->conditions, "PodScheduled");

    return scheduled != NULL && str_eq(scheduled->status, "False") &&
                   str_eq(scheduled->reason, "Unschedulable")
               ? scheduled
               : NULL;
}

bool
pod_is_settled(const struct pod *pod)
{
    const struct condition *scheduled = condition_list_find(&pod->conditions, "PodScheduled");

    return str_eq(pod->phase, "Running") && pod_is_ready(pod) &&
           pod->deletion_timestamp == TIME_NONE && !pod->is_resized &&
           (scheduled == NULL || !str_eq(scheduled->status, "False"));
}

const char *
pod_label(const struct pod *pod, const char *key)
{
    const char *value = label_list_find(&pod->labels, key);

    return value != NULL ? value : "";
}
