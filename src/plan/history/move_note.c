/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes of moves for later runs. A plan of a large fleet has thousands, and a dry run writes none,
 * so a note gets its text only when it is written.
 */
#include <string.h>

#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "history.h"
#include "plan/move/move.h"

/* Returns the replicas of `a` beyond those of `b` and `ends` (by target of `a`; NULL: none). */
static struct target_list
excess(struct arena *scratch, const struct target_list *a, const struct target_list *b,
       const int32_t *ends)
{
    int32_t *counts = ARENA_ARRAY(scratch, int32_t, a->count);

    for (uint32_t i = 0, last = 0; i < a->count; i++) {
        counts[i] = a->items[i].replicas - targets_find_next(b, a->items[i].name, &last) -
                    (ends != NULL ? ends[i] : 0);
    }
    return targets_counted(scratch, a, counts, 1);
}

/* Returns the replicas of `after` in the clusters of `from`. */
static struct target_list
left_of(struct arena *scratch, const struct target_list *from, const struct target_list *after)
{
    int32_t *counts = ARENA_ARRAY(scratch, int32_t, from->count);

    for (uint32_t i = 0; i < from->count; i++) {
        counts[i] = targets_find(after, from->items[i].name);
    }
    return targets_counted(scratch, from, counts, 1);
}

static bool
same_names(const struct target_list *a, const struct target_list *b)
{
    for (uint32_t i = 0; i < a->count && a->count == b->count; i++) {
        if (!str_eq(a->items[i].name, b->items[i].name)) {
            return false;
        }
    }
    return a->count == b->count;
}

static bool
is_undo(const struct move_note *note)
{
    return str_eq(note->reason, LAST_MOVE_UNDONE);
}

/* Keeps earlier moves, except the last one if the new move continues it or takes it back. */
static uint32_t
keep_earlier(const struct move_note *note, const struct past_move *last,
             struct past_move items[LAST_MOVE_EARLIER_MAX])
{
    const struct last_move *record = note->follows;
    const struct past_move *past;
    uint32_t count = 0;

    if (record == NULL) {
        return 0;
    }
    bool goes_on = record->attempt == note->attempt && !note->is_new_loss &&
                   same_names(&record->last.from, &last->from) &&
                   same_names(&record->last.to, &last->to);

    for (uint32_t n = goes_on || is_undo(note) ? 1 : 0;
         count < LAST_MOVE_EARLIER_MAX && (past = move_history_past_move(record, n)) != NULL; n++) {
        items[count++] = *past;
    }
    return count;
}

/* Returns the replicas that a scale-down ends, by target of `before`; NULL: none. */
static const int32_t *
ended(struct arena *arena, const struct move *move, const struct target_list *before)
{
    int32_t *ends = NULL;

    for (uint32_t i = 0; i < before->count; i++) {
        int at = binding_find_target(move->binding, before->items[i].name);

        if (at >= 0 && move->ends[at] != 0) {
            ends = ends != NULL ? ends : ARENA_ARRAY(arena, int32_t, before->count);
            ends[i] = move->ends[at];
        }
    }
    return ends;
}

static bool
is_refused(const struct move *move, uint32_t target)
{
    return move->targets[target].refused;
}

/* Returns the clusters that are left and for which `is_so` is true. */
static struct str_list
left_that(struct planner *planner, const struct move *move, const struct target_list *from,
          bool (*is_so)(const struct move *move, uint32_t target))
{
    const char **names = ARENA_ARRAY(planner->arena, const char *, from->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < from->count; i++) {
        int at = binding_find_target(move->binding, from->items[i].name);

        if (at >= 0 && is_so(move, (uint32_t)at)) {
            names[count++] = from->items[i].name;
        }
    }
    return (struct str_list){.items = names, .count = count};
}

static struct str_list
failures_of(struct planner *planner, const struct move *move, const struct decision *decision)
{
    const struct target_list from = move_note_from(planner->scratch, move, decision);
    unsigned failures = 0;

    for (uint32_t i = 0; i < from.count; i++) {
        int at = binding_find_target(move->binding, from.items[i].name);

        failures |= at >= 0 ? move->targets[at].failures : 0u;
    }
    return failure_words(planner->arena, failures);
}

/* Returns the lost ones of the clusters that are left; none if all are. */
static struct str_list
lost_of(struct planner *planner, const struct move *move, const struct target_list *from)
{
    const struct str_list lost = left_that(planner, move, from, move_history_takes_from_lost);

    return lost.count < from->count ? lost : (struct str_list){.count = 0};
}

/* A move that leaves a newly lost cluster does not continue the last move. */
static bool
is_new_loss(const struct planner *planner, const struct move *move, const struct last_move *record)
{
    for (uint32_t i = 0; i < move->binding->clusters.count && record != NULL; i++) {
        uint32_t cluster = move->binding->clusters.items[i].cluster;

        if (cluster != CLUSTER_NONE && move_history_takes_from_lost(move, i) &&
            planner->diagnosis->clusters[cluster].since > record->last.time) {
            return true;
        }
    }
    return false;
}

void
move_note_leave(struct planner *planner, const struct move *move, const struct move_note *note,
                struct decision *decision)
{
    struct arena *arena = planner->arena;
    const int32_t *ends = ended(arena, move, &decision->before);
    const struct target_list from =
        excess(planner->scratch, &decision->before, &decision->after, ends);
    struct move_note *kept = arena_memdup(arena, note, sizeof(*note));

    kept->time = planner->policy->now;
    kept->follows = move_history_record(planner->policy, move->binding);
    kept->workload = workload_mark(move->binding);
    if (!is_undo(note)) {
        kept->ends = ends;
        kept->is_new_loss = is_new_loss(planner, move, kept->follows);
    }
    if (move_history_loses_replicas(move)) {
        kept->lost = lost_of(planner, move, &from);
    }
    if (move->triggered[FINDING_PODS_NOT_CREATED]) {
        kept->refused = left_that(planner, move, &from, is_refused);
    }
    if (move->triggered[FINDING_FAILED_REPLICAS] || move->triggered[FINDING_NOT_READY_REPLICAS]) {
        kept->failures = failures_of(planner, move, decision);
    }
    decision->note = kept;
}

struct target_list
move_note_from(struct arena *scratch, const struct move *move, const struct decision *decision)
{
    return excess(scratch, &decision->before, &decision->after,
                  ended(scratch, move, &decision->before));
}

void
move_note_keep_after(struct planner *planner, struct decision *decision)
{
    if (decision->note == NULL) {
        return;
    }
    struct move_note *note = arena_memdup(planner->arena, decision->note, sizeof(*note));
    struct target_list *after = arena_memdup(planner->arena, &decision->after, sizeof(*after));

    after->items = arena_memdup(planner->arena, after->items, after->count * sizeof(*after->items));
    note->after = after;
    decision->note = note;
}

static const char *
note_text(struct arena *arena, struct arena *scratch, const struct decision *decision)
{
    const struct move_note *note = decision->note;
    const struct target_list *after = note->after != NULL ? note->after : &decision->after;
    struct past_move earlier[LAST_MOVE_EARLIER_MAX];
    struct last_move written = {
        .last =
            {
                .time = note->time,
                .from = excess(scratch, &decision->before, after, note->ends),
                .to = excess(scratch, after, &decision->before, NULL),
                .ready = note->ready,
                .tells_ready = note->ready >= 0,
                .reason = note->reason,
                .lost = note->lost,
                .refused = note->refused,
                .failures = note->failures,
            },
        .attempt = note->attempt,
        .deferred = is_undo(note) ? 0 : decision->deferred,
        .workload = note->workload,
        .earlier.items = earlier,
    };

    if (decision->action == ACTION_EVICT) {
        written.last.left = left_of(scratch, &written.last.from, after);
    }
    written.earlier.count = keep_earlier(note, &written.last, earlier);
    return last_move_text(arena, &written);
}

struct label_list
decision_annotations(struct arena *arena, const struct decision *decision)
{
    uint32_t count = decision->n_annotations;

    if (decision->note == NULL) {
        return (struct label_list){.items = decision->annotations, .count = count};
    }
    struct arena *scratch = arena_new();
    struct label *items = ARENA_ARRAY(arena, struct label, count + 1);

    if (count > 0) {
        memcpy(items, decision->annotations, count * sizeof(*items));
    }
    items[count] = (struct label){ANNOTATION_LAST_MOVE, note_text(arena, scratch, decision)};
    arena_free(scratch);
    return (struct label_list){.items = items, .count = count + 1};
}
