/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions that Ballast asks estimators, the control plane and members before a plan.
 */
#ifndef BALLAST_CAPACITY_QUESTIONS_H
#define BALLAST_CAPACITY_QUESTIONS_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* True if a plan may change something: some binding has a finding that triggers, or all bindings
 * are to be placed anew. */
bool capacity_is_needed(const struct fleet *fleet, const struct diagnosis *diagnosis,
                        const struct policy *policy);

/* Returns the questions that members' estimators may be asked before a plan, in `arena`: about the
 * bindings that `about` marks, or (NULL) those in need. *ret_count is their number. */
struct room_question *capacity_room_questions(struct arena *arena, const struct fleet *fleet,
                                              const struct diagnosis *diagnosis,
                                              const struct policy *policy, const bool *about,
                                              uint32_t *ret_count);

/* Which workloads a fit question is asked about, apart from those in need. */
struct fit_wanted {
    const bool *about;   /* by binding, instead of those in need; NULL: those in need */
    const bool *drained; /* by cluster: workloads in it, too; NULL: none is drained */
};

/* Returns, in `arena`, which workloads' pods may have to fit onto which clusters' nodes, and for
 * which workloads to ask what keeps their pods in place, because balance or a drain may move them.
 * *ret_count is their number. */
struct fit_question *capacity_fit_questions(struct arena *arena, const struct fleet *fleet,
                                            const struct diagnosis *diagnosis,
                                            const struct policy *policy, struct fit_wanted wanted,
                                            uint32_t *ret_count);

#endif
