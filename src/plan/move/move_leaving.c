/* SPDX-License-Identifier: Apache-2.0
 *
 * Which targets are to be left altogether, by findings and by what members show.
 */
#include "move.h"

/* Replicas that are only copied cannot go elsewhere one by one: where the failover behaviour asks
 * for it, the whole target does. */
static bool
leaves_by_failover(const struct move *move, uint32_t target)
{
    return move->targets[target].fails_over && !move_is_divided(move) &&
           (move->triggered[FINDING_FAILED_REPLICAS] ||
            move->triggered[FINDING_UNSCHEDULABLE_REPLICAS]);
}

/* None of it is ready, and something is stuck: nothing that runs is lost where all of it goes. */
static bool
is_stuck_whole(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];

    return (binding_is_set(move->binding) || move_goes_whole(move)) &&
           (!state->lost || state->owner == FAILOVER_OWNER_OFF_TAINTED) &&
           move->assumed.leaving == LEAVING_ALL && state->ready == 0 &&
           move_stuck_replicas(move, target) > 0;
}

/* Of what goes whole, nothing is in the target, and nothing has to find a place for it. */
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

/* A task keeps what runs there until its replacement does, and there is one only when the cluster
 * is left altogether. */
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
