/* SPDX-License-Identifier: Apache-2.0
 *
 * Indices by name.
 */
#include "ballast/base/name_index.h"
#include "ballast/base/heap.h"

#include <stdlib.h>
#include <string.h>

struct indexed_name {
    const char *name;
    uint32_t number;
};

static int
entry_cmp(const void *a, const void *b)
{
    const struct indexed_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static const char *
name_of(const void *items, size_t item_size, uint32_t number)
{
    const char *name;

    memcpy(&name, (const char *)items + number * item_size, sizeof(name));
    return name;
}

const uint32_t *
name_index_new(struct arena *arena, const void *items, size_t item_size, uint32_t count)
{
    if (count < NAME_INDEX_MIN) {
        return NULL;
    }
    struct indexed_name *entries = heap_new(count, sizeof(*entries));
    uint32_t *index = ARENA_ARRAY(arena, uint32_t, count);

    for (uint32_t i = 0; i < count; i++) {
        entries[i] = (struct indexed_name){name_of(items, item_size, i), i};
    }
    qsort(entries, count, sizeof(*entries), entry_cmp);
    for (uint32_t i = 0; i < count; i++) {
        index[i] = entries[i].number;
    }
    free(entries);
    return index;
}

static uint32_t
find_one_by_one(const struct named_items *named, const char *name, uint32_t nth)
{
    for (uint32_t i = 0; i < named->count; i++) {
        const char *other = name_of(named->items, named->item_size, i);

        /* equal interned names are one pointer */
        if ((other == name || strcmp(other, name) == 0) && nth-- == 0) {
            return i;
        }
    }
    return NAME_NONE;
}

uint32_t
name_index_find(const struct named_items *named, const char *name, uint32_t nth)
{
    uint32_t low = 0, high = named->count;

    if (named->by_name == NULL) {
        return find_one_by_one(named, name, nth);
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(name_of(named->items, named->item_size, named->by_name[middle]), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (nth >= named->count - low) {
        return NAME_NONE;
    }
    uint32_t number = named->by_name[low + nth];

    return strcmp(name_of(named->items, named->item_size, number), name) == 0 ? number : NAME_NONE;
}

uint32_t
names_before(const void *items, size_t item_size, uint32_t count, const char *name)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(name_of(items, item_size, middle), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t
names_find(const void *items, size_t item_size, uint32_t count, const char *name)
{
    uint32_t at = names_before(items, item_size, count, name);

    return at < count && strcmp(name_of(items, item_size, at), name) == 0 ? at : NAME_NONE;
}
