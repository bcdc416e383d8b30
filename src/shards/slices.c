/* SPDX-License-Identifier: Apache-2.0
 *
 * Slices of members: which namespaces are in which, and whose each is.
 */
#include "ballast/shards/slices.h"
#include "ballast/base/wide.h"

#include <string.h>

#include "ballast/base/hash.h"
#include "ballast/base/str.h"

/* Public, as the key of shards. */
static const struct hash_key namespace_key = {0x62616c6c617374ULL, 0x736c69636573ULL};
static const struct hash_key owner_key = {0x62616c6c617374ULL, 0x6f776e657273ULL};

static const struct sliced_member *
find(const struct slicing *slicing, const char *member)
{
    for (uint32_t i = 0; i < slicing->count; i++) {
        if (str_eq(slicing->items[i].name, member)) {
            return &slicing->items[i];
        }
    }
    return NULL;
}

uint32_t
slicing_of(const struct slicing *slicing, const char *member)
{
    const struct sliced_member *found = find(slicing, member);

    return found != NULL ? found->slices : 1;
}

uint32_t
slice_of(const char *namespace_, uint32_t slices)
{
    if (str_is_empty(namespace_)) {
        return 1;
    }
    return 1 + pin_uint32(hash_bytes(&namespace_key, namespace_, strlen(namespace_)) % slices);
}

slice_set
slice_set_of(const char *namespace_, uint32_t slices)
{
    return (slice_set)1 << (slice_of(namespace_, slices) - 1);
}

slice_set
slice_set_all(uint32_t slices)
{
    return slices < SLICES_MAX ? ((slice_set)1 << slices) - 1 : ~(slice_set)0;
}

uint32_t
slice_set_first(slice_set set)
{
    uint32_t first = set != 0 ? 1 : 0;

    for (; set != 0 && (set & 1) == 0; set >>= 1) {
        first++;
    }
    return first;
}

/* Returns the shard with the fewest slices so far, and among those the highest hash. */
static uint32_t
choose_owner(const char *member, uint32_t slice, const uint8_t has[SHARDS_MAX], uint32_t count)
{
    size_t length = strlen(member);
    uint64_t highest = 0;
    uint32_t found = 1;

    for (uint32_t i = 1; i <= count; i++) {
        const struct hash_key of_slice = {owner_key.low ^ i, owner_key.high ^ slice};
        uint64_t hash = hash_bytes(&of_slice, member, length);
        bool is_better =
            has[i - 1] != has[found - 1] ? has[i - 1] < has[found - 1] : i == 1 || hash > highest;

        if (is_better) {
            highest = hash;
            found = i;
        }
    }
    return found;
}

slice_set
slices_of_shard(const char *member, uint32_t slices, struct shard shard)
{
    uint8_t has[SHARDS_MAX] = {0};
    slice_set set = 0;

    if (slices == 1) {
        return shard_of(member, shard.count) == shard.index ? 1 : 0;
    }
    for (uint32_t slice = 1; slice <= slices; slice++) {
        uint32_t owner = choose_owner(member, slice, has, shard.count);

        has[owner - 1]++;
        set |= owner == shard.index ? (slice_set)1 << (slice - 1) : 0;
    }
    return set;
}

uint32_t
shard_of_slice(const char *member, uint32_t slice, uint32_t slices, uint32_t count)
{
    uint8_t has[SHARDS_MAX] = {0};
    uint32_t owner = slices == 1 ? shard_of(member, count) : 1;

    for (uint32_t i = 1; slices > 1 && i <= slice; i++) {
        owner = choose_owner(member, i, has, count);
        has[owner - 1]++;
    }
    return owner;
}

struct share
share_of(struct arena *arena, struct shard shard, struct slicing slicing)
{
    slice_set *ours = ARENA_ARRAY(arena, slice_set, slicing.count);

    for (uint32_t i = 0; i < slicing.count; i++) {
        ours[i] = slices_of_shard(slicing.items[i].name, slicing.items[i].slices, shard);
    }
    return (struct share){.shard = shard, .slicing = slicing, .ours = ours};
}

slice_set
share_slices(const struct share *share, const char *member, uint32_t *ret_slices)
{
    const struct sliced_member *found = find(&share->slicing, member);

    *ret_slices = found != NULL ? found->slices : 1;
    return found != NULL ? share->ours[found - share->slicing.items]
                         : slices_of_shard(member, 1, share->shard);
}

static bool
has_member(const void *context, const char *member)
{
    uint32_t slices;

    return share_slices(context, member, &slices) != 0;
}

/* The member is in the share. */
static bool
has_namespace(const void *context, const char *member, const char *namespace_)
{
    const struct share *share = context;
    const struct sliced_member *found = find(&share->slicing, member);

    return found == NULL || (share->ours[found - share->slicing.items] &
                             slice_set_of(namespace_, found->slices)) != 0;
}

static bool
is_narrow(const void *context, const char *member)
{
    uint32_t slices;
    slice_set ours = share_slices(context, member, &slices);

    return ours != slice_set_all(slices);
}

struct member_choice
share_choice(const struct share *share)
{
    bool is_cutting = share->slicing.count > 0;

    return (struct member_choice){.has = has_member,
                                  .context = share,
                                  .has_namespace = is_cutting ? has_namespace : NULL,
                                  .is_narrow = is_cutting ? is_narrow : NULL};
}
