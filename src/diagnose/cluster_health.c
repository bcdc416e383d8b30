/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters are unhealthy, which are lost to which binding, and whether so
 * many look unhealthy at once that it is more likely the observer who is cut
 * off (after the share of not ready nodes at which kubernetes' node lifecycle
 * controller stops evicting).
 */
#include "parts.h"

#include "ballast/str.h"
#include "ballast/timestamp.h"

static struct cluster_health
judge_condition(struct arena *arena, const struct condition *ready, const struct policy *policy)
{
    const char *reason = quote_text(arena, ready->reason);
    bool past = is_past(ready->last_transition, policy->unhealthy_cluster_threshold, policy->now);

    return (struct cluster_health){
        .healthy = !past,
        .ready = false,
        .since = ready->last_transition,
        .reason =
            arena_printf(arena, "Ready is %s%s%s%s%s", quote_text(arena, ready->status),
                         since_text(arena, ready->last_transition, policy->now),
                         str_is_empty(reason) ? "" : " (", reason, str_is_empty(reason) ? "" : ")"),
    };
}

static struct cluster_health
judge_cluster(struct arena *arena, const struct cluster *cluster, const struct policy *policy)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    if (cluster->deletion_timestamp != TIME_NONE) {
        int64_t since = cluster->deletion_timestamp;

        return (struct cluster_health){
            .since = since,
            .reason =
                arena_printf(arena, "being deleted%s", since_text(arena, since, policy->now))};
    }
    if (ready == NULL) {
        /* it has just joined, or nobody looks after it: nothing says that what is there is lost */
        return (struct cluster_health){
            .healthy = true, .since = TIME_NONE, .reason = "it has no Ready condition yet"};
    }
    if (str_eq(ready->status, "True")) {
        return (struct cluster_health){
            .healthy = true, .ready = true, .since = TIME_NONE, .reason = ""};
    }
    return judge_condition(arena, ready, policy);
}

/* Deletion is somebody's decision and no sign of being cut off. What is not ready counts before
 * the threshold, too: a cut-off observer sees clusters fall one after another. */
static void
judge_guard(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
            struct diagnosis *ret)
{
    uint32_t not_ready = 0, due = 0;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        if (fleet->clusters[i].deletion_timestamp == TIME_NONE) {
            not_ready += ret->clusters[i].ready ? 0 : 1;
            due += ret->clusters[i].healthy ? 0 : 1;
        }
    }
    ret->guard_reason = "";
    if (due == 0 || (int64_t)not_ready * 100 <
                        (int64_t)policy->max_unhealthy_percent * (int64_t)fleet->n_clusters) {
        return;
    }
    ret->guard_tripped = true;
    ret->guard_reason = arena_printf(
        arena,
        "%u of %u clusters are not ready, %d%% or more: it is more likely that we are cut off from "
        "them than that they are all lost",
        not_ready, fleet->n_clusters, policy->max_unhealthy_percent);
}

static bool
is_tolerated(const struct taint *taint, const struct toleration_list *tolerations)
{
    for (uint32_t i = 0; tolerations != NULL && i < tolerations->count; i++) {
        if (toleration_tolerates(&tolerations->items[i], taint)) {
            return true;
        }
    }
    return false;
}

/* Since when the taint forces the workload away; false when it does not, or not yet. */
static bool
taint_evicts(const struct taint *taint, const struct toleration_list *tolerations, int64_t now,
             int64_t *ret_since)
{
    if (!str_eq(taint->effect, "NoExecute")) {
        return false;
    }
    if (!is_tolerated(taint, tolerations)) {
        *ret_since = taint->time_added;
        return true;
    }
    *ret_since = taint_eviction_time(taint, tolerations);
    return *ret_since != TIME_NONE && *ret_since <= now;
}

static const struct taint *
find_evicting_taint(const struct cluster *cluster, const struct binding *binding, int64_t now,
                    int64_t *ret_since)
{
    const struct toleration_list *tolerations =
        binding->placement != NULL ? &binding->placement->cluster_tolerations : NULL;

    for (uint32_t i = 0; i < cluster->taints.count; i++) {
        if (taint_evicts(&cluster->taints.items[i], tolerations, now, ret_since)) {
            return &cluster->taints.items[i];
        }
    }
    return NULL;
}

void
diagnose_clusters(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                  struct diagnosis *ret)
{
    struct cluster_health *health = ARENA_ARRAY(arena, struct cluster_health, fleet->n_clusters);

    ret->n_unhealthy_clusters = 0;
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        health[i] = judge_cluster(arena, &fleet->clusters[i], policy);
        ret->n_unhealthy_clusters += health[i].healthy ? 0 : 1;
    }
    ret->clusters = health;
    judge_guard(arena, fleet, policy, ret);
}

bool
is_lost(const struct fleet *fleet, const struct policy *policy, const struct cluster_health *health,
        const struct binding *binding, const struct target *target)
{
    int64_t since = TIME_NONE;

    return target->cluster == CLUSTER_NONE || !health[target->cluster].healthy ||
           find_evicting_taint(&fleet->clusters[target->cluster], binding, policy->now, &since) !=
               NULL;
}

bool
find_loss(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
          const struct cluster_health *health, const struct binding *binding,
          const struct target *target, struct loss *ret)
{
    const struct taint *taint = NULL;
    int64_t since = TIME_NONE;

    if (target->cluster == CLUSTER_NONE) {
        *ret = (struct loss){.since = TIME_NONE, .message = "there is no Cluster of that name"};
        return true;
    }
    if (!health[target->cluster].healthy) {
        *ret = (struct loss){.since = health[target->cluster].since,
                             .message = health[target->cluster].reason};
        return true;
    }
    taint = find_evicting_taint(&fleet->clusters[target->cluster], binding, policy->now, &since);
    if (taint == NULL) {
        return false;
    }
    *ret = (struct loss){
        .since = since,
        .message = arena_printf(arena, "taint %s%s%s:NoExecute is not tolerated%s", taint->key,
                                str_is_empty(taint->value) ? "" : "=", taint->value,
                                since_text(arena, since, policy->now)),
    };
    return true;
}
