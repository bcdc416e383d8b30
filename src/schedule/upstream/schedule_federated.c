/* SPDX-License-Identifier: Apache-2.0
 *
 * What KubeFed's scheduling manager answers for an object of its own (kubefed
 * pkg/controller/schedulingpreference and pkg/schedulingtypes): by its own
 * selectors and what the members themselves show, whatever a diagnosis says.
 * Neither list of clusters is looked at, and what the namespace does not have
 * is dropped later, by who propagates.
 */
#include "ballast/model/federation.h"
#include "kubefed_pods.h"
#include "schedule/attempt/scheduler.h"
#include "schedule_kubefed.h"

static bool
is_selected(const struct federated_placement *placement, const struct cluster *cluster)
{
    return placement->selector != NULL &&
           label_selector_matches(placement->selector, &cluster->labels);
}

static bool
is_candidate(const struct federated *federated, const struct cluster *cluster)
{
    return kubefed_is_ready(cluster) &&
           (!federated->intersects || (is_selected(federated->placement, cluster) &&
                                       is_selected(federated->namespace_, cluster)));
}

/* If the member lacks the object, any number fits and none is known to run. */
static bool
take_state(const struct schedule_request *request, const struct member *member,
           struct rebalance_cluster *entry, struct error *err)
{
    struct kubefed_replica_state state;

    if (!kubefed_replica_state(member, &request->binding->resource, request->now, &state, err)) {
        return error_wrap(err, "%s", entry->name);
    }
    if (state.is_there) {
        entry->current = state.current;
    }
    if (state.has_capacity) {
        entry->capacity = state.capacity;
    }
    return true;
}

static bool
gather(const struct fleet *fleet, struct arena *arena, const struct schedule_request *request,
       struct ready_clusters *all, struct error *err)
{
    const struct binding *binding = request->binding;

    if (binding->federated->intersects && binding->federated->namespace_ == NULL) {
        return error_set(err, ERROR_INVALID, "there is no FederatedNamespace %s/%s",
                         binding->namespace_, binding->namespace_);
    }
    *all = (struct ready_clusters){
        .entries = ARENA_ARRAY(arena, struct rebalance_cluster, fleet->n_clusters),
        .clusters = ARENA_ARRAY(arena, uint32_t, fleet->n_clusters),
    };
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];

        if (is_candidate(binding->federated, cluster) &&
            !take_state(request, &fleet->members[i],
                        kubefed_add_cluster(all, request->preference, cluster, i), err)) {
            return false;
        }
    }
    return true;
}

void
schedule_federated(struct scheduler *scheduler, struct arena *arena,
                   const struct schedule_request *request, struct schedule_result *ret)
{
    struct ready_clusters all;
    struct error err = ERROR_INIT;

    if (!gather(scheduler->fleet, arena, request, &all, &err)) {
        ret->failure = SCHEDULE_OTHER_ERROR;
        ret->message = arena_strndup(arena, err.message, strlen(err.message));
        return;
    }
    kubefed_divide(arena, request, &all, INT32_MIN, ret);
}
