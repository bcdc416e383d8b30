/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap, without failure.
 */
#include "ballast/base/heap.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/error.h"

void *
heap_new(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);

    if (memory == NULL) {
        out_of_memory();
    }
    return memory;
}

char *
heap_text(const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL) {
        out_of_memory();
    }
    return copy;
}
