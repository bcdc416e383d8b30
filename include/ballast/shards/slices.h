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

/* Slices of one member; slice 1 is the lowest bit. */
typedef uint64_t slice_set;

struct sliced_member {
    const char *name;
    uint32_t slices; /* 2 to SLICES_MAX; 1: whole */
};
/* Members in any order, unique. Members that are not listed are whole. */
struct slicing {
    const struct sliced_member *items;
    uint32_t count;
};

/* Returns the number of a member's slices. */
uint32_t slicing_of(const struct slicing *slicing, const char *member);

/* Returns the slice, from 1, of a namespace; 1 for "". Must never change, as shard_of(). */
uint32_t slice_of(const char *namespace_, uint32_t slices);
slice_set slice_set_of(const char *namespace_, uint32_t slices); /* only that slice */
/* Returns the set of all slices. */
slice_set slice_set_all(uint32_t slices);
/* Returns the first slice of a set, from 1; 0: the set is empty. */
uint32_t slice_set_first(slice_set set);

/* Returns the slices of a member that a shard has; {1} or none of a whole member. A slice goes to
 * the shard with the fewest slices of that member so far, then to the highest hash of shard, member
 * and slice. So no shard has two while another has none. */
slice_set slices_of_shard(const char *member, uint32_t slices, struct shard shard);
/* Returns the index of the shard that has a slice. */
uint32_t shard_of_slice(const char *member, uint32_t slice, uint32_t slices, uint32_t count);

/* A shard's part of a fleet. */
struct share {
    struct shard shard;
    struct slicing slicing;
    const slice_set *ours; /* by item of `slicing` */
};
/* Returns a shard's part of a fleet, in `arena`. The texts of `slicing` must outlive it. */
struct share share_of(struct arena *arena, struct shard shard, struct slicing slicing);
/* Returns the member's slices in the share, and the number of all; {1} of 1 for a whole member. */
slice_set share_slices(const struct share *share, const char *member, uint32_t *ret_slices);
/* Returns the share as a choice for readers of the fleet; valid as long as the share. */
struct member_choice share_choice(const struct share *share);

#endif
