/* SPDX-License-Identifier: Apache-2.0
 *
 * karmada-descheduler's rule: it takes replicas off a cluster in which no node takes them, and
 * karmada-scheduler sees the difference as a scale-up.
 */
#include "evict.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

#define READY_UNKNOWN (-1)

static bool
places_by_capacity(const struct placement *placement)
{
    enum replica_strategy strategy = placement_strategy(placement);

    return strategy == STRATEGY_DYNAMIC_WEIGHT || strategy == STRATEGY_AGGREGATED;
}

/* The last entry with a count wins: upstream reads the entries into a map, one after another. */
static int32_t
ready_replicas(const struct binding *binding, const char *cluster_name)
{
    int32_t ready = READY_UNKNOWN;
    uint32_t at;

    for (uint32_t n = 0; (at = binding_nth_status(binding, cluster_name, n)) != NAME_NONE; n++) {
        const struct aggregated_status *status = &binding->aggregated[at];

        ready = status->ready_replicas >= 0 ? status->ready_replicas : ready;
    }
    return ready;
}

static int32_t
left_in_cluster(int32_t assigned, int32_t ready, int32_t unschedulable)
{
    if (ready >= assigned || unschedulable <= 0 || unschedulable > assigned) {
        return assigned;
    }
    int32_t left = assigned - unschedulable;

    return left < ready ? ready : left;
}

bool
evict_eligible(const struct binding *binding)
{
    return str_eq(binding->resource.api_version, "apps/v1") &&
           str_eq(binding->resource.kind, "Deployment") &&
           binding->applied_state == APPLIED_PARSED &&
           places_by_capacity(binding->applied_placement);
}

bool
evict_replicas(const struct binding *binding, const int32_t *unschedulable, int32_t *ret_replicas)
{
    bool stays = binding->deletion_timestamp != TIME_NONE;
    bool changes = false;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        int32_t ready = ready_replicas(binding, target->name);

        ret_replicas[i] =
            stays ? target->replicas : left_in_cluster(target->replicas, ready, unschedulable[i]);
        changes = changes || ret_replicas[i] != target->replicas;
    }
    return changes;
}
