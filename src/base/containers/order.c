/* SPDX-License-Identifier: Apache-2.0
 *
 * Merge sort over short sorted runs: no calls per comparison, since a plan sorts
 * as often as it has bindings.
 */
#include "ballast/base/order.h"
#include "ballast/base/wide.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define RUN 8

static void
sort_run(struct order_item *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct order_item item = items[i];
        uint32_t j = i;

        for (; j > 0 && items[j - 1].key > item.key; j--) {
            items[j] = items[j - 1];
        }
        items[j] = item;
    }
}

static void
merge(const struct order_item *left, uint32_t n_leaving, const struct order_item *right,
      uint32_t n_right, struct order_item *out)
{
    while (n_leaving > 0 && n_right > 0) {
        if (right->key < left->key) {
            *out++ = *right++;
            n_right--;
        } else {
            *out++ = *left++;
            n_leaving--;
        }
    }
    memcpy(out, left, n_leaving * sizeof(*left));
    memcpy(out + n_leaving, right, n_right * sizeof(*right));
}

static uint32_t
smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool
is_ordered(const struct order_item *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (items[i - 1].key > items[i].key) {
            return false;
        }
    }
    return true;
}

static bool
is_sorted(const char *items, size_t count, size_t size, int (*cmp)(const void *, const void *))
{
    for (size_t i = 1; i < count; i++) {
        if (cmp(items + (i - 1) * size, items + i * size) > 0) {
            return false;
        }
    }
    return true;
}

void
sort_unless_sorted(void *items, size_t count, size_t size, int (*cmp)(const void *, const void *))
{
    if (!is_sorted(items, count, size, cmp)) {
        qsort(items, count, size, cmp);
    }
}

void
order_by_key(struct order_item *items, struct order_item *scratch, uint32_t count)
{
    struct order_item *from = items;
    struct order_item *to = scratch;

    if (is_ordered(items, count)) {
        return;
    }
    for (uint32_t i = 0; i < count; i += RUN) {
        sort_run(items + i, smaller(RUN, count - i));
    }
    for (uint64_t width = RUN; width < count; width *= 2) {
        uint32_t run = pin_uint32(width);

        for (uint64_t i = 0; i < count; i += 2 * width) {
            uint32_t left = pin_uint32(i);
            uint32_t n_leaving = smaller(run, count - left);
            uint32_t n_right = smaller(run, count - left - n_leaving);

            merge(from + left, n_leaving, from + left + n_leaving, n_right, to + left);
        }
        struct order_item *swap = from;

        from = to;
        to = swap;
    }
    if (from != items) {
        memcpy(items, from, count * sizeof(*items));
    }
}
