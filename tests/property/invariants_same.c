/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds between two plans: of the same fleet told in another way, and of a
 * fleet on which the first was carried out.
 */
#include "invariants.h"

#include <string.h>

static bool
same_decision(const struct decision *a, const struct decision *b)
{
    bool same = a->action == b->action && a->after.count == b->after.count &&
                a->n_reasons == b->n_reasons && strcmp(a->affinity_name, b->affinity_name) == 0;

    for (uint32_t i = 0; same && i < a->after.count; i++) {
        same = strcmp(a->after.items[i].name, b->after.items[i].name) == 0 &&
               a->after.items[i].replicas == b->after.items[i].replicas;
    }
    for (uint32_t i = 0; same && i < a->n_reasons; i++) {
        same = strcmp(a->reasons[i].message, b->reasons[i].message) == 0 &&
               strcmp(a->reasons[i].code, b->reasons[i].code) == 0;
    }
    return same;
}

void
invariants_same(const struct fleet *fleet_a, const struct plan *a, const struct fleet *fleet_b,
                const struct plan *b, const char *what, struct buf *complaints)
{
    if (a->n_decisions != b->n_decisions) {
        buf_printf(complaints, "%s: %u decisions became %u\n", what, a->n_decisions,
                   b->n_decisions);
        return;
    }
    struct arena *arena = arena_new();

    for (uint32_t i = 0; i < a->n_decisions; i++) {
        const struct decision *one = plan_decision(arena, a, fleet_a, i);
        const struct decision *other = plan_decision(arena, b, fleet_b, i);
        const char *name = fleet_a->bindings[i].resource.name;

        if (strcmp(name, fleet_b->bindings[i].resource.name) != 0 || !same_decision(one, other)) {
            buf_printf(complaints, "%s: %s: ", what, name);
            invariants_show_split(&one->after, complaints);
            buf_append_str(complaints, " became ");
            invariants_show_split(&other->after, complaints);
            buf_append_char(complaints, '\n');
        }
    }
    arena_free(arena);
}

void
invariants_settled(const struct fleet *fleet, const struct plan *plan, const char *what,
                   struct buf *complaints)
{
    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        const struct decision *decision = plan->decisions[i];

        if (decision != NULL && decision->changes) {
            buf_printf(complaints, "%s: %s: ", what,
                       fleet->bindings[decision->binding].resource.name);
            invariants_show_split(&decision->before, complaints);
            buf_append_str(complaints, " -> ");
            invariants_show_split(&decision->after, complaints);
            buf_append_char(complaints, '\n');
        }
    }
}
