/* SPDX-License-Identifier: Apache-2.0
 *
 * JSONPath templates: a line with the template, then what it is about. It names
 * one value or is refused with a reason, and what it gives is bounded.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/format/json_path.h"

#include "ballast/base/arena.h"
#include "ballast/base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t length = end != NULL ? (size_t)(end - data) : size;
    struct arena *arena = arena_new();
    const char *template = arena_strndup(arena, (const char *)data, length);
    struct error unread = ERROR_INIT, err = ERROR_INIT;
    struct document *document =
        end != NULL ? document_parse_json((const char *)end + 1, size - length - 1, 1, &unread)
                    : NULL;
    struct buf out;

    buf_init(&out, SIZE_MAX / 2);
    if (json_path_print(template, document != NULL ? document_root(document) : NULL, &out, &err)
            ? out.length > JSON_PATH_MAX
            : str_is_empty(err.message)) {
        abort();
    }
    buf_release(&out);
    document_free(document);
    arena_free(arena);
    return 0;
}
