/* SPDX-License-Identifier: Apache-2.0
 *
 * Where shards put their summaries, and where whoever plans finds them: a
 * directory that all of them see, or whatever else keeps bytes for a while.
 */
#ifndef BALLAST_SHARDS_SUMMARY_CARRIER_H
#define BALLAST_SHARDS_SUMMARY_CARRIER_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/shards/shards.h"

/* An existing summary that is not read yet. */
struct carried_summary {
    struct shard shard;
    uint64_t version; /* changes with the content */
    const char *name; /* for messages */
    const char *why;  /* why reading is useless; NULL: it may be useful */
};

struct summary_carrier {
    void *context;
    const char *place; /* for messages: place of the summaries */
    int64_t pause;     /* nanoseconds between two looks */
    /* Passes on all existing summaries, one per shard, in any order; texts are valid during the
     * call. False with err: UNAVAILABLE and DEADLINE may be temporary. */
    bool (*list)(void *context,
                 void (*found)(void *found_context, const struct carried_summary *summary),
                 void *found_context, struct error *err);
    /* Returns the bytes of a summary of the last list, for free(). NULL with err: LIMIT if it has
     * more than `most`, PARSE if a part is missing. */
    char *(*read)(void *context, const struct carried_summary *summary, size_t most,
                  size_t *ret_length, struct error *err);
    /* Stores a summary in place of that shard's older one. Returns its name in `arena`; NULL:
     * err. */
    const char *(*put)(void *context, struct arena *arena, struct shard shard,
                       const struct buf *summary, struct error *err);
};

/* Returns the carrier of a directory with one file per shard: DIR/3-of-7.summary. Makes the
 * directory if missing; a missing one has no summaries. `path` must outlive the carrier. */
struct summary_carrier summary_directory(const char *path);

#endif
