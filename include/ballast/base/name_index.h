/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding items by name in an array whose order has to stay. Every item begins
 * with a `const char *name`. A search looks at a few items one by one; for more,
 * an index has the numbers of the items in the order of their names. An array
 * that is sorted by name needs no index.
 */
#ifndef BALLAST_BASE_NAME_INDEX_H
#define BALLAST_BASE_NAME_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "ballast/base/arena.h"

#define NAME_INDEX_MIN 9 /* fewer items get no index */
#define NAME_NONE UINT32_MAX

/* An array of items that begin with a pointer to their name. */
struct named_items {
    const void *items;
    size_t item_size;
    uint32_t count;
    const uint32_t *by_name; /* from name_index_new(); NULL: no index */
};

/* Returns an index of the array, in `arena`; NULL for fewer than NAME_INDEX_MIN items. */
const uint32_t *name_index_new(struct arena *arena, const void *items, size_t item_size,
                               uint32_t count);
/* Returns the index of the nth item (from 0, in array order) with this name; else NAME_NONE. */
uint32_t name_index_find(const struct named_items *named, const char *name, uint32_t nth);

/* Returns the number of items before `name`. The items are sorted by name. */
uint32_t names_before(const void *items, size_t item_size, uint32_t count, const char *name);
/* Returns the index of the first item with this name; else NAME_NONE. Items are sorted by name. */
uint32_t names_find(const void *items, size_t item_size, uint32_t count, const char *name);

#endif
