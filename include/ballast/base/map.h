/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash map from byte strings to one pointer-sized value each. The map keeps
 * the pointer to the key, not a copy: keys must outlive it. Iteration order is
 * not defined, so nothing visible may depend on it. The hash is keyed (hash.h):
 * nobody can pick keys that are slow to find.
 */
#ifndef BALLAST_BASE_MAP_H
#define BALLAST_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct map;

struct map *map_new(void);
void map_free(struct map *map); /* NULL is fine; values are not touched */
size_t map_count(const struct map *map);

/* The slot of a key; NULL when absent. Valid until the next map_put. */
void **map_get(const struct map *map, const void *key, size_t length);
/* The slot of a key, added with value NULL when absent (*ret_added says so; may be NULL). */
void **map_put(struct map *map, const void *key, size_t length, bool *ret_added);

/* The same for NUL-terminated keys. */
void **map_get_str(const struct map *map, const char *key);
void **map_put_str(struct map *map, const char *key, bool *ret_added);

#endif
