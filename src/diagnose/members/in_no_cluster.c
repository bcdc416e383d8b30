/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts wanted replicas that are assigned to no cluster.
 */
#include "ballast/diagnose/diagnose.h"

static int64_t
at_least_none(int64_t replicas)
{
    return replicas > 0 ? replicas : 0;
}

int64_t
diagnose_ready_in_eviction(const struct fleet *fleet, const struct diagnosis *diagnosis,
                           const struct binding *binding, const struct target_list *places)
{
    const struct rare_members *rare = binding_rare(binding);
    int64_t sum = 0;

    for (uint32_t i = 0; i < rare->n_eviction_tasks; i++) {
        const char *name = rare->eviction_tasks[i].from_cluster;
        const uint32_t cluster = fleet_find_cluster(fleet, name);
        const struct aggregated_status *status = binding_find_status(binding, name);

        if (status != NULL && cluster != CLUSTER_NONE && diagnosis->clusters[cluster].ready &&
            binding_find_target(binding, name) < 0 && target_list_find(places, name) == NULL) {
            sum += at_least_none(status->ready_replicas);
        }
    }
    return sum;
}

int64_t
diagnose_in_no_cluster(const struct binding *binding, int64_t evicting)
{
    int64_t assigned = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        assigned += at_least_none(binding->clusters.items[i].replicas);
    }
    if (binding_is_divided(binding)) {
        return at_least_none(binding->replicas - assigned - evicting);
    }
    return binding->clusters.count == 0 && evicting == 0 ? binding_copy_size(binding) : 0;
}
