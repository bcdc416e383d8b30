/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding items of an array by name, where its order has to stay. Every item
 * begins with a `const char *name`. A few items are gone through one by one;
 * of more, the index has their numbers in the order of the names. What is sorted
 * by name itself needs no index.
 */
#ifndef BALLAST_BASE_NAME_INDEX_H
#define BALLAST_BASE_NAME_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "ballast/base/arena.h"

#define NAME_INDEX_MIN 9 /* so many items are worth an index */
#define NAME_NONE UINT32_MAX

/* An array that names are looked for in. */
struct named_items {
    const void *items;
    size_t item_size;
    uint32_t count;
    const uint32_t *by_name; /* NULL: there is no index */
};

/* The index of an array, in `arena`; NULL where there are too few items. */
const uint32_t *name_index_new(struct arena *arena, const void *items, size_t item_size,
                               uint32_t count);
/* The number of the nth item of this name, in the order of the array; NAME_NONE: there are not so
 * many. */
uint32_t name_index_find(const struct named_items *named, const char *name, uint32_t nth);

/* Of items that are sorted by name: how many come before it, and the number of the first that has
 * it (NAME_NONE: none has). */
uint32_t names_before(const void *items, size_t item_size, uint32_t count, const char *name);
uint32_t names_find(const void *items, size_t item_size, uint32_t count, const char *name);

#endif
