/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether all pods of a workload in a member are known: owners may be unread.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "observed.h"

/* True if the controller owns its pods directly, so that each pod leads to the workload. */
static bool
owns_its_pods(const struct binding *binding)
{
    const char *kind = binding->resource.kind;

    return (str_eq(kind, "ReplicaSet") || str_eq(kind, "StatefulSet")) &&
           str_eq(binding->resource.api_version, "apps/v1");
}

static bool
any_is_unread(const struct workload_view *view, const struct workload_index *index)
{
    for (uint32_t i = view->first_pod; i != POD_NONE; i = workload_index_next_pod(index, i)) {
        if (view->member->pods[i].is_unread) {
            return true;
        }
    }
    return false;
}

bool
member_shows_pods_of(const struct member *member, const char *namespace_)
{
    uint32_t low = 0, high = member->n_pods;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (strcmp(member->pods[middle].namespace_, namespace_) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool shows = low < member->n_pods && str_eq(member->pods[low].namespace_, namespace_);

    for (uint32_t i = 0; i < member->n_settled && !shows; i++) {
        shows = str_eq(member->settled[i].namespace_, namespace_);
    }
    for (uint32_t i = 0; i < member->n_settled_workloads && !shows; i++) {
        shows = member->settled_workloads[i].count > 0 &&
                str_eq(member->settled_workloads[i].version->namespace_, namespace_);
    }
    return shows;
}

static bool
is_told_ready(const struct aggregated_status *status, const struct workload_view *view)
{
    return view->workload != NULL ? view->workload->ready_replicas > 0
                                  : status != NULL && status->ready_replicas > 0;
}

/* Nothing marks a list of pods from some namespaces, except a status with unseen ready pods. */
static bool
is_left_out(const struct binding *binding, const struct aggregated_status *status,
            const struct workload_view *view)
{
    return is_told_ready(status, view) &&
           !member_shows_pods_of(view->member, binding->resource.namespace_);
}

bool
are_pods_known(const struct binding *binding, const struct aggregated_status *status,
               const struct workload_view *view, const struct workload_index *index)
{
    const struct member *member = view->member;
    const bool any =
        view->first_pod != POD_NONE || view->first_settled != POD_NONE || view->settled != NULL;

    if (!member->has_pods || any_is_unread(view, index) ||
        (!any && is_left_out(binding, status, view))) {
        return false;
    }
    if (str_eq(binding->resource.kind, "Deployment")) {
        return member->has_replica_sets;
    }
    if (owns_its_pods(binding)) {
        return true;
    }
    if (binding_is_set(binding)) {
        return any; /* no status shows how many pods a set should have */
    }
    /* pods of a custom resource may belong to unseen objects: their absence is evidence only if the
     * status agrees */
    return any || status == NULL || status->replicas <= 0;
}

/* Kubernetes omits a count of 0 from a status; a status without replicas is no evidence. */
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
