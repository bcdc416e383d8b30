/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags, varints and lengths. Groups, which nothing in Kubernetes writes, are
 * refused, so that skipping a field never nests.
 */
#include "ballast/format/protobuf_wire.h"
#include "ballast/base/wide.h"

#define VARINT_BYTES_MAX 10
#define FIELD_NUMBER_MAX ((UINT64_C(1) << 29) - 1)

static bool
fail(struct wire *wire, const char *fault)
{
    wire->fault = fault;
    return false;
}

static bool
read_varint(struct wire *wire, uint64_t *ret)
{
    uint64_t result = 0;

    for (unsigned i = 0; i < VARINT_BYTES_MAX; i++) {
        if (wire->at == wire->end) {
            return fail(wire, "the message ends within a number");
        }
        uint64_t byte = (unsigned char)*wire->at++;

        if (i == VARINT_BYTES_MAX - 1 && byte > 1) {
            break;
        }
        result |= (byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            *ret = result;
            return true;
        }
    }
    return fail(wire, "a number has more than 64 bits");
}

static bool
read_fixed(struct wire *wire, unsigned size, uint64_t *ret)
{
    if ((size_t)(wire->end - wire->at) < size) {
        return fail(wire, "the message ends within a number");
    }
    *ret = 0;
    for (unsigned i = 0; i < size; i++) {
        *ret |= (uint64_t)(unsigned char)wire->at[i] << (8 * i);
    }
    wire->at += size;
    return true;
}

static bool
read_bytes(struct wire *wire, struct wire_field *field)
{
    uint64_t length;

    if (!read_varint(wire, &length)) {
        return false;
    }
    if (length > (uint64_t)(wire->end - wire->at)) {
        return fail(wire, "a length goes beyond the message");
    }
    field->bytes = wire->at;
    field->length = (size_t)length;
    wire->at += length;
    return true;
}

bool
wire_next(struct wire *wire, struct wire_field *ret)
{
    uint64_t tag;

    if (wire->at == wire->end || !read_varint(wire, &tag)) {
        return false;
    }
    *ret = (struct wire_field){.number = pin_uint32(tag >> 3), .bytes = ""};
    if (tag >> 3 == 0 || tag >> 3 > FIELD_NUMBER_MAX) {
        return fail(wire, "there is no field of such a number");
    }
    switch (tag & 7) {
    case WIRE_VARINT:
        ret->type = WIRE_VARINT;
        return read_varint(wire, &ret->integer);
    case WIRE_FIXED64:
        ret->type = WIRE_FIXED64;
        return read_fixed(wire, 8, &ret->integer);
    case WIRE_BYTES:
        ret->type = WIRE_BYTES;
        return read_bytes(wire, ret);
    case WIRE_FIXED32:
        ret->type = WIRE_FIXED32;
        return read_fixed(wire, 4, &ret->integer);
    default:
        return fail(wire, "a field is of a group or of an unknown wire type");
    }
}

bool
wire_next_integer(struct wire *wire, uint64_t *ret)
{
    return wire->at != wire->end && read_varint(wire, ret);
}
