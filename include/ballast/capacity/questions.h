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

/* True if a plan may change something: a binding has a finding that triggers, or all bindings are
 * placed anew. */
bool capacity_is_needed(const struct fleet *fleet, const struct diagnosis *diagnosis,
                        const struct policy *policy);

/* Returns, in `arena`, the questions for members' estimators before a plan, about the bindings that
 * `about` marks (NULL: bindings in need). *ret_count is their number. */
struct room_question *capacity_room_questions(struct arena *arena, const struct fleet *fleet,
                                              const struct diagnosis *diagnosis,
                                              const struct policy *policy, const bool *about,
                                              uint32_t *ret_count);

/* The workloads of fit questions. */
struct fit_wanted {
    const bool *about;   /* by binding; NULL: bindings in need */
    const bool *drained; /* by cluster: also workloads in it; NULL: none is drained */
};

/* Returns, in `arena`, which workloads' pods may have to fit onto which clusters' nodes. Also asks
 * what keeps pods in place, for workloads that balance or a drain may move. *ret_count is the
 * number of questions. */
struct fit_question *capacity_fit_questions(struct arena *arena, const struct fleet *fleet,
                                            const struct diagnosis *diagnosis,
                                            const struct policy *policy, struct fit_wanted wanted,
                                            uint32_t *ret_count);

#endif
