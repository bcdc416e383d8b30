/* SPDX-License-Identifier: Apache-2.0
 *
 * What the ConfigMaps of a carrier say of themselves. Private to this room.
 */
#ifndef BALLAST_CONFIGMAPS_CONFIGMAP_PARTS_H
#define BALLAST_CONFIGMAPS_CONFIGMAP_PARTS_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/format/value.h"
#include "ballast/shards/shards.h"

#define CONFIGMAP_LABEL "ballast.io/summaries" /* the prefix */
#define CONFIGMAP_KEY "summary"

/* One of the ConfigMaps that a summary is cut into. */
struct configmap_part {
    const char *name;
    const char *generation; /* of one writing */
    const char *cycle;
    struct shard shard;
    struct shard part;   /* the second of three */
    uint64_t bytes;      /* of the whole summary, as it was before it was compressed */
    const char *created; /* by the server's clock, which writes times so that they sort as texts */
    bool is_owned;       /* it goes with its owner */
};

/* In `arena`; false: it is no part of a summary, whatever it is. */
bool configmap_part_parse(struct arena *arena, const struct value *object,
                          struct configmap_part *ret);

/* What makes one. */
struct configmap_content {
    const struct configmap_part *part;
    const char *prefix;
    const char *owner_name, *owner_uid; /* of a Job; "": nobody */
    const void *bytes;
    size_t length;
};
/* As JSON. */
void configmap_part_write(const struct configmap_content *content, struct buf *out);

/* Those of one writing, by number. */
struct configmap_generation {
    const struct configmap_part *parts;
    uint32_t n_parts;
    bool is_wanted; /* of the cycle */
    bool is_whole;
};

/* Of each shard the one that counts: of the cycle (""; any), whole, and the latest. Sorts `parts`,
 * in which the result points; it is in `arena`. */
const struct configmap_generation *configmap_generations(struct arena *arena,
                                                         struct configmap_part *parts, size_t count,
                                                         const char *cycle, size_t *ret_count);

#endif
