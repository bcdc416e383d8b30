/* SPDX-License-Identifier: Apache-2.0
 *
 * One binding decided: nothing is to be looked for, or an attempt is made, held against cooldowns
 * and limits, written down with its reasons, and entered in the ledger.
 */
#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "decide.h"
#include "plan/history/history.h"
#include "plan/limits/limits.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"
#include <string.h>

void
decision_count(const struct move *move, struct decision *decision)
{
    int64_t gained = targets_more(&decision->before, &decision->after);
    int64_t lost = targets_more(&decision->after, &decision->before);

    if (decision->action == ACTION_EVICT) { /* the scheduler places it, but for what ends */
        for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
            lost -= move->ends[i];
        }
        decision->moved = pin_count(lost);
        return;
    }
    decision->moved = pin_count(gained < lost ? gained : lost);
    decision->added = pin_count(gained < lost ? 0 : gained - lost);
}

void
decision_hold_to_quotas(struct planner *planner, const struct binding *binding,
                        struct decision *decision)
{
    const char *refusal = quotas_refusal(planner->quotas, binding, &decision->before,
                                         &decision->after, planner->scratch);

    if (refusal != NULL) {
        reason_add(planner, decision, "QuotaExceeded", "", "%s", refusal);
        decision->action = ACTION_BLOCKED;
        decision->after = decision->before;
        decision->changes = false;
    }
}

/* Receipts that one target may need. */
static size_t
takes_each(const struct binding *binding)
{
    return binding_is_set(binding) ? binding_rare(binding)->n_components : 2;
}

/* The room of the replicas that a target has more than before: of a set, one of each component. */
static void
take_room(struct planner *planner, const struct move *move, const struct target *target,
          int32_t more, struct ledger_receipt **receipts, uint32_t *n_receipts)
{
    struct ledger *ledger = planner->ledger;
    const struct binding *binding = move->binding;

    const int32_t grows_by = move_grows_by(planner, move, target, more);

    if (!binding_is_set(binding)) {
        receipts[(*n_receipts)++] = ledger_take(ledger, target->cluster, binding->requirements,
                                                more - grows_by - move->surplus[target->cluster]);
        receipts[(*n_receipts)++] =
            ledger_take_growth(ledger, target->cluster, binding->requirements, grows_by);
        return;
    }
    for (uint32_t i = 0; i < binding_rare(binding)->n_components; i++) {
        const struct component *component = &binding_rare(binding)->components[i];

        receipts[(*n_receipts)++] =
            grows_by > 0 ? ledger_take_growth(ledger, target->cluster, component->requirements,
                                              component->replicas)
                         : ledger_take_component(ledger, target->cluster, binding, i);
    }
}

void
decision_enter(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct binding *binding = move->binding;
    struct ledger_receipt **receipts = ARENA_ARRAY(planner->scratch, struct ledger_receipt *,
                                                   decision->after.count * takes_each(binding) + 2);

    for (uint32_t i = 0, at = 0; i < decision->after.count; i++) {
        const struct target *target = &decision->after.items[i];
        int32_t more = target->replicas - targets_find_next(&decision->before, target->name, &at);

        if (more > 0 && target->cluster != CLUSTER_NONE) {
            take_room(planner, move, target, more, receipts, &decision->n_receipts);
        }
    }
    struct ledger_receipt *others[] = {
        ledger_charge_quotas(planner->ledger, binding, &decision->before, &decision->after),
        ledger_enter_group(planner->ledger, binding, &decision->after),
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (others[i] != NULL) {
            receipts[decision->n_receipts++] = others[i];
        }
    }
    decision->receipts =
        arena_memdup(planner->arena, receipts, decision->n_receipts * sizeof(*receipts));
}

/* Nothing is to be looked for: what there is to say is said. */
static bool
needs_no_attempt(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (move->state->left_alone != LEFT_ALONE_NOT) {
        explain_left_alone(planner, move, decision);
        return true;
    }
    if (planner->policy->reschedule_all) {
        return false;
    }
    if (move_count_triggers(move) == 0) {
        explain_turns(planner, move, decision);
        explain_blame(planner, move, decision);
        explain_only_lost(planner, move, decision);
        return true;
    }
    if (planner->diagnosis->guards_all) {
        reason_add(planner, decision, "DisruptionGuard", "", "%s",
                   planner->diagnosis->guard_reason);
        decision->action = ACTION_BLOCKED;
        return true;
    }
    return false;
}

/* As upstream's scheduler would place it. */
static void
decide_afresh(struct planner *planner, const struct move *move, struct decision *decision)
{
    decide_as_upstream(planner, move, decision);
    decision->changes = !targets_equal(&decision->before, &decision->after);
    decision->action = !str_is_empty(decision->error_type) ? ACTION_BLOCKED
                       : decision->changes                 ? ACTION_PLACE
                                                           : ACTION_NONE;
}

/* What a run may do about a binding, of which something was said already. */
static struct proposal
decide_within_limits(struct planner *planner, const struct move *move, const struct decision *said,
                     struct allowance *ret_allowance)
{
    struct proposal attempt = {.move = move, .decision = *said};
    struct decision *decision = &attempt.decision;

    explain_unpreserved(planner, move, decision);
    explain_frozen(planner, move, decision);
    explain_claims(planner, move, decision);
    explain_only_lost(planner, move, decision);
    explain_stuck_staying(planner, move, decision);
    explain_preserved(planner, move, decision);
    if (planner->policy->mode == MODE_EVICT) {
        decide_evict(planner, move, decision);
        attempt.number = trace_attempt(planner, &attempt, "mode Evict", true);
    } else {
        const struct decision before = *decision;

        attempt = decide_moves(planner, move);
        reasons_begin_with(planner, &before, decision);
        move = attempt.move;
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
    *ret_allowance = (struct allowance){.goes = decision->changes};
    if (decision->changes) {
        *ret_allowance = limit_moves(planner, move, decision);
    }
    return attempt;
}

/* Where a scale-down ends all that claims keep where it is, the next run would find nothing in the
 * way of what was asked for: this one does it. */
static const struct move *
pass_ended_claims(struct planner *planner, const struct move *move)
{
    struct assumptions assumed = move->assumed;

    if (planner->policy->mode != MODE_PLACE || !claims_may_end(move)) {
        return move;
    }
    struct trace_entry *before = trace_begin_again(planner, move->index);
    struct proposal held = decide_moves(planner, move);

    if (!claims_all_end(move, &held.decision)) {
        trace_restore(planner, move->index, before); /* it is tried again, and told then */
        return move;
    }
    trace_refusal(planner, &held, "all that claims keep ends, and nothing is in the way any more");
    assumed.claims_end = true;
    return move_new(planner, move->index, assumed);
}

/* Likewise; what is lost does not wait for a division of all that is larger than a limit. */
static struct proposal
decide_in_turn(struct planner *planner, const struct move *move, struct decision *said,
               struct allowance *ret_allowance)
{
    move = pass_ended_claims(planner, move);
    explain_turns(planner, move, said);
    struct proposal attempt = decide_within_limits(planner, move, said, ret_allowance);

    if (ret_allowance->goes || ret_allowance->too_large == NULL) {
        return attempt;
    }
    trace_refusal(planner, &attempt, ret_allowance->too_large);
    reason_add(planner, said, "NotRescheduled", "", "it cannot be divided anew: %s",
               ret_allowance->too_large);
    return decide_within_limits(planner,
                                move_new(planner, move->index, ASSUME_NO_RESCHEDULE(LEAVING_ALL)),
                                said, ret_allowance);
}

/* Replicas that the run adds hold capacity for `thresholds.inFlight` from now on. A move has its
 * time in its own note; of a federated object that would take another write. */
static void
note_placed(struct planner *planner, const struct move *move, struct decision *decision)
{
    char text[TIMESTAMP_TEXT_MAX];

    if (decision->note == NULL && move->binding->federated == NULL &&
        targets_more(&decision->before, &decision->after) > 0) {
        timestamp_format_seconds(planner->policy->now, text);
        decision_annotate(planner, decision, ANNOTATION_PLACED_AT,
                          arena_strndup(planner->arena, text, strlen(text)));
    }
}

/* What goes is written down, and entered in the ledger. */
static void
carry_out(struct planner *planner, const struct move *move, const struct allowance *allowance,
          struct decision *decision)
{
    decision_count(move, decision);
    explain_moves(planner, move, allowance->held, decision);
    explain_claims_left(planner, move, decision);
    explain_growth(planner, move, decision);
    if (planner->policy->mode == MODE_PLACE) {
        eviction_tasks_add(planner, move, eviction_is_failover, decision);
        if (!allowance->in_part) { /* else the next run does the rest */
            requests_note(planner, move, decision);
        }
        parts_note(planner, move, allowance->in_part, decision);
    }
    move_history_write(planner, move, decision);
    note_placed(planner, move, decision);
    decision_enter(planner, move, decision);
}

/* Drops the change: others already run these replicas. */
static void
leave_as_is(struct planner *planner, const struct move *move, struct decision *decision)
{
    budget_give_back(decision->charges, decision->n_charges);
    decision->n_charges = 0;
    decision->after = decision->before;
    decision->changes = false;
    decision->action = ACTION_NONE;
    explain_held(planner, move, decision);
}

/* What goes, as it is to be written. */
static void
finish_change(struct planner *planner, const struct move *move, const struct allowance *allowance,
              struct decision *decision)
{
    const struct target_list *written =
        planner->policy->reschedule_all ? NULL : federated_targets(planner, move, decision);

    if (written == NULL && !planner->policy->reschedule_all) {
        written = preserved_targets(planner, move, decision);
    }
    if (written != NULL && targets_equal(&decision->before, written)) {
        leave_as_is(planner, move, decision);
        return;
    }
    carry_out(planner, move, allowance, decision);
    if (written != NULL) {
        move_note_keep_after(planner, decision);
        decision->after = *written;
        explain_held(planner, move, decision);
    }
}

static void
decide_by_attempts(struct planner *planner, struct assumptions assumed, struct decision *ret)
{
    struct proposal attempt = {.move = move_new(planner, ret->binding, assumed), .decision = *ret};
    struct decision *decision = &attempt.decision;
    struct allowance allowance = {.goes = false};

    if (planner->policy->reschedule_all) {
        decide_afresh(planner, attempt.move, decision);
        if (decision->changes) {
            allowance = limit_moves(planner, attempt.move, decision);
        }
    } else {
        attempt = decide_in_turn(planner, attempt.move, ret, &allowance);
    }
    trace_choice(planner, &attempt);
    if (allowance.goes) {
        finish_change(planner, attempt.move, &allowance, decision);
    }
    if (decision->action == ACTION_BLOCKED || decision->unplaced > 0) {
        explain_unknown_clusters(planner, attempt.move->binding, decision);
    }
    *ret = *decision;
}

static void
decide_binding(struct planner *planner, struct decision *decision)
{
    const struct move move = move_read(planner, decision->binding);

    /* as most of a large fleet are: nothing that costs as much as there are clusters */
    if (needs_no_attempt(planner, &move, decision)) {
        trace_without_attempt(planner, decision);
    } else {
        decide_by_attempts(planner,
                           (struct assumptions){.as_many = move.state->only_lost != LEFT_ALONE_NOT},
                           decision);
    }
}

static struct target_list
keep_targets(struct planner *planner, const struct target_list *list)
{
    return (struct target_list){
        .items = arena_memdup(planner->arena, list->items, list->count * sizeof(*list->items)),
        .count = list->count,
        .is_sorted = list->is_sorted,
    };
}

/* What a plan without the decision says as well. */
static bool
is_unchanged(const struct decision *decision)
{
    return decision->action == ACTION_NONE && !decision->changes && decision->n_reasons == 0 &&
           decision->unplaced == 0 && decision->deferred == 0 &&
           str_is_empty(decision->affinity_name) && str_is_empty(decision->error_type);
}

/* What the decision ends with moves from scratch to the plan: most of what led to it does not. NULL
 * when there is nothing to keep. */
static const struct decision *
finish_decision(struct planner *planner, struct decision *decision)
{
    const struct binding *binding = &planner->fleet->bindings[decision->binding];
    const struct target_list *own = &binding->clusters;
    struct target_list before = decision->before;
    bool has_other_counts =
        planner->policy->reschedule_all && binding_rare(binding)->written != NULL;

    if (is_unchanged(decision) && !has_other_counts) {
        return NULL;
    }
    if (before.items != own->items) {
        decision->before = keep_targets(planner, &before);
    }
    /* of an empty list the items may be anywhere */
    decision->after = decision->after.items == before.items && decision->after.count == before.count
                          ? decision->before
                          : keep_targets(planner, &decision->after);
    if (!str_is_empty(decision->error_message)) {
        decision->error_message =
            arena_strndup(planner->arena, decision->error_message, strlen(decision->error_message));
    }
    decision->reasons = arena_memdup(planner->arena, decision->reasons,
                                     decision->n_reasons * sizeof(*decision->reasons));
    return arena_memdup(planner->arena, decision, sizeof(*decision));
}

const struct decision *
decide_first(struct planner *planner, uint32_t binding)
{
    struct decision decision = decision_unchanged(planner->scratch, planner->fleet, binding);

    decide_binding(planner, &decision);
    return finish_decision(planner, &decision);
}

const struct decision *
decide_again(struct planner *planner, const struct decision *said, struct assumptions assumed)
{
    struct decision decision = *said;

    decide_by_attempts(planner, assumed, &decision);
    return finish_decision(planner, &decision);
}
