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

/* A summary that is there, as its carrier knows it without reading it. */
struct carried_summary {
    struct shard shard;
    uint64_t version; /* of two, another content */
    const char *name; /* for messages */
    const char *why;  /* how it is of no use, so that nobody need read it; NULL: it may be */
};

struct summary_carrier {
    void *context;
    const char *place; /* for messages: where they are */
    int64_t pause;     /* nanoseconds between two looks */
    /* Tells of all that are there, one of each shard, in any order; the texts live during the call.
     * false with err: UNAVAILABLE and DEADLINE where it may be otherwise the next time. */
    bool (*list)(void *context,
                 void (*found)(void *found_context, const struct carried_summary *summary),
                 void *found_context, struct error *err);
    /* The bytes of one of the last list, the caller's to free(). NULL with err: LIMIT where it has
     * more than `most`, PARSE where there is not all of it. */
    char *(*read)(void *context, const struct carried_summary *summary, size_t most,
                  size_t *ret_length, struct error *err);
    /* Puts a summary there, in the place of an older one of that shard. What it is called then, in
     * `arena`. */
    const char *(*put)(void *context, struct arena *arena, struct shard shard,
                       const struct buf *summary, struct error *err);
};

/* The summaries of a directory, one a shard: DIR/3-of-7.summary. It is made where it is not there;
 * before that there are none in it. The path has to live as long as the carrier. */
struct summary_carrier summary_directory(const char *path);

#endif
