/* SPDX-License-Identifier: Apache-2.0
 *
 * The set of objects: open addressing over indices, at most half full.
 */
#include "object_set.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/error.h"
#include "ballast/str.h"
#include "digest.h"

static bool
same_key(const struct object_key *a, const struct object_key *b)
{
    return str_eq(a->name, b->name) && str_eq(a->namespace_, b->namespace_) &&
           str_eq(a->kind, b->kind);
}

/* Seeded with where the table lies, so that names cannot be picked to fall into one run. */
static uint64_t
hash_key(const struct object_set *set, const struct object_key *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)set->slots;

    hash = digest_bytes(hash, key->namespace_, strlen(key->namespace_)).low;
    hash = digest_bytes(hash, key->kind, strlen(key->kind)).low;
    return digest_bytes(hash, key->name, strlen(key->name)).low;
}

/* The slot that holds the key, or the free one where it belongs. */
static uint32_t *
find_slot(const struct object_set *set, object_key_of *key_of, const void *items,
          const struct object_key *key)
{
    size_t i = (size_t)hash_key(set, key) & (set->n_slots - 1);

    while (set->slots[i] != 0) {
        struct object_key there = key_of(items, set->slots[i] - 1);

        if (same_key(&there, key)) {
            break;
        }
        i = (i + 1) & (set->n_slots - 1);
    }
    return &set->slots[i];
}

static void
grow(struct object_set *set, object_key_of *key_of, const void *items)
{
    struct object_set bigger = {.n_slots = set->n_slots == 0 ? 16 : set->n_slots * 2,
                                .count = set->count};

    bigger.slots = calloc(bigger.n_slots, sizeof(*bigger.slots));
    if (bigger.slots == NULL) {
        out_of_memory();
    }
    for (size_t i = 0; i < set->n_slots; i++) {
        if (set->slots[i] != 0) {
            struct object_key key = key_of(items, set->slots[i] - 1);

            *find_slot(&bigger, key_of, items, &key) = set->slots[i];
        }
    }
    free(set->slots);
    *set = bigger;
}

void
object_set_release(struct object_set *set)
{
    free(set->slots);
    *set = (struct object_set){.slots = NULL};
}

uint32_t
object_set_add(struct object_set *set, object_key_of *key_of, const void *items, uint32_t index)
{
    if ((set->count + 1) * 2 > set->n_slots) {
        grow(set, key_of, items);
    }
    struct object_key key = key_of(items, index);
    uint32_t *slot = find_slot(set, key_of, items, &key);

    if (*slot != 0) {
        return *slot - 1;
    }
    *slot = index + 1;
    set->count++;
    return UINT32_MAX;
}
