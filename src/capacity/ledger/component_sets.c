/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts sets of components.
 */
#include "component_sets.h"

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "capacity/quota/quota_accounts.h"

#define NANOS_PER_UNIT ((nanos128)1000000000)

/* Pods of absent requirements still take a slot each. */
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

nanos128
component_sets_left(const struct cluster *cluster, const char *name)
{
    return amount_in(&cluster->allocatable, name) - amount_in(&cluster->allocated, name) -
           amount_in(&cluster->allocating, name);
}

/* Returns the request of all replicas of a set, pinned. */
static nanos128
asked_by_set(const struct binding *set, const char *name)
{
    const struct rare_members *rare = binding_rare(set);
    nanos128 sum = 0;

    for (uint32_t i = 0; i < rare->n_components; i++) {
        nanos128 each = amount_in(&requirements_of(&rare->components[i])->request, name);

        sum = quota_pin(sum + quota_times(each > 0 ? each : 0, rare->components[i].replicas));
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

    return fits < most ? pin_int32(fits) : most;
}

int32_t
component_sets_by_summary(const struct cluster *cluster, const struct binding *set, int32_t most)
{
    const struct rare_members *rare = binding_rare(set);

    most = bounded(most, component_sets_left(cluster, "pods"), rare->set_pods * NANOS_PER_UNIT);
    for (uint32_t i = 0; i < rare->n_components; i++) {
        const struct resource_list *request = &requirements_of(&rare->components[i])->request;

        for (uint32_t j = 0; j < request->count; j++) {
            const char *name = request->items[j].name;

            if (!str_eq(name, "pods")) {
                most = bounded(most, component_sets_left(cluster, name), asked_by_set(set, name));
            }
        }
    }
    return most;
}

/* Nodes of one of two types, to put components on. */
struct fillable {
    struct arena *scratch;
    struct virtual_nodes *models; /* NULL: pools are used */
    struct node_pools *pools;
};

static bool
put_on(const struct fillable *nodes, const struct component *component)
{
    const struct requirements *requirements = requirements_of(component);
    int64_t fit = nodes->pools != NULL ? node_pools_fit(nodes->pools, requirements)
                                       : virtual_nodes_fit(nodes->models, requirements);

    if (fit < component->replicas) {
        return false;
    }
    if (nodes->pools != NULL) {
        node_pools_take(nodes->pools, nodes->scratch, requirements, component->replicas);
    } else {
        virtual_nodes_take(nodes->models, requirements, component->replicas);
    }
    return true;
}

static int32_t
count_sets(const struct fillable *nodes, const struct binding *set, int32_t most)
{
    const struct rare_members *rare = binding_rare(set);

    for (int32_t sets = 0; sets < most; sets++) {
        for (uint32_t i = 0; i < rare->n_components; i++) {
            if (!put_on(nodes, &rare->components[i])) {
                return sets;
            }
        }
    }
    return most;
}

int32_t
component_sets_on_models(struct arena *scratch, const struct virtual_nodes *nodes,
                         const struct binding *set, int32_t most)
{
    const struct fillable copy = {.models = virtual_nodes_copy(scratch, nodes)};

    return count_sets(&copy, set, most);
}

int32_t
component_sets_on_nodes(struct arena *scratch, const struct node_pools *rooms,
                        const struct binding *set, int32_t most)
{
    const struct fillable copy = {scratch, NULL, node_pools_copy(scratch, rooms)};

    return count_sets(&copy, set, most);
}
