/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and changes the ConfigMaps of a ring of records. Private to this room.
 */
#ifndef BALLAST_CONFIGMAPS_RING_MAPS_H
#define BALLAST_CONFIGMAPS_RING_MAPS_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/vec.h"
#include "ballast/configmaps/record_ring.h"
#include "ballast/format/value.h"
#include "ballast/shards/shards.h"

/* One part of a record, as a ConfigMap has it. */
struct ring_entry {
    const char *key;
    const char *id;
    bool is_done;      /* false: its writes were pending */
    struct shard part; /* for example the second of three parts */
    const char *base64;
    size_t length; /* of the bytes, as they count for the size of the ConfigMap */
};

struct ring_map {
    bool exists;
    const char *version; /* resourceVersion */
    VEC_OF(struct ring_entry) entries;
    size_t bytes; /* of all keys and values, with those of others */
};

/* Reads a ConfigMap over *ret, with texts in `arena`. Keys of others count only as bytes. */
void ring_map_read(struct arena *arena, const struct value *object, struct ring_map *ret);

/* Returns the key of a part, in `arena`. */
const char *ring_key(struct arena *arena, const char *id, bool is_done, uint32_t part,
                     uint32_t count);

/* Changes of one ConfigMap: keys to set, and keys to remove. */
struct ring_change {
    const char *set_key; /* NULL: no key is set */
    const void *bytes;
    size_t length;
    VEC_OF(const char *) removed;
};

/* Appends the body of the request that makes a change: a merge patch, or the new ConfigMap. */
void ring_change_write(const struct ring_change *change, const struct ring_map *map,
                       const char *name, struct buf *out);

#endif
