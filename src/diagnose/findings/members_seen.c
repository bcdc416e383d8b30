/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what members show once, for many diagnoses.
 */
#include <string.h>

#include "ballast/base/wide.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"
#include "findings.h"

struct members_seen {
    struct observations seen;            /* of all targets; the troubles are in the arena */
    const struct binding_state *numbers; /* by binding: only first_target is set */
};

const struct members_seen *
members_seen_new(struct arena *arena, const struct fleet *fleet, const struct policy *policy)
{
    struct members_seen *ret = ARENA_NEW(arena, struct members_seen);
    struct binding_state *numbers = ARENA_ARRAY(arena, struct binding_state, fleet->n_bindings);
    uint32_t n_targets = number_targets(fleet, numbers);
    struct observations seen = {.states = ARENA_ARRAY(arena, struct target_state, n_targets)};

    observe_members(arena, fleet, policy, numbers, n_targets, &seen);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        observe_binding(fleet, policy, numbers, i, &seen);
    }
    ret->numbers = numbers;
    ret->seen = seen;
    ret->seen.troubles.items = vec_to_arena(&seen.troubles, arena);
    ret->seen.elsewhere.items = vec_to_arena(&seen.elsewhere, arena);
    vec_free(&seen.troubles);
    vec_free(&seen.elsewhere);
    vec_free(&seen.orphans); /* no simulation reports them */
    ret->seen.orphans.items = NULL;
    ret->seen.orphans.count = 0;
    return ret;
}

static void
recall_elsewhere(const struct observations *seen, uint32_t before, uint32_t binding,
                 struct observations *ret)
{
    const struct stuck_place *places = seen->elsewhere.items;
    uint32_t count = pin_uint32(seen->elsewhere.count);

    for (uint32_t i = stuck_places_of(places, count, before);
         i < count && places[i].binding == before; i++) {
        vec_add(&ret->elsewhere,
                ((struct stuck_place){binding, places[i].cluster, places[i].is_foreign}));
    }
}

void
members_seen_recall(const struct seen_already *seen_already, struct arena *scratch,
                    const struct fleet *fleet, uint32_t n_targets, struct observations *ret)
{
    const struct observations *seen = &seen_already->members_seen->seen;
    uint32_t target = 0;

    ret->items = ARENA_ARRAY(scratch, struct observation, n_targets);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        uint32_t first = seen_already->members_seen->numbers[seen_already->indices[i]].first_target;

        recall_elsewhere(seen, seen_already->indices[i], i, ret);
        for (uint32_t j = 0; j < fleet->bindings[i].clusters.count; j++, target++) {
            struct observation *item = &ret->items[target];

            ret->states[target] = seen->states[first + j];
            *item = seen->items[first + j];
            if (item->trouble != TROUBLE_NONE) {
                vec_add(&ret->troubles, seen->troubles.items[item->trouble]);
                item->trouble = pin_uint32(ret->troubles.count) - 1;
            }
        }
    }
}

uint32_t
number_targets(const struct fleet *fleet, struct binding_state *bindings)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        bindings[i].first_target = total;
        total += fleet->bindings[i].clusters.count;
    }
    return total;
}
