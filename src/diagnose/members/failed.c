/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds pods that cannot start or stay up, by the kubelet's reports on their containers.
 */
#include "observed.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/selector.h"

/* Waiting reasons that time alone does not cure (kubernetes pkg/kubelet: images, kuberuntime,
 * container). ContainerCreating and PodInitializing are no failures. */
static const struct failing_reason {
    const char *reason;
    enum failure_class class_;
} failing_reasons[] = {
    {"CrashLoopBackOff", FAILURE_CRASH},
    {"ImagePullBackOff", FAILURE_IMAGE},
    {"ErrImagePull", FAILURE_IMAGE},
    {"ErrImageNeverPull", FAILURE_IMAGE},
    {"InvalidImageName", FAILURE_OTHER}, /* fails in every cluster */
    {"ImageInspectError", FAILURE_IMAGE},
    {"RegistryUnavailable", FAILURE_IMAGE},
    {"SignatureValidationFailed", FAILURE_IMAGE},
    {"CreateContainerError", FAILURE_CONTAINER},
    {"CreateContainerConfigError", FAILURE_CONFIG},
    {"RunContainerError", FAILURE_CONTAINER},
    {"PreCreateHookError", FAILURE_CONTAINER},
    {"PreStartHookError", FAILURE_CONTAINER},
    {"PostStartHookError", FAILURE_CONTAINER},
};

static const struct failing_reason *
find_reason(const char *reason)
{
    for (size_t i = 0; i < sizeof(failing_reasons) / sizeof(failing_reasons[0]); i++) {
        if (str_eq(reason, failing_reasons[i].reason)) {
            return &failing_reasons[i];
        }
    }
    return NULL;
}

enum failure_class
failure_class(const char *reason)
{
    const struct failing_reason *known = find_reason(reason);

    return known != NULL ? known->class_ : FAILURE_OTHER;
}

const char *
failure_class_text(enum failure_class class_)
{
    static const char *const texts[N_FAILURE_CLASSES] = {
        [FAILURE_OTHER] = "failures",
        [FAILURE_IMAGE] = "image pulls",
        [FAILURE_CRASH] = "crashes",
        [FAILURE_CONTAINER] = "container starts",
        [FAILURE_CONFIG] = "missing configuration",
        [FAILURE_START] = "pods that do not start",
        [FAILURE_READINESS] = "pods that do not become ready",
        [FAILURE_CREATION] = "pods that are not created",
        [FAILURE_ENDED] = "pods that are ended and replaced again and again",
    };

    return texts[class_];
}

/* Bindings store these words: never change them. */
static const char *const failure_names[N_FAILURE_CLASSES] = {
    [FAILURE_OTHER] = "Other",         [FAILURE_IMAGE] = "Image",       [FAILURE_CRASH] = "Crash",
    [FAILURE_CONTAINER] = "Container", [FAILURE_CONFIG] = "Config",     [FAILURE_START] = "Start",
    [FAILURE_READINESS] = "Readiness", [FAILURE_CREATION] = "Creation", [FAILURE_ENDED] = "Ended",
};

struct str_list
failure_words(struct arena *arena, unsigned failures)
{
    const char **words = ARENA_ARRAY(arena, const char *, N_FAILURE_CLASSES);
    uint32_t count = 0;

    failures = failures != 0 ? failures : FAILURE_BIT(FAILURE_OTHER);

    for (enum failure_class class_ = 0; class_ < N_FAILURE_CLASSES; class_++) {
        if ((failures & FAILURE_BIT(class_)) != 0) {
            words[count++] = failure_names[class_];
        }
    }
    return (struct str_list){.items = words, .count = count};
}

unsigned
failures_by_words(const struct str_list *words)
{
    unsigned failures = 0;

    for (enum failure_class class_ = 0; class_ < N_FAILURE_CLASSES; class_++) {
        failures |= str_list_has(words, failure_names[class_]) ? FAILURE_BIT(class_) : 0;
    }
    return failures;
}

/* Returns the last transition of the first condition that is not True, else the pod's creation. */
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

static int64_t
backoff_of(const char *message)
{
    static const char prefix[] = "back-off ";
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
    return duration_parse(text, &backoff) && backoff > 0 ? backoff : 0;
}

/* Ready turns False anew after each restart, so in a loop it rarely shows more than one back-off
 * (10s, 20s, 40s ... up to 5m). All back-offs before one of B add up to almost B; before the full
 * one, to 10+20+40+80+160 seconds. */
static int64_t
crash_loop_since(const struct pod *pod, const struct container_status *container, int64_t since)
{
    const struct condition *initialized = condition_list_find(&pod->conditions, "Initialized");
    int64_t earliest = pod->creation;
    int64_t waited = backoff_waited_before(backoff_of(container->waiting_message));

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
container_failed_since(const struct pod *pod, const struct container_status *container, int64_t now)
{
    static const char *const of_init[] = {"Initialized", "ContainersReady", "Ready"};
    static const char *const of_main[] = {"ContainersReady", "Ready"};
    int64_t since =
        container->init ? not_true_since(pod, of_init, 3) : not_true_since(pod, of_main, 2);

    if (str_eq(container->waiting_reason, "CrashLoopBackOff")) {
        int64_t loops =
            container_loops_since(pod, container, backoff_of(container->waiting_message), now);

        since = crash_loop_since(pod, container, since);
        since = loops != TIME_NONE && loops < since ? loops : since;
    }
    return since;
}

const char *
pod_ended_reason(const struct pod *pod)
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
pod_find_failure(const struct pod *pod, int64_t now, struct pod_failure *ret)
{
    if (str_eq(pod->phase, "Failed")) {
        *ret = (struct pod_failure){
            .reason = pod_ended_reason(pod), .message = "", .since = pod_not_ready_since(pod)};
        return true;
    }
    for (uint32_t i = 0; i < pod->n_containers; i++) {
        const struct container_status *container = &pod->containers[i];

        if (find_reason(container->waiting_reason) != NULL) {
            *ret = (struct pod_failure){.reason = container->waiting_reason,
                                        .message = container->waiting_message,
                                        .since = container_failed_since(pod, container, now)};
            return true;
        }
    }
    return pod_find_crash_loop(pod, now, ret);
}

const char *
pod_waiting_reason(const struct pod *pod)
{
    const struct condition *scheduled = condition_list_find(&pod->conditions, "PodScheduled");

    if (pod->deletion_timestamp != TIME_NONE) {
        return "Terminating";
    }
    if (str_is_empty(pod->node_name)) {
        return scheduled == NULL                 ? "no condition PodScheduled"
               : str_is_empty(scheduled->reason) ? "no node yet"
                                                 : scheduled->reason;
    }
    for (uint32_t i = 0; i < pod->n_containers; i++) {
        if (!str_is_empty(pod->containers[i].waiting_reason)) {
            return pod->containers[i].waiting_reason;
        }
    }
    return "not ready";
}
