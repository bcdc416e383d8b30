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
/* Returns the diagnosis of a fleet whose bindings and members are those of `seen_already`, though
 * its clusters may differ, as in a trial of losses. Findings that only bindings outside this fleet
 * would cause are missing. In `arena`. */
const struct diagnosis *diagnose_seen_already(struct arena *arena, const struct fleet *fleet,
                                              const struct policy *policy,
                                              const struct seen_already *seen_already);

/* Returns a diagnosis, in `arena`, with newer ones of some bindings put in. `revised` has, by index
 * of the binding, a diagnosis of that binding alone, or NULL. `fleet` has the bindings as they are
 * now. */
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

/* True if a decision may leave eviction tasks in some cluster. */
bool diagnosis_allows_eviction_tasks(const struct diagnosis *diagnosis, const struct fleet *fleet);

/* Checks whether a fleet may be run on with a policy. False with USAGE, which says what to do: the
 * fleet is of KubeFed, where nobody places the replicas that mode Evict takes away; or KubeFed's
 * own scheduler runs there, and `writes` is set without policy->kubefed_takeover. */
bool policy_check(const struct policy *policy, const struct fleet *fleet, bool writes,
                  struct error *err);

/* Returns words for the ways in which pods of a target fail (target_state's `failures`), as a
 * record has them: "Image", "Crash"; "Other" if no way is known. In `arena`. */
struct str_list failure_words(struct arena *arena, unsigned failures);

/* True if the annotation ballast.io/deschedule is neither true nor false: it counts as false, and
 * its author should be told. */
bool diagnose_opt_out_is_unclear(const struct binding *binding);

#endif
