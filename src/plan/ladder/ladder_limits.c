/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds an attempt to cooldowns, quotas and the limits of the run. Lost replicas do not wait for a
 * division anew that is larger than a limit.
 */
#include "search.h"

#include "plan/history/history.h"
#include "plan/reasons/reasons.h"

/* Puts the reasons that hold for every attempt before the attempt's own. */
static void
begin_reasons(struct planner *planner, const struct move *asked, const struct decision *said,
              struct decision *decision)
{
    struct decision before = *said;

    explain_unpreserved(planner, asked, &before);
    explain_frozen(planner, asked, &before);
    explain_claims(planner, asked, &before);
    explain_only_lost(planner, asked, &before);
    explain_stuck_staying(planner, asked, &before);
    explain_preserved(planner, asked, &before);
    reasons_begin_with(planner, &before, decision);
}

struct allowance
attempt_hold_to_limits(struct planner *planner, const struct decision *said,
                       struct proposal *attempt)
{
    const struct move *move = attempt->move;
    struct decision *decision = &attempt->decision;

    begin_reasons(planner, attempt->asked, said, decision);
    if (planner->policy->mode == MODE_PLACE) {
        parts_hold(planner, move, decision);
    }
    explain_not_rescheduled(planner, move, decision);
    decision_name_action(planner, move, said->n_reasons, decision);
    if (!decision->changes && request_is_met_in_place(planner, move, decision)) {
        decision->action = ACTION_PLACE;
        decision->changes = true;
    }
    if (decision->unplaced > 0 || (decision->action == ACTION_BLOCKED && move->taken > 0)) {
        explain_preempting(planner, move, decision);
    }
    decision_hold_to_quotas(planner, move->binding, decision);
    if ((decision->action != ACTION_NONE || move_only_balances(move)) &&
        !move_history_holds(planner, move, decision)) {
        move_history_explain(planner, move, decision);
    }
    return decision->changes ? limit_moves(planner, move, decision)
                             : (struct allowance){.goes = false};
}

void
limits_complete(struct search *search, struct proposal *attempt)
{
    struct planner *planner = search->planner;

    if (search->refused == NULL) {
        explain_turns(planner, attempt->asked, search->said);
    } else {
        reason_add(planner, search->said, "NotRescheduled", "", "it cannot be divided anew: %s",
                   search->refused->refusal);
    }
    *search->allowance = attempt_hold_to_limits(planner, search->said, attempt);
}
