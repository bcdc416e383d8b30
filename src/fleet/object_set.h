/* SPDX-License-Identifier: Apache-2.0
 *
 * Which objects of an array are there, by namespace, kind and name: four bytes
 * a slot, since a fleet has a hundred thousand of them and a map of texts would
 * weigh as much as what is kept of an object. Private to fleet/.
 */
#ifndef BALLAST_FLEET_OBJECT_SET_H
#define BALLAST_FLEET_OBJECT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object_key {
    const char *namespace_;
    const char *kind;
    const char *name;
};

/* The key of items[index]. */
typedef struct object_key object_key_of(const void *items, uint32_t index);

/* Start from zeroed memory. */
struct object_set {
    uint32_t *slots; /* index + 1; 0: free */
    size_t n_slots;  /* a power of two, or 0 */
    size_t count;
};

void object_set_release(struct object_set *set);
/* The index under which an item of the same key as items[index] was added before, or UINT32_MAX:
 * then items[index] has been added. */
uint32_t object_set_add(struct object_set *set, object_key_of *key_of, const void *items,
                        uint32_t index);

#endif
