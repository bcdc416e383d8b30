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

/* A shard's file at the carrier. */
struct shard_file {
    struct shard shard;
    uint64_t version;
    const char *name;
    char *text; /* NULL: not read */
    size_t length;
    const struct summary *summary; /* NULL: unusable, with: */
    const char *why;
    bool is_taken; /* its whole members are in the fleet; later versions are ignored */
};

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
    size_t n_sorted;          /* files sorted by shard; new ones follow */
    size_t bytes;             /* of all texts */
    size_t shown;             /* bytes of members so far */
    uint32_t count;           /* of shards; 0: no file */
    const char *failure;      /* temporary failure of the last look; NULL: none */
    struct map *clusters;     /* by name */
    VEC_OF(struct told) told; /* by member, then file */
};

int shard_file_cmp(const void *a, const void *b); /* orders by shard */
/* Returns the file of a shard; NULL if there is none. */
const struct shard_file *merge_find_file(const struct merge *m, struct shard shard);

/* Adds a file's whole members to the fleet before other files arrive. True if the file has no other
 * members: its text is unused then. */
bool merge_take_whole(struct merge *m, struct shard_file *file);
/* Adds the members of all other files, and notes which members are not seen, and why. */
void merge_members(struct merge *m);

#endif
