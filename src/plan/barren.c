/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters where more replicas of a workload would not run either: it is not
 * applied there, its pods are not created, or they hang. They are no
 * destinations; what is there stays.
 */
#include "ballast/base/str.h"
#include "planner.h"

/* Whoever stands in for a scheduler decides as it would. */
static const struct target_state *
state_in(const struct planner *planner, const struct move *move, const char *cluster)
{
    int target = binding_find_target(move->binding, cluster);

    return target >= 0 && !policy_stands_in(planner->policy) ? &move->targets[target] : NULL;
}

static const char *
not_applied(const struct planner *planner, const struct move *move, const char *cluster)
{
    const struct federated *federated = move->binding->federated;
    const struct propagation_failure *failure =
        federated != NULL ? federated_failure(federated, cluster) : NULL;
    const struct aggregated_status *status = binding_find_status(move->binding, cluster);

    if (failure != NULL && propagation_is_failure(failure)) {
        return arena_printf(planner->scratch, "KubeFed cannot do what it is told there: %s",
                            failure->status);
    }
    return !policy_stands_in(planner->policy) && status_is_not_applied(status)
               ? arena_printf(planner->scratch, "Karmada cannot apply it there: %s",
                              status->applied_message)
               : NULL;
}

const char *
move_barren_reason(const struct planner *planner, const struct move *move, const char *cluster,
                   const char **ret_code)
{
    const struct target_state *state = state_in(planner, move, cluster);
    const char *why = not_applied(planner, move, cluster);

    *ret_code = "NotApplied";
    if (why != NULL || state == NULL || state->lost) {
        return why;
    }
    if (state->uncreated > 0) {
        *ret_code = "PodsNotCreated";
        return arena_printf(planner->scratch, "%d of its replicas have no pod there already",
                            state->uncreated);
    }
    *ret_code = "NotReadyReplicas";
    return state->hanging > 0 ? "its pods there have not been ready for long, and none is" : NULL;
}

/* Where it cannot be applied, whether it is a target there or has been one. */
static void
close_refusing(const struct planner *planner, const struct move *move,
               const struct move_marks *marks, const char *name)
{
    uint32_t cluster = not_applied(planner, move, name) != NULL
                           ? fleet_find_cluster(planner->fleet, name)
                           : CLUSTER_NONE;

    if (cluster != CLUSTER_NONE) {
        marks->closed[cluster] = true;
        marks->excluded[cluster] = marks->excluded[cluster] || !move_holds_some(move, name);
    }
}

void
close_barren(struct planner *planner, const struct move *move, const struct move_marks *marks)
{
    const struct federated *federated = move->binding->federated;
    const char *code;

    for (uint32_t i = 0; federated != NULL && i < federated->n_failures; i++) {
        close_refusing(planner, move, marks, federated->failures[i].cluster_name);
    }
    for (uint32_t i = 0; i < move->binding->n_aggregated; i++) {
        close_refusing(planner, move, marks, move->binding->aggregated[i].cluster_name);
    }
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target *target = &move->binding->clusters.items[i];

        if (target->cluster != CLUSTER_NONE &&
            move_barren_reason(planner, move, target->name, &code) != NULL) {
            marks->closed[target->cluster] = true;
        }
    }
}
