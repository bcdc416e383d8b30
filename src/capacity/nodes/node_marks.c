/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the node labels that a fleet's bindings ask for.
 */
#include "node_marks.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/map.h"
#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"

struct marking {
    struct map *known; /* keys in the list */
    VEC_OF(const char *) keys;
    bool by_name;
};

static void
mark_key(struct marking *marking, const char *key)
{
    bool is_new = false;

    map_put_str(marking->known, key, &is_new);
    if (is_new) {
        vec_add(&marking->keys, key);
    }
}

static void
mark_claim(struct marking *marking, const struct node_claim *claim)
{
    for (uint32_t i = 0; i < claim->node_selector.count; i++) {
        mark_key(marking, claim->node_selector.items[i].key);
    }
    for (uint32_t i = 0; i < claim->hard_node_affinity.count; i++) {
        const struct node_selector_term *term = &claim->hard_node_affinity.terms[i];

        for (uint32_t j = 0; j < term->match_expressions.count; j++) {
            mark_key(marking, term->match_expressions.items[j].key);
        }
        marking->by_name |= term->match_fields.count > 0;
    }
}

static void
mark_requirements(struct marking *marking, const struct requirements *requirements)
{
    if (requirements != NULL && requirements->has_node_claim) {
        mark_claim(marking, &requirements->node_claim);
    }
}

static void
mark_all(struct marking *marking, const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        const struct rare_members *rare = binding_rare(binding);

        mark_requirements(marking, binding->requirements);
        for (uint32_t j = 0; j < rare->n_components; j++) {
            mark_requirements(marking, rare->components[j].requirements);
        }
    }
}

static int
key_cmp(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strcmp(*x, *y);
}

const struct node_marks *
node_marks_new(struct arena *arena, const struct fleet *fleet)
{
    struct node_marks *marks = ARENA_NEW(arena, struct node_marks);
    struct marking marking = {.known = map_new()};

    mark_all(&marking, fleet);
    if (marking.keys.count > 1) {
        qsort(marking.keys.items, marking.keys.count, sizeof(*marking.keys.items), key_cmp);
    }
    marks->n_labels = pin_uint32(marking.keys.count);
    marks->labels = vec_to_arena(&marking.keys, arena);
    marks->by_name = marking.by_name;
    marks->by_hostname = node_marks_has_label(marks, NODE_HOSTNAME_LABEL);
    vec_free(&marking.keys);
    map_free(marking.known);
    return marks;
}

bool
node_marks_has_label(const struct node_marks *marks, const char *key)
{
    return names_find(marks->labels, sizeof(marks->labels[0]), marks->n_labels, key) != NAME_NONE;
}
