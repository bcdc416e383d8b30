/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds what is wrong in a fleet, where, and since when. Pure: one fleet and policy give one
 * diagnosis.
 */
#ifndef BALLAST_DIAGNOSE_DIAGNOSE_H
#define BALLAST_DIAGNOSE_DIAGNOSE_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "ballast/model/survey.h"

/* Returns the diagnosis of a whole fleet, in `arena`. */
const struct diagnosis *diagnose(struct arena *arena, const struct fleet *fleet,
                                 const struct policy *policy);

/* Returns the diagnosis of some bindings of a fleet, in `arena`. Facts that only the whole fleet
 * shows come from `whole`, whose texts must live as long. */
const struct diagnosis *diagnose_part(struct arena *arena, const struct fleet *fleet,
                                      const struct policy *policy, const struct diagnosis *whole);

/* The state of all targets as members show it, read once for many diagnoses. */
struct members_seen;
/* Reads the state of all targets of a fleet, in `arena`. The fleet and the policy must live as
 * long. */
const struct members_seen *members_seen_new(struct arena *arena, const struct fleet *fleet,
                                            const struct policy *policy);

/* States of targets that were read from another fleet. */
struct seen_already {
    const struct members_seen *members_seen;
    const uint32_t *indices; /* by binding: its index in the fleet that was read */
};
/* Returns, in `arena`, the diagnosis of a fleet with the bindings and members of `seen_already`.
 * Its clusters may differ, as in a trial of losses. Findings that only bindings outside this fleet
 * cause are missing. */
const struct diagnosis *diagnose_seen_already(struct arena *arena, const struct fleet *fleet,
                                              const struct policy *policy,
                                              const struct seen_already *seen_already);

/* Returns, in `arena`, a diagnosis with newer diagnoses of some bindings. `revised` has, by
 * binding, a diagnosis of that binding alone, or NULL. `fleet` has the newest bindings. */
const struct diagnosis *diagnosis_with(struct arena *arena, const struct diagnosis *diagnosis,
                                       const struct fleet *fleet,
                                       const struct diagnosis *const *revised);

/* Raises the requirements of each binding to at least what its version's pods were seen to request.
 * The diagnosis lives as long as the fleet. */
void diagnosis_fill_needs(struct fleet *fleet, const struct diagnosis *diagnosis);

/* Returns the questions that members' estimators may be asked before a diagnosis, in `arena`.
 * *ret_count is their number. */
struct stuck_question *diagnose_stuck_questions(struct arena *arena, const struct fleet *fleet,
                                                const struct policy *policy, uint32_t *ret_count);

/* True if a decision may create eviction tasks for some cluster. */
bool diagnosis_allows_eviction_tasks(const struct diagnosis *diagnosis, const struct fleet *fleet);

/* Checks whether a run may use this policy on the fleet. False with ERROR_USAGE, which names the
 * remedy. In a fleet of KubeFed's, mode Evict is refused, since no scheduler places the evicted
 * replicas. With `writes`, a run beside KubeFed's own scheduler is refused without
 * policy->kubefed_takeover. */
bool policy_check(const struct policy *policy, const struct fleet *fleet, bool writes,
                  struct error *err);

/* Returns the ready replicas of a binding in clusters that it is being evicted from, and that are
 * neither its targets nor in `places`. The status of an unready cluster is stale, and does not
 * count. */
int64_t diagnose_ready_in_eviction(const struct fleet *fleet, const struct diagnosis *diagnosis,
                                   const struct binding *binding, const struct target_list *places);
/* Returns the wanted replicas that are assigned to no cluster. `evicting` replicas still run in
 * clusters that the binding is being evicted from, and do not count. A copy counts if no cluster
 * has one. */
int64_t diagnose_in_no_cluster(const struct binding *binding, int64_t evicting);

/* Returns, in `arena`, the words that records use for the failures of a target (target_state's
 * `failures`): "Image", "Crash"; "Other" if no class is known. */
struct str_list failure_words(struct arena *arena, unsigned failures);

/* The annotation of a binding that tells Ballast to leave the binding alone. */
#define OPT_OUT_ANNOTATION "ballast.io/deschedule"

/* True if the annotation ballast.io/deschedule is neither true nor false. The annotation then
 * counts as false, and a message should warn its author. */
bool diagnose_opt_out_is_unclear(const struct binding *binding);

#endif
