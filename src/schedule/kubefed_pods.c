/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed's view of a workload in one cluster: current replicas and estimated
 * capacity (kubefed pkg/controller/schedulingpreference and its podanalyzer).
 * Its oddities are kept: conditions are counted, not pods; the status of Ready
 * is not looked at; matchExpressions are ignored.
 */
#include "kubefed_pods.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "diagnose/parts.h"

#define UNSCHEDULABLE_THRESHOLD (60 * NANOS_PER_SECOND)

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
    if (is_past(condition->last_transition, UNSCHEDULABLE_THRESHOLD, now)) {
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

static struct pod_analysis
analyze_own_pods(const struct pod *pods, uint32_t n_pods, const struct workload *workload,
                 int64_t now)
{
    struct pod_analysis analysis = {0};

    for (uint32_t i = 0; i < n_pods; i++) {
        const struct pod *pod = &pods[i];

        if (str_eq(pod->namespace_, workload->namespace_) &&
            label_list_has_all(&pod->labels, &workload->selector->match_labels)) {
            count_pod(&analysis, pod, now);
        }
    }
    return analysis;
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

bool
kubefed_replica_state(const struct pod *pods, uint32_t n_pods, const struct workload *workload,
                      int64_t now, struct kubefed_replica_state *ret, struct error *err)
{
    if (workload->replicas == workload->ready_replicas) {
        *ret = (struct kubefed_replica_state){.current = workload->ready_replicas};
        return true;
    }
    if (workload->selector == NULL || !workload->selector->match_labels.present) {
        return error_set(err, ERROR_INVALID, "%s %s/%s: spec.selector.matchLabels: required",
                         workload->kind, workload->namespace_, workload->name);
    }
    struct pod_analysis analysis = analyze_own_pods(pods, n_pods, workload, now);

    *ret = (struct kubefed_replica_state){
        .current = analysis.running_and_ready,
        .has_capacity = analysis.unschedulable > 0,
        .capacity = analysis.unschedulable > 0 ? workload->replicas - analysis.unschedulable : 0,
        .analyzed = true,
        .needs_recheck = analysis.needs_recheck,
    };
    return true;
}
