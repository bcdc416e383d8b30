/* SPDX-License-Identifier: Apache-2.0
 *
 * The fields of one protobuf message, as they lie on the wire.
 */
#ifndef BALLAST_FORMAT_PROTOBUF_WIRE_H
#define BALLAST_FORMAT_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* The unread part of a message. */
struct wire {
    const char *at, *end;
    const char *fault; /* why the message is malformed; NULL: no fault so far */
};

struct wire_field {
    uint32_t number;
    enum wire_type type;
    uint64_t integer; /* unless WIRE_BYTES */
    const char *bytes;
    size_t length;
};

static inline struct wire
wire_of(const char *bytes, size_t length)
{
    return (struct wire){.at = bytes, .end = bytes + length, .fault = NULL};
}

/* Reads the next field. False at the end of the message, or with `fault` set if malformed. */
bool wire_next(struct wire *wire, struct wire_field *ret);
/* Reads the next integer of a packed repeated field: a varint. False at the end of the message, or
 * with `fault` set if malformed. */
bool wire_next_integer(struct wire *wire, uint64_t *ret);

#endif
