/* SPDX-License-Identifier: Apache-2.0
 *
 * A List of objects of one kind, in JSON, that is packed piece by piece while it grows: it never
 * holds more text than a piece and an object. Private to this room.
 */
#ifndef BALLAST_SHARDS_PACKED_LIST_H
#define BALLAST_SHARDS_PACKED_LIST_H

#include "ballast/base/buf.h"
#include "ballast/base/vec.h"

struct packed_piece {
    size_t length, original; /* bytes: packed, and unpacked */
};

struct packed_list {
    struct buf text;   /* not packed yet */
    struct buf packed; /* the pieces, one after another */
    VEC_OF(struct packed_piece) pieces;
    bool is_open; /* a List has begun, and not ended */
};

/* Starts an empty list; packed_list_release() frees it. */
void packed_list_init(struct packed_list *list);
/* Frees the text and the pieces. The list is empty then, and usable. */
void packed_list_release(struct packed_list *list);
/* Returns the buffer for one more object's text. Call packed_list_end_item() after it. */
struct buf *packed_list_begin_item(struct packed_list *list);
/* Ends an object. Packs the text if it is long enough for a piece. */
void packed_list_end_item(struct packed_list *list);
/* Ends the List, if it has objects, and packs the rest. Later objects begin another List. */
void packed_list_end(struct packed_list *list);

#endif
