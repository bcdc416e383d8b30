/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds pods that cannot start or stay up, in words.
 */
#include "ballast/base/str.h"
#include "diagnose/members/observed.h"
#include "findings.h"

/* True if no rollout is under way, and the failing pods are surplus that the member will delete. */
static bool
is_running_down(const struct silent_target *spot)
{
    return spot->state->ready == spot->seen->ready_current &&
           spot->state->seen - spot->target->replicas >= spot->trouble->failed.count;
}

static bool
is_failing(const struct silent_target *spot)
{
    if (spot->trouble == NULL || spot->target->replicas == 0) {
        return false;
    }
    return spot->trouble->failed.count > 0 ? spot->state->failed > 0 || !is_running_down(spot)
                                           : spot->trouble->replacing.ended > 0;
}

/* Failing pods of a rollout come on top of old ready pods, so they count as pods, not replicas. */
static const char *
how_many_text(const struct finder *finder, const struct silent_target *spot)
{
    const int32_t pods = spot->trouble->failed.count;

    return spot->state->failed > 0 ? arena_printf(finder->arena, "%d of %d replicas failing",
                                                  spot->state->failed, spot->target->replicas)
           : pods > 0 ? arena_printf(finder->arena, "%d pod%s failing", pods, pods == 1 ? "" : "s")
                      : "pods end again and again";
}

static const char *
failing_text(const struct finder *finder, const struct silent_target *spot)
{
    const struct pod_tally *failed = &spot->trouble->failed;
    const struct replacing *replacing = &spot->trouble->replacing;
    const bool is_of_pods = failed->count > 0;
    const char *message = is_of_pods ? quote_text(finder->arena, failed->message) : "";

    if (str_is_empty(message) && replacing->ended > 0) {
        message = arena_printf(finder->arena, "%d pods ended and were replaced", replacing->ended);
    }
    return arena_printf(finder->arena, "%s%s: %s%s%s", how_many_text(finder, spot),
                        since_text(finder->arena, is_of_pods ? failed->since : replacing->since,
                                   finder->policy->now),
                        quote_text(finder->arena, is_of_pods ? failed->reason : replacing->reason),
                        str_is_empty(message) ? "" : ": ", message);
}

static const char *
verdict_in_words(const struct finder *finder, const struct silent_target *spot,
                 const struct blame_verdict *verdict)
{
    if (spot->trouble->failed.count == 0) {
        return "the pods that are there now are ready, so nothing needs to move";
    }
    return spot->state->failed == 0 && verdict->ground != BLAME_IS_WORKLOADS
               ? "older pods keep the assigned replicas ready, so nothing needs to move"
               : verdict_text(finder->arena, verdict);
}

static int32_t
count_failing(const struct silent_target *spot)
{
    const int32_t pods = spot->trouble->failed.count > 0 ? spot->trouble->failed.count
                                                         : spot->trouble->replacing.next;

    return spot->state->failed > 0         ? spot->state->failed
           : pods < spot->target->replicas ? pods
                                           : spot->target->replicas;
}

void
find_failed(struct finder *finder, const struct silent_target *spot)
{
    if (!is_failing(spot)) {
        return;
    }
    const struct blame_verdict verdict = blame_for(finder, spot, FINDING_FAILED_REPLICAS);
    const bool is_clusters = verdict.ground != BLAME_IS_WORKLOADS;
    struct finding *finding =
        finding_add_at(finder, spot->binding, FINDING_FAILED_REPLICAS, spot->target);

    finding->blame = is_clusters ? BLAME_CLUSTER : BLAME_WORKLOAD;
    finding->triggers = finding->triggers && is_clusters && spot->state->failed > 0;
    finding->replicas = count_failing(spot);
    finding->since = spot->trouble->failed.count > 0 ? spot->trouble->failed.since
                                                     : spot->trouble->replacing.since;
    finding->message = arena_printf(finder->arena, "%s; %s", failing_text(finder, spot),
                                    verdict_in_words(finder, spot, &verdict));
}
