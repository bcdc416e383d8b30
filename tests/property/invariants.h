/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of every plan, computed from the world alone.
 */
#ifndef BALLAST_PROPERTY_INVARIANTS_H
#define BALLAST_PROPERTY_INVARIANTS_H

#include "ballast/model/policy.h"
#include "world.h"

/* Appends a line for each invariant that `plan` breaks; `before` is the world it was made for, by
 * that policy (NULL: the default one). */
void invariants_check(const struct world *before, const struct fleet *fleet,
                      const struct plan *plan, const struct policy *policy, struct buf *complaints);

/* The two plans decide the same for every binding. */
void invariants_same(const struct fleet *fleet_a, const struct plan *a, const struct fleet *fleet_b,
                     const struct plan *b, const char *what, struct buf *complaints);

/* Nothing is decided any more. */
void invariants_settled(const struct fleet *fleet, const struct plan *plan, const char *what,
                        struct buf *complaints);

/* There was no room for a scale-up, and only what is lost moves. */
bool invariants_scale_up_waits(const struct decision *decision);

/* "a=2 b=1" */
void invariants_show_split(const struct target_list *list, struct buf *out);

/* What a plan gives a cluster anew. */
struct given {
    int64_t cpu, pods;           /* but for what is there already */
    int64_t told_cpu, told_pods; /* of it, to those of whom its estimator told how many fit */
    int64_t quota_cpu;           /* all of it */
};

/* No more is given than quotas leave; what leaves somewhere is no room yet. `given` is by
 * cluster, `more` by how much the sums of replicas ask for more. */
void invariants_check_quotas(const struct world *world, const struct given *given, int64_t more,
                             struct buf *complaints);

/* Who newly goes somewhere goes where its workload affinity groups allow. */
void invariants_check_groups(const struct world *world, const struct fleet *fleet,
                             const struct plan *plan, struct buf *complaints);

#endif
