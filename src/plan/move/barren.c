/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds clusters where more replicas of a workload would not run: it cannot be applied there, pods
 * fail, or its Job part is fixed. They are no destinations; replicas there stay.
 */
#include "ballast/base/str.h"
#include "move.h"

/* NULL for a policy that stands in for a scheduler, which does not look at pods. */
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

/* Closes clusters that hold an object of that name which Karmada does not manage. */
static void
close_foreign(const struct planner *planner, const struct move *move,
              const struct move_marks *marks)
{
    const struct diagnosis *diagnosis = planner->diagnosis;
    const struct stuck_place *places = diagnosis->elsewhere;

    for (uint32_t i = stuck_places_of(places, diagnosis->n_elsewhere, move->index);
         i < diagnosis->n_elsewhere && places[i].binding == move->index &&
         !policy_stands_in(planner->policy);
         i++) {
        if (places[i].is_foreign) {
            marks->closed[places[i].cluster] = true;
            marks->excluded[places[i].cluster] = true;
        }
    }
}

static bool
is_foreign_in(const struct planner *planner, const struct move *move, const char *cluster)
{
    const struct diagnosis *diagnosis = planner->diagnosis;
    const struct stuck_place *places = diagnosis->elsewhere;

    for (uint32_t i = stuck_places_of(places, diagnosis->n_elsewhere, move->index);
         i < diagnosis->n_elsewhere && places[i].binding == move->index &&
         !policy_stands_in(planner->policy);
         i++) {
        if (places[i].is_foreign &&
            str_eq(planner->fleet->clusters[places[i].cluster].name, cluster)) {
            return true;
        }
    }
    return false;
}

/* Returns why the part of a Job there can take no more replicas; NULL: it can, or there is none. */
static const char *
job_part_text(const struct target_state *state)
{
    static const char *const texts[] = {
        [JOB_PART_NONE] = NULL,
        [JOB_PART_COMPLETIONS] =
            "a part of the Job is there already; Karmada divides spec.completions with the "
            "replicas, and the cluster refuses to change that of a Job",
        [JOB_PART_ENDED] = "a part of the Job has ended there, and runs no more pods",
        [JOB_PART_SUCCEEDED] = "a pod of the Job has succeeded there; without spec.completions, no "
                               "more pods are made then",
        [JOB_PART_UNSEEN] = "a part of the Job is there already, and nobody sees whether it has "
                            "spec.completions, which a cluster refuses to change",
    };

    return state != NULL && !state->lost && state->job_part < sizeof(texts) / sizeof(texts[0])
               ? texts[state->job_part]
               : NULL;
}

/* Returns why more replicas would not run beside those there; NULL: nothing is known against it. */
static const char *
barren_part_text(const struct planner *planner, const struct move *move, const char *cluster,
                 const struct target_state *state, const char **ret_code)
{
    if (job_part_text(state) != NULL) {
        *ret_code = "JobPartFixed";
        return job_part_text(state);
    }
    if (is_quota_spent(planner, move, cluster) && (state == NULL || state->uncreated == 0)) {
        *ret_code = "QuotaReached";
        return arena_printf(planner->scratch,
                            "a ResourceQuota there refuses more pods of namespace %s",
                            move->binding->namespace_);
    }
    if (state == NULL || state->lost) {
        return NULL;
    }
    if (state->uncreated > 0) {
        *ret_code = "PodsNotCreated";
        return arena_printf(planner->scratch, "%d of its replicas have no pod there already",
                            state->uncreated);
    }
    if (state->replaced > 0) {
        *ret_code = "FailedReplicas";
        return arena_printf(planner->scratch,
                            "%d of its pods there ended and were replaced, again and again",
                            state->replaced);
    }
    if (state->hanging > 0) {
        *ret_code = "NotReadyReplicas";
        return state->failed < 0 ? "none of its replicas is ready there, by its status"
                                 : "its pods there have not been ready for long, and none is";
    }
    return NULL;
}

const char *
move_barren_reason(const struct planner *planner, const struct move *move, const char *cluster,
                   const char **ret_code)
{
    const char *refused = not_applied(planner, move, cluster);

    if (is_foreign_in(planner, move, cluster)) {
        *ret_code = "ResourceConflict";
        return arena_printf(planner->scratch,
                            "a %s of that name is there that Karmada does not manage, and the "
                            "policy does not say conflictResolution: Overwrite",
                            move->binding->resource.kind);
    }
    if (refused != NULL) {
        *ret_code = "NotApplied";
        return refused;
    }
    return barren_part_text(planner, move, cluster, state_in(planner, move, cluster), ret_code);
}

/* Closes the cluster if the workload cannot be applied there, whether or not it is a target. */
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
    const bool is_seen = !policy_stands_in(planner->policy);
    const char *code;

    close_foreign(planner, move, marks);
    close_spent(planner, move, marks);
    for (uint32_t i = 0; federated != NULL && i < federated->n_failures; i++) {
        close_refusing(planner, move, marks, federated->failures[i].cluster_name);
    }
    for (uint32_t i = 0; i < move->binding->n_aggregated; i++) {
        const struct aggregated_status *status = &move->binding->aggregated[i];

        if (status_is_not_applied(status)) {
            close_refusing(planner, move, marks, status->cluster_name);
        }
    }
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target *target = &move->binding->clusters.items[i];

        if (target->cluster != CLUSTER_NONE &&
            barren_part_text(planner, move, target->name, is_seen ? &move->targets[i] : NULL,
                             &code) != NULL) {
            marks->closed[target->cluster] = true;
        }
    }
}
