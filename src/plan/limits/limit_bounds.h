/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounds that the limits of a run and PodDisruptionBudgets set to a move.
 */
#ifndef BALLAST_PLAN_LIMIT_BOUNDS_H
#define BALLAST_PLAN_LIMIT_BOUNDS_H

#include "flows.h"

/* How many replicas may move, and the limit or PodDisruptionBudget that allows no more. */
struct bound {
    int64_t most; /* replicas that may move */
    enum limit_rule rule;
    const char *cluster; /* "": `rule` limits no single cluster */
    struct limit_account account;
    const struct disruption_account *kept_by; /* NULL: `rule` allows no more */
};

/* Returns how many replicas of the flow may leave its cluster, or come to it, by a limit on the
 * cluster. A PodDisruptionBudget counts, but not with `ever`, since more pods may become ready.
 * `ever`: in a run that does nothing else. */
int64_t limit_may_pass(struct planner *planner, const struct flows *flows, const struct flow *flow,
                       enum limit_rule rule, bool ever);
/* Returns how many replicas may move, and their bound. Replicas of the workload that are in motion
 * already count. `ever`: in a run that does nothing else. */
struct bound limit_bound(struct planner *planner, const struct move *move,
                         const struct flows *flows, bool ever);
/* Returns how many replicas may move, and their bound, without a look at replicas in motion.
 * `ever`: in a run that does nothing else. */
struct bound limit_bound_still(struct planner *planner, const struct move *move,
                               const struct flows *flows, bool ever);
/* Returns the bound in words, in scratch: "limits.perNamespace.maxReplicasMoved leaves 2 of 10 (25%
 * of 40)", or "PodDisruptionBudget web leaves 0 of 1 disruptions". With `ever`, the words name the
 * number that the limit allows. */
const char *limit_bound_text(struct planner *planner, const struct bound *bound, bool ever);
/* Returns the reason code of a bound, a constant: DisruptionBudget or LimitReached. */
const char *limit_held_code(const struct bound *bound);

#endif
