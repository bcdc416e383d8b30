/* SPDX-License-Identifier: Apache-2.0
 *
 * The set of places: open addressing, at most 7/8 full, and grown by half, since
 * it has a slot for every pod of a member.
 */
#include "place_set.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/error.h"
#include "ballast/str.h"
#include "digest.h"

#define SLOTS_FIRST 16

/* Seeded with where the set lies. */
static uint64_t
digest_of(const struct place_set *set, const char *namespace_, const char *name)
{
    uint64_t digest = (uint64_t)(uintptr_t)set;

    digest = digest_bytes(digest, namespace_, strlen(namespace_)).low;
    digest = digest_bytes(digest, name, strlen(name)).low;
    return digest != 0 ? digest : 1;
}

/* The slot of the digest, or the free one where it belongs. */
static struct place_slot *
find_slot(struct place_slot *slots, size_t n_slots, uint64_t digest)
{
    size_t i = (size_t)(((unsigned __int128)digest * n_slots) >> 64);

    while (slots[i].digest != 0 && slots[i].digest != digest) {
        i = i + 1 < n_slots ? i + 1 : 0;
    }
    return &slots[i];
}

static void
grow(struct place_set *set)
{
    size_t n_slots = set->n_slots == 0 ? SLOTS_FIRST : set->n_slots + set->n_slots / 2;
    struct place_slot *slots = calloc(n_slots, sizeof(*slots));

    if (slots == NULL) {
        out_of_memory();
    }
    for (size_t i = 0; i < set->n_slots; i++) {
        if (set->slots[i].digest != 0) {
            *find_slot(slots, n_slots, set->slots[i].digest) = set->slots[i];
        }
    }
    free(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
}

/* Objects come file by file. */
static uint32_t
file_index(struct place_set *set, const char *file)
{
    if (set->files.count == 0 || !str_eq(set->files.items[set->files.count - 1], file)) {
        vec_add(&set->files, file);
    }
    return (uint32_t)(set->files.count - 1);
}

bool
place_set_add(struct place_set *set, const char *namespace_, const char *name,
              const struct place *place, struct place *ret_first)
{
    if (set->n_slots == 0 || (set->count + 1) * 8 > set->n_slots * 7) {
        grow(set);
    }
    uint64_t digest = digest_of(set, namespace_, name);
    struct place_slot *slot = find_slot(set->slots, set->n_slots, digest);

    if (slot->digest != 0) {
        *ret_first = (struct place){set->files.items[slot->file], slot->line};
        return false;
    }
    *slot = (struct place_slot){
        .digest = digest,
        .file = file_index(set, place->file),
        .line = place->line < UINT32_MAX ? (uint32_t)place->line : UINT32_MAX,
    };
    set->count++;
    return true;
}

void
place_set_release(struct place_set *set)
{
    free(set->slots);
    vec_free(&set->files);
    *set = (struct place_set){.slots = NULL};
}
