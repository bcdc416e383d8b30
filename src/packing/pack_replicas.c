/* SPDX-License-Identifier: Apache-2.0
 *
 * Packs in rounds. The relaxation knows no priority, so floors may cost high priorities their
 * replicas. Where the result is far below the bound, items above the lowest priority keep their
 * replicas, and the others are relaxed anew.
 */
#include "pack_enough.h"
#include "pack_lists.h"
#include "pack_tries.h"

#define AGAIN_MAX 3

struct best {
    int32_t *replicas; /* by option */
    int64_t placed;
    int64_t bound; /* most that further rounds can place */
};

static int32_t
replicas_of(const struct packing *packing, const struct pack_item *item)
{
    int32_t replicas = 0;

    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        replicas += packing->options[i].replicas;
    }
    return replicas;
}

static void
note_replicas(const struct packing *packing, struct best *best)
{
    best->placed = 0;
    for (uint32_t i = 0; i < packing->n_options; i++) {
        best->replicas[i] = packing->options[i].replicas;
        best->placed += packing->options[i].replicas;
    }
}

static void
restore_replicas(struct packing *packing, const struct best *best)
{
    for (uint32_t i = 0; i < packing->n_options; i++) {
        packing->options[i].replicas = best->replicas[i];
    }
}

/* Drops `count` replicas, or pack_in_tries() would fix the item with them and place as many
 * more. */
static void
give_up(struct packing *packing, const struct pack_item *item, int32_t count)
{
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        int32_t *replicas = &packing->options[i].replicas,
                some = *replicas < count ? *replicas : count;

        *replicas -= some;
        count -= some;
    }
}

/* Raises floors above the lowest priority to present replicas, cuts others. False: none rose. */
static bool
keep_what_has_priority(struct packing *packing)
{
    int32_t lowest = pack_lowest_priority(packing);
    bool raised = false;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        struct pack_item *item = &packing->items[i];
        int32_t replicas = replicas_of(packing, item);

        if (item->priority > lowest) {
            raised = raised || replicas > item->floor;
            item->floor = replicas;
        } else {
            give_up(packing, item, replicas - item->floor);
        }
    }
    return raised;
}

/* True if the new relaxation places more. */
static bool
relax_again(struct packing *packing, int64_t *work, struct best *best)
{
    int64_t floors = pack_floors(packing), of_these, before = best->placed;

    (void)pack_in_tries(packing, work, &of_these);
    best->bound = floors + of_these < best->bound ? floors + of_these : best->bound;
    int64_t placed = 0;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        placed += replicas_of(packing, &packing->items[i]);
    }
    if (placed > before) {
        note_replicas(packing, best);
    }
    return placed > before;
}

static bool
is_far(const struct best *best)
{
    return pack_is_far(best->bound - best->placed, best->placed);
}

static void
relax_by_priority(struct arena *arena, struct packing *packing, int64_t *work, struct best *best)
{
    const struct pack_item *items =
        arena_memdup(arena, packing->items, packing->n_items * sizeof(*packing->items));
    bool goes_on = true;

    for (int n = 0;
         n < AGAIN_MAX && goes_on && *work > 0 && is_far(best) && keep_what_has_priority(packing);
         n++) {
        goes_on = relax_again(packing, work, best);
    }
    for (uint32_t i = 0; i < packing->n_items; i++) {
        packing->items[i].floor = items[i].floor;
    }
    restore_replicas(packing, best);
}

bool
pack_replicas(struct packing *packing, int64_t *work, int64_t *ret_bound)
{
    struct arena *arena = arena_new();
    struct best best = {.replicas = ARENA_ARRAY(arena, int32_t, packing->n_options)};
    int64_t floors = pack_floors(packing);
    bool found = pack_in_tries(packing, work, ret_bound);

    note_replicas(packing, &best);
    best.bound = floors + *ret_bound;
    if ((found || *work > 0) && is_far(&best)) { /* else the first relaxation was not solved */
        relax_by_priority(arena, packing, work, &best);
    }
    arena_free(arena);
    return best.placed > floors;
}
