/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds crash loops by restarts per time. A back-off alone does not show them: between two restarts
 * the container runs, and may be ready. With a short maxContainerRestartPeriod no back-off is long.
 *
 * The kubelet forgives a container that has run for ten minutes (kubernetes pkg/kubelet: the
 * back-off's expiry); so does this file.
 */
#include "observed.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

#define FORGIVEN_AFTER (10 * NANOS_PER_MINUTE)
#define FIRST_BACKOFF (10 * NANOS_PER_SECOND)
#define FULL_BACKOFF (5 * NANOS_PER_MINUTE)
/* The longest run that the kubelet does not forgive, and the longest wait. */
#define LOOP_INTERVAL (FORGIVEN_AFTER + FULL_BACKOFF)
#define ACCIDENT_INTERVAL (INT64_C(24) * 60 * NANOS_PER_MINUTE)
/* A ready pod with fewer restarts does not count as failing. */
#define RESTARTS_OF_READY 5

int64_t
backoff_waited_before(int64_t backoff)
{
    if (backoff <= FIRST_BACKOFF) {
        return 0;
    }
    return backoff >= FULL_BACKOFF ? 31 * FIRST_BACKOFF : backoff - FIRST_BACKOFF;
}

/* Returns the least time of `restarts` with runs of `run` between; the last waits for `backoff`. */
static int64_t
time_of_restarts(int64_t restarts, int64_t backoff, int64_t run)
{
    int64_t total = 0, step = FIRST_BACKOFF;

    for (; restarts > 0 && step < backoff; step *= 2, restarts--) {
        total += step + run;
    }
    for (; restarts > 0 && total < ACCIDENT_INTERVAL; restarts--) {
        total += backoff + run;
    }
    return total;
}

static int64_t
span_within(int64_t from, int64_t to, int64_t most)
{
    int64_t span = from != TIME_NONE && to != TIME_NONE ? timestamp_span(from, to) : 0;

    return span < 0 ? 0 : span > most ? most : span;
}

static int64_t
last_run(const struct container_status *container)
{
    return span_within(container->last_started, container->last_finished, FORGIVEN_AFTER);
}

static int64_t
start_of(const struct pod *pod, const struct container_status *container)
{
    return container->init ? pod->creation : pod_started(pod);
}

static bool
is_done(const struct container_status *container)
{
    return container->init && str_eq(container->terminated_reason, "Completed");
}

static int64_t
up_since(const struct pod *pod, const struct container_status *container)
{
    const struct condition *ready = condition_list_find(&pod->conditions, "Ready");

    if (container->running_since != TIME_NONE) {
        return container->running_since;
    }
    return container->ready && ready != NULL && str_eq(ready->status, "True")
               ? ready->last_transition
               : TIME_NONE;
}

/* True if the kubelet has not yet forgiven the container's last end. */
static bool
ended_lately(const struct pod *pod, const struct container_status *container, int64_t now)
{
    int64_t up = up_since(pod, container);

    if (up != TIME_NONE) {
        return timestamp_span(up, now) <= FORGIVEN_AFTER;
    }
    return container->last_finished == TIME_NONE
               ? !container->ready
               : timestamp_span(container->last_finished, now) <= LOOP_INTERVAL;
}

static int64_t
wait_before_run(const struct container_status *container)
{
    return span_within(container->last_finished, container->running_since, FULL_BACKOFF);
}

int64_t
container_loops_since(const struct pod *pod, const struct container_status *container,
                      int64_t backoff, int64_t now)
{
    int64_t start = start_of(pod, container), restarts = container->restart_count;

    if (restarts < POD_RESTARTS_MANY || is_done(container) || start == TIME_NONE ||
        !ended_lately(pod, container, now)) {
        return TIME_NONE;
    }
    int64_t age = timestamp_span(start, now);

    if (age / restarts <= LOOP_INTERVAL) {
        return start;
    }
    if (backoff == 0) {
        backoff = wait_before_run(container);
    }
    int64_t in_a_row = restarts - age / ACCIDENT_INTERVAL;

    if (backoff < FIRST_BACKOFF || in_a_row < POD_RESTARTS_MANY) {
        return TIME_NONE;
    }
    int64_t since = timestamp_add(now, -time_of_restarts(in_a_row, backoff, last_run(container)));

    return since < start ? start : since;
}

/* True if the container has run for twice its last run, or its average time between restarts. */
static bool
has_recovered(const struct pod *pod, const struct container_status *container, int64_t now)
{
    int64_t up = up_since(pod, container), run = last_run(container);
    int64_t start = start_of(pod, container);

    if (up == TIME_NONE || start == TIME_NONE || container->restart_count < RESTARTS_OF_READY) {
        return true;
    }
    return timestamp_span(up, now) >
           (run > 0 ? 2 * run : timestamp_span(start, now) / container->restart_count);
}

bool
pod_find_crash_loop(const struct pod *pod, int64_t now, struct pod_failure *ret)
{
    bool is_ready = pod_is_ready(pod);

    for (uint32_t i = 0; i < pod->n_containers; i++) {
        const struct container_status *container = &pod->containers[i];
        int64_t since = container_loops_since(pod, container, 0, now);

        if (since != TIME_NONE && !(is_ready && has_recovered(pod, container, now))) {
            *ret = (struct pod_failure){.reason = "CrashLoopBackOff",
                                        .message = "it runs for a moment between restarts",
                                        .since = since};
            return true;
        }
    }
    return false;
}

bool
pod_is_shaky(const struct pod *pod, int64_t now)
{
    for (uint32_t i = 0; i < pod->n_containers; i++) {
        const struct container_status *container = &pod->containers[i];
        int64_t up = up_since(pod, container), start = start_of(pod, container);

        if (!is_done(container) && pod_restarts_often(pod, container) &&
            (up == TIME_NONE || start == TIME_NONE ||
             timestamp_span(up, now) <= timestamp_span(start, up))) {
            return true;
        }
    }
    return false;
}

bool
pod_stays_up(const struct pod *pod, const struct policy *policy)
{
    struct pod_failure loop;

    return pod_is_ready(pod) &&
           !(pod_find_crash_loop(pod, policy->now, &loop) &&
             timestamp_is_past(loop.since, policy->failed_threshold, policy->now));
}
