/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds replicas without a pod that reports a failure: the workload is not applied, its pods are
 * not created, or they do not become ready. If the configuration makes one of these a trigger, the
 * replicas move as failing replicas do: if the cluster is to blame.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"
#include "findings.h"

static struct finding *
add_silent(struct finder *finder, const struct silent_target *spot, enum finding_type type,
           int64_t replicas)
{
    struct finding *finding = finding_add_at(finder, spot->binding, type, spot->target);

    if (replicas < finding->replicas) {
        finding->replicas = pin_int32(replicas);
    }
    return finding;
}

/* True if the cluster itself is at fault, without a witness: its nodes are dead, a quota there
 * refuses the pods, or no controller makes them. A workload that Ballast moved before for this
 * finding is itself at fault. */
static bool
is_clusters_own(const struct finder *finder, const struct silent_target *spot,
                enum finding_type type)
{
    const struct workload *workload = spot->seen->workload;

    if (type == FINDING_NODES_NOT_READY || spot->state->over_quota > 0) {
        return true;
    }
    if (type == FINDING_PODS_NOT_CREATED && workload != NULL &&
        (workload->refusal != NULL || workload->is_paused)) {
        return false;
    }
    return type != FINDING_NOT_READY_REPLICAS &&
           !failed_before_move(&finder->fleet->bindings[spot->binding], spot->target->name,
                               finder->policy, type);
}

static bool
may_move(const struct finder *finder, const struct silent_target *spot, enum finding_type type)
{
    const struct policy *policy = finder->policy;
    const struct condition *refusal =
        spot->seen->workload != NULL ? spot->seen->workload->refusal : NULL;

    switch (type) {
    case FINDING_NOT_APPLIED: /* not if pods of an earlier apply run */
        return spot->state->failed >= 0 && spot->state->seen < spot->target->replicas &&
               !is_just_written(policy, &finder->fleet->bindings[spot->binding],
                                spot->target->name);
    case FINDING_PODS_NOT_CREATED:
        return refusal == NULL ||
               timestamp_is_past(refusal->last_transition, policy->failed_threshold, policy->now);
    case FINDING_NOT_READY_REPLICAS:
        return spot->trouble->hung != 0; /* a gate or a deletion is not the cluster's fault */
    default:
        return true;
    }
}

struct blame_verdict
blame_for(const struct finder *finder, const struct silent_target *spot, enum finding_type type)
{
    return find_blame(&(struct blame_question){.policy = finder->policy,
                                               .diagnosis = finder->diagnosis,
                                               .binding = &finder->fleet->bindings[spot->binding],
                                               .state = &finder->diagnosis->bindings[spot->binding],
                                               .observations = finder->observations,
                                               .target = spot->number,
                                               .type = type});
}

static void
judge_silent(struct finder *finder, const struct silent_target *spot, struct finding *finding)
{
    if (!finding->triggers) {
        return;
    }
    finding->triggers = finder->diagnosis->clusters[spot->target->cluster].ready &&
                        may_move(finder, spot, finding->type);
    if (!finding->triggers || is_clusters_own(finder, spot, finding->type)) {
        return;
    }
    const struct blame_verdict verdict = blame_for(finder, spot, finding->type);

    finding->triggers = verdict.ground != BLAME_IS_WORKLOADS;
    finding->blame = finding->triggers ? BLAME_CLUSTER : BLAME_WORKLOAD;
    finding->message = arena_printf(finder->arena, "%s; %s", finding->message,
                                    verdict_text(finder->arena, &verdict));
}

/* Leaves out that the cluster is not ready: the cluster has a finding of its own. */
static void
find_not_applied(struct finder *finder, const struct silent_target *spot)
{
    const struct binding *binding = &finder->fleet->bindings[spot->binding];
    const struct propagation_failure *failure =
        binding->federated != NULL ? federated_failure(binding->federated, spot->target->name)
                                   : NULL;
    const struct aggregated_status *status = spot->seen->status;

    const bool is_failure = failure != NULL && propagation_is_failure(failure);

    if (!is_failure && !status_is_not_applied(status)) {
        return;
    }
    struct finding *finding = add_silent(finder, spot, FINDING_NOT_APPLIED, INT32_MAX);

    finding->message = is_failure
                           ? arena_printf(finder->arena, "KubeFed says %s of it in status.clusters",
                                          quote_text(finder->arena, failure->status))
                           : arena_printf(finder->arena, "Karmada says: %s",
                                          quote_text(finder->arena, status->applied_message));
    judge_silent(finder, spot, finding);
}

/* The member's object may ask for fewer replicas; of a Job, by its parallelism. */
static const char *
fewer_text(struct finder *finder, const struct silent_target *spot)
{
    const int32_t told = spot->seen->wanted;

    if (told < 0 || told >= spot->target->replicas) {
        return "nothing there says why";
    }
    return arena_printf(
        finder->arena, "its object there asks for %d%s", told,
        binding_is_suspended_in(&finder->fleet->bindings[spot->binding], spot->target->name)
            ? ", since dispatching to the cluster is suspended"
            : "");
}

static const char *
uncreated_text(struct finder *finder, const struct silent_target *spot)
{
    const struct workload *workload = spot->seen->workload;
    const struct condition *refusal = workload != NULL ? workload->refusal : NULL;
    const struct cluster_health *health = &finder->diagnosis->clusters[spot->target->cluster];

    if (refusal != NULL) {
        return quote_text(finder->arena,
                          str_is_empty(refusal->message) ? refusal->reason : refusal->message);
    }
    if (spot->is_unattended && (health->failing & FAILURE_BIT(FAILURE_CREATION)) != 0) {
        return "no controller there makes its pods, nor those of others: look at its "
               "kube-controller-manager and its admission webhooks";
    }
    if (workload != NULL && workload_is_behind(workload)) {
        return arena_printf(finder->arena,
                            "its controller there has not looked at generation %lld yet",
                            (long long)workload->generation);
    }
    if (workload != NULL && workload->is_paused && spot->state->seen == 0) {
        return "it was paused (spec.paused) before its first pod";
    }
    if (workload != NULL && workload->failed > 0 && workload->ended == ENDED_NOT) {
        return arena_printf(finder->arena,
                            "its Job waits longer after each pod that fails (spec.backoffLimit): "
                            "%lld failed so far",
                            (long long)workload->failed);
    }
    return fewer_text(finder, spot);
}

static void
find_uncreated(struct finder *finder, const struct silent_target *spot)
{
    const struct condition *refusal =
        spot->seen->workload != NULL ? spot->seen->workload->refusal : NULL;

    if (spot->state->uncreated == 0 || spot->seen->is_not_applied) {
        return;
    }
    struct finding *finding =
        add_silent(finder, spot, FINDING_PODS_NOT_CREATED, spot->state->uncreated);

    finding->since = refusal != NULL ? refusal->last_transition
                     : spot->is_unattended && spot->state->seen == 0
                         ? target_written_at(finder, spot->binding, spot->number)
                         : TIME_NONE;
    finding->message = arena_printf(finder->arena, "%d of %d replicas have no pod%s: %s",
                                    finding->replicas, spot->target->replicas,
                                    since_text(finder->arena, finding->since, finder->policy->now),
                                    uncreated_text(finder, spot));
    judge_silent(finder, spot, finding);
}

static void
find_lingering(struct finder *finder, const struct silent_target *spot, enum finding_type type,
               const struct pod_tally *tally)
{
    if (tally->count == 0 || spot->target->replicas <= spot->state->ready) {
        return; /* the ready pods are enough */
    }
    struct finding *finding = add_silent(finder, spot, type, tally->count);

    finding->since = tally->since;
    finding->message = arena_printf(
        finder->arena, "%d of %d replicas not ready%s%s%s: %s", finding->replicas,
        spot->target->replicas,
        type == FINDING_NODES_NOT_READY ? " on nodes that are not ready, such as " : "",
        type == FINDING_NODES_NOT_READY ? quote_text(finder->arena, tally->pod->node_name) : "",
        since_text(finder->arena, tally->since, finder->policy->now),
        quote_text(finder->arena, tally->reason));
    judge_silent(finder, spot, finding);
}

static const char *
unseen_text(const struct finder *finder, const struct silent_target *spot)
{
    const struct binding *binding = &finder->fleet->bindings[spot->binding];

    if (spot->seen->shows_none && binding_is_set(binding)) {
        return "none of the pods there is of it, and its status does not say that it is healthy";
    }
    if (!spot->seen->by_status) {
        return "which of their pods are of the current version is not seen there";
    }
    return arena_printf(finder->arena, "%s says so, and their pods are not seen",
                        binding->federated != NULL ? "KubeFed's remoteStatus"
                                                   : "Karmada's aggregatedStatus");
}

/* Ballast does not see the pods of unexplained replicas, so it has no evidence to move them. */
static void
find_unseen(struct finder *finder, const struct silent_target *spot)
{
    const int32_t count = spot->state->of_state[REPLICA_UNEXPLAINED];

    if (spot->state->failed >= 0 || count == 0) {
        return;
    }
    struct finding *finding = add_silent(finder, spot, FINDING_NOT_READY_REPLICAS, count);

    finding->triggers = false;
    finding->message = arena_printf(finder->arena, "%d of %d replicas not ready: %s", count,
                                    spot->target->replicas, unseen_text(finder, spot));
}

void
find_silent(struct finder *finder, const struct silent_target *spot)
{
    find_not_applied(finder, spot);
    if (spot->target->replicas == 0) {
        return;
    }
    find_uncreated(finder, spot);
    find_unseen(finder, spot);
    if (spot->trouble != NULL) {
        find_lingering(finder, spot, FINDING_NOT_READY_REPLICAS, &spot->trouble->lingering);
        find_lingering(finder, spot, FINDING_NODES_NOT_READY, &spot->trouble->on_dead);
    }
}

void
find_orphans(struct finder *finder, uint32_t binding)
{
    for (size_t i = 0; i < finder->observations->orphans.count; i++) {
        const struct orphan *orphan = &finder->observations->orphans.items[i];

        if (orphan->binding == binding) {
            struct finding *finding = finding_add_at(
                finder, binding, FINDING_ORPHANED_REPLICAS,
                &(struct target){.name = finder->fleet->clusters[orphan->cluster].name,
                                 .cluster = orphan->cluster,
                                 .replicas = orphan->pods});

            finding->triggers = false;
            finding->message = arena_printf(
                finder->arena,
                "%d pod%s where it is no target, kept there by spec.preserveResourcesOnDeletion",
                orphan->pods, orphan->pods == 1 ? "" : "s");
        }
    }
}
