/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of a move the limits of a run, and PodDisruptionBudgets, leave.
 */
#ifndef BALLAST_PLAN_LIMIT_BOUNDS_H
#define BALLAST_PLAN_LIMIT_BOUNDS_H

#include "flows.h"

/* The limit that allows least, or the PodDisruptionBudget. */
struct bound {
    int64_t most; /* replicas that may move */
    enum limit_rule rule;
    const char *cluster; /* "" when it is not a cluster's */
    struct limit_account account;
    const struct disruption_account *kept_by; /* NULL: it is the rule */
};

/* What a limit on one cluster lets it lose, or gain: all of what it would, or less. What a budget
 * of its member lets go changes with what becomes ready there: it holds for now. `ever`: in a run
 * that does nothing else. */
int64_t limit_may_pass(struct planner *planner, const struct flows *flows, const struct flow *flow,
                       enum limit_rule rule, bool ever);
/* How many replicas may move. What is in motion of the workload counts. */
struct bound limit_bound(struct planner *planner, const struct move *move,
                         const struct flows *flows, bool ever);
/* The same where what is in motion does not matter. */
struct bound limit_bound_still(struct planner *planner, const struct move *move,
                               const struct flows *flows, bool ever);
/* "limits.perNamespace.maxReplicasMoved leaves 2 of 10 (25% of 40)", or what it allows ever;
 * "PodDisruptionBudget web leaves 0 of 1 disruptions". */
const char *limit_bound_text(struct planner *planner, const struct bound *bound, bool ever);
/* The code of a reason that the bound gives. */
const char *limit_held_code(const struct bound *bound);

#endif
