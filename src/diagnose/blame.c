/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is to blame where pods fail: the cluster, when the same version of the
 * workload is ready in another one, or when the workload's failover behaviour
 * asks to leave whatever the cause. Else the failure would follow the workload
 * (a broken image crashes everywhere), and moving it would only tour the fleet.
 */
#include "parts.h"

#include "ballast/base/str.h"

/* Pods are known in both clusters. Old replicas that are still ready while a rollout fails are no
 * proof: the versions must be the same, or where overrides make the templates differ, the other one
 * at least as new. */
static bool
is_same_version(const struct observation *failing, const struct trouble *trouble,
                const struct observation *other)
{
    if (failing->current != NULL || other->current != NULL) {
        return failing->current != NULL && other->current != NULL &&
               (same_template(failing->current, other->current) ||
                other->current_since >= failing->current_since);
    }
    return str_eq(trouble->revision, other->ready_revision);
}

/* Only counts are known: of `replicas` pods `updated` are of the current version and `ready` are
 * ready. When the two overlap for sure, one of the current version is ready. */
static bool
is_status_proof(const struct binding *binding, const char *cluster_name)
{
    const struct aggregated_status *status = binding_find_status(binding, cluster_name);

    if (status == NULL || !status->applied || status->ready_replicas <= 0) {
        return false;
    }
    if (status->updated_replicas < 0) {
        return status->health == HEALTH_HEALTHY && !str_eq(binding->resource.kind, "Deployment");
    }
    return (int64_t)status->ready_replicas + status->updated_replicas > status->replicas;
}

static bool
is_ready_there(const struct diagnosis *diagnosis, const struct binding *binding,
               const struct target *other, const struct observation *failing,
               const struct trouble *trouble, const struct observation *there)
{
    if (other->cluster == CLUSTER_NONE || !diagnosis->clusters[other->cluster].ready) {
        return false; /* what it says may be long over */
    }
    if (there->ready_current < 0) {
        return is_status_proof(binding, other->name);
    }
    return there->ready_current > 0 && is_same_version(failing, trouble, there);
}

bool
is_cluster_to_blame(const struct diagnosis *diagnosis, const struct binding *binding,
                    const struct binding_state *state, const struct observations *observations,
                    uint32_t target, const char **ret_witness)
{
    const struct observation *items = &observations->items[state->first_target];
    const struct trouble *trouble = &observations->troubles.items[items[target].trouble];

    *ret_witness = NULL;
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *other = &binding->clusters.items[i];

        if (i != target &&
            is_ready_there(diagnosis, binding, other, &items[target], trouble, &items[i]) &&
            (*ret_witness == NULL || strcmp(other->name, *ret_witness) < 0)) {
            *ret_witness = other->name;
        }
    }
    return *ret_witness != NULL || trouble->failover_asked;
}
