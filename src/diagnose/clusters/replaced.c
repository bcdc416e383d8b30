/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds pods that end and are replaced again and again: a kubelet evicts or refuses them, and their
 * controller makes others at once. None of these pods is ever old, so only ended pods show the
 * loop. As with restarts of a container, their number per time and replica counts: evicted pods
 * stay for months, and a few of them mean nothing.
 */
#include <stdlib.h>

#include "ballast/base/order.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "clusters.h"
#include "diagnose/members/observed.h"

/* The limits of container restarts. */
#define REPLACED_MANY POD_RESTARTS_MANY
#define REPLACED_INTERVAL (15 * NANOS_PER_MINUTE)
/* A pod that is younger than this always counts as in the loop. */
#define WINDOW_LEAST NANOS_PER_MINUTE

struct life {
    int64_t creation;
    int64_t count;
    const char *reason;
};

/* Pods of the current version. */
struct lives {
    VEC_OF(struct life) ended; /* the latest first */
    VEC_OF(struct life) live;  /* the latest first */
    int64_t last_end;
    int64_t missing; /* wanted pods that are not there, in any version */
};

bool
is_owner_current(const struct binding *binding, const struct workload_view *view,
                 const struct owner *owner)
{
    return !str_eq(binding->resource.kind, "Deployment") ||
           (view->current != NULL && str_eq(owner->uid, view->current->uid));
}

/* True if the controller replaces the ended pod. Of kinds unknown to Ballast, only an end by the
 * kubelet counts. A Job counts its failures itself. */
static bool
is_replaced(const struct binding *binding, const struct pod *pod)
{
    if (!str_eq(pod->phase, "Failed") || str_eq(pod->owner.kind, "Job") ||
        str_is_empty(pod->owner.kind)) {
        return false;
    }
    return replaces_all(&binding->resource) || str_eq(pod->owner.kind, "ReplicaSet") ||
           (!str_is_empty(pod->reason) && !str_eq(pod->reason, "DeadlineExceeded"));
}

static bool
any_is_replaced(const struct binding *binding, const struct workload_view *view,
                const struct workload_index *index)
{
    int count = 0;

    for (uint32_t i = view->first_pod; i != POD_NONE && count < REPLACED_MANY;
         i = workload_index_next_pod(index, i)) {
        count += is_replaced(binding, &view->member->pods[i]) ? 1 : 0;
    }
    return count >= REPLACED_MANY;
}

/* Sorts pods of equal age by reason, so that the order of pods does not matter. */
static int
life_cmp(const void *a, const void *b)
{
    const struct life *x = a, *y = b;

    return x->creation != y->creation ? (x->creation > y->creation ? -1 : 1)
                                      : strcmp(x->reason, y->reason);
}

static void
read_life(const struct binding *binding, const struct workload_view *view, const struct pod *pod,
          struct lives *ret)
{
    const bool is_live = !pod_is_finished(pod) && pod->deletion_timestamp == TIME_NONE;

    ret->missing -= is_live ? 1 : 0;
    if (!is_owner_current(binding, view, &pod->owner) || pod->creation == TIME_NONE) {
        return;
    }
    if (is_live) {
        vec_add(&ret->live, ((struct life){pod->creation, 1, ""}));
    } else if (is_replaced(binding, pod)) {
        const int64_t end = pod_not_ready_since(pod);

        vec_add(&ret->ended, ((struct life){pod->creation, 1, pod_ended_reason(pod)}));
        ret->last_end = end > ret->last_end ? end : ret->last_end;
    }
}

static void
read_lives(const struct binding *binding, const struct workload_view *view,
           const struct workload_index *index, struct lives *ret)
{
    for (uint32_t i = view->first_pod; i != POD_NONE; i = workload_index_next_pod(index, i)) {
        read_life(binding, view, &view->member->pods[i], ret);
    }
    for (uint32_t i = view->first_settled; i != POD_NONE;
         i = workload_index_next_settled(index, i)) {
        const struct settled_pods *pods = &view->member->settled[i];

        ret->missing -= pods->count;
        if (is_owner_current(binding, view, &pods->owner)) {
            vec_add(&ret->live, ((struct life){pods->newest_creation, pods->count, ""}));
        }
    }
    ret->missing = ret->missing > 0 ? ret->missing : 0;
    sort_unless_sorted(ret->ended.items, ret->ended.count, sizeof(*ret->ended.items), life_cmp);
    sort_unless_sorted(ret->live.items, ret->live.count, sizeof(*ret->live.items), life_cmp);
}

/* Finds the longest time up to `now` in which enough pods ended for each replica made in it. */
static struct replacing
find_loop(const struct lives *lives, int64_t now)
{
    struct replacing loop = {.ended = 0};
    int64_t replicas = lives->missing;
    size_t next = 0;

    for (size_t i = 0; i < lives->ended.count; i++) {
        const int64_t since = lives->ended.items[i].creation, span = timestamp_span(since, now);
        const int64_t ended = (int64_t)i + 1;

        while (next < lives->live.count && lives->live.items[next].creation >= since) {
            replicas += lives->live.items[next++].count;
        }
        if (replicas > 0 && ended / replicas >= REPLACED_MANY &&
            span / ended <= REPLACED_INTERVAL / replicas) {
            const int64_t twice = 2 * replicas * (span > 0 ? span / ended : 0);

            loop = (struct replacing){.ended = pin_count(ended),
                                      .since = since,
                                      .window = twice > WINDOW_LEAST ? twice : WINDOW_LEAST,
                                      .reason = lives->ended.items[0].reason};
        }
    }
    return loop;
}

/* True if a pod that came after all ended pods stays. */
static bool
is_over(const struct replacing *loop, const struct lives *lives, int64_t now)
{
    for (size_t i = 0; i < lives->live.count; i++) {
        const int64_t creation = lives->live.items[i].creation;

        if (creation >= lives->last_end && !may_end_next(loop, creation, now)) {
            return true;
        }
    }
    return false;
}

static bool
goes_on(const struct replacing *loop, const struct lives *lives, int64_t now)
{
    return ((lives->live.count > 0 && may_end_next(loop, lives->live.items[0].creation, now)) ||
            (lives->missing > 0 && lives->ended.count > 0 &&
             may_end_next(loop, lives->ended.items[0].creation, now))) &&
           !is_over(loop, lives, now);
}

bool
may_end_next(const struct replacing *replacing, int64_t creation, int64_t now)
{
    return replacing->ended > 0 && creation >= replacing->since &&
           timestamp_span(creation, now) <= replacing->window;
}

static int32_t
count_next(const struct replacing *loop, const struct lives *lives, int64_t now)
{
    int64_t next = lives->missing;

    for (size_t i = 0; i < lives->live.count; i++) {
        next +=
            may_end_next(loop, lives->live.items[i].creation, now) ? lives->live.items[i].count : 0;
    }
    return pin_count(next);
}

struct replacing
find_replacing(const struct binding *binding, const struct workload_view *view,
               const struct workload_index *index, int64_t told, int64_t now)
{
    struct replacing loop = {.ended = 0};
    struct lives lives = {.last_end = TIME_NONE, .missing = told};

    if (any_is_replaced(binding, view, index)) {
        read_lives(binding, view, index, &lives);
        loop = find_loop(&lives, now);
        loop.ended = loop.ended > 0 && goes_on(&loop, &lives, now) ? loop.ended : 0;
        loop.next = count_next(&loop, &lives, now);
    }
    vec_free(&lives.ended);
    vec_free(&lives.live);
    return loop;
}

static bool
has_lasted(const struct replacing *replacing, const struct policy *policy)
{
    return timestamp_is_past(replacing->since, policy->failed_threshold, policy->now);
}

bool
tally_ending(struct trouble *trouble, const struct replacing *replacing,
             const struct policy *policy, const struct pod *pod)
{
    if (!may_end_next(replacing, pod->creation, policy->now) || !has_lasted(replacing, policy)) {
        return false;
    }
    pod_tally_add(&trouble->failed, pod, replacing->since, replacing->reason, "");
    return true;
}

void
note_replacing(struct trouble *trouble, const struct replacing *replacing,
               const struct policy *policy)
{
    if (replacing->ended == 0) {
        return;
    }
    if (!has_lasted(replacing, policy)) {
        trouble->young |= FAILURE_BIT(FAILURE_ENDED);
        return;
    }
    trouble->replacing = *replacing;
    trouble->classes |= FAILURE_BIT(FAILURE_ENDED);
    trouble->latest = replacing->since > trouble->latest ? replacing->since : trouble->latest;
}
