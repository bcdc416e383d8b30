/* SPDX-License-Identifier: Apache-2.0
 *
 * What estimators, the control plane and members are asked before a plan.
 */
#ifndef BALLAST_CAPACITY_QUESTIONS_H
#define BALLAST_CAPACITY_QUESTIONS_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

/* Something may be changed: some binding has a finding that triggers, or all are to be placed anew.
 * Where it is false, a plan changes nothing. */
bool capacity_is_needed(const struct fleet *fleet, const struct diagnosis *diagnosis,
                        const struct policy *policy);

/* What the estimators of members may be asked before a plan, in `arena`: about these, by binding,
 * or (NULL) about what is in need. */
struct room_question *capacity_room_questions(struct arena *arena, const struct fleet *fleet,
                                              const struct diagnosis *diagnosis,
                                              const struct policy *policy, const bool *about,
                                              uint32_t *ret_count);

/* Which workloads a fit question is asked about, apart from those in need. */
struct fit_wanted {
    const bool *about;   /* by binding: these instead of those in need; NULL: those in need */
    const bool *drained; /* by cluster: also what may leave these; NULL: none is drained */
};

/* Likewise, which workloads' pods may have to fit onto which clusters' nodes; and what keeps in
 * their place those that balance or a drain may take. */
struct fit_question *capacity_fit_questions(struct arena *arena, const struct fleet *fleet,
                                            const struct diagnosis *diagnosis,
                                            const struct policy *policy, struct fit_wanted wanted,
                                            uint32_t *ret_count);

#endif
