/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether karmada-scheduler would schedule a binding at all (its
 * doScheduleBinding): the first of its conditions that holds.
 */
#include "ballast/base/timestamp.h"
#include "ballast/schedule/schedule.h"

/* Only the term in use counts: others may change. */
static bool
affinities_changed(const struct affinity_term_list *wanted,
                   const struct affinity_term_list *applied, const char *observed)
{
    const struct affinity_term *wanted_term = affinity_term_list_find(wanted, observed, 0);
    const struct affinity_term *applied_term = affinity_term_list_find(applied, observed, 0);

    if (str_is_empty(observed) || wanted_term == NULL || applied_term == NULL) {
        return true;
    }
    return !affinity_term_equal(wanted_term, applied_term);
}

/* Compares all but the terms and the affinity groups, which count only through the term in use. */
static bool
rest_equal(const struct placement *a, const struct placement *b)
{
    struct placement x = *a;
    struct placement y = *b;

    y.cluster_affinities = x.cluster_affinities;
    y.affinity_group_label_key = x.affinity_group_label_key;
    y.anti_affinity_group_label_key = x.anti_affinity_group_label_key;
    y.has_workload_affinity = x.has_workload_affinity;
    y.has_workload_affinity_term = x.has_workload_affinity_term;
    y.has_workload_anti_affinity_term = x.has_workload_anti_affinity_term;
    return placement_equal(&x, &y);
}

bool
schedule_placement_differs(const struct binding *binding, const struct placement *applied)
{
    if (placement_equal(binding->placement, applied)) {
        return false;
    }
    return !rest_equal(binding->placement, applied) ||
           affinities_changed(&binding->placement->cluster_affinities, &applied->cluster_affinities,
                              binding_rare(binding)->observing_affinity_name);
}

bool
schedule_placement_changed(const struct binding *binding)
{
    if (binding->placement == NULL || binding->applied_state == APPLIED_MALFORMED) {
        return false;
    }
    return binding->applied_state == APPLIED_ABSENT ||
           schedule_placement_differs(binding, binding->applied_placement);
}

enum reschedule_state
schedule_placement_state(const struct binding *binding)
{
    const struct placed_for *met = binding->placed_for;

    if (binding->placement == NULL || met == NULL || met->placement == NULL ||
        schedule_placement_differs(binding, met->placement)) {
        return RESCHEDULE_OPEN;
    }
    return met->partly ? RESCHEDULE_PARTLY : RESCHEDULE_MET;
}

bool
schedule_replicas_changed(const struct binding *binding)
{
    const struct placement *placement = binding->placement;
    int64_t sum = 0;
    bool differs = false;

    if (placement == NULL || !placement->replica_scheduling.present) {
        return false;
    }
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        int32_t replicas = binding_written_replicas(binding, i);

        sum += replicas;
        differs = differs || replicas != binding->replicas;
    }
    if (str_eq(placement->replica_scheduling.type, "Duplicated")) {
        return differs;
    }
    return placement_is_divided(placement) && sum != binding->replicas;
}
