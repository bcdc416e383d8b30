/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed's pod analyzer. Its oddities are kept: conditions are counted, not
 * pods, and the status of Ready is not looked at.
 */
#include "kubefed_pods.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

#define UNSCHEDULABLE_THRESHOLD (60 * NANOS_PER_SECOND)

/* TIME_NONE is Go's zero time, long ago. */
static bool
is_long_ago(int64_t since, int64_t now)
{
    return since == TIME_NONE || timestamp_add(since, UNSCHEDULABLE_THRESHOLD) < now;
}

static void
count_condition(struct pod_analysis *analysis, const struct condition *condition, bool running,
                int64_t now)
{
    if (running) {
        analysis->running_and_ready += str_eq(condition->type, "Ready") ? 1 : 0;
        return;
    }
    if (!str_eq(condition->type, "PodScheduled") || !str_eq(condition->status, "False") ||
        !str_eq(condition->reason, "Unschedulable")) {
        return;
    }
    if (is_long_ago(condition->last_transition, now)) {
        analysis->unschedulable++;
    } else {
        analysis->needs_recheck = true;
    }
}

static void
count_pod(struct pod_analysis *analysis, const struct pod *pod, int64_t now)
{
    bool running = str_eq(pod->phase, "Running");

    analysis->total++;
    for (uint32_t i = 0; i < pod->conditions.count; i++) {
        count_condition(analysis, &pod->conditions.items[i], running, now);
    }
}

struct pod_analysis
kubefed_analyze_pods(const struct pod *const *pods, uint32_t n_pods, int64_t now)
{
    struct pod_analysis analysis = {0};

    for (uint32_t i = 0; i < n_pods; i++) {
        count_pod(&analysis, pods[i], now);
    }
    return analysis;
}
