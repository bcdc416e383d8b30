/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of a move the limits of a run, and PodDisruptionBudgets, leave.
 */
#ifndef BALLAST_PLAN_LIMIT_BOUNDS_H
#define BALLAST_PLAN_LIMIT_BOUNDS_H

#include "flows.h"

/* How many replicas may move, and what allows no more: a limit, or a PodDisruptionBudget. */
struct bound {
    int64_t most; /* replicas that may move */
    enum limit_rule rule;
    const char *cluster; /* of a limit on one cluster; else "" */
    struct limit_account account;
    const struct disruption_account *kept_by; /* NULL: `rule` allows no more */
};

/* Returns how many replicas a limit on one cluster lets it lose, or gain: all that the flow has, or
 * fewer. A budget of its member counts, but not with `ever`, since more pods may become ready.
 * `ever`: in a run that does nothing else. */
int64_t limit_may_pass(struct planner *planner, const struct flows *flows, const struct flow *flow,
                       enum limit_rule rule, bool ever);
/* Returns how many replicas may move, and what bounds them. Replicas of the workload that are in
 * motion already count. `ever`: in a run that does nothing else. */
struct bound limit_bound(struct planner *planner, const struct move *move,
                         const struct flows *flows, bool ever);
/* Returns how many replicas may move, and what bounds them, whatever of the workload is in motion.
 * `ever`: in a run that does nothing else. */
struct bound limit_bound_still(struct planner *planner, const struct move *move,
                               const struct flows *flows, bool ever);
/* Returns the bound in words, in the planner's scratch: "limits.perNamespace.maxReplicasMoved
 * leaves 2 of 10 (25% of 40)", or, with `ever`, what the limit allows; "PodDisruptionBudget web
 * leaves 0 of 1 disruptions". */
const char *limit_bound_text(struct planner *planner, const struct bound *bound, bool ever);
/* Returns the code of the reason for a bound, a constant: DisruptionBudget or LimitReached. */
const char *limit_held_code(const struct bound *bound);

#endif
