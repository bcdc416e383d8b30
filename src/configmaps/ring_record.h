/* SPDX-License-Identifier: Apache-2.0
 *
 * A record as the bytes that a ring of ConfigMaps keeps. Private to this room.
 */
#ifndef BALLAST_CONFIGMAPS_RING_RECORD_H
#define BALLAST_CONFIGMAPS_RING_RECORD_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/record/record.h"

struct ring_record {
    const char *id;
    bool is_done;      /* false: its writes are pending */
    struct buf packed; /* gzip */
};

/* Packs a record into *ret, which the caller releases in any case. False with err: LIMIT. */
bool ring_pack(const struct record *record, bool is_done, struct ring_record *ret,
               struct error *err);
/* Frees the bytes. */
void ring_record_release(struct ring_record *record);
/* Returns the number of parts of at most `most` bytes each. */
uint32_t ring_record_parts(const struct ring_record *record, size_t most);

/* Appends the bytes of a base64 text. False: it is malformed. */
bool ring_append_base64(const char *text, struct buf *out);
/* Unpacks and decodes a record, in `arena`. NULL with err: the bytes are damaged, or too many. */
const struct record *ring_unpack(struct arena *arena, const struct buf *packed, struct error *err);

#endif
