/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores equal states of targets once: most are equal, and a diagnosis lives for the whole run.
 */
#include <string.h>

#include "observed.h"

#include "ballast/base/wide.h"

#define RECENT 8192 /* a power of 2 */

/* memcmp() compares states. */
_Static_assert(sizeof(struct target_state) == (12 + N_REPLICA_STATES) * sizeof(int32_t) + 8,
               "no padding");

/* A collision in the cache only costs sharing, so the hash needs no key. */
static uint32_t
recent_place(const struct target_state *states, uint32_t count)
{
    uint64_t mixed = count;
    uint32_t part;

    for (size_t at = 0; at < count * sizeof(*states); at += sizeof(part)) {
        memcpy(&part, (const unsigned char *)states + at, sizeof(part));
        mixed = (mixed ^ part) * UINT64_C(0x9e3779b97f4a7c15);
    }
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    return pin_uint32(mixed >> 32) & (RECENT - 1);
}

const struct target_state *
share_states(struct arena *arena, const struct fleet *fleet, struct binding_state *bindings,
             struct target_state *states)
{
    uint32_t recent[RECENT] = {0}; /* index of the states that came to this place last */
    uint32_t kept = 0;

    /* kept states are packed at the front, never beyond the states still to compare */
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct target_state *own = states + bindings[i].first_target;
        uint32_t count = fleet->bindings[i].clusters.count;
        uint32_t *same = &recent[recent_place(own, count)];
        size_t size = count * sizeof(*own);

        if (kept - *same < count || memcmp(states + *same, own, size) != 0) {
            memmove(states + kept, own, size);
            *same = kept;
            kept += count;
        }
        bindings[i].first_target = *same;
    }
    return arena_memdup(arena, states, kept * sizeof(*states));
}
