/* SPDX-License-Identifier: Apache-2.0
 *
 * A stable sort by one number. Clusters are kept in the order of their names, so
 * "then by name" needs no comparison of strings: it is what stability gives.
 */
#ifndef BALLAST_BASE_ORDER_H
#define BALLAST_BASE_ORDER_H

#include <stdint.h>

struct order_item {
    uint64_t key;
    uint32_t index; /* what is sorted: an index of the caller's */
};

/* Sorts by key ascending, equal keys in their order; `scratch` has room for `count` items. */
void order_by_key(struct order_item *items, struct order_item *scratch, uint32_t count);

#endif
