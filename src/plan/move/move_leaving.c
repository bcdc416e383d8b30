/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which targets are to be left altogether, by findings and by the state of the members.
 */
#include "move.h"

/* Copies cannot leave replica by replica: application failover moves the whole target. */
static bool
leaves_by_failover(const struct move *move, uint32_t target)
{
    return move->targets[target].fails_over && !move_is_divided(move) &&
           (move->triggered[FINDING_FAILED_REPLICAS] ||
            move->triggered[FINDING_UNSCHEDULABLE_REPLICAS]);
}

/* None is ready, so nothing that runs is lost if all of it goes. */
static bool
is_stuck_whole(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];

    return (binding_is_set(move->binding) || move_goes_whole(move)) &&
           (!state->lost || state->owner == FAILOVER_OWNER_OFF_TAINTED) &&
           move->assumed.leaving == LEAVING_ALL && state->ready == 0 &&
           move_stuck_replicas(move, target) > 0;
}

/* True if the target holds nothing of a workload that goes whole, and nothing needs a place. */
static bool
has_nothing_to_lose(const struct move *move, uint32_t target)
{
    return move_goes_whole(move) && move->binding->clusters.items[target].replicas == 0 &&
           (move->state->only_lost != LEFT_ALONE_NOT || targets_sum(&move->binding->clusters) > 0);
}

bool
move_would_leave(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];

    if (has_nothing_to_lose(move, target)) {
        return false;
    }
    return state->owner == FAILOVER_OWNER_OURS ||
           (!move_is_frozen(move, target) && !move_holds_claims(move, target) &&
            (leaves_by_failover(move, target) || move_is_infeasible(move, target) ||
             is_stuck_whole(move, target)));
}

/* A graceful eviction task keeps running replicas until their replacement runs. Karmada takes one
 * only for a cluster that is left altogether. */
bool
move_leaves_as_one(const struct move *move, uint32_t target)
{
    return move->leaves[target] && !move->targets[target].lost &&
           ((move_is_infeasible(move, target) && move->targets[target].ready != 0) ||
            is_stuck_whole(move, target));
}

bool
move_asks_to_leave(const struct move *move, uint32_t target)
{
    return move_would_leave(move, target) && !move_must_stay(move) &&
           eviction_state_problem(move, target) == NULL;
}
