/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes the ConfigMaps of a carrier, and picks the summaries that count. Private to this
 * room.
 */
#ifndef BALLAST_CONFIGMAPS_CONFIGMAP_PARTS_H
#define BALLAST_CONFIGMAPS_CONFIGMAP_PARTS_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/format/value.h"
#include "ballast/shards/shards.h"

#define CONFIGMAP_LABEL "ballast.io/summaries" /* its value: the prefix */
#define CONFIGMAP_KEY "summary"

struct configmap_part {
    const char *name;
    const char *generation; /* equal in all parts of one write */
    const char *cycle;
    struct shard shard;
    struct shard part;   /* for example the second of three parts */
    uint64_t bytes;      /* of the whole summary, uncompressed */
    const char *created; /* creationTimestamp, by the server's clock; sorts as text */
    bool is_owned;       /* Kubernetes deletes it with its owner */
};

/* Reads the metadata of a ConfigMap into *ret, with texts in `arena`. False if it is no part. */
bool configmap_part_parse(struct arena *arena, const struct value *object,
                          struct configmap_part *ret);

struct configmap_content {
    const struct configmap_part *part;
    const char *prefix;
    const char *owner_name, *owner_uid; /* of a Job; "": none */
    const void *bytes;
    size_t length;
};
/* Appends a ConfigMap as JSON. */
void configmap_part_write(const struct configmap_content *content, struct buf *out);

/* Parts of one write, by number. */
struct configmap_generation {
    const struct configmap_part *parts;
    uint32_t n_parts;
    bool is_wanted; /* written for the wanted cycle */
    bool is_whole;  /* no part is missing */
};

/* Returns one generation per shard, in `arena`. Of several, prefers one of the wanted cycle ("":
 * any), then a whole one, then the latest. Sorts `parts`, into which the result points. */
const struct configmap_generation *configmap_generations(struct arena *arena,
                                                         struct configmap_part *parts, size_t count,
                                                         const char *cycle, size_t *ret_count);

#endif
