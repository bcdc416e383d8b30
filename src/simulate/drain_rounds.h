/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits a drain into rounds that PodDisruptionBudgets allow. Before each round, the replicas of
 * the last round are ready elsewhere.
 */
#ifndef BALLAST_SIMULATE_DRAIN_ROUNDS_H
#define BALLAST_SIMULATE_DRAIN_ROUNDS_H

#include "ballast/plan/run_accounts.h"
#include "ballast/simulate/simulate.h"

/* Replicas of one move that stop in one cluster in one round. */
struct drain_take {
    uint32_t round;   /* from 0 */
    uint32_t move;    /* index into the moves */
    uint32_t cluster; /* index in the changed fleet */
    int64_t replicas;
    int64_t ready; /* part of `replicas`; unready ones go first */
};

struct drain_rounds {
    const struct drain_take *takes; /* by round, then in order of the moves */
    uint32_t n_takes;
    const bool *held; /* by move: a budget keeps some replicas permanently */
    uint32_t n_held;
    struct drain_allowance **allowances; /* see run_drain_in_steps */
};

/* Returns the rounds, in `arena`; `drained` by cluster. The first round uses the budget's status.
 * Later rounds apply its spec to the pods that bindings have there. */
struct drain_rounds drain_rounds_of(struct arena *arena, const struct simulation *simulation,
                                    const bool *drained, const struct drain_move *moves,
                                    uint32_t n_moves);

#endif
