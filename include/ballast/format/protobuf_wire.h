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

/* What is left of a message; `fault` says in words what is wrong with it. */
struct wire {
    const char *at, *end;
    const char *fault;
};

struct wire_field {
    uint32_t number;
    enum wire_type type;
    uint64_t integer; /* of all but WIRE_BYTES */
    const char *bytes;
    size_t length;
};

static inline struct wire
wire_of(const char *bytes, size_t length)
{
    return (struct wire){.at = bytes, .end = bytes + length, .fault = NULL};
}

/* The next field; false at the end, and with `fault` set where the message is malformed. */
bool wire_next(struct wire *wire, struct wire_field *ret);
/* One varint, as packed repeated fields hold them; false as above. */
bool wire_next_integer(struct wire *wire, uint64_t *ret);

#endif
