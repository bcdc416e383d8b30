/* SPDX-License-Identifier: Apache-2.0
 *
 * A stable sort by one number. Clusters are kept in the order of their names, so
 * "then by name" needs no comparison of texts: stability keeps that order.
 */
#ifndef BALLAST_BASE_ORDER_H
#define BALLAST_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct order_item {
    uint64_t key;
    uint32_t index; /* of the caller's item */
};

/* Sorts as qsort() does, but only checks items that are in order, as most lists of API servers are.
 * `items` may be NULL for 0 items. Not stable. */
void sort_unless_sorted(void *items, size_t count, size_t size,
                        int (*cmp)(const void *, const void *));

/* Sorts by ascending key; equal keys keep their order. `scratch` holds `count` items. */
void order_by_key(struct order_item *items, struct order_item *scratch, uint32_t count);

#endif
