/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order bindings are planned and written: who comes first gets the
 * room.
 */
#include <stdlib.h>

#include "planner.h"

/* How urgent a binding is; the greater first. */
struct urgency {
    uint32_t binding;
    int32_t priority; /* spec.schedulePriority */
    int32_t severity; /* permille of its replicas that do not run */
};

static int
urgency_cmp(const void *a, const void *b)
{
    const struct urgency *x = a, *y = b;

    if (x->priority != y->priority) {
        return x->priority > y->priority ? -1 : 1;
    }
    if (x->severity != y->severity) {
        return x->severity > y->severity ? -1 : 1;
    }
    return x->binding < y->binding ? -1 : 1; /* the fleet is sorted by namespace and name */
}

static int32_t
binding_severity(const struct diagnosis *diagnosis, const struct binding *binding, uint32_t index)
{
    const struct target_state *states =
        diagnosis->targets + diagnosis->bindings[index].first_target;
    int64_t down = 0, wanted = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        int32_t replicas = binding->clusters.items[i].replicas;
        int64_t stuck = (int64_t)(states[i].unschedulable > 0 ? states[i].unschedulable : 0) +
                        (states[i].failed > 0 ? states[i].failed : 0);

        wanted += replicas;
        down += states[i].lost ? replicas : stuck;
    }
    return wanted > 0 ? (int32_t)(down * 1000 / wanted) : 0;
}

uint32_t *
urgency_order(struct planner *planner)
{
    uint32_t count = planner->fleet->n_bindings;
    struct urgency *list = ARENA_ARRAY(planner->scratch, struct urgency, count);
    uint32_t *order = ARENA_ARRAY(planner->arena, uint32_t, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct binding *binding = &planner->fleet->bindings[i];

        list[i] = (struct urgency){
            .binding = i,
            .priority = binding->has_schedule_priority ? binding->schedule_priority : 0,
            .severity = planner->diagnosis->bindings[i].n_findings > 0
                            ? binding_severity(planner->diagnosis, binding, i)
                            : 0,
        };
    }
    if (count > 1) {
        qsort(list, count, sizeof(*list), urgency_cmp);
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = list[i].binding;
    }
    return order;
}
