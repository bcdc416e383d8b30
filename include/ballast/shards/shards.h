/* SPDX-License-Identifier: Apache-2.0
 *
 * Who looks into which member where several processes share the work. Each has
 * a number from 1 to the count of them, and a member goes to the one whose hash
 * with its name is the highest (Thaler, Ravishankar: "A name-based mapping
 * scheme for rendezvous"): all agree on it without a word, and with one shard
 * more or less only the members of that one change hands.
 */
#ifndef BALLAST_SHARDS_SHARDS_H
#define BALLAST_SHARDS_SHARDS_H

#include <stdbool.h>
#include <stdint.h>

#define SHARDS_MAX 1024u

struct shard {
    uint32_t index; /* from 1 */
    uint32_t count; /* up to SHARDS_MAX */
};

/* Returns the index of a member's shard. Must never change: summaries depend on it. */
uint32_t shard_of(const char *member, uint32_t count);

/* Orders by count, then by index. */
int shard_cmp(const struct shard *a, const struct shard *b);

/* Parses "3-of-7" at the beginning of a text, as in names of summaries. Returns the text behind it;
 * NULL if the text begins otherwise. */
const char *shard_scan(const char *text, struct shard *ret);

#endif
