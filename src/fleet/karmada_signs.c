/* SPDX-License-Identifier: Apache-2.0
 *
 * Signs of versions and flags: see karmada_signs.h.
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
    const struct failover_behavior *application = binding->failover_application;

    if (binding->failover_cluster != NULL ||
        (application != NULL && is_newer(application->purge_mode))) {
        return true;
    }
    for (uint32_t i = 0; i < binding->n_eviction_tasks; i++) {
        if (is_newer(binding->eviction_tasks[i].purge_mode)) {
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
