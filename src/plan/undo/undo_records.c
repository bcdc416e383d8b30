/* SPDX-License-Identifier: Apache-2.0
 *
 * The items of the records to take back, by binding.
 */
#include <stdlib.h>
#include <string.h>

#include "undoing.h"

static int
record_cmp(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a;
    const struct record *y = *(const struct record *const *)b;

    return x->written != y->written ? (x->written < y->written ? 1 : -1) : strcmp(y->id, x->id);
}

static int
identity_cmp(const struct record_item *item, enum binding_kind kind, const char *namespace_,
             const char *name)
{
    int order = item->kind != kind ? (item->kind < kind ? -1 : 1) : 0;

    order = order != 0 ? order : strcmp(item->namespace_, namespace_);
    return order != 0 ? order : strcmp(item->name, name);
}

static int
entry_cmp(const void *a, const void *b)
{
    const struct undo_entry *x = a, *y = b;
    int order = identity_cmp(x->item, y->item->kind, y->item->namespace_, y->item->name);

    return order != 0 ? order : x->record < y->record ? -1 : x->record > y->record ? 1 : 0;
}

static void
name_records(struct arena *arena, struct undo *undo)
{
    const char **ids = ARENA_ARRAY(arena, const char *, undo->n_records);

    undo->text = "";
    for (uint32_t i = 0; i < undo->n_records; i++) {
        ids[i] = undo->records[i]->id;
        undo->text = arena_printf(arena, "%s%s%s", undo->text, i == 0 ? "" : ", ", ids[i]);
    }
    undo->ids = (struct str_list){.items = ids, .count = undo->n_records, .present = true};
}

const struct undo *
undo_new(struct arena *arena, const struct record *const *records, uint32_t count)
{
    struct undo *undo = ARENA_NEW(arena, struct undo);
    size_t n_items = 0;

    undo->records = arena_memdup(arena, records, count * sizeof(*records));
    undo->n_records = count;
    qsort(undo->records, count, sizeof(*undo->records), record_cmp);
    for (uint32_t i = 0; i < count; i++) {
        n_items += undo->records[i]->n_items;
    }
    undo->entries = ARENA_ARRAY(arena, struct undo_entry, n_items);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < undo->records[i]->n_items; k++) {
            undo->entries[undo->n_entries++] = (struct undo_entry){&undo->records[i]->items[k], i};
        }
    }
    qsort(undo->entries, undo->n_entries, sizeof(*undo->entries), entry_cmp);
    name_records(arena, undo);
    return undo;
}

const char *
undo_records_text(const struct undo *undo)
{
    return undo->text;
}

struct str_list
undo_record_ids(const struct undo *undo)
{
    return undo->ids;
}

bool
undo_stands_in(const struct undo *undo)
{
    bool all = undo->n_records > 0;

    for (uint32_t i = 0; i < undo->n_records; i++) {
        all = all && undo->records[i]->stood_in;
    }
    return all;
}

uint32_t
undo_find_first(const struct undo *undo, const struct binding *binding)
{
    uint32_t low = 0, high = undo->n_entries;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (identity_cmp(undo->entries[middle].item, binding->kind, binding->namespace_,
                         binding->name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < undo->n_entries && identity_cmp(undo->entries[low].item, binding->kind,
                                                       binding->namespace_, binding->name) == 0;

    return found ? low : undo->n_entries;
}

bool
undo_is_about_same(const struct undo *undo, uint32_t first, uint32_t entry)
{
    const struct record_item *item = undo->entries[first].item;

    return entry < undo->n_entries &&
           identity_cmp(undo->entries[entry].item, item->kind, item->namespace_, item->name) == 0;
}

const bool *
undo_concerns(struct arena *arena, const struct undo *undo, const struct fleet *fleet)
{
    bool *concerns = ARENA_ARRAY(arena, bool, fleet->n_bindings);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        concerns[i] = undo_find_first(undo, &fleet->bindings[i]) < undo->n_entries;
    }
    return concerns;
}

struct notice_list
undo_missing(struct arena *arena, const struct undo *undo, const struct fleet *fleet)
{
    bool *there = ARENA_ARRAY(arena, bool, undo->n_entries);
    struct notice *notices = ARENA_ARRAY(arena, struct notice, undo->n_entries);
    struct notice_list list = {.items = notices};

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        uint32_t first = undo_find_first(undo, &fleet->bindings[i]);

        if (first < undo->n_entries) {
            there[first] = true;
        }
    }
    for (uint32_t i = 0, next; i < undo->n_entries; i = next) {
        const struct record_item *item = undo->entries[i].item;

        for (next = i + 1; undo_is_about_same(undo, i, next); next++) {
        }
        if (!there[i]) {
            notices[list.count++] = (struct notice){
                .about = arena_printf(arena, "%s %s%s%s", binding_kind_name(item->kind),
                                      item->namespace_, str_is_empty(item->namespace_) ? "" : "/",
                                      item->name),
                .message = "not put back: it does not exist any more",
            };
        }
    }
    return list;
}
