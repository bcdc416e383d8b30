/* SPDX-License-Identifier: Apache-2.0
 *
 * A stable sort by one number. Clusters are kept in the order of their names, so
 * "then by name" needs no comparison of strings: it is what stability gives.
 */
#ifndef BALLAST_BASE_ORDER_H
#define BALLAST_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct order_item {
    uint64_t key;
    uint32_t index; /* what is sorted: an index of the caller's */
};

/* As qsort() does: but what is in order already, as lists of API servers mostly are, is gone over
 * once, and of none or one the array may be NULL. */
void sort_unless_sorted(void *items, size_t count, size_t size,
                        int (*cmp)(const void *, const void *));

/* Sorts by key ascending, equal keys in their order; `scratch` has room for `count` items. */
void order_by_key(struct order_item *items, struct order_item *scratch, uint32_t count);

#endif
