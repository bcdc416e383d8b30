/* SPDX-License-Identifier: Apache-2.0
 *
 * Growable arrays.
 */
#include "ballast/base/vec.h"

#include <stdlib.h>

#include "ballast/base/error.h"

void *
vec_grow(void *items, size_t count, size_t *capacity, size_t more, size_t item_size)
{
    size_t need, bytes;

    if (__builtin_add_overflow(count, more, &need)) {
        out_of_memory();
    }
    if (need <= *capacity && items != NULL) {
        return items;
    }
    size_t wanted = *capacity + *capacity / 2 + 8;

    if (wanted < need) {
        wanted = need;
    }
    if (__builtin_mul_overflow(wanted, item_size, &bytes)) {
        out_of_memory();
    }
    void *grown = realloc(items, bytes);

    if (grown == NULL) {
        out_of_memory();
    }
    *capacity = wanted;
    return grown;
}

void
vec_release(void *items)
{
    free(items);
}
