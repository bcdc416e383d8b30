/* SPDX-License-Identifier: Apache-2.0
 *
 * Members that are cut: one that is too large for one shard is told in slices, each
 * of whole namespaces, and each of them is a shard's. How many slices a member has
 * is said by hand, the same to all processes: whatever could be worked out of what a
 * fleet shows changes between one process's reading and another one's, and they
 * would disagree just where a member grows.
 */
#ifndef BALLAST_SHARDS_SLICES_H
#define BALLAST_SHARDS_SLICES_H

#include "ballast/base/arena.h"
#include "ballast/kinds/decode.h"
#include "ballast/shards/shards.h"

#define SLICES_MAX 64u

/* Slices of one member, slice 1 being the lowest bit. */
typedef uint64_t slice_set;

struct sliced_member {
    const char *name;
    uint32_t slices; /* 2 to SLICES_MAX, or 1: it is whole */
};
/* Members in any order, once each; those that are not in it are whole. */
struct slicing {
    const struct sliced_member *items;
    uint32_t count;
};

/* How many slices a member has. */
uint32_t slicing_of(const struct slicing *slicing, const char *member);

/* The slice, from 1, that tells of a namespace; of what is in none ("") the first one. The same in
 * every process, for ever. */
uint32_t slice_of(const char *namespace_, uint32_t slices);
slice_set slice_set_of(const char *namespace_, uint32_t slices); /* that slice alone */
/* All of so many. */
slice_set slice_set_all(uint32_t slices);
/* The first of them, from 1; 0: there is none. */
uint32_t slice_set_first(slice_set set);

/* Those of a member's slices that are a shard's. Each goes to the shard whose hash with the member
 * and the slice is the highest, among those that have the fewest of that member so far: so none has
 * two of them as long as another one has none. Of a member that is whole, {1} or none. */
slice_set slices_of_shard(const char *member, uint32_t slices, struct shard shard);
/* Whose a slice is. */
uint32_t shard_of_slice(const char *member, uint32_t slice, uint32_t slices, uint32_t count);

/* What of a fleet is one shard's. */
struct share {
    struct shard shard;
    struct slicing slicing;
    const slice_set *ours; /* by item of it */
};
/* In the arena; the texts of `slicing` have to live as long. */
struct share share_of(struct arena *arena, struct shard shard, struct slicing slicing);
/* Those of the member's slices that are its own, and how many there are of all; {1} of 1 where it
 * has the whole. */
slice_set share_slices(const struct share *share, const char *member, uint32_t *ret_slices);
/* For whoever reads the fleet; valid while the share is. */
struct member_choice share_choice(const struct share *share);

#endif
