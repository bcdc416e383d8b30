/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides one binding: if nothing is to be done, explains why; else makes attempts, and carries the
 * chosen one out in the ledger.
 */
#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "plan/history/history.h"
#include "plan/limits/limits.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"
#include "search.h"
#include <string.h>

/* Adds the reasons if nothing is to be done. */
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

static struct proposal
decide_afresh(struct planner *planner, const struct move *move, const struct decision *said,
              struct allowance *ret_allowance)
{
    struct proposal attempt = {.move = move, .decision = *said};
    struct decision *decision = &attempt.decision;

    decide_as_upstream(planner, move, decision);
    decision->changes = !targets_equal(&decision->before, &decision->after);
    decision->action = decision_failed(decision) ? ACTION_BLOCKED
                       : decision->changes       ? ACTION_PLACE
                                                 : ACTION_NONE;
    if (decision->changes) {
        *ret_allowance = limit_moves(planner, move, decision);
    }
    return attempt;
}

static struct proposal
decide_eviction(struct planner *planner, const struct move *move, struct decision *said,
                struct allowance *ret_allowance)
{
    struct proposal attempt = {
        .asked = move,
        .move = move,
        .decision = decision_unchanged(planner->scratch, planner->fleet, move->index),
    };

    explain_turns(planner, move, said);
    decide_evict(planner, move, &attempt.decision);
    attempt.number = trace_attempt(planner, &attempt, "mode Evict", "");
    *ret_allowance = attempt_hold_to_limits(planner, said, &attempt);
    return attempt;
}

/* Added replicas hold capacity for `thresholds.inFlight` from now on. A move's note has its time; a
 * federated object would need another write. */
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

/* Adds reasons, tasks and notes to a decision that goes, and enters it in the ledger. */
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
        if (!allowance->in_part) { /* else the next run goes on */
            requests_note(planner, move, decision);
        }
        parts_note(planner, move, allowance->in_part, decision);
    }
    move_history_write(planner, move, decision);
    note_placed(planner, move, decision);
    decision_enter(planner, move, decision);
}

/* Drops the change: other clusters already run these replicas. */
static void
leave_as_is(struct planner *planner, const struct move *move, struct decision *decision)
{
    charges_give_back(decision->charges, decision->n_charges);
    decision->n_charges = 0;
    decision->after = decision->before;
    decision->changes = false;
    decision->action = ACTION_NONE;
    explain_held(planner, move, decision);
}

/* Carries a decision out, and sets the targets to write. */
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
    const struct move *move = move_new(planner, ret->binding, assumed);
    struct allowance allowance = {.goes = false};
    const struct proposal attempt =
        planner->policy->reschedule_all       ? decide_afresh(planner, move, ret, &allowance)
        : planner->policy->mode == MODE_EVICT ? decide_eviction(planner, move, ret, &allowance)
                                              : *ladder_climb(planner, move, ret, &allowance);
    struct decision *decision =
        arena_memdup(planner->scratch, &attempt.decision, sizeof(*decision));

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

    /* true for most bindings of a large fleet: must not cost a look at every cluster */
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

/* True if a plan without the decision means the same. */
static bool
is_unchanged(const struct decision *decision)
{
    return decision->action == ACTION_NONE && !decision->changes && decision->n_reasons == 0 &&
           decision->unplaced == 0 && decision->deferred == 0 &&
           str_is_empty(decision->affinity_name) && str_is_empty(decision->error_type);
}

/* Moves the decision's results from scratch to the plan's memory. NULL: nothing to keep. */
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
    /* the items of an empty list may be anywhere */
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
