/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters are unhealthy, and which may receive replicas.
 */
#include "parts.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

static struct cluster_health
judge_condition(struct arena *arena, const struct condition *ready, const struct policy *policy)
{
    const char *reason = quote_text(arena, ready->reason);
    int64_t threshold = policy->unhealthy_cluster_threshold;
    bool past = timestamp_is_past(ready->last_transition, threshold, policy->now);

    return (struct cluster_health){
        .healthy = !past,
        .ready = false,
        .since = ready->last_transition,
        .lost_at = past ? TIME_NONE : timestamp_add(ready->last_transition, threshold),
        .reason =
            arena_printf(arena, "Ready is %s%s%s%s%s", quote_text(arena, ready->status),
                         since_text(arena, ready->last_transition, policy->now),
                         str_is_empty(reason) ? "" : " (", reason, str_is_empty(reason) ? "" : ")"),
    };
}

/* One that came back just now may be about to fall again: replicas that it got would have to be
 * taken off it at once. */
static struct cluster_health
judge_ready(struct arena *arena, const struct condition *ready, const struct policy *policy)
{
    int64_t since = ready->last_transition;
    char span[DURATION_TEXT_MAX];
    bool settling = since != TIME_NONE && policy->cluster_stabilization > 0 &&
                    policy->now < timestamp_add(since, policy->cluster_stabilization);

    return (struct cluster_health){
        .healthy = true,
        .ready = true,
        .settling = settling,
        .since = TIME_NONE,
        .lost_at = TIME_NONE,
        .reason = settling ? arena_printf(arena, "Ready%s only, which is less than %s",
                                          since_text(arena, since, policy->now),
                                          duration_format(policy->cluster_stabilization, span))
                           : "",
    };
}

static struct cluster_health
judge_cluster(struct arena *arena, const struct cluster *cluster, const struct policy *policy,
              bool is_unwatched)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    if (is_unwatched) {
        return (struct cluster_health){
            .healthy = true,
            .since = TIME_NONE,
            .lost_at = TIME_NONE,
            .reason = arena_printf(arena, "KubeFed has not looked at it%s",
                                   since_text(arena, cluster->probed, policy->now))};
    }
    if (cluster->deletion_timestamp != TIME_NONE) {
        int64_t since = cluster->deletion_timestamp;

        return (struct cluster_health){
            .since = since,
            .lost_at = TIME_NONE,
            .reason =
                arena_printf(arena, "being deleted%s", since_text(arena, since, policy->now))};
    }
    if (ready == NULL) {
        /* it has just joined, or nobody looks after it: nothing says that what is there is lost */
        return (struct cluster_health){.healthy = true,
                                       .since = TIME_NONE,
                                       .lost_at = TIME_NONE,
                                       .reason = "it has no Ready condition yet"};
    }
    return str_eq(ready->status, "True") ? judge_ready(arena, ready, policy)
                                         : judge_condition(arena, ready, policy);
}

void
diagnose_clusters(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                  struct diagnosis *ret)
{
    struct cluster_health *health = ARENA_ARRAY(arena, struct cluster_health, fleet->n_clusters);

    bool is_unwatched = fleet_is_unwatched(fleet, policy->now);

    ret->n_unhealthy_clusters = 0;
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        health[i] = judge_cluster(arena, &fleet->clusters[i], policy, is_unwatched);
        ret->n_unhealthy_clusters += health[i].healthy ? 0 : 1;
    }
    ret->clusters = health;
    diagnose_guard(arena, fleet, policy, health, ret);
}
