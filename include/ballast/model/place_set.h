/* SPDX-License-Identifier: Apache-2.0
 *
 * Which objects were taken, and from where, without keeping them: by a keyed
 * hash of namespace, kind and name. Two objects have the same one by chance once
 * in 2^64, and nobody who does not know the key can pick names that do. Private
 * to fleet/.
 */
#ifndef BALLAST_FLEET_PLACE_SET_H
#define BALLAST_FLEET_PLACE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/hash.h"
#include "ballast/base/vec.h"

/* Where an object came from. */
struct place {
    const char *file;
    size_t line;
};

struct object_key {
    const char *namespace_;
    const char *kind;
    const char *name;
};

struct place_slot {
    uint64_t hash; /* 0: free */
    uint32_t file; /* index into files */
    uint32_t line;
};

/* Start from zeroed memory. */
struct place_set {
    struct place_slot *slots;
    size_t n_slots, count;
    struct hash_key key;
    VEC_OF(const char *) files;
};

void place_set_release(struct place_set *set);
size_t place_set_footprint(const struct place_set *set); /* bytes */
/* False when there is one of that key already: *ret_first is where. `place->file` must live as long
 * as the set. */
bool place_set_add(struct place_set *set, const struct object_key *key, const struct place *place,
                   struct place *ret_first);

#endif
