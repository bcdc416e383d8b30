/* SPDX-License-Identifier: Apache-2.0
 *
 * The repairs that a run would make today, which a simulation makes before its losses. Pure.
 */
#ifndef BALLAST_SIMULATE_REPAIRS_H
#define BALLAST_SIMULATE_REPAIRS_H

#include "ballast/plan/plan.h"

struct repairs {
    const struct fleet *fleet; /* before the repairs */
    const struct diagnosis *diagnosis;
    const struct plan *plan; /* its changes are the repairs; decisions by the fleet's bindings */
};

/* Returns the repairs that a run with `policy` would make, in `arena`. The fleet must live as
 * long. If the policy is stopped, the result is unusable. */
struct repairs repairs_of(struct arena *arena, const struct fleet *fleet,
                          const struct policy *policy);

/* Returns the repaired fleet, in `arena`: all repairs are moves in flight. It keeps the indices,
 * and shares unchanged parts with the fleet of the repairs, which must live as long. */
struct fleet repairs_carry_out(struct arena *arena, const struct repairs *repairs,
                               const struct policy *policy);

/* Returns the decision of a repair; NULL: the binding needs none. */
const struct decision *repairs_decision(const struct repairs *repairs, uint32_t binding);

#endif
