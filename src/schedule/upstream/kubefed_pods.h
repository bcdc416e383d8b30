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
/* Counts the pods of a workload as KubeFed's pod analyzer does, with its oddities. */
struct pod_analysis kubefed_analyze_pods(const struct pod *const *pods, uint32_t n_pods,
                                         int64_t now);

struct kubefed_replica_state {
    bool is_there; /* the member has the object; else nothing else is said */
    int64_t current;
    bool has_capacity;
    int64_t capacity; /* may be negative */
    bool analyzed;    /* the pods were looked at */
    bool needs_recheck;
};
/* Sets what KubeFed sees of a workload in a member of which no pods are folded. False with err,
 * which does not name the member: the member's list of such objects, the object or its pods are not
 * known, or cannot be used. */
bool kubefed_replica_state(const struct member *member, const struct object_reference *resource,
                           int64_t now, struct kubefed_replica_state *ret, struct error *err);

#endif
