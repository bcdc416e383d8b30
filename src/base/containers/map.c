/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash map: open addressing with linear probing, at most 3/4 full.
 */
#include "ballast/base/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/error.h"
#include "ballast/base/hash.h"
#include "ballast/base/heap.h"

struct map_slot {
    const void *key; /* NULL: free */
    size_t length;
    uint64_t hash;
    void *value;
};

struct map {
    struct map_slot *slots;
    size_t n_slots; /* a power of two */
    size_t count;
    struct hash_key key;
};

struct map *
map_new(void)
{
    struct map *map = heap_new(1, sizeof(*map));

    map->n_slots = 16;
    map->slots = heap_new(map->n_slots, sizeof(struct map_slot));
    map->key = hash_key_of_process();
    return map;
}

void
map_free(struct map *map)
{
    if (map != NULL) {
        free(map->slots);
        free(map);
    }
}

size_t
map_count(const struct map *map)
{
    return map->count;
}

/* Returns the slot of the key, or the free slot for it. */
static struct map_slot *
find_slot(struct map_slot *slots, size_t n_slots, const void *key, size_t length, uint64_t hash)
{
    size_t i = (size_t)hash & (n_slots - 1);

    while (slots[i].key != NULL) {
        if (slots[i].hash == hash && slots[i].length == length &&
            (slots[i].key == key || memcmp(slots[i].key, key, length) == 0)) {
            break;
        }
        i = (i + 1) & (n_slots - 1);
    }
    return &slots[i];
}

static void
grow(struct map *map)
{
    size_t n_slots = map->n_slots * 2;
    struct map_slot *slots = heap_new(n_slots, sizeof(struct map_slot));

    for (size_t i = 0; i < map->n_slots; i++) {
        const struct map_slot *old = &map->slots[i];

        if (old->key != NULL) {
            *find_slot(slots, n_slots, old->key, old->length, old->hash) = *old;
        }
    }
    free(map->slots);
    map->slots = slots;
    map->n_slots = n_slots;
}

void **
map_get(const struct map *map, const void *key, size_t length)
{
    uint64_t hash = hash_bytes(&map->key, key, length);
    struct map_slot *slot = find_slot(map->slots, map->n_slots, key, length, hash);

    return slot->key != NULL ? &slot->value : NULL;
}

void **
map_put(struct map *map, const void *key, size_t length, bool *ret_added)
{
    if ((map->count + 1) * 4 > map->n_slots * 3) {
        grow(map);
    }
    uint64_t hash = hash_bytes(&map->key, key, length);
    struct map_slot *slot = find_slot(map->slots, map->n_slots, key, length, hash);
    bool added = slot->key == NULL;

    if (added) {
        *slot = (struct map_slot){.key = key, .length = length, .hash = hash};
        map->count++;
    }
    if (ret_added != NULL) {
        *ret_added = added;
    }
    return &slot->value;
}

void **
map_get_str(const struct map *map, const char *key)
{
    return map_get(map, key, strlen(key));
}

void **
map_put_str(struct map *map, const char *key, bool *ret_added)
{
    return map_put(map, key, strlen(key), ret_added);
}
