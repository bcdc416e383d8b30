/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether and why karmada-scheduler would schedule a binding: what stands beside
 * Ballast in the simulation, and the vectors of that name. Ballast itself asks
 * for the parts.
 */
#ifndef BALLAST_TESTS_UPSTREAM_TRIGGER_H
#define BALLAST_TESTS_UPSTREAM_TRIGGER_H

#include "ballast/base/timestamp.h"
#include "ballast/schedule/schedule.h"

enum upstream_trigger {
    TRIGGER_NONE,
    TRIGGER_PLACEMENT_CHANGED,
    TRIGGER_REPLICAS_CHANGED,
    TRIGGER_RESCHEDULE,
    TRIGGER_ALWAYS,
    TRIGGER_TERMINATING_CLUSTER,
};

static inline bool
has_terminating_target(const struct fleet *fleet, const struct binding *binding)
{
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        uint32_t cluster = binding->clusters.items[i].cluster;

        if (cluster < fleet->n_clusters &&
            fleet->clusters[cluster].deletion_timestamp != TIME_NONE) {
            return true;
        }
    }
    return false;
}

static inline enum upstream_trigger
upstream_trigger(const struct fleet *fleet, const struct binding *binding)
{
    if (binding->deletion_timestamp != TIME_NONE || binding->placement == NULL) {
        return TRIGGER_NONE;
    }
    if (schedule_placement_changed(binding)) {
        return TRIGGER_PLACEMENT_CHANGED;
    }
    if (schedule_replicas_changed(binding)) {
        return TRIGGER_REPLICAS_CHANGED;
    }
    if (binding_reschedule_required(binding)) {
        return TRIGGER_RESCHEDULE;
    }
    if (!binding_is_workload(binding) ||
        placement_strategy(binding->placement) == STRATEGY_DUPLICATED) {
        return TRIGGER_ALWAYS;
    }
    return has_terminating_target(fleet, binding) ? TRIGGER_TERMINATING_CLUSTER : TRIGGER_NONE;
}

/* "placementChanged", ... */
static inline const char *
upstream_trigger_name(enum upstream_trigger trigger)
{
    switch (trigger) {
    case TRIGGER_NONE:
        return "none";
    case TRIGGER_PLACEMENT_CHANGED:
        return "placementChanged";
    case TRIGGER_REPLICAS_CHANGED:
        return "replicasChanged";
    case TRIGGER_RESCHEDULE:
        return "rescheduleTriggered";
    case TRIGGER_ALWAYS:
        return "alwaysScheduled";
    case TRIGGER_TERMINATING_CLUSTER:
        return "terminatingCluster";
    }
    return "none";
}

#endif
