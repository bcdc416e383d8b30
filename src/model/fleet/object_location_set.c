/* SPDX-License-Identifier: Apache-2.0
 *
 * The set of places: open addressing, at most 7/8 full, and grown by half, since
 * it has a slot for every pod of a member.
 */
#include "ballast/model/object_location_set.h"
#include "ballast/base/wide.h"

#include <stdlib.h>

#include "ballast/base/error.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"

#define SLOTS_FIRST 16

static uint64_t
hash_of(const struct object_location_set *set, const struct object_key *key)
{
    const char *const texts[] = {key->namespace_, key->kind, key->name};
    uint64_t hash = hash_texts(&set->key, texts, 3);

    return hash != 0 ? hash : 1;
}

/* Returns the slot of the hash, or the free slot for it. */
static struct object_location_slot *
find_slot(struct object_location_slot *slots, size_t n_slots, uint64_t hash)
{
    size_t i = low_uint64((wide_int)(((unsigned __int128)hash * n_slots) >> 64));

    while (slots[i].hash != 0 && slots[i].hash != hash) {
        i = i + 1 < n_slots ? i + 1 : 0;
    }
    return &slots[i];
}

static void
grow(struct object_location_set *set)
{
    size_t n_slots = set->n_slots == 0 ? SLOTS_FIRST : set->n_slots + set->n_slots / 2;
    struct object_location_slot *slots = heap_new(n_slots, sizeof(*slots));

    for (size_t i = 0; i < set->n_slots; i++) {
        if (set->slots[i].hash != 0) {
            *find_slot(slots, n_slots, set->slots[i].hash) = set->slots[i];
        }
    }
    free(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
}

/* Objects come file by file. */
static uint32_t
file_index(struct object_location_set *set, const char *file)
{
    if (set->files.count == 0 || !str_eq(set->files.items[set->files.count - 1], file)) {
        vec_add(&set->files, file);
    }
    return pin_uint32(set->files.count - 1);
}

bool
object_location_set_add(struct object_location_set *set, const struct object_key *key,
                        const struct object_location *place, struct object_location *ret_first)
{
    if (set->n_slots == 0) {
        set->key = hash_key_of_process();
    }
    if (set->n_slots == 0 || (set->count + 1) * 8 > set->n_slots * 7) {
        grow(set);
    }
    uint64_t hash = hash_of(set, key);
    struct object_location_slot *slot = find_slot(set->slots, set->n_slots, hash);

    if (slot->hash != 0) {
        *ret_first = (struct object_location){set->files.items[slot->file], slot->line};
        return false;
    }
    *slot = (struct object_location_slot){
        .hash = hash,
        .file = file_index(set, place->file),
        .line = pin_uint32(place->line),
    };
    set->count++;
    return true;
}

size_t
object_location_set_footprint(const struct object_location_set *set)
{
    return set->n_slots * sizeof(*set->slots) + set->files.capacity * sizeof(*set->files.items);
}

void
object_location_set_release(struct object_location_set *set)
{
    free(set->slots);
    vec_free(&set->files);
    *set = (struct object_location_set){.slots = NULL};
}
