/* SPDX-License-Identifier: Apache-2.0
 *
 * A list that is packed while it grows.
 */
#include "packed_list.h"

#include "ballast/base/compress.h"
#include "ballast/shards/summary.h"
#include "summary_parts.h"

static const char list_begin[] = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n";
static const char list_end[] = "]}\n";

void
packed_list_init(struct packed_list *list)
{
    *list = (struct packed_list){.pieces = VEC_INIT};
    buf_init(&list->text, SUMMARY_MAX);
    buf_init(&list->packed, SUMMARY_MAX);
}

void
packed_list_release(struct packed_list *list)
{
    buf_release(&list->text);
    buf_release(&list->packed);
    vec_free(&list->pieces);
    list->is_open = false;
}

/* Cuts a large object, so that no piece is larger than a reader takes. */
static void
pack(struct packed_list *list)
{
    const char *text = buf_text(&list->text);

    for (size_t at = 0; at < list->text.length;) {
        size_t left = list->text.length - at, before = list->packed.length;
        size_t original = left < SUMMARY_PIECE_MAX ? left : SUMMARY_PIECE_MAX;

        compress_append(&list->packed, text + at, original);
        vec_add(&list->pieces, ((struct packed_piece){list->packed.length - before, original}));
        at += original;
    }
    list->packed.overflowed |= list->text.overflowed;
    buf_release(&list->text);
}

struct buf *
packed_list_begin_item(struct packed_list *list)
{
    buf_append_str(&list->text, list->is_open ? ",\n" : list_begin);
    list->is_open = true;
    return &list->text;
}

void
packed_list_end_item(struct packed_list *list)
{
    if (list->text.length >= SUMMARY_PIECE) {
        pack(list);
    }
}

void
packed_list_end(struct packed_list *list)
{
    if (list->is_open) {
        buf_append_str(&list->text, list_end);
        pack(list);
        list->is_open = false;
    }
}
