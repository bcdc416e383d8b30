/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads gRPC's length-prefixed messages. Ballast never offers compression, so a
 * compressed reply is the server's mistake.
 */
#include "framing.h"

#include <string.h>

#define COMPRESSED 1

void
frame_begin(struct buf *out)
{
    static const uint8_t prefix[FRAME_PREFIX_SIZE];

    buf_append(out, prefix, sizeof(prefix));
}

void
frame_end(struct buf *out)
{
    size_t length = out->length - FRAME_PREFIX_SIZE;

    for (int i = 0; i < 4; i++) {
        out->data[FRAME_PREFIX_SIZE - 1 - i] = (char)(length >> (8 * i) & 0xFF);
    }
}

void
frame_reader_init(struct frame_reader *reader, size_t maximum)
{
    *reader = (struct frame_reader){.n_prefix = 0};
    buf_init(&reader->message, maximum < UINT32_MAX ? maximum : UINT32_MAX);
}

void
frame_reader_release(struct frame_reader *reader)
{
    buf_release(&reader->message);
}

static bool
take_prefix(struct frame_reader *reader)
{
    const uint8_t *prefix = reader->prefix;
    uint32_t length = 0;

    for (size_t i = 1; i < FRAME_PREFIX_SIZE; i++) {
        length = length << 8 | prefix[i];
    }
    reader->expected = length;
    if (prefix[0] == COMPRESSED) {
        return error_set(&reader->error, ERROR_PARSE,
                         "the answer is compressed, which was not asked for");
    }
    if (prefix[0] != 0) {
        return error_set(&reader->error, ERROR_PARSE, "a gRPC frame begins with 0x%02x",
                         (unsigned)prefix[0]);
    }
    if (length > reader->message.maximum) {
        return error_set(&reader->error, ERROR_LIMIT,
                         "the answer of %lu bytes is larger than %zu bytes", (unsigned long)length,
                         reader->message.maximum);
    }
    return true;
}

bool
frame_reader_feed(struct frame_reader *reader, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    if (reader->error.code != ERROR_NONE) {
        return false;
    }
    while (length > 0 && reader->n_prefix < FRAME_PREFIX_SIZE) {
        reader->prefix[reader->n_prefix++] = *at++;
        length--;
        if (reader->n_prefix == FRAME_PREFIX_SIZE && !take_prefix(reader)) {
            return false;
        }
    }
    if (length == 0) {
        return true;
    }
    if (length > reader->expected - reader->message.length) {
        return error_set(&reader->error, ERROR_PARSE, "more than one message came");
    }
    buf_append(&reader->message, at, length);
    return true;
}

bool
frame_reader_finish(const struct frame_reader *reader, struct error *err)
{
    if (reader->error.code != ERROR_NONE) {
        return error_set(err, reader->error.code, "%s", reader->error.message);
    }
    if (reader->n_prefix == 0) {
        return error_set(err, ERROR_PARSE, "no message came");
    }
    if (reader->n_prefix < FRAME_PREFIX_SIZE || reader->message.length < reader->expected) {
        return error_set(err, ERROR_PARSE, "the message ends early: %zu of %lu bytes came",
                         reader->message.length, (unsigned long)reader->expected);
    }
    return true;
}
