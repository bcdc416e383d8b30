/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries on their way into a fleet: those that there are (summaries.c), and
 * what they tell of members (summary_members.c). Private to this room.
 */
#ifndef BALLAST_SHARDS_SUMMARY_MERGE_H
#define BALLAST_SHARDS_SUMMARY_MERGE_H

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/shards/summaries.h"

/* What the carrier has of a shard. */
struct shard_file {
    struct shard shard;
    uint64_t version;
    const char *name;
    char *text; /* NULL: it is not read */
    size_t length;
    const struct summary *summary; /* NULL: it does not count: */
    const char *why;
    bool is_taken; /* its whole members are in the fleet: what comes of the shard later is late */
};

/* What summaries tell of a member. */
struct told {
    const struct summary_section *section;
    const struct shard_file *file;
};

struct merge {
    const struct summaries_options *options;
    struct fleet_builder *builder;
    struct arena *arena;
    int64_t now;
    VEC_OF(struct shard_file) files;
    size_t n_sorted; /* of them, by shard; behind these are those that the look under way found */
    size_t bytes;    /* of their texts */
    size_t shown;    /* bytes that the members showed so far */
    uint32_t count;  /* of shards; 0: there is no file */
    const char *failure;  /* of the last look, which was not the last word; NULL: there was none */
    struct map *clusters; /* their names */
    VEC_OF(struct told) told; /* by member, and by file */
};

int shard_file_cmp(const void *a, const void *b); /* by shard */
/* NULL: there is none. */
const struct shard_file *merge_find_file(const struct merge *m, struct shard shard);

/* What one file tells of members that are whole into the fleet, before the others are there.
 * Whether that was all of it: its text is of no more use. */
bool merge_take_whole(struct merge *m, struct shard_file *file);
/* What the files tell of all others, and which members are not seen, and why. */
void merge_members(struct merge *m);

#endif
