/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts assigned replicas by state. Each replica has the first state in this file that fits.
 */
#include "observed.h"

static int32_t
take(int32_t *left, int32_t count)
{
    int32_t taken = count < 0 ? 0 : count < *left ? count : *left;

    *left -= taken;
    return taken;
}

/* Replicas on a ready cluster that is lost by a taint still run. */
static bool
is_gone(const struct finder *finder, const struct silent_target *spot)
{
    uint32_t cluster = spot->target->cluster;

    return spot->state->lost &&
           (cluster == CLUSTER_NONE || !finder->diagnosis->clusters[cluster].ready);
}

/* Counts failing pods also where the workload is to blame. */
static int32_t
count_failing(const struct silent_target *spot)
{
    int32_t seen = spot->trouble != NULL ? spot->trouble->failed.count : 0;

    return seen > spot->state->failed ? seen : spot->state->failed;
}

static void
fill_down(const struct finder *finder, const struct silent_target *spot, int32_t left, int32_t *of)
{
    const struct target_state *state = spot->state;

    of[REPLICA_STUCK] = take(&left, state->unschedulable);
    of[REPLICA_FAILING] = take(&left, count_failing(spot));
    of[REPLICA_STUCK] += take(&left, spot->seen->is_not_applied ? left : state->uncreated);
    if (spot->trouble != NULL) {
        of[REPLICA_STUCK] += take(&left, spot->trouble->on_dead.count);
        of[REPLICA_UNEXPLAINED] = take(&left, spot->trouble->lingering.count);
    }
    if (state->failed < 0 && /* the pods are not seen, nor since when they are not ready */
        !is_just_written(finder->policy, &finder->fleet->bindings[spot->binding],
                         spot->target->name)) {
        of[REPLICA_UNEXPLAINED] += take(&left, left - state->in_flight);
    }
    of[REPLICA_STARTING] = left;
}

/* True for a set of components without pods whose status does not report it healthy. */
static bool
has_no_pods(const struct finder *finder, const struct silent_target *spot)
{
    const struct aggregated_status *status = spot->seen->status;

    return binding_is_set(&finder->fleet->bindings[spot->binding]) && spot->seen->shows_none &&
           (status == NULL || status->health != HEALTH_HEALTHY);
}

/* Returns how many of the `left` replicas are ready. Without a count, the health in the status
 * decides. The status of a set counts pods, but does not show how many pods a set has. */
static int32_t
count_ready(const struct finder *finder, const struct silent_target *spot, int32_t left)
{
    const struct binding *binding = &finder->fleet->bindings[spot->binding];
    const struct target_state *state = spot->state;
    const struct aggregated_status *status = spot->seen->status;
    const bool is_told = state->failed < 0 && status != NULL;

    if (state->ready < 0) {
        return (is_told && status->health == HEALTH_UNHEALTHY) || has_no_pods(finder, spot) ? 0
                                                                                            : left;
    }
    return is_told && binding_is_set(binding) ? left - (state->seen - state->ready) : state->ready;
}

void
fill_replica_states(const struct finder *finder, const struct silent_target *spot, int32_t wanted,
                    struct target_state *ret)
{
    int32_t left = spot->target->replicas > 0 ? spot->target->replicas : 0;
    int32_t *of = ret->of_state;

    if (ret->owner == FAILOVER_OWNER_FINISHED) {
        return;
    }
    if (is_gone(finder, spot)) {
        of[REPLICA_LOST] = left;
        return;
    }
    left = take(&left, wanted);
    of[REPLICA_READY] = take(&left, count_ready(finder, spot, left));
    fill_down(finder, spot, left, of);
    if (ret->failed < 0 && of[REPLICA_READY] == 0) {
        ret->hanging = of[REPLICA_UNEXPLAINED];
    }
}
