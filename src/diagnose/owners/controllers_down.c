/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds workloads that no controller of their cluster looks at: kube-controller-manager is down
 * there, or cannot act. Their pods are not on their way, although no refusal is recorded.
 *
 * No object records the time of this. But the controllers worked when they last made a pod, and had
 * seen everything written before.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/closed_clusters.h"
#include "diagnose/members/observed.h"
#include "owners.h"

static bool
is_built_in(const struct object_reference *resource)
{
    return str_eq(resource->api_version, "apps/v1") || str_eq(resource->api_version, "batch/v1");
}

void
find_newest_pods(const struct finder *finder, struct cluster_health *health)
{
    const struct fleet *fleet = finder->fleet;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        health[i].newest_pod = TIME_NONE;
    }
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        const struct observation *items =
            &finder->observations->items[finder->diagnosis->bindings[i].first_target];

        for (uint32_t j = 0; is_built_in(&binding->resource) && j < binding->clusters.count; j++) {
            const uint32_t cluster = binding->clusters.items[j].cluster;

            if (cluster != CLUSTER_NONE && items[j].newest > health[cluster].newest_pod) {
                health[cluster].newest_pod = items[j].newest;
            }
        }
    }
}

/* True if nothing was written lately that a controller had to look at, and no pod was made since.
 * Writes of earlier runs do not count: otherwise each run that moves replicas would hide for a
 * while that a cluster's controllers are down. */
static bool
is_quiet(const struct finder *finder, const struct binding *binding, const struct target *target,
         const struct workload *workload)
{
    const struct policy *policy = finder->policy;
    const int64_t newest = finder->diagnosis->clusters[target->cluster].newest_pod;

    return !is_recent(policy, newest) && !is_recent(policy, workload->creation) &&
           !is_just_written_by_others(policy, binding);
}

/* True if the controller should have made pods since the last write, and has made none. */
static bool
has_never_run(const struct binding *binding, const struct workload *workload,
              const struct target_state *state, const struct trouble *trouble)
{
    return (trouble == NULL || trouble->leaving == 0) && state->seen == 0 && state->failed >= 0 &&
           workload->replicas != 0 && !workload->is_paused && is_write_known(binding);
}

bool
is_unattended(const struct finder *finder, uint32_t binding, uint32_t target)
{
    const struct binding *of = &finder->fleet->bindings[binding];
    const uint32_t at = finder->diagnosis->bindings[binding].first_target + target;
    const struct target_state *state = &finder->observations->states[at];
    const struct workload *workload = finder->observations->items[at].workload;
    const uint32_t cluster = of->clusters.items[target].cluster;

    return workload != NULL && cluster != CLUSTER_NONE && !state->lost &&
           str_eq(workload->api_version, "apps/v1") && workload->refusal == NULL &&
           workload->problem == NULL &&
           (workload_is_behind(workload) ||
            (has_never_run(of, workload, state,
                           trouble_of(finder->observations, &finder->observations->items[at])) &&
             !is_members_own(of, &of->clusters.items[target], workload,
                             replica_owners_closed(finder->claims, &of->resource)))) &&
           is_quiet(finder, of, &of->clusters.items[target], workload);
}

bool
is_members_own(const struct binding *binding, const struct target *target,
               const struct workload *workload, const struct closed_clusters *closed)
{
    const struct federated *federated = binding->federated;

    return (workload != NULL && workload->retains_replicas) ||
           (federated != NULL && federated->retains_replicas) ||
           (target->cluster != CLUSTER_NONE && closed_clusters_has(closed, target->cluster));
}
