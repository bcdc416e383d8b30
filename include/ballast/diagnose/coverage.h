/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds which members were seen, and whether that is enough to trust a clean report: an unseen
 * member shows nothing wrong. Pure.
 */
#ifndef BALLAST_DIAGNOSE_COVERAGE_H
#define BALLAST_DIAGNOSE_COVERAGE_H

#include "ballast/base/arena.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct unseen_member {
    uint32_t cluster;    /* index into fleet->clusters */
    const char *parts;   /* parts that were asked for and not seen: "nodes, pods" */
    const char *message; /* why */
    bool is_ready;       /* the cluster is ready: its silence is a surprise */
    bool is_missed;      /* ready, and holds replicas of bindings in scope */
};

struct coverage {
    uint32_t asked; /* members that a source of the policy reads: all of them, or none */
    uint32_t seen;  /* of them: members that showed all that was asked for */
    const struct unseen_member *unseen; /* the others, by cluster */
    uint32_t n_unseen;
    uint32_t needed; /* ready members that hold replicas of bindings in scope */
    uint32_t missed; /* of them: members that were not seen */
    bool is_blind;   /* missed exceeds policy->allow_unseen */
};

/* Returns the coverage of a diagnosis, in `arena`. `fleet` is the surveyed fleet, so that silent
 * estimators are known. */
const struct coverage *coverage_of(struct arena *arena, const struct fleet *fleet,
                                   const struct diagnosis *diagnosis, const struct policy *policy);

#endif
