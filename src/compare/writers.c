/* SPDX-License-Identifier: Apache-2.0
 *
 * Names the authors of a split. Follows Ballast's writes from one look to the other, by records
 * and by the binding's history. Others wrote the changes that these do not explain.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "compare_internal.h"

static int
identity_cmp(const struct record_item *item, enum binding_kind kind, const char *namespace_,
             const char *name)
{
    int order = strcmp(item->namespace_, namespace_);

    order = order != 0 ? order : strcmp(item->name, name);
    return order != 0 ? order : (int)item->kind - (int)kind;
}

static int
recorded_cmp(const void *a, const void *b)
{
    const struct recorded *x = a, *y = b;
    int order = identity_cmp(x->item, y->item->kind, y->item->namespace_, y->item->name);

    if (order != 0) {
        return order;
    }
    if (x->record->time != y->record->time) {
        return x->record->time < y->record->time ? -1 : 1;
    }
    return strcmp(x->record->id, y->record->id);
}

/* Looks have the server's clock, in whole seconds. Records have the clock of Ballast's machine. */
#define CLOCKS_DIFFER NANOS_PER_MINUTE

/* A run that ended before the first look, or decided after the second, is not between them. */
static bool
may_be_between(const struct comparing *comparing, const struct record *record)
{
    const int64_t since = comparing->before.fleet->captured_at;
    const int64_t until = comparing->after.fleet->captured_at;

    return (since == TIME_NONE || timestamp_add(record->written, CLOCKS_DIFFER) >= since) &&
           (until == TIME_NONE || record->time <= timestamp_add(until, CLOCKS_DIFFER));
}

void
writers_index(struct comparing *comparing, const struct record *const *records, uint32_t n_records)
{
    size_t count = 0;

    for (uint32_t i = 0; i < n_records; i++) {
        count += may_be_between(comparing, records[i]) ? records[i]->n_items : 0;
    }
    struct recorded *list = ARENA_ARRAY(comparing->arena, struct recorded, count);

    for (uint32_t i = 0; i < n_records; i++) {
        for (uint32_t k = 0; may_be_between(comparing, records[i]) && k < records[i]->n_items;
             k++) {
            list[comparing->n_recorded++] = (struct recorded){records[i], &records[i]->items[k]};
        }
    }
    if (count > 1) {
        qsort(list, count, sizeof(*list), recorded_cmp);
    }
    comparing->recorded = list;
}

/* Returns the index of the binding's first record item, or its place if there is none. */
static size_t
find_first(const struct comparing *comparing, const struct binding *binding)
{
    size_t low = 0, high = comparing->n_recorded;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (identity_cmp(comparing->recorded[middle].item, binding->kind, binding->namespace_,
                         binding->name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* One write by Ballast, known from a record, or else from the history. */
struct event {
    int64_t time;
    const struct recorded *recorded; /* NULL: known from `move` */
    const struct past_move *move;
};

struct events {
    struct event *items;
    uint32_t count;
};

static bool
is_same_object(const struct binding *binding, const struct record_item *item)
{
    return str_is_empty(item->uid) || uid_is_empty(&binding->uid) ||
           uid_is(&binding->uid, item->uid);
}

/* Returns the nth move, latest first. NULL: there is none. */
static const struct past_move *
past_move(const struct binding *binding, uint32_t n)
{
    const struct last_move *history = binding->last_move;

    if (history == NULL || n > history->earlier.count) {
        return NULL;
    }
    return n == 0 ? &history->last : &history->earlier.items[n - 1];
}

static bool
is_undo(const struct past_move *move)
{
    return str_eq(move->reason, LAST_MOVE_UNDONE);
}

static bool
is_of_undo(const struct recorded *recorded)
{
    return str_eq(recorded->record->command, "undo");
}

/* True if the history has a move of a run, or of an undo, at `time`. In a fleet of files, a run and
 * an undo may have equal times. */
static bool
has_move_of(const struct binding *binding, int64_t time, bool of_undo)
{
    const struct past_move *move;

    for (uint32_t n = 0; (move = past_move(binding, n)) != NULL; n++) {
        if (move->time == time && is_undo(move) == of_undo) {
            return true;
        }
    }
    return false;
}

/* True if a record describes the move. */
static bool
is_told(const struct events *events, const struct past_move *move)
{
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *event = &events->items[i];

        if (event->recorded != NULL && event->time == move->time &&
            is_of_undo(event->recorded) == is_undo(move)) {
            return true;
        }
    }
    return false;
}

static int
event_cmp(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    /* records of equal time keep the index's order */
    return x->recorded < y->recorded ? -1 : x->recorded > y->recorded ? 1 : 0;
}

/* Returns the writes between the looks, by time. A record and its annotation have equal times. */
static struct events
events_of(struct comparing *comparing, const struct binding *was, const struct binding *is)
{
    const size_t first = find_first(comparing, is);
    size_t end = first;

    while (end < comparing->n_recorded &&
           identity_cmp(comparing->recorded[end].item, is->kind, is->namespace_, is->name) == 0) {
        end++;
    }
    struct events ret = {
        ARENA_ARRAY(comparing->arena, struct event, end - first + 1 + LAST_MOVE_EARLIER_MAX), 0};
    const struct past_move *move;

    for (size_t i = first; i < end; i++) {
        const struct recorded *recorded = &comparing->recorded[i];

        /* the first look already contains this move */
        bool was_before = has_move_of(was, recorded->record->time, is_of_undo(recorded));

        if (!was_before && is_same_object(is, recorded->item)) {
            ret.items[ret.count++] = (struct event){recorded->record->time, recorded, NULL};
        }
    }
    for (uint32_t n = 0; n <= LAST_MOVE_EARLIER_MAX && (move = past_move(is, n)) != NULL; n++) {
        if (!has_move_of(was, move->time, is_undo(move)) && !is_told(&ret, move)) {
            ret.items[ret.count++] = (struct event){move->time, NULL, move};
        }
    }
    if (ret.count > 1) {
        qsort(ret.items, ret.count, sizeof(*ret.items), event_cmp);
    }
    return ret;
}

struct walk {
    struct comparing *comparing;
    const struct split *goal;
    struct split at;
    bool is_set; /* components, placed together */
    int32_t copy_size;
    bool is_counted; /* `at` comes from the history, which omits targets without replicas */
    bool is_ours;    /* Ballast wrote part of the change */
    bool has_gap;    /* others wrote part of the change */
    bool is_cut;     /* the history lists only some clusters: Ballast may have moved more */
    struct compared_writer *writers;
    uint32_t n_writers;
};

static void
add_writer(struct walk *walk, enum compared_who who, const char *proof, int64_t time)
{
    walk->writers[walk->n_writers++] = (struct compared_writer){who, proof, "", time};
}

static bool
is_at(const struct walk *walk, const struct split *split)
{
    return walk->is_counted ? split_counts_equal(&walk->at, split) : split_equal(&walk->at, split);
}

/* In a set, each target has a whole copy, whatever replicas the record has. */
static struct split
recorded_split(const struct walk *walk, const struct target_list *targets)
{
    struct split ret = split_of(walk->comparing->arena, targets);

    for (uint32_t i = 0; walk->is_set && i < ret.count; i++) {
        ret.parts[i].replicas = walk->copy_size;
    }
    return ret;
}

static void
take_recorded(struct walk *walk, const struct recorded *recorded)
{
    struct arena *arena = walk->comparing->arena;
    const struct split before = recorded_split(walk, &recorded->item->before);
    const struct split after = recorded_split(walk, &recorded->item->after);
    const bool leads_on = is_at(walk, &before);
    /* a record may miss that its write succeeded: the second look then shows it */
    const bool is_done =
        str_eq(recorded->item->status, "Done") || (leads_on && split_equal(&after, walk->goal));

    if (!is_done || split_equal(&before, &after)) {
        return;
    }
    walk->has_gap = walk->has_gap || !leads_on;
    walk->at = after;
    walk->is_counted = false;
    walk->is_ours = true;
    add_writer(walk, COMPARED_BY_BALLAST,
               arena_printf(arena, "%s %s", is_of_undo(recorded) ? "undo, record" : "record",
                            recorded->record->id),
               recorded->record->time);
    walk->writers[walk->n_writers - 1].record = recorded->record->id;
}

static void
take_move(struct walk *walk, const struct past_move *move)
{
    struct arena *arena = walk->comparing->arena;

    walk->has_gap = !split_apply(arena, &walk->at, move) || walk->has_gap;
    walk->is_counted = true;
    walk->is_ours = true;
    walk->is_cut = walk->is_cut || move->from.count == LAST_MOVE_CLUSTERS_MAX ||
                   move->to.count == LAST_MOVE_CLUSTERS_MAX;
    add_writer(walk, COMPARED_BY_BALLAST,
               arena_printf(arena, "its " ANNOTATION_LAST_MOVE "%s%s",
                            str_is_empty(move->reason) ? "" : ": ", move->reason),
               move->time);
}

/* Returns another writer's eviction task for a cluster that the binding left: failover. */
static const struct graceful_eviction_task *
foreign_task(const struct binding *was, const struct binding *is)
{
    for (uint32_t i = 0; i < binding_rare(is)->n_eviction_tasks; i++) {
        const struct graceful_eviction_task *task = &binding_rare(is)->eviction_tasks[i];

        if (!str_is_empty(task->producer) && !str_eq(task->producer, EVICTION_PRODUCER) &&
            !binding_is_evicting(was, task->from_cluster) &&
            binding_find_target(was, task->from_cluster) >= 0 &&
            binding_find_target(is, task->from_cluster) < 0) {
            return task;
        }
    }
    return NULL;
}

static void
write_others(struct walk *walk, const struct binding *was, const struct binding *is)
{
    struct arena *arena = walk->comparing->arena;
    const struct compared_look *after = &walk->comparing->after;
    const struct graceful_eviction_task *task = foreign_task(was, is);
    const bool was_scheduled = is->last_scheduled_time != TIME_NONE &&
                               (was->last_scheduled_time == TIME_NONE ||
                                is->last_scheduled_time > was->last_scheduled_time);

    if (task != NULL) {
        add_writer(
            walk, COMPARED_BY_FAILOVER,
            arena_printf(arena, "eviction task of %s from %s", task->producer, task->from_cluster),
            task->creation);
    }
    if (was_scheduled) {
        add_writer(walk, COMPARED_BY_SCHEDULER, "status.lastScheduledTime",
                   is->last_scheduled_time);
    } else if (task == NULL && !walk->is_cut) {
        add_writer(walk, COMPARED_BY_OTHER,
                   fleet_has_kubefed_scheduler(after->fleet, after->policy->now)
                       ? "KubeFed's own scheduler is on"
                       : "",
                   TIME_NONE);
    }
}

#define OTHER_WRITERS_MAX 2

void
writers_name(struct comparing *comparing, const struct binding_pair *pair,
             const struct split *before, const struct split *after, struct compared_binding *ret)
{
    const struct binding *was = &comparing->before.fleet->bindings[pair->before];
    const struct binding *is = &comparing->after.fleet->bindings[pair->after];
    struct events events = {.count = 0};

    if (!ret->is_recreated) { /* Ballast's writes were to the deleted object */
        events = events_of(comparing, was, is);
    }
    struct walk walk = {
        .comparing = comparing,
        .goal = after,
        .at = *before,
        .is_set = binding_is_set(is),
        .copy_size = binding_copy_size(is),
        .writers = ARENA_ARRAY(comparing->arena, struct compared_writer,
                               (size_t)events.count + OTHER_WRITERS_MAX),
    };

    for (uint32_t i = 0; i < events.count; i++) {
        if (events.items[i].recorded != NULL) {
            take_recorded(&walk, events.items[i].recorded);
        } else {
            take_move(&walk, events.items[i].move);
        }
    }
    if (!walk.is_ours || walk.has_gap || !is_at(&walk, after)) {
        write_others(&walk, was, is);
    }
    ret->writers = walk.writers;
    ret->n_writers = walk.n_writers;
}
