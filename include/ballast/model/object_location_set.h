/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of objects that were read, without the objects: by a keyed hash of
 * namespace, kind and name. Two objects have equal hashes once in 2^64, and nobody
 * can pick such names without knowing the key.
 */
#ifndef BALLAST_MODEL_OBJECT_LOCATION_SET_H
#define BALLAST_MODEL_OBJECT_LOCATION_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/hash.h"
#include "ballast/base/vec.h"

struct object_location {
    const char *file;
    size_t line;
};

struct object_key {
    const char *namespace_;
    const char *kind;
    const char *name;
};

struct object_location_slot {
    uint64_t hash; /* 0: free */
    uint32_t file; /* index into files */
    uint32_t line;
};

/* Start from zeroed memory; end with object_location_set_release(). */
struct object_location_set {
    struct object_location_slot *slots;
    size_t n_slots, count;
    struct hash_key key;
    VEC_OF(const char *) files;
};

/* Frees the set's memory. The set is empty afterwards. */
void object_location_set_release(struct object_location_set *set);
/* Returns the bytes that the set takes. */
size_t object_location_set_footprint(const struct object_location_set *set);
/* Adds the place of an object. False if an object with that key is there already: *ret_first gets
 * its place. `place->file` outlives the set. */
bool object_location_set_add(struct object_location_set *set, const struct object_key *key,
                             const struct object_location *place,
                             struct object_location *ret_first);

#endif
