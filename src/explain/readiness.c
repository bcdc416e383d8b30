/* SPDX-License-Identifier: Apache-2.0
 *
 * Says whether a workload runs: which replicas are ready, and where the others are and since when.
 */
#include "ballast/annotations/last_move.h"
#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"
#include "explain_internal.h"

#define TEXT_MAX ((size_t)64 << 10)
#define PARTS_MAX 6 /* states in clusters, and unseen clusters */
#define STARTS_WITHIN (60 * NANOS_PER_MINUTE)

const char *
explained_state_name(enum explained_state state)
{
    static const char *const names[] = {
        [EXPLAINED_UP] = "UP",
        [EXPLAINED_PARTLY_DOWN] = "PARTLY DOWN",
        [EXPLAINED_DOWN] = "DOWN",
        [EXPLAINED_UNKNOWN] = "UNKNOWN",
    };

    return names[state];
}

/* True if the members' own objects did not show the target's replicas. */
static bool
is_unseen(const struct subject *subject, uint32_t target)
{
    const struct coverage *coverage = subject->of->coverage;
    const uint32_t cluster = subject->binding->clusters.items[target].cluster;

    if (subject->targets[target].of_state[REPLICA_LOST] > 0) {
        return false;
    }
    for (uint32_t i = 0; coverage != NULL && i < coverage->n_unseen; i++) {
        if (coverage->unseen[i].cluster == cluster && cluster != CLUSTER_NONE) {
            return true;
        }
    }
    return subject->targets[target].ready < 0 &&
           subject->binding->clusters.items[target].replicas > 0;
}

/* A replica that starts because of Ballast's last move starts since then. An older move cannot be
 * the cause. */
static int64_t
starting_since(const struct subject *subject, const char *cluster)
{
    const struct last_move *move = subject->binding->last_move;

    return move != NULL && target_list_find(&move->last.to, cluster) != NULL &&
                   timestamp_span(move->last.time, subject->of->policy->now) < STARTS_WITHIN
               ? move->last.time
               : TIME_NONE;
}

static bool
is_about(const struct explained_finding *finding, enum replica_state state)
{
    switch (state) {
    case REPLICA_STUCK:
        return finding->type == FINDING_UNSCHEDULABLE_REPLICAS ||
               finding->type == FINDING_NOT_APPLIED || finding->type == FINDING_PODS_NOT_CREATED ||
               finding->type == FINDING_NODES_NOT_READY;
    case REPLICA_FAILING:
        return finding->type == FINDING_FAILED_REPLICAS;
    case REPLICA_LOST:
        return finding->type == FINDING_UNHEALTHY_CLUSTER;
    case REPLICA_UNEXPLAINED:
        return finding->type == FINDING_NOT_READY_REPLICAS;
    default:
        return finding->standing == EXPLAINED_PENDING;
    }
}

static int64_t
since_of(const struct subject *subject, const struct explanation *explanation,
         enum replica_state state, const char *cluster)
{
    for (uint32_t i = 0; i < explanation->n_findings; i++) {
        const struct explained_finding *finding = &explanation->findings[i];

        if (str_eq(finding->cluster, cluster) && is_about(finding, state) &&
            finding->since != TIME_NONE) {
            return finding->since;
        }
    }
    return state == REPLICA_STARTING ? starting_since(subject, cluster) : TIME_NONE;
}

/* The parts after "0 of 5 ready". */
struct parts {
    const struct subject *subject;
    const struct explanation *explanation;
    struct buf text;
    uint32_t count, more;
};

static bool
has_place(struct parts *parts)
{
    if (parts->count == PARTS_MAX) {
        parts->more++;
        return false;
    }
    buf_append_str(&parts->text, parts->count++ == 0 ? "; " : ", ");
    return true;
}

static void
append_state(struct parts *parts, uint32_t target, enum replica_state state)
{
    const struct target *where = &parts->subject->binding->clusters.items[target];
    const int32_t replicas = parts->subject->targets[target].of_state[state];
    const int64_t since = since_of(parts->subject, parts->explanation, state, where->name);
    char span[DURATION_TEXT_MAX];

    if (replicas == 0 || state == REPLICA_READY || !has_place(parts)) {
        return;
    }
    buf_printf(&parts->text, "%d %s in %s", replicas, replica_state_name(state), where->name);
    if (since != TIME_NONE && since < parts->subject->of->policy->now) {
        buf_printf(
            &parts->text, " for %s",
            duration_format_short(timestamp_span(since, parts->subject->of->policy->now), span));
    }
}

static void
append_unseen(struct parts *parts, uint32_t target)
{
    if (is_unseen(parts->subject, target) && has_place(parts)) {
        buf_printf(&parts->text, "%s not seen",
                   parts->subject->binding->clusters.items[target].name);
    }
}

static const char *
finish_parts(struct parts *parts, int64_t unplaced)
{
    if (unplaced > 0 && has_place(parts)) {
        buf_printf(&parts->text, "%lld in no cluster", (long long)unplaced);
    }
    if (parts->more > 0) {
        buf_printf(&parts->text, ", and %u more", parts->more);
    }
    const char *ret = arena_printf(parts->subject->arena, "%s", buf_text(&parts->text));

    buf_release(&parts->text);
    return ret;
}

/* Replicas by state, over all targets. */
static void
count_replicas(const struct subject *subject, struct explanation *ret)
{
    const struct binding *binding = subject->binding;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        for (int state = 0; state < N_REPLICA_STATES; state++) {
            const int32_t replicas = subject->targets[i].of_state[state];

            ret->of_state[state] += replicas;
            ret->expected += replicas;
        }
        ret->is_seen = ret->is_seen && !is_unseen(subject, i);
    }
    ret->in_no_cluster = diagnose_in_no_cluster(
        binding, diagnose_ready_in_eviction(subject->of->fleet, subject->of->diagnosis, binding,
                                            &binding->clusters));
    ret->expected += ret->in_no_cluster;
}

static enum explained_state
state_of(const struct explanation *of)
{
    if (of->expected > of->of_state[REPLICA_READY]) {
        return of->of_state[REPLICA_READY] > 0 ? EXPLAINED_PARTLY_DOWN : EXPLAINED_DOWN;
    }
    return of->is_seen ? EXPLAINED_UP : EXPLAINED_UNKNOWN;
}

void
explain_readiness(const struct subject *subject, struct explanation *ret)
{
    struct parts parts = {.subject = subject, .explanation = ret};

    ret->is_seen = true;
    if (!ret->has_replicas) {
        ret->state = EXPLAINED_UP;
        ret->readiness = "";
        return;
    }
    count_replicas(subject, ret);
    ret->state = state_of(ret);
    buf_init(&parts.text, TEXT_MAX);
    for (int state = 0; state < N_REPLICA_STATES; state++) {
        for (uint32_t i = 0; i < subject->binding->clusters.count; i++) {
            append_state(&parts, i, (enum replica_state)state);
        }
    }
    for (uint32_t i = 0; i < subject->binding->clusters.count; i++) {
        append_unseen(&parts, i);
    }
    ret->readiness =
        arena_printf(subject->arena, "%lld of %lld %s%s", (long long)ret->of_state[REPLICA_READY],
                     (long long)ret->expected, ret->is_seen ? "ready" : "ready as last reported",
                     finish_parts(&parts, ret->in_no_cluster));
}
