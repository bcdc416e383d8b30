/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of one kind as a List in JSON that is packed piece by piece while it
 * grows: of its text there is never more than a piece and an object. Private to
 * this room.
 */
#ifndef BALLAST_SHARDS_PACKED_LIST_H
#define BALLAST_SHARDS_PACKED_LIST_H

#include "ballast/base/buf.h"
#include "ballast/base/vec.h"

struct packed_piece {
    size_t length, original; /* bytes: packed, and of the text */
};

struct packed_list {
    struct buf text;   /* that is not packed yet */
    struct buf packed; /* the pieces, one behind the other */
    VEC_OF(struct packed_piece) pieces;
    bool is_open; /* a List has begun, and not ended */
};

void packed_list_init(struct packed_list *list);
void packed_list_release(struct packed_list *list);
/* Where the text of one more object is to be appended; packed_list_end_item() when that is done. */
struct buf *packed_list_begin_item(struct packed_list *list);
void packed_list_end_item(struct packed_list *list);
/* All of it is packed; what is appended then begins another List. One without objects has no
 * pieces. */
void packed_list_end(struct packed_list *list);

#endif
