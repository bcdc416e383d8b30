/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that cannot start or stay up, by what the kubelet says of their
 * containers, and since when.
 */
#include "parts.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* Reasons for which a container waits that time alone does not cure (kubernetes pkg/kubelet:
 * images, kuberuntime, container). ContainerCreating and PodInitializing are no failures. */
static const char *const failing_reasons[] = {
    "CrashLoopBackOff",           "ImagePullBackOff",          "ErrImagePull",
    "ErrImageNeverPull",          "InvalidImageName",          "ImageInspectError",
    "RegistryUnavailable",        "SignatureValidationFailed", "CreateContainerError",
    "CreateContainerConfigError", "RunContainerError",         "PreCreateHookError",
    "PreStartHookError",          "PostStartHookError",
};

static bool
is_failing_reason(const char *reason)
{
    if (str_is_empty(reason)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(failing_reasons) / sizeof(failing_reasons[0]); i++) {
        if (str_eq(reason, failing_reasons[i])) {
            return true;
        }
    }
    return false;
}

/* The transition of the first of some conditions that is not True, else the pod's creation. */
static int64_t
not_true_since(const struct pod *pod, const char *const *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct condition *c = condition_list_find(&pod->conditions, types[i]);

        if (c != NULL && !str_eq(c->status, "True") && c->last_transition != TIME_NONE) {
            return c->last_transition;
        }
    }
    return pod->creation;
}

/* The kubelet waits 10s, 20s, 40s ... up to 5m between restarts, and Ready turns False anew after
 * each: in a loop at full back-off Ready has hardly ever been False for more than 5m. But to have
 * come to a back-off of B, all the shorter ones were waited for before, and they add up to almost
 * B; the full one takes 10+20+40+80+160 seconds to reach. */
static int64_t
waited_before(const char *message)
{
    static const char prefix[] = "back-off ";
    const int64_t first = 10 * NANOS_PER_SECOND;
    const int64_t full = 5 * NANOS_PER_MINUTE;
    char text[DURATION_TEXT_MAX];
    size_t length = 0;
    int64_t backoff = 0;

    if (strncmp(message, prefix, sizeof(prefix) - 1) != 0) {
        return 0;
    }
    message += sizeof(prefix) - 1;
    length = strcspn(message, " ");
    if (length >= sizeof(text)) {
        return 0;
    }
    memcpy(text, message, length);
    text[length] = '\0';
    if (!duration_parse(text, &backoff) || backoff <= first) {
        return 0;
    }
    return backoff >= full ? 31 * first : backoff - first;
}

static int64_t
crash_loop_since(const struct pod *pod, const struct container_status *container, int64_t since)
{
    const struct condition *initialized = condition_list_find(&pod->conditions, "Initialized");
    int64_t earliest = pod->creation;
    int64_t waited = waited_before(container->waiting_message);

    if (since == TIME_NONE || waited == 0) {
        return since;
    }
    if (!container->init && initialized != NULL && initialized->last_transition > earliest) {
        earliest = initialized->last_transition;
    }
    since = timestamp_add(since, -waited);
    return since < earliest ? earliest : since;
}

static int64_t
container_failed_since(const struct pod *pod, const struct container_status *container)
{
    static const char *const of_init[] = {"Initialized", "ContainersReady", "Ready"};
    static const char *const of_main[] = {"ContainersReady", "Ready"};
    int64_t since =
        container->init ? not_true_since(pod, of_init, 3) : not_true_since(pod, of_main, 2);

    if (str_eq(container->waiting_reason, "CrashLoopBackOff")) {
        since = crash_loop_since(pod, container, since);
    }
    return since;
}

static const char *
phase_failed_reason(const struct pod *pod)
{
    if (!str_is_empty(pod->reason)) {
        return pod->reason;
    }
    for (uint32_t i = 0; i < pod->n_containers; i++) {
        if (!str_is_empty(pod->containers[i].terminated_reason) &&
            !str_eq(pod->containers[i].terminated_reason, "Completed")) {
            return pod->containers[i].terminated_reason;
        }
    }
    return "Failed";
}

int64_t
pod_not_ready_since(const struct pod *pod)
{
    static const char *const types[] = {"Ready", "ContainersReady", "PodScheduled"};

    return not_true_since(pod, types, 3);
}

bool
pod_find_failure(const struct pod *pod, struct pod_failure *ret)
{
    if (str_eq(pod->phase, "Failed")) {
        *ret = (struct pod_failure){
            .reason = phase_failed_reason(pod), .message = "", .since = pod_not_ready_since(pod)};
        return true;
    }
    for (uint32_t i = 0; i < pod->n_containers; i++) {
        const struct container_status *container = &pod->containers[i];

        if (is_failing_reason(container->waiting_reason)) {
            *ret = (struct pod_failure){.reason = container->waiting_reason,
                                        .message = container->waiting_message,
                                        .since = container_failed_since(pod, container)};
            return true;
        }
    }
    return false;
}
