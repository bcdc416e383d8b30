/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash map from byte strings to one pointer each. The map keeps the pointer to
 * the key, not a copy: keys must outlive the map. The hash has a secret key
 * (hash.h): nobody can pick names that are slow to find.
 */
#ifndef BALLAST_BASE_MAP_H
#define BALLAST_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct map;

/* Returns an empty map. map_free() frees it. */
struct map *map_new(void);
/* Frees the map, but not its keys and values. NULL is fine. */
void map_free(struct map *map);
/* Returns the number of keys. */
size_t map_count(const struct map *map);

/* Returns the slot of a key's value, valid until the next map_put(); NULL if absent. */
void **map_get(const struct map *map, const void *key, size_t length);
/* Returns the slot of a key's value, valid until the next map_put(). Adds an absent key with the
 * value NULL. *ret_added, unless NULL: the key was absent. */
void **map_put(struct map *map, const void *key, size_t length, bool *ret_added);

/* Returns what map_get() returns for a NUL-terminated key. */
void **map_get_str(const struct map *map, const char *key);
/* Does what map_put() does for a NUL-terminated key. */
void **map_put_str(struct map *map, const char *key, bool *ret_added);

#endif
