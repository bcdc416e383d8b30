/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and notes a binding's moves, and holds back moves that do not help.
 */
#include "history.h"
#include "plan/move/move.h"

#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

/* Returns the latest move that took replicas from the cluster, if some came back; else NULL. In
 * mode Evict a cluster with more replicas than were left there got some back. Pending times tell
 * less: a replica that is taken and given back at once may keep its pod. */
static const struct past_move *
came_back(const struct move *move, const struct last_move *record, const char *cluster)
{
    const struct past_move *past;

    for (uint32_t n = 0; (past = move_history_past_move(record, n)) != NULL; n++) {
        if (past->to.count == 0 && targets_has(&past->from, cluster)) {
            bool more = targets_find(&move->binding->clusters, cluster) >
                        targets_find(&past->left, cluster);

            return more ? past : NULL;
        }
    }
    return NULL;
}

int64_t
move_history_keeps_until(const struct planner *planner, const struct move *move,
                         const char *cluster)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);
    const struct past_move *past = record != NULL ? came_back(move, record, cluster) : NULL;

    return past != NULL ? move_history_cools_until(planner->policy, record->attempt, past->time)
                        : TIME_NONE;
}

static bool
takes_from_living(const struct move *move, uint32_t target)
{
    return move->take[target] > 0 && !move_history_takes_from_lost(move, target);
}

/* True if a move brought replicas to the cluster, or took some from there that did not run.
 * Replicas of a lost cluster are no sign of that. */
static bool
is_known(const struct last_move *record, const char *cluster, bool brought)
{
    const struct past_move *past;

    for (uint32_t n = 0; (past = move_history_past_move(record, n)) != NULL; n++) {
        if (brought ? targets_has(&past->to, cluster)
                    : targets_has(&past->from, cluster) && !past_move_left_lost(past, cluster)) {
            return true;
        }
    }
    return false;
}

/* True if the replicas are stuck since before the last move. An estimator gives no time: then they
 * count as left back by a limit, unless they are more than it deferred. */
static bool
is_older(const struct finding *finding, const struct last_move *record)
{
    return finding->since != TIME_NONE ? finding->since <= record->last.time
                                       : finding->replicas <= record->deferred;
}

/* True if a limit, or a lack of capacity, left the replicas out of the last move. That is no sign
 * that it did not help, even in other clusters than its part. */
static bool
is_rest(const struct move *move, const struct last_move *record, const char *cluster)
{
    bool was_due = targets_has(&record->last.from, cluster) || record->deferred > 0;

    if (!was_due || targets_has(&record->last.to, cluster) ||
        came_back(move, record, cluster) != NULL) {
        return false;
    }
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        const struct finding *finding = move_finding(move, (enum finding_type)type, cluster);

        if (finding != NULL && finding->triggers && is_older(finding, record)) {
            return true;
        }
    }
    return false;
}

/* True if replicas are stuck where a move brought them, or would go back where they came from. Lost
 * clusters do not count: moves from one to the next are no failed attempts. */
static bool
did_not_help(const struct move *move, const struct last_move *record,
             const struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const char *name = move->binding->clusters.items[i].name;

        if (takes_from_living(move, i) && !is_rest(move, record, name) &&
            (is_known(record, name, true) || came_back(move, record, name) != NULL)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < decision->after.count && move_any(move, takes_from_living); i++) {
        const struct target *target = &decision->after.items[i];

        if (target->replicas > targets_find(&decision->before, target->name) &&
            is_known(record, target->name, false)) {
            return true;
        }
    }
    return false;
}

static int32_t
next_attempt(const struct planner *planner, const struct move *move,
             const struct decision *decision)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);

    if (record == NULL) {
        return 1;
    }
    int32_t more = did_not_help(move, record, decision) ? 1 : 0;

    return record->attempt + more < LAST_MOVE_ATTEMPT_MAX ? record->attempt + more
                                                          : LAST_MOVE_ATTEMPT_MAX;
}

/* "berlin, oslo" */
static const char *
names_text(struct planner *planner, const struct target_list *list)
{
    const char *text = list->count == 0 ? "wherever the scheduler chose" : list->items[0].name;

    for (uint32_t i = 1; i < list->count; i++) {
        text = arena_printf(planner->scratch, "%s, %s", text, list->items[i].name);
    }
    return text;
}

static void
add_history(struct planner *planner, const struct last_move *record, struct decision *decision)
{
    char until[TIMESTAMP_TEXT_MAX], when[TIMESTAMP_TEXT_MAX];
    const struct past_move *past;

    reason_add(planner, decision, "MovesDidNotHelp", "",
               "%d %s in a row did not help (cooldown.maxAttempts); the next try comes when "
               "its requests change, or at %s",
               record->attempt, record->attempt == 1 ? "move" : "moves",
               timestamp_format_seconds(
                   timestamp_add(record->last.time, planner->policy->cooldown.max), until));
    for (uint32_t n = 0; (past = move_history_past_move(record, n)) != NULL; n++) {
        reason_add(planner, decision, "MovedBefore", "", "%s: %s to %s (%s)",
                   timestamp_format_seconds(past->time, when), names_text(planner, &past->from),
                   names_text(planner, &past->to), past->reason);
    }
}

/* An undo keeps its replicas in place for as long as a move would keep them away. */
static bool
was_undone(const struct planner *planner, const struct last_move *record)
{
    return str_eq(record->last.reason, LAST_MOVE_UNDONE) &&
           move_history_cools_until(planner->policy, record->attempt, record->last.time) >
               planner->policy->now;
}

static void
explain_undone(struct planner *planner, const struct last_move *record, struct decision *decision)
{
    char when[TIMESTAMP_TEXT_MAX], until[TIMESTAMP_TEXT_MAX];

    timestamp_format_seconds(record->last.time, when);
    timestamp_format_seconds(
        move_history_cools_until(planner->policy, record->attempt, record->last.time), until);
    reason_add(planner, decision, "Undone", "",
               "an undo put it back at %s: it stays there until %s (cooldown)", when, until);
}

bool
move_history_holds(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);

    /* lost replicas do not run and may always try; a decision that only adds moves nothing */
    if (record == NULL || !decision->changes || move_history_loses_replicas(move) ||
        targets_more(&decision->after, &decision->before) == 0 ||
        move->triggered[FINDING_RESCHEDULE_REQUESTED]) {
        return false;
    }
    bool undone = was_undone(planner, record);

    if (!undone && (record->attempt < planner->policy->cooldown.max_attempts ||
                    !did_not_help(move, record, decision))) {
        return false;
    }
    decision->n_reasons = 0;
    if (undone) {
        explain_undone(planner, record, decision);
    } else {
        add_history(planner, record, decision);
    }
    decision->changes = scale_down_only(planner, move, decision);
    if (!decision->changes) {
        decision->after = decision->before;
    }
    decision->action = decision->changes ? ACTION_PLACE : ACTION_BLOCKED;
    decision->unplaced = 0;
    return true;
}

static bool
is_stuck_in(const struct move *move, const char *cluster)
{
    int at = binding_find_target(move->binding, cluster);

    return at >= 0 && takes_from_living(move, (uint32_t)at);
}

static void
explain_cooldown(struct planner *planner, const struct move *move, uint32_t cluster,
                 struct decision *decision)
{
    const char *name = planner->fleet->clusters[cluster].name;
    bool evicts = planner->policy->mode == MODE_EVICT;
    int64_t until =
        evicts ? move_history_keeps_until(planner, move, name) : move_cools_until(move, cluster);
    char text[TIMESTAMP_TEXT_MAX];

    if (until <= planner->policy->now || planner->no_destination[cluster] ||
        (evicts && !is_stuck_in(move, name))) {
        return;
    }
    timestamp_format_seconds(until, text);
    if (evicts) {
        reason_add(planner, decision, "Cooldown", name,
                   "replicas taken from there came back: no more are taken until %s", text);
    } else {
        reason_add(planner, decision, "Cooldown", name, "%s",
                   move_history_cooldown_text(planner, move, cluster));
    }
}

void
move_history_explain(struct planner *planner, const struct move *move, struct decision *decision)
{
    bool explains = move->taken > 0 || move_only_balances(move);

    if (move->binding->last_move_problem != NULL) {
        reason_add(planner, decision, "LastMoveUnreadable", "",
                   "annotation " ANNOTATION_LAST_MOVE ": %s", move->binding->last_move_problem);
    }
    for (uint32_t i = 0; i < planner->fleet->n_clusters && explains; i++) {
        explain_cooldown(planner, move, i, decision);
    }
}

/* A loss comes first, since the lost cluster must cool down. */
static const char *
reason_of(const struct move *move)
{
    if (move_history_loses_replicas(move)) {
        return finding_type_name(FINDING_UNHEALTHY_CLUSTER);
    }
    for (uint32_t i = 0; i < N_FINDING_TYPES; i++) {
        if (move->triggered[i]) {
            return finding_type_name((enum finding_type)i);
        }
    }
    return "";
}

/* Returns how many replicas were last seen ready in the clusters that are left; -1: not known. */
static int32_t
ready_in(const struct move *move, const struct target_list *from)
{
    int64_t total = 0;
    bool is_known = false;

    for (uint32_t i = 0; i < from->count; i++) {
        int at = binding_find_target(move->binding, from->items[i].name);

        if (at >= 0 && move->targets[at].ready >= 0) {
            is_known = true;
            total += move->targets[at].ready;
        }
    }
    return !is_known ? -1 : pin_int32(total);
}

void
move_history_write(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct target_list from = move_note_from(planner->scratch, move, decision);

    if ((decision->action != ACTION_MOVE && decision->action != ACTION_EVICT) || from.count == 0) {
        return;
    }
    const struct move_note note = {
        .reason = reason_of(move),
        .ready = ready_in(move, &from),
        .attempt = next_attempt(planner, move, decision),
    };

    move_note_leave(planner, move, &note, decision);
}

void
move_history_write_undo(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);
    const struct move_note note = {
        .reason = LAST_MOVE_UNDONE,
        .ready = -1,
        .attempt = record != NULL ? record->attempt : 1,
    };

    if (targets_more(&decision->before, &decision->after) > 0 ||
        targets_more(&decision->after, &decision->before) > 0) {
        move_note_leave(planner, move, &note, decision);
    }
}

int32_t
move_history_in_motion(const struct planner *planner, const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];
    const struct target *entry = &move->binding->clusters.items[target];
    const struct last_move *record = move_history_record(planner->policy, move->binding);

    if (record == NULL || state->ready < 0 ||
        move_history_cools_until(planner->policy, record->attempt, record->last.time) <=
            planner->policy->now) {
        return 0;
    }
    int32_t sent = targets_find(&record->last.to, entry->name);
    int32_t waiting = entry->replicas - state->ready;

    return waiting < 0 ? 0 : waiting < sent ? waiting : sent;
}
