/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds which clusters are unhealthy, and which may receive replicas.
 */
#include "clusters.h"
#include "diagnose/members/observed.h"

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

/* A cluster that just came back may fall again: new replicas would have to leave it at once. */
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

/* True if most pods on nodes are ready: then the reporter of the health is down, not the
 * cluster. */
static bool
is_seen_running(const struct member *member)
{
    uint64_t ready = 0, all = 0;

    if (!member->has_pods) {
        return false;
    }
    for (uint32_t i = 0; i < member->n_settled; i++) {
        ready += member->settled[i].count;
    }
    for (uint32_t i = 0; i < member->n_settled_workloads; i++) {
        ready += member->settled_workloads[i].count;
    }
    all = ready;
    for (uint32_t i = 0; i < member->n_pods; i++) {
        const struct pod *pod = &member->pods[i];

        if (!pod_is_finished(pod) && !str_is_empty(pod->node_name)) {
            all++;
            ready += pod_is_ready(pod) && pod->deletion_timestamp == TIME_NONE ? 1 : 0;
        }
    }
    return ready * 2 > all;
}

static struct cluster_health
judge_agent(struct arena *arena, const struct cluster_health *health)
{
    struct cluster_health ret = *health;

    ret.healthy = true;
    ret.agent_down = true;
    ret.since = ret.lost_at = TIME_NONE;
    ret.reason = arena_printf(arena, "%s, but its pods are seen to be ready", health->reason);
    return ret;
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
        /* it has just joined, or has no watcher: no evidence that its replicas are lost */
        return (struct cluster_health){.healthy = true,
                                       .since = TIME_NONE,
                                       .lost_at = TIME_NONE,
                                       .reason = "it has no Ready condition yet"};
    }
    return str_eq(ready->status, "True") ? judge_ready(arena, ready, policy)
                                         : judge_condition(arena, ready, policy);
}

/* Karmada itself got no answer from the API server, so other evidence of pods is older. */
static bool
is_not_reachable(const struct cluster *cluster)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    return ready != NULL && str_eq(ready->reason, "ClusterNotReachable");
}

/* True if the cluster is lost, or soon will be, for another reason than its API server. */
static bool
has_lost_its_voice(const struct cluster *cluster, const struct cluster_health *health)
{
    return !health->ready && cluster->deletion_timestamp == TIME_NONE && !cluster->is_given_up &&
           (!health->healthy || health->lost_at != TIME_NONE) && !is_not_reachable(cluster);
}

void
diagnose_clusters(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                  struct diagnosis *ret)
{
    struct cluster_health *health = ARENA_ARRAY(arena, struct cluster_health, fleet->n_clusters);

    bool is_unwatched = fleet_is_unwatched(fleet, policy->now);
    bool looks = sources_have(&policy->sources, SOURCE_PODS);

    ret->n_unhealthy_clusters = 0;
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];

        health[i] = judge_cluster(arena, cluster, policy, is_unwatched);
        if (looks && has_lost_its_voice(cluster, &health[i]) &&
            is_seen_running(&fleet->members[i])) {
            health[i] = judge_agent(arena, &health[i]);
        }
        ret->n_unhealthy_clusters += health[i].healthy ? 0 : 1;
    }
    ret->clusters = health;
    diagnose_guard(arena, fleet, policy, health, ret);
}
