/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap, without failure.
 */
#include "ballast/base/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

void
heap_let_go(char *part, size_t length)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t before = (page - (uintptr_t)part % page) % page; /* bytes before the first whole page */

    if (length > before && length - before >= page) {
        madvise(part + before, (length - before) / page * page, MADV_DONTNEED);
    }
}
