/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed's view of a workload in one cluster: what runs there, and how much of
 * it fits (kubefed pkg/controller/schedulingpreference and its podanalyzer).
 */
#ifndef BALLAST_SCHEDULE_KUBEFED_PODS_H
#define BALLAST_SCHEDULE_KUBEFED_PODS_H

#include "ballast/base/error.h"
#include "ballast/model/fleet.h"

struct pod_analysis {
    int64_t running_and_ready, unschedulable, total;
    bool needs_recheck; /* "NeedsRecheck" rather than "AllOK" */
};
/* Counts the pods of a workload as KubeFed's pod analyzer does, oddities included. */
struct pod_analysis kubefed_analyze_pods(const struct pod *const *pods, uint32_t n_pods,
                                         int64_t now);

struct kubefed_replica_state {
    bool is_there; /* the member has the object; else nothing else is set */
    int64_t current;
    bool has_capacity;
    int64_t capacity; /* may be negative */
    bool analyzed;    /* the pods were counted */
    bool needs_recheck;
};
/* Sets KubeFed's view of a workload in a member without folded pods. False with err, which does not
 * name the member: its list of the kind, the object or its pods are unknown or unusable. */
bool kubefed_replica_state(const struct member *member, const struct object_reference *resource,
                           int64_t now, struct kubefed_replica_state *ret, struct error *err);

#endif
