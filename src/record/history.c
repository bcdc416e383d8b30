/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins records to a history, from the latest on: an undo is known before the runs that it undoes.
 */
#include "ballast/record/history.h"

#include "ballast/base/map.h"
#include "ballast/base/str.h"

bool
record_item_is_written(const struct record_item *item)
{
    return str_eq(item->status, "Done");
}

static const char *
key_of(struct arena *arena, const char *id, const struct record_item *item)
{
    return arena_printf(arena, "%s %d %s/%s", id, (int)item->kind, item->namespace_, item->name);
}

static bool
is_asked(const struct history_question *question, const struct record_item *item)
{
    return (question->namespace_ == NULL || str_eq(question->namespace_, item->namespace_)) &&
           (question->kind == NULL || str_eq(question->kind, item->resource.kind)) &&
           (question->name == NULL || str_eq(question->name, item->name) ||
            str_eq(question->name, item->resource.name));
}

static void
note_undone(struct arena *arena, struct map *undone, const struct record *record,
            const struct record_item *item)
{
    for (uint32_t i = 0; i < record->undoes.count; i++) {
        bool is_new;
        void **place = map_put_str(undone, key_of(arena, record->undoes.items[i], item), &is_new);

        if (is_new) {
            *place = (void *)(uintptr_t)record;
        }
    }
}

static struct history_run
run_of(struct arena *arena, struct map *undone, const struct record *record,
       const struct history_question *question)
{
    struct history_item *items = ARENA_ARRAY(arena, struct history_item, record->n_items);
    struct history_run run = {.record = record, .items = items};

    for (uint32_t i = 0; i < record->n_items; i++) {
        const struct record_item *item = &record->items[i];
        void *const *undo = map_get_str(undone, key_of(arena, record->id, item));
        const bool is_written = record_item_is_written(item);

        if (is_written && undo == NULL) {
            note_undone(arena, undone, record, item);
        }
        if (is_asked(question, item)) {
            items[run.n_items++] =
                (struct history_item){item, is_written && undo != NULL ? *undo : NULL};
            run.n_written += is_written ? 1 : 0;
            run.n_undone += is_written && undo != NULL ? 1 : 0;
        }
    }
    return run;
}

const struct history *
history_new(struct arena *arena, const struct record *const *records, uint32_t count,
            const struct history_question *question)
{
    struct history *history = ARENA_NEW(arena, struct history);
    struct history_run *runs = ARENA_ARRAY(arena, struct history_run, count);
    struct map *undone = map_new();

    history->runs = runs;
    for (uint32_t i = count; i-- > 0;) {
        runs[history->n_runs] = run_of(arena, undone, records[i], question);
        history->n_runs += runs[history->n_runs].n_items > 0 ? 1 : 0;
    }
    map_free(undone);
    return history;
}
