/* SPDX-License-Identifier: Apache-2.0
 *
 * Preferences by the workload that they are for. A manifest names at most one
 * namespace, one name, one kind and one API version, "" being any: a workload
 * is looked up once for each way to leave some of them out that occurs.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/model/binding.h"
#include "ballast/model/preference.h"

#define PARTS 4

static const char *
only_text(const struct str_list *list)
{
    return list->count > 0 ? list->items[0] : "";
}

static void
parts_of(const struct preference_scope *scope, const char *ret[PARTS])
{
    ret[0] = only_text(&scope->namespaces);
    ret[1] = only_text(&scope->names);
    ret[2] = only_text(&scope->kinds);
    ret[3] = only_text(&scope->api_versions);
}

static int
parts_cmp(const char *const a[PARTS], const char *const b[PARTS])
{
    int order = 0;

    for (int i = 0; i < PARTS && order == 0; i++) {
        order = strcmp(a[i], b[i]);
    }
    return order;
}

struct scope_entry {
    const char *parts[PARTS];
    uint32_t number;
};

static int
entry_cmp(const void *a, const void *b)
{
    const struct scope_entry *x = a, *y = b;
    int order = parts_cmp(x->parts, y->parts);

    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

void
preference_list_index(struct arena *arena, struct preference_list *list)
{
    struct scope_entry *entries = heap_new(list->count + (size_t)1, sizeof(*entries));
    uint32_t *by_scope = ARENA_ARRAY(arena, uint32_t, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        unsigned pattern = 0;

        entries[i].number = i;
        parts_of(&list->items[i].scope, entries[i].parts);
        for (int part = 0; part < PARTS; part++) {
            pattern |= str_is_empty(entries[i].parts[part]) ? 0 : 1u << part;
        }
        list->patterns |= 1u << pattern;
    }
    if (list->count > 1) {
        qsort(entries, list->count, sizeof(*entries), entry_cmp);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        by_scope[i] = entries[i].number;
    }
    list->by_scope = by_scope;
    free(entries);
}

/* Returns the first preference with exactly these parts; list->count if there is none. */
static uint32_t
find_exactly(const struct preference_list *list, const char *const parts[PARTS])
{
    const char *there[PARTS];
    uint32_t low = 0, high = list->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        parts_of(&list->items[list->by_scope[middle]].scope, there);
        if (parts_cmp(there, parts) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == list->count) {
        return list->count;
    }
    parts_of(&list->items[list->by_scope[low]].scope, there);
    return parts_cmp(there, parts) == 0 ? list->by_scope[low] : list->count;
}

const struct preference *
preference_list_find(const struct preference_list *list, const struct object_reference *resource)
{
    const char *const given[PARTS] = {resource->namespace_, resource->name, resource->kind,
                                      resource->api_version};
    uint32_t first = list->count;

    for (unsigned pattern = 0; pattern < 1u << PARTS; pattern++) {
        const char *parts[PARTS];

        if ((list->patterns >> pattern & 1) == 0) {
            continue;
        }
        for (int part = 0; part < PARTS; part++) {
            parts[part] = (pattern >> part & 1) != 0 ? given[part] : "";
        }
        uint32_t found = find_exactly(list, parts);

        first = found < first ? found : first;
    }
    return first < list->count ? &list->items[first] : NULL;
}
