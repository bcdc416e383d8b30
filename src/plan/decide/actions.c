/* SPDX-License-Identifier: Apache-2.0
 *
 * Names the action of a decision.
 */
#include "ballast/base/str.h"
#include "decide.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

static bool
is_left_to_others(const struct move *move, uint32_t target)
{
    enum failover_owner owner = move->targets[target].owner;

    return owner == FAILOVER_OWNER_GUARDED || owner == FAILOVER_OWNER_KARMADA;
}

/* Only a guess: the error counts clusters, and does not name the binding in the way. */
static bool
is_refused_by_group(const struct move *move, const struct decision *decision)
{
    return binding_is_grouped(move->binding) && str_eq(decision->error_type, "FitError");
}

static void
explain_blocked(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (move->taken > 0 || is_refused_by_group(move, decision)) {
        explain_refusals(planner, move, NULL, decision);
    } else if (planner->policy->mode == MODE_PLACE) {
        explain_failing_clusters(planner, move, decision);
        explain_toleration_ends(planner, move, decision);
        explain_suspended(planner, move, decision);
    }
}

/* Something triggered, but nothing changes: all is in place, others act, or it cannot be done. */
static void
name_no_change(struct planner *planner, const struct move *move, uint32_t n_turns,
               struct decision *decision)
{
    bool is_fine =
        str_is_empty(decision->error_type) && move->taken == 0 && decision->n_reasons == n_turns;
    bool goes_on = !is_fine && move_copies_go_on(planner, move);
    bool is_blocked = (!is_fine && !goes_on) || move_any(move, is_left_to_others);

    decision->action = is_blocked ? ACTION_BLOCKED : ACTION_NONE;
    if (is_fine && move_only_balances(move)) {
        explain_balance_bounds(planner, move, decision);
    } else if (is_blocked && decision->n_reasons == n_turns) {
        explain_blocked(planner, move, decision);
    } else if (!is_blocked && !goes_on && !explain_surplus_waits(planner, move, decision)) {
        reason_add(planner, decision, "InPlace", "", "the replicas are where they would be placed");
    }
}

/* True if replicas go from one cluster to another. Scaling moves nothing. */
static bool
moves_something(const struct move *move, const struct decision *decision)
{
    bool gains = targets_more(&decision->before, &decision->after) > 0;
    bool loses = targets_more(&decision->after, &decision->before) > 0;

    /* an added copy without replicas is no move */
    return (move->taken > 0 || (move->triggered[FINDING_IMBALANCE] && loses)) && gains == loses;
}

void
decision_name_action(struct planner *planner, const struct move *move, uint32_t n_turns,
                     struct decision *decision)
{
    decision->changes = !targets_equal(&decision->before, &decision->after);
    if (!decision->changes) {
        name_no_change(planner, move, n_turns, decision);
    } else if (planner->policy->mode == MODE_EVICT) {
        decision->action = ACTION_EVICT;
    } else {
        decision->action = moves_something(move, decision) ? ACTION_MOVE : ACTION_PLACE;
    }
}
