/* SPDX-License-Identifier: Apache-2.0
 *
 * What of the members was seen, and whether it is enough to believe that all is
 * well: a member that did not answer shows nothing wrong. Pure.
 */
#ifndef BALLAST_DIAGNOSE_COVERAGE_H
#define BALLAST_DIAGNOSE_COVERAGE_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct unseen_member {
    uint32_t cluster;    /* index into fleet->clusters */
    const char *parts;   /* that were asked for and not seen: "nodes, pods" */
    const char *message; /* why */
    bool is_ready;       /* its cluster is: that it does not answer is a surprise */
    bool is_missed;      /* ready, and it holds replicas of bindings in scope */
};

struct coverage {
    uint32_t asked; /* members that a source of the policy looks into: all of them, or none */
    uint32_t seen;  /* of them, those that showed all that was asked for */
    const struct unseen_member *unseen; /* the others, in the order of their clusters */
    uint32_t n_unseen;
    uint32_t needed; /* members that are ready and hold replicas of bindings in scope */
    uint32_t missed; /* of them, those that were not seen */
    bool is_blind;   /* more are missed than policy->allow_unseen lets be */
};

/* In `arena`. `fleet` is the surveyed one, so that estimators that kept silent are known. */
const struct coverage *coverage_of(struct arena *arena, const struct fleet *fleet,
                                   const struct diagnosis *diagnosis, const struct policy *policy);

#endif
