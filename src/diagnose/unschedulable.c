/* SPDX-License-Identifier: Apache-2.0
 *
 * Unschedulable replicas of a Deployment as karmada's scheduler-estimator
 * counts them (karmada pkg/estimator/server/replica).
 */
#include "parts.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

const struct condition *
pod_unschedulable_condition(const struct pod *pod)
{
    const struct condition *scheduled = condition_list_find(&pod->conditions, "PodScheduled");

    if (scheduled != NULL && str_eq(scheduled->status, "False") &&
        str_eq(scheduled->reason, "Unschedulable")) {
        return scheduled;
    }
    return NULL;
}

bool
is_past(int64_t since, int64_t threshold, int64_t now)
{
    /* no time is Go's zero time: past every threshold */
    return since == TIME_NONE || timestamp_add(since, threshold < 0 ? 0 : threshold) < now;
}

static bool
counts(const struct pod *pod, const struct replica_set *set, const struct workload *deployment,
       int64_t now, int64_t threshold)
{
    const struct condition *condition = pod_unschedulable_condition(pod);

    return condition != NULL && !pod_is_finished(pod) && !str_is_empty(set->uid) &&
           str_eq(pod->owner.uid, set->uid) && str_eq(pod->namespace_, deployment->namespace_) &&
           label_selector_matches(deployment->selector, &pod->labels) &&
           is_past(condition->last_transition, threshold, now);
}

int32_t
diagnose_unschedulable(const struct member *member, const struct workload *deployment, int64_t now,
                       int64_t threshold)
{
    const struct replica_set *set = NULL;
    int32_t total = 0;

    if (!str_eq(deployment->kind, "Deployment")) {
        return -1;
    }
    set = diagnose_current_replica_set(member, deployment);
    for (uint32_t i = 0; set != NULL && i < member->n_pods; i++) {
        total += counts(&member->pods[i], set, deployment, now, threshold) ? 1 : 0;
    }
    return total;
}
