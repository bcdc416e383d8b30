/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON stream: whatever the bytes and the pieces they come in, the objects
 * are the same, and each one's text is where the stream says.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/format/stream.h"

struct seen {
    const uint8_t *data;
    size_t size;
    uint64_t digest;
};

static bool
see_object(void *context, const struct stream_object *object, struct error *err)
{
    struct seen *seen = context;
    struct buf json;

    (void)err;
    if (object->length > seen->size || object->offset > seen->size - object->length ||
        seen->data[object->offset] != '{') {
        abort();
    }
    buf_init(&json, 1 << 24);
    value_write_json(object->root, true, &json);
    seen->digest = seen->digest * 31 + object->offset + json.length;
    buf_release(&json);
    return true;
}

static bool
see_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct seen *seen = context;

    seen->digest = seen->digest * 37 + where->line + (uint64_t)err->code;
    return true;
}

static uint64_t
read_all(const uint8_t *data, size_t size, size_t piece)
{
    static const struct stream_ops ops = {see_object, see_bad};
    struct seen seen = {.data = data, .size = size};
    struct stream *stream = stream_new(&ops, &seen);
    struct error err = ERROR_INIT;
    bool done = true;

    for (size_t at = 0; at < size && done; at += piece) {
        done = stream_feed(stream, (const char *)data + at, size - at < piece ? size - at : piece,
                           &err);
    }
    done = done && stream_finish(stream, &err);
    if (!done && err.message[0] == '\0') {
        abort();
    }
    stream_free(stream);
    return seen.digest * 2 + (done ? 1 : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t whole = read_all(data, size, SIZE_MAX / 2);

    if (read_all(data, size, 1) != whole || read_all(data, size, 5) != whole) {
        abort();
    }
    return 0;
}
