/* SPDX-License-Identifier: Apache-2.0
 *
 * Mode Place: makes one attempt at a binding by the method that fits it, under the assumptions of
 * its move.
 */
#include "ballast/model/preference.h"
#include "decide.h"
#include "plan/move/move.h"

void
decide_place(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct preference *preference =
        preference_for(planner->policy, planner->fleet, move->binding);

    if (!move_is_divided(move)) {
        decide_duplicated(planner, move, decision);
        return;
    }
    if (move_only_balances(move)) {
        decide_balance(planner, move, decision);
        return;
    }
    if (preference != NULL) {
        decide_by_preference(planner, move, preference, decision);
    } else {
        decide_divided(planner, move, decision);
    }
    if (!str_is_empty(decision->error_type) && !move_is_whole(move)) {
        scale_down_only(planner, move, decision); /* needs no place */
    }
}

bool
decision_failed(const struct decision *decision)
{
    return !str_is_empty(decision->error_type);
}

bool
decision_changes(const struct decision *decision)
{
    return !decision_failed(decision) && !targets_equal(&decision->before, &decision->after);
}

struct assumptions
assume_more(struct assumptions assumed, const struct assumptions *more)
{
    assumed.heeds = more->heeds > assumed.heeds ? more->heeds : assumed.heeds;
    assumed.leaving = more->leaving > assumed.leaving ? more->leaving : assumed.leaving;
    assumed.as_many = assumed.as_many || more->as_many;
    assumed.within_limits = assumed.within_limits || more->within_limits;
    assumed.grows = assumed.grows || more->grows;
    assumed.steady = assumed.steady || more->steady;
    assumed.claims_end = assumed.claims_end || more->claims_end;
    assumed.most = more->most > 0 ? more->most : assumed.most;
    return assumed;
}
