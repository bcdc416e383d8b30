/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether all pods of a workload in a member are known: what does not lead to
 * them may not have been seen.
 */
#include "ballast/base/str.h"
#include "parts.h"

/* Of these the controller itself makes the pods: whatever they have leads to them. */
static bool
owns_its_pods(const struct binding *binding)
{
    const char *kind = binding->resource.kind;

    return (str_eq(kind, "ReplicaSet") || str_eq(kind, "StatefulSet")) &&
           str_eq(binding->resource.api_version, "apps/v1");
}

bool
are_pods_known(const struct binding *binding, const struct aggregated_status *status,
               const struct workload_view *view)
{
    const struct member *member = view->member;

    if (!member->has_pods) {
        return false;
    }
    if (str_eq(binding->resource.kind, "Deployment")) {
        return member->has_replica_sets;
    }
    if (owns_its_pods(binding)) {
        return true;
    }
    bool any = view->first_pod != POD_NONE || view->first_settled != POD_NONE;

    if (binding_is_set(binding)) {
        return any; /* its status does not say how many there should be */
    }
    /* pods of a custom resource may hang on objects that are not seen: that no pod leads to it is
     * evidence only where the status does not say otherwise */
    return any || status == NULL || status->replicas <= 0;
}

/* Kubernetes leaves a count of 0 out of a status; a status without replicas tells nothing. */
void
state_by_status(const struct aggregated_status *status, struct target_state *state)
{
    if (status != NULL && status->has_status && status->replicas >= 0) {
        state->seen = status->replicas;
        state->ready = status->ready_replicas >= 0 ? status->ready_replicas : 0;
    } else if (status != NULL) {
        state->ready = status->ready_replicas;
    }
}
