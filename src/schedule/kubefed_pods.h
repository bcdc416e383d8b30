/* SPDX-License-Identifier: Apache-2.0
 *
 * What KubeFed makes of a workload's pods. The program has no use of it yet.
 */
#ifndef BALLAST_KUBEFED_PODS_H
#define BALLAST_KUBEFED_PODS_H

#include "ballast/base/error.h"
#include "ballast/model/member.h"

/* KubeFed's pod analysis (kubefed pkg/schedulingtypes, podanalyzer). */
struct pod_analysis {
    int64_t running_and_ready, unschedulable, total;
    bool needs_recheck; /* "NeedsRecheck" rather than "AllOK" */
};
struct pod_analysis kubefed_analyze_pods(const struct pod *const *pods, uint32_t n_pods,
                                         int64_t now);

/* KubeFed's current replicas and estimated capacity of one workload in one member: desired equals
 * ready, or by all pods there (a fleet's member does not keep those that are settled). An error
 * when the pods are needed and the selector has no matchLabels. */
struct kubefed_replica_state {
    int64_t current;
    bool has_capacity;
    int64_t capacity; /* may be negative */
    bool analyzed;    /* the pods were looked at */
    bool needs_recheck;
};
bool kubefed_replica_state(const struct pod *pods, uint32_t n_pods, const struct workload *workload,
                           int64_t now, struct kubefed_replica_state *ret, struct error *err);

#endif
