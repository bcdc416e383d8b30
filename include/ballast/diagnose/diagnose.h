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

/* The diagnosis of some bindings of a fleet: what takes all of them to see is as in `whole`, whose
 * texts it goes on to use. */
const struct diagnosis *diagnose_part(struct arena *arena, const struct fleet *fleet,
                                      const struct policy *policy, const struct diagnosis *whole);

/* What members show of all targets, looked at once for many diagnoses. In `arena`; the fleet and
 * the policy have to live as long. */
struct members_seen;
const struct members_seen *members_seen_new(struct arena *arena, const struct fleet *fleet,
                                            const struct policy *policy);

/* What was seen of the bindings of another fleet. */
struct seen_already {
    const struct members_seen *members_seen;
    const uint32_t *indices; /* by binding: its index in the fleet that was looked at */
};
/* The diagnosis of a fleet whose bindings have the same targets as then, and its members show the
 * same: its clusters may be others, as in a trial of losses. The same as `diagnose`, but for what
 * only bindings that are not in it would say. In `arena`. */
const struct diagnosis *diagnose_seen_already(struct arena *arena, const struct fleet *fleet,
                                              const struct policy *policy,
                                              const struct seen_already *seen_already);

/* The diagnosis with what is known of some bindings since: `revised`, by the index of the binding,
 * is a diagnosis of that one alone, or NULL. `fleet` has the bindings as they are now. */
const struct diagnosis *diagnosis_with(struct arena *arena, const struct diagnosis *diagnosis,
                                       const struct fleet *fleet,
                                       const struct diagnosis *const *revised);

/* From here on a replica of each binding of the fleet needs at least what pods of its version were
 * seen to request. The diagnosis lives as long as the fleet. */
void diagnosis_settle_needs(struct fleet *fleet, const struct diagnosis *diagnosis);

/* What the estimators of members may be asked before it. In `arena`. */
struct stuck_question *diagnose_stuck_questions(struct arena *arena, const struct fleet *fleet,
                                                const struct policy *policy, uint32_t *ret_count);

/* A decision may leave eviction tasks in some cluster. */
bool diagnosis_allows_eviction_tasks(const struct diagnosis *diagnosis, const struct fleet *fleet);

/* Whether a fleet may be run on with that policy. ERROR_USAGE says what to do: in a fleet of
 * KubeFed's nobody places what mode Evict takes away; and where KubeFed's own scheduler writes,
 * too, nothing is written (`writes`) unless that is asked for. */
bool policy_check(const struct policy *policy, const struct fleet *fleet, bool writes,
                  struct error *err);

/* The ways in which pods of a target fail (target_state's `failures`), as a record tells them:
 * "Image", "Crash"; "Other" where no way is known. */
struct str_list failure_words(struct arena *arena, unsigned failures);

/* The annotation ballast.io/deschedule is neither true nor false: it counts as false, and whoever
 * wrote it should be told. */
bool diagnose_opt_out_is_unclear(const struct binding *binding);

#endif
