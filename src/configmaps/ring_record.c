/* SPDX-License-Identifier: Apache-2.0
 *
 * Packs and unpacks records.
 */
#include "ring_record.h"

#include <string.h>

#include "ballast/base/compress.h"
#include "ballast/base/secret.h"
#include "ballast/base/wide.h"

#define PIECE_MAX ((size_t)64 << 10)

static void
pack(const struct buf *text, struct buf *out)
{
    struct gzip *gzip = gzip_new();
    struct gzip_piece piece = {.in = buf_text(text), .in_length = text->length};
    bool is_over = false;

    while (!is_over) {
        char bytes[PIECE_MAX];

        piece.out = bytes;
        piece.out_length = sizeof(bytes);
        is_over = gzip_step(gzip, &piece, true);
        buf_append(out, bytes, sizeof(bytes) - piece.out_length);
    }
    gzip_free(gzip);
}

bool
ring_pack(const struct record *record, bool is_done, struct ring_record *ret, struct error *err)
{
    struct buf text;

    *ret = (struct ring_record){.id = record->id, .is_done = is_done};
    buf_init(&ret->packed, RECORD_BYTES_MAX);
    buf_init(&text, RECORD_BYTES_MAX);
    record_encode(record, &text);
    bool fits = !text.overflowed;

    if (fits) {
        pack(&text, &ret->packed);
    }
    buf_release(&text);
    return (fits && !ret->packed.overflowed) ||
           error_set(err, ERROR_LIMIT,
                     "the record would be larger than %zu bytes: change fewer bindings in a run "
                     "(--max-bindings-changed)",
                     RECORD_BYTES_MAX);
}

void
ring_record_release(struct ring_record *record)
{
    buf_release(&record->packed);
}

uint32_t
ring_record_parts(const struct ring_record *record, size_t most)
{
    return pin_uint32((record->packed.length + most - 1) / most);
}

bool
ring_append_base64(const char *text, struct buf *out)
{
    struct secret bytes = {NULL, 0};
    bool done = secret_from_base64(text, strlen(text), &bytes);

    if (done && bytes.data != NULL) {
        buf_append(out, bytes.data, bytes.length);
    }
    secret_wipe(&bytes);
    return done;
}

/* False: the bytes are no whole gzip member, or more than a record may have. */
static bool
unpack(const struct buf *packed, struct buf *out)
{
    struct gzip *gunzip = gunzip_new();
    struct gzip_piece piece = {.in = buf_text(packed), .in_length = packed->length};
    bool is_over = false, moves = true;

    while (!is_over && moves && !out->overflowed) {
        char bytes[PIECE_MAX];
        const size_t before = piece.in_length;

        piece.out = bytes;
        piece.out_length = sizeof(bytes);
        if (!gunzip_step(gunzip, &piece, &is_over)) {
            break;
        }
        buf_append(out, bytes, sizeof(bytes) - piece.out_length);
        moves = piece.in_length < before || piece.out_length < sizeof(bytes);
    }
    gunzip_free(gunzip);
    return is_over && !out->overflowed;
}

const struct record *
ring_unpack(struct arena *arena, const struct buf *packed, struct error *err)
{
    const struct record *record = NULL;
    struct buf text;

    buf_init(&text, RECORD_BYTES_MAX);
    if (unpack(packed, &text)) {
        record = record_decode(arena, buf_text(&text), text.length, err);
    } else {
        error_set(err, ERROR_PARSE, "it is torn, or no gzip");
    }
    buf_release(&text);
    return record;
}
