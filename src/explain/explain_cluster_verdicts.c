/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes each cluster, as the decision saw it.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "explain_internal.h"

static int
cluster_cmp(const void *a, const void *b)
{
    return strcmp(((const struct explained_cluster *)a)->name,
                  ((const struct explained_cluster *)b)->name);
}

static int32_t
sum_known(int32_t a, int32_t b)
{
    if (a < 0 && b < 0) {
        return EXPLAIN_UNKNOWN;
    }
    return (a > 0 ? a : 0) + (b > 0 ? b : 0);
}

/* A lost cluster's last report of ready pods is stale, so all its replicas are stuck. */
static void
note_target(const struct subject *subject, struct explained_cluster *ret)
{
    int at = binding_find_target(subject->binding, ret->name);

    if (at < 0) {
        return;
    }
    const struct target_state *state = &subject->targets[at];

    ret->is_target = true;
    ret->seen = state->seen;
    ret->ready = state->ready;
    ret->stuck = sum_known(state->unschedulable, state->failed);
    if (state->lost) {
        ret->ready = EXPLAIN_UNKNOWN;
        ret->stuck = ret->assigned;
    }
}

static void
note_assigned(const struct subject *subject, struct explained_cluster *ret)
{
    const struct target *before = target_list_find(&subject->decision->before, ret->name);
    const struct target *after = target_list_find(&subject->decision->after, ret->name);

    ret->assigned = before != NULL ? before->replicas : 0;
    ret->after = after != NULL ? after->replicas : 0;
    ret->is_target_after = after != NULL;
}

static struct explained_cluster
nameless(const char *name)
{
    return (struct explained_cluster){
        .name = name,
        .seen = EXPLAIN_UNKNOWN,
        .ready = EXPLAIN_UNKNOWN,
        .stuck = EXPLAIN_UNKNOWN,
        .health = "",
        .filter = "",
        .filter_reason = "",
        .code = "",
        .message = "",
        .room_source = "",
        .bound = {.resource = ""},
        .wish = "",
        .cools_until = TIME_NONE,
        .left_at = TIME_NONE,
    };
}

static struct explained_cluster
explain_cluster(const struct subject *subject, uint32_t index)
{
    const struct cluster *cluster = &subject->of->fleet->clusters[index];
    const struct cluster_health *health = &subject->of->diagnosis->clusters[index];
    const struct cluster_trace *trace = &subject->trace->clusters[index];
    struct explained_cluster ret = nameless(cluster->name);

    ret.exists = true;
    ret.standing = cluster_standing(health);
    ret.health = ret.standing != STANDING_WELL ? health->reason : "";
    ret.verdict = trace->verdict;
    ret.filter = trace->filter;
    ret.filter_reason = trace->filter_reason;
    ret.code = trace->code;
    ret.message = trace->message;
    ret.room = trace->room;
    ret.room_source = trace->room_source;
    ret.bound = trace->bound;
    ret.leaving = trace->leaving;
    ret.cools_until = trace->cools_until;
    ret.left_at = trace->left_at;
    ret.wish = explain_wish(subject, cluster);
    ret.has_no_weight = explain_weight(subject, cluster) == 0;
    note_assigned(subject, &ret);
    note_target(subject, &ret);
    explain_holders(subject, index, &ret);
    return ret;
}

static struct explained_cluster
explain_gone(const struct subject *subject, const char *name)
{
    struct explained_cluster ret = nameless(name);

    ret.standing = STANDING_UNHEALTHY;
    ret.health = arena_printf(subject->arena, "there is no %s of that name",
                              federation_cluster_kind(subject->of->fleet->federation));
    ret.code = "ClusterGone";
    ret.message = ret.health;
    note_assigned(subject, &ret);
    note_target(subject, &ret);
    return ret;
}

const struct explained_cluster *
explain_clusters(const struct subject *subject, uint32_t *ret_count)
{
    const struct target_list *targets = &subject->binding->clusters;
    const uint32_t n_clusters = subject->of->fleet->n_clusters;
    struct explained_cluster *clusters =
        ARENA_ARRAY(subject->arena, struct explained_cluster, (size_t)n_clusters + targets->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < n_clusters; i++) {
        clusters[count++] = explain_cluster(subject, i);
    }
    for (uint32_t i = 0; i < targets->count; i++) {
        if (targets->items[i].cluster == CLUSTER_NONE) {
            clusters[count++] = explain_gone(subject, targets->items[i].name);
        }
    }
    if (count > n_clusters) {
        qsort(clusters, count, sizeof(*clusters), cluster_cmp);
    }
    *ret_count = count;
    return clusters;
}
