/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the clusters that take replicas. Limits on destinations hold if all replicas fit within
 * them. Else the attempt ignores them, and its result shows how much has to wait.
 *
 * Cooling-down clusters are open to replicas that need not heed cooldowns and that no other cluster
 * takes. Stuck replicas always heed them, and wait.
 */
#include "search.h"

#include "ballast/base/wide.h"
#include "plan/history/history.h"

int64_t
count_stuck(const struct move *move)
{
    int64_t stuck = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        stuck += move->leaves[i] ? 0 : move->take[i];
    }
    return stuck;
}

/* True if all replicas that clusters gain come from others. Then limits on destinations bound
 * capacity, and the excess may go to the next best. Copies go where all of one is allowed. */
static bool
only_moves(const struct move *move)
{
    if (move->taken == 0 || move_is_whole(move)) {
        return false;
    }
    return move_is_divided(move) ? move->kept + move->taken == move->wanted : move->n_leaving > 0;
}

bool
destinations_are_limited(struct search *search)
{
    const struct limit *limit = &search->planner->policy->limits.of[LIMIT_DESTINATION_REPLICAS];

    return limit->unit != LIMIT_UNIT_NONE && only_moves(search->move);
}

bool
destinations_cool(struct search *search)
{
    return move_history_may_ignore(search->planner, search->move);
}

bool
destinations_cool_for_stuck(struct search *search)
{
    return destinations_cool(search) && move_is_divided(search->move) &&
           count_stuck(search->move) > 0;
}

bool
destinations_take_back(struct search *search)
{
    return destinations_cool(search) && (search->move->n_leaving > 0 || search->move->taken == 0);
}

/* Lost replicas do not go back to a cluster that was itself lost within the cooldown. Other
 * replicas go back only if they found no place. */
void
destinations_go_back(struct search *search, struct assumptions *assumed)
{
    const struct move *move = search->move;
    const struct proposal *refused = search->refused;

    assumed->heeds = move_history_loses_replicas(move) ? HEED_LOST : HEED_NONE;
    assumed->back = refused == NULL || decision_failed(&refused->decision) || !move_is_divided(move)
                        ? 0
                        : refused->decision.unplaced - count_stuck(move);
}

bool
destinations_may_grow(struct search *search)
{
    const struct proposal *chosen = search->chosen;

    return search->planner->grows && chosen->decision.unplaced > 0 &&
           move_lost_replicas(chosen->move) > 0;
}

void
destinations_grow(struct search *search, struct assumptions *assumed)
{
    *assumed = search->chosen->move->assumed;
    assumed->grows = true;
}

/* Waiting replicas count as replicas without a place. */
void
destinations_waiting(struct search *search, struct proposal *attempt)
{
    if (attempt->move->assumed.leaving != search->move->assumed.leaving) {
        attempt->decision.unplaced =
            pin_count(attempt->decision.unplaced + count_stuck(search->move));
        attempt->move = search->move;
    }
}
