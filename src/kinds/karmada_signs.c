/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds signs of Karmada's version and flags in the bindings.
 */
#include "karmada_signs.h"

static bool
is_newer(const char *name)
{
    enum purge_mode mode;

    return purge_mode_parse(name, &mode) && mode != PURGE_NEVER && !purge_mode_is_older_name(mode);
}

static bool
uses_newer(const struct binding *binding)
{
    const struct failover_behavior *application = binding_rare(binding)->failover_application;

    if (binding_rare(binding)->failover_cluster != NULL ||
        (application != NULL && is_newer(application->purge_mode))) {
        return true;
    }
    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        if (is_newer(binding_rare(binding)->eviction_tasks[i].purge_mode)) {
            return true;
        }
    }
    return false;
}

bool
karmada_has_newer_purge_modes(const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (uses_newer(&fleet->bindings[i])) {
            return true;
        }
    }
    return false;
}

/* The sum equals the wanted replicas: the binding needs no scheduling. */
static bool
shows_empty_target(const struct binding *binding)
{
    int64_t sum = 0;
    bool has_empty = false;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        sum += binding->clusters.items[i].replicas;
        has_empty = has_empty || binding->clusters.items[i].replicas == 0;
    }
    return has_empty && sum == binding->replicas;
}

bool
karmada_propagates_empty(const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];

        if (binding_is_workload(binding) && !binding_is_set(binding) &&
            placement_is_divided(binding->placement) && shows_empty_target(binding)) {
            return true;
        }
    }
    return false;
}
