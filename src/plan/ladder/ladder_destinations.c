/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters take replicas: within the limits of destinations if all of it goes, else as if
 * there were none: how much has to wait for them is then seen from the result. Likewise, clusters
 * that cool down are open to what need not heed that, for what the others do not take. What is
 * stuck heeds it also where something else does not, and waits while that goes.
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

/* All that is given to a cluster comes from another one: then a limit on destinations is a bound on
 * their room, and what is over may go to the next best. Copies that take the place of lost ones go
 * where all of one is allowed. */
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

/* What is lost does not go back to what was itself lost within the cooldown. Of the rest no more
 * goes back than found no place. */
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

/* What waits is told of as what stays. */
void
destinations_waiting(struct search *search, struct proposal *attempt)
{
    if (attempt->move->assumed.leaving != search->move->assumed.leaving) {
        attempt->decision.unplaced =
            pin_count(attempt->decision.unplaced + count_stuck(search->move));
        attempt->move = search->move;
    }
}
