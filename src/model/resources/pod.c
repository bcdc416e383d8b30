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

int64_t
pod_started(const struct pod *pod)
{
    const struct condition *initialized = condition_list_find(&pod->conditions, "Initialized");
    bool is_later = initialized != NULL && str_eq(initialized->status, "True") &&
                    initialized->last_transition > pod->creation;

    return is_later ? initialized->last_transition : pod->creation;
}

/* Half an hour between restarts: more than the longest life of a container that the kubelet still
 * holds back (ten minutes), plus the longest wait (five). */
#define RESTART_INTERVAL_SHORT (30 * NANOS_PER_MINUTE)
/* The kubelet waits this long before a start only if starts fail again and again. */
#define RESTART_WAIT_LONG (30 * NANOS_PER_SECOND)

bool
pod_restarts_often(const struct pod *pod, const struct container_status *container)
{
    int64_t started = pod_started(pod), finished = container->last_finished;

    if (container->restart_count < POD_RESTARTS_MANY) {
        return false;
    }
    return finished == TIME_NONE || started == TIME_NONE ||
           timestamp_span(started, finished) / container->restart_count <= RESTART_INTERVAL_SHORT ||
           (container->running_since != TIME_NONE &&
            timestamp_span(finished, container->running_since) >= RESTART_WAIT_LONG);
}

static bool
any_restarts_often(const struct pod *pod)
{
    for (uint32_t i = 0; i < pod->n_containers; i++) {
        if (pod_restarts_often(pod, &pod->containers[i])) {
            return true;
        }
    }
    return false;
}

int64_t
pod_unschedulable_since(const struct pod *pod, const struct condition *unschedulable)
{
    return unschedulable->last_transition > pod->creation ? unschedulable->last_transition
                                                          : pod->creation;
}

bool
pod_is_settled(const struct pod *pod)
{
    const struct condition *scheduled = condition_list_find(&pod->conditions, "PodScheduled");

    return str_eq(pod->phase, "Running") && pod_is_ready(pod) &&
           pod->deletion_timestamp == TIME_NONE && !pod->is_resized &&
           !str_eq(pod->owner.kind, "StatefulSet") &&
           (scheduled == NULL || !str_eq(scheduled->status, "False")) && !any_restarts_often(pod);
}

const char *
pod_label(const struct pod *pod, const char *key)
{
    const char *value = label_list_find(&pod->labels, key);

    return value != NULL ? value : "";
}

const char *
pod_revision(const struct pod *pod)
{
    const char *revision = pod_label(pod, POD_REVISION_LABEL);

    return str_is_empty(revision) ? pod_label(pod, POD_ROLLOUT_HASH_LABEL) : revision;
}
