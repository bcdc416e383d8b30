/* SPDX-License-Identifier: Apache-2.0
 *
 * Protobuf answers written by hand.
 */
#ifndef BALLAST_PROTOBUF_WRITE_H
#define BALLAST_PROTOBUF_WRITE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/buf.h"

#define TEXT_MAX (1u << 16)

static inline void
put_varint(struct buf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7) {
        buf_append_char(out, (char)(number | 0x80));
    }
    buf_append_char(out, (char)number);
}

static inline void
put_bytes(struct buf *out, uint32_t number, const void *bytes, size_t length)
{
    put_varint(out, number << 3 | 2);
    put_varint(out, length);
    buf_append(out, bytes, length);
}

static inline void
put_text(struct buf *out, uint32_t number, const char *text)
{
    put_bytes(out, number, text, strlen(text));
}

static inline void
put_buf(struct buf *out, uint32_t number, const struct buf *inner)
{
    put_bytes(out, number, buf_text(inner), inner->length);
}

/* The whole answer around `raw`. */
static inline void
put_answer(struct buf *out, const char *api_version, const char *kind, const struct buf *raw)
{
    struct buf type;

    buf_init(&type, TEXT_MAX);
    put_text(&type, 1, api_version);
    put_text(&type, 2, kind);
    buf_clear(out);
    buf_append(out, "k8s", 4);
    put_buf(out, 1, &type);
    put_buf(out, 2, raw);
    put_text(out, 3, "");
    put_text(out, 4, "");
    buf_release(&type);
}

/* Appends what hexadecimal digits, in pairs between spaces, say. */
static inline void
put_hex(struct buf *out, const char *hex)
{
    char *end;

    for (; *hex != '\0'; hex = *end == ' ' ? end + 1 : end) {
        buf_append_char(out, (char)strtoul(hex, &end, 16));
    }
}

#endif
