/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting sets of components.
 */
#include "component_sets.h"

#include "ballast/base/str.h"
#include "ballast/base/wide.h"

#define NANOS_PER_UNIT ((nanos128)1000000000)
#define NANOS_MOST ((nanos128)INT64_MAX * NANOS_PER_UNIT)

/* The pods of requirements that are absent still take a slot each. */
static const struct requirements no_requirements;

static const struct requirements *
requirements_of(const struct component *component)
{
    return component->requirements != NULL ? component->requirements : &no_requirements;
}

static nanos128
amount_in(const struct resource_list *list, const char *name)
{
    const struct quantity *amount = resource_list_find(list, name);

    return amount != NULL ? amount->nano : 0;
}

static nanos128
free_amount(const struct cluster *cluster, const char *name)
{
    return amount_in(&cluster->allocatable, name) - amount_in(&cluster->allocated, name) -
           amount_in(&cluster->allocating, name);
}

/* Of all replicas of a set; pinned. */
static nanos128
asked_by_set(const struct binding *set, const char *name)
{
    nanos128 sum = 0;

    for (uint32_t i = 0; i < set->n_components; i++) {
        nanos128 each = amount_in(&requirements_of(&set->components[i])->request, name);
        nanos128 product;

        if (each <= 0 || set->components[i].replicas == 0) {
            continue;
        }
        if (__builtin_mul_overflow(each, (nanos128)set->components[i].replicas, &product) ||
            product > NANOS_MOST - sum) {
            return NANOS_MOST;
        }
        sum += product;
    }
    return sum;
}

static int32_t
bounded(int32_t most, nanos128 left, nanos128 each)
{
    if (each <= 0) {
        return most;
    }
    nanos128 fits = left > 0 ? left / each : 0;

    return fits < most ? (int32_t)fits : most;
}

int32_t
component_sets_by_summary(const struct cluster *cluster, const struct binding *set, int32_t most)
{
    most = bounded(most, free_amount(cluster, "pods"), set->set_pods * NANOS_PER_UNIT);
    for (uint32_t i = 0; i < set->n_components; i++) {
        const struct resource_list *request = &requirements_of(&set->components[i])->request;

        for (uint32_t j = 0; j < request->count; j++) {
            const char *name = request->items[j].name;

            if (!str_eq(name, "pods")) {
                most = bounded(most, free_amount(cluster, name), asked_by_set(set, name));
            }
        }
    }
    return most;
}

/* false when not all of a component's replicas fit. */
static bool
put_on_models(struct virtual_nodes *nodes, const struct component *component)
{
    const struct requirements *requirements = requirements_of(component);
    bool fits = virtual_nodes_fit(nodes, requirements) >= component->replicas;

    if (fits) {
        virtual_nodes_take(nodes, requirements, component->replicas);
    }
    return fits;
}

int32_t
component_sets_on_models(struct arena *scratch, const struct virtual_nodes *nodes,
                         const struct binding *set, int32_t most)
{
    struct virtual_nodes *copy = virtual_nodes_copy(scratch, nodes);

    for (int32_t sets = 0; sets < most; sets++) {
        for (uint32_t i = 0; i < set->n_components; i++) {
            if (!put_on_models(copy, &set->components[i])) {
                return sets;
            }
        }
    }
    return most;
}

static bool
put_on_nodes(struct arena *scratch, struct node_pools *rooms, const struct component *component)
{
    const struct requirements *requirements = requirements_of(component);
    bool fits = node_pools_fit(rooms, requirements) >= component->replicas;

    if (fits) {
        node_pools_take(rooms, scratch, requirements, component->replicas);
    }
    return fits;
}

int32_t
component_sets_on_nodes(struct arena *scratch, const struct node_pools *rooms,
                        const struct binding *set, int32_t most)
{
    struct node_pools *copy = node_pools_copy(scratch, rooms);

    for (int32_t sets = 0; sets < most; sets++) {
        for (uint32_t i = 0; i < set->n_components; i++) {
            if (!put_on_nodes(scratch, copy, &set->components[i])) {
                return sets;
            }
        }
    }
    return most;
}
