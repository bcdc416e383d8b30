/* SPDX-License-Identifier: Apache-2.0
 *
 * Records: any text is taken or refused, and what was taken is written as it was
 * read.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/record/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_again(struct arena *arena, const struct record *record)
{
    struct error err = ERROR_INIT;
    struct buf first, second;

    buf_init(&first, RECORD_BYTES_MAX);
    buf_init(&second, RECORD_BYTES_MAX);
    record_encode(record, &first);
    const struct record *again = record_decode(arena, buf_text(&first), first.length, &err);

    if (again == NULL) {
        abort();
    }
    record_encode(again, &second);
    if (first.length != second.length ||
        memcmp(buf_text(&first), buf_text(&second), first.length) != 0) {
        abort();
    }
    buf_release(&first);
    buf_release(&second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    const struct record *record = record_decode(arena, (const char *)data, size, &err);

    if (record != NULL) {
        check_again(arena, record);
    } else if (err.code == ERROR_NONE) {
        abort();
    }
    arena_free(arena);
    return 0;
}
