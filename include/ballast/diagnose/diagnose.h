/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings: what is wrong, where, since when. Pure: the same fleet and policy
 * give the same diagnosis.
 */
#ifndef BALLAST_DIAGNOSE_DIAGNOSE_H
#define BALLAST_DIAGNOSE_DIAGNOSE_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "ballast/model/survey.h"

/* The diagnosis of a whole fleet, in `arena`. */
const struct diagnosis *diagnose(struct arena *arena, const struct fleet *fleet,
                                 const struct policy *policy);

/* The diagnosis with what is known of some bindings since: `revised`, by the index of the binding,
 * is a diagnosis of that one alone, or NULL. `fleet` has the bindings as they are now. */
const struct diagnosis *diagnosis_with(struct arena *arena, const struct diagnosis *diagnosis,
                                       const struct fleet *fleet,
                                       const struct diagnosis *const *revised);

/* What the estimators of members may be asked before it. In `arena`. */
struct stuck_question *diagnose_stuck_questions(struct arena *arena, const struct fleet *fleet,
                                                const struct policy *policy, uint32_t *ret_count);

/* A decision may leave eviction tasks in some cluster. */
bool diagnosis_allows_eviction_tasks(const struct diagnosis *diagnosis, const struct fleet *fleet);

/* The annotation ballast.io/deschedule is neither true nor false: it counts as false, and whoever
 * wrote it should be told. */
bool diagnose_opt_out_is_unclear(const struct binding *binding);

/* The parts, each answering as the upstream code named in its source file. */

/* Unschedulable replicas of a Deployment: karmada pkg/estimator/server/replica. 0 when the
 * Deployment has no current ReplicaSet. `threshold` in nanoseconds; negative counts as 0. */
int32_t diagnose_unschedulable(const struct member *member, const struct workload *deployment,
                               int64_t now, int64_t threshold);
/* The current ReplicaSet of a Deployment: by template; NULL when none. */
const struct replica_set *diagnose_current_replica_set(const struct member *member,
                                                       const struct workload *deployment);

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
