/* SPDX-License-Identifier: Apache-2.0
 *
 * What PodDisruptionBudgets let a drain take, round by round: what is taken in
 * one is ready elsewhere before the next, and the budgets are asked anew.
 */
#ifndef BALLAST_SIMULATE_DRAIN_ROUNDS_H
#define BALLAST_SIMULATE_DRAIN_ROUNDS_H

#include "ballast/plan/budget.h"
#include "ballast/simulate/simulate.h"

/* What one round stops of one move in one cluster. */
struct drain_take {
    uint32_t round;   /* from 0 */
    uint32_t move;    /* index into the moves */
    uint32_t cluster; /* index into the changed fleet's clusters */
    int64_t replicas;
    int64_t ready; /* of them; what is not ready goes first */
};

struct drain_rounds {
    const struct drain_take *takes; /* by round, then as the moves are ordered */
    uint32_t n_takes;
    const bool *held; /* by move: a budget keeps some of it for ever */
    uint32_t n_held;
    struct drain_allowance **allowances; /* see budget_drain_in_steps */
};

/* In `arena`; `drained` by cluster. At first a budget lets go what its status says; from then on it
 * is reckoned by what it asks for, of the pods that bindings have there. */
struct drain_rounds drain_rounds_of(struct arena *arena, const struct simulation *simulation,
                                    const bool *drained, const struct drain_move *moves,
                                    uint32_t n_moves);

#endif
