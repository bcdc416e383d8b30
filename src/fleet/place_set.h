/* SPDX-License-Identifier: Apache-2.0
 *
 * Which objects of a kind were taken, and from where, without keeping them: by
 * a digest of namespace and name. Two objects have the same one by chance once
 * in 2^64, and the digest is seeded, so nobody can pick names that do. Private
 * to fleet/.
 */
#ifndef BALLAST_FLEET_PLACE_SET_H
#define BALLAST_FLEET_PLACE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/vec.h"

/* Where an object came from. */
struct place {
    const char *file;
    size_t line;
};

struct place_slot {
    uint64_t digest; /* 0: free */
    uint32_t file;   /* index into files */
    uint32_t line;
};

/* Start from zeroed memory. */
struct place_set {
    struct place_slot *slots;
    size_t n_slots, count;
    VEC_OF(const char *) files;
};

void place_set_release(struct place_set *set);
/* False when there is one of that name already: *ret_first is where. `place->file` must live as
 * long as the set. */
bool place_set_add(struct place_set *set, const char *namespace_, const char *name,
                   const struct place *place, struct place *ret_first);

#endif
