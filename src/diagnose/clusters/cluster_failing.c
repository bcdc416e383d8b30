/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds clusters that fail most workloads that start there: workloads of several teams fail alike,
 * and most workloads that started since then failed. A failing cluster gets no new replicas, and
 * replicas that fail alike may leave. A failure that most clusters share is no cluster's fault: a
 * registry that is down for all.
 *
 * Replicas that a run moved out of a failing cluster do not show there. For the length of a
 * cooldown the binding's record of the move stands for them.
 */
#include <stdlib.h>

#include "ballast/annotations/last_move.h"
#include "ballast/base/map.h"
#include "ballast/base/order.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/selector.h"
#include "clusters.h"
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"

#define TEAMS_MIN 3 /* workloads of different namespaces or policies */
/* In clusters that fail alike, failures may begin this much earlier. */
#define ALIKE_SKEW (10 * NANOS_PER_MINUTE)

/* A workload that fails in a cluster, or was taken out of it for that. */
struct failed_start {
    uint32_t cluster;
    uint32_t binding;
    int64_t since;
    unsigned classes;  /* FAILURE_BITs; from a record without them: all that its reason allows */
    bool of_namespace; /* the cause may be common to its namespace */
    bool is_past;      /* from a record of a move */
};

struct good_start {
    uint32_t cluster;
    int64_t at;
};

struct start_list {
    VEC_OF(struct failed_start) failed; /* by cluster, latest first */
    VEC_OF(struct good_start) good;     /* by cluster, latest first */
};

struct verdict {
    uint32_t workloads;
    int64_t since; /* of the earliest of the workloads */
    bool fails;
    bool shows; /* some of them fail there still; the others are records */
    bool is_unattended;
};

struct judge {
    struct arena *scratch;
    const struct finder *finder;
    const struct fleet *fleet;
    const struct policy *policy;
    const struct diagnosis *diagnosis;
    struct start_list starts;
    uint32_t *first_failed, *first_good; /* by cluster, with an end */
    bool *is_behind; /* by cluster: the status of an ignored workload is behind its generation */
    uint32_t *targets,
        *ignored; /* by cluster: targets of all bindings; targets that no controller looks at */
};

/* --- starts -------------------------------------------------------------------------------- */

#define CLASSES_OF_CLUSTERS                                                                        \
    (FAILURE_BIT(FAILURE_IMAGE) | FAILURE_BIT(FAILURE_CRASH) | FAILURE_BIT(FAILURE_CONTAINER) |    \
     FAILURE_BIT(FAILURE_CONFIG) | FAILURE_BIT(FAILURE_ENDED))
#define ANY_CLASS (CLASSES_OF_CLUSTERS | FAILURE_BIT(FAILURE_OTHER))

static bool
fails_now(const struct judge *judge, size_t first, uint32_t cluster)
{
    for (size_t i = first; i < judge->starts.failed.count; i++) {
        if (judge->starts.failed.items[i].cluster == cluster) {
            return true;
        }
    }
    return false;
}

static unsigned
classes_of_reason(const char *reason)
{
    enum finding_type type;

    if (!finding_type_parse(reason, &type)) {
        return 0;
    }
    switch (type) {
    case FINDING_FAILED_REPLICAS:
        return ANY_CLASS;
    case FINDING_PODS_NOT_CREATED:
        return FAILURE_BIT(FAILURE_CREATION);
    case FINDING_NOT_READY_REPLICAS:
        return FAILURE_BIT(FAILURE_START) | FAILURE_BIT(FAILURE_READINESS);
    default:
        return 0;
    }
}

/* Pods that a rule of their namespace refused do not count, here as in add_uncreated(). */
static void
add_past_move(struct judge *judge, uint32_t binding, size_t first, const struct past_move *past)
{
    const struct policy *policy = judge->policy;
    const unsigned told = past->failures.count > 0 ? failures_by_words(&past->failures) : ~0u;
    const unsigned classes =
        classes_of_reason(past->reason) & (told | FAILURE_BIT(FAILURE_CREATION));

    if (classes == 0 || past->time > policy->now ||
        timestamp_span(past->time, policy->now) >= policy->cooldown.initial) {
        return;
    }
    for (uint32_t i = 0; i < past->from.count; i++) {
        uint32_t cluster = fleet_find_cluster(judge->fleet, past->from.items[i].name);

        if (cluster != CLUSTER_NONE && !fails_now(judge, first, cluster) &&
            !str_list_has(&past->refused, past->from.items[i].name)) {
            vec_add(&judge->starts.failed,
                    ((struct failed_start){.cluster = cluster,
                                           .binding = binding,
                                           .since = past->time,
                                           .classes = classes,
                                           .of_namespace =
                                               (classes & FAILURE_BIT(FAILURE_CREATION)) != 0,
                                           .is_past = true}));
        }
    }
}

/* Returns since when controllers have made no pod there, although the target was written. */
static int64_t
ignored_after(const struct finder *finder, uint32_t binding, uint32_t target, uint32_t cluster)
{
    const int64_t written = target_written_at(finder, binding, target);
    const int64_t newest =
        timestamp_add(finder->diagnosis->clusters[cluster].newest_pod, NANOS_PER_SECOND);

    return newest > written ? newest : written;
}

static void
add_refused(struct judge *judge, uint32_t binding, uint32_t cluster, int64_t since)
{
    vec_add(&judge->starts.failed, ((struct failed_start){.cluster = cluster,
                                                          .binding = binding,
                                                          .since = since,
                                                          .classes = FAILURE_BIT(FAILURE_CREATION),
                                                          .of_namespace = true}));
}

/* Counts refused workloads, pods refused except by a rule of the namespace, and ignored ones. */
static void
add_uncreated(struct judge *judge, uint32_t binding, uint32_t target, uint32_t cluster)
{
    const struct finder *finder = judge->finder;
    const uint32_t at = judge->diagnosis->bindings[binding].first_target + target;
    const struct observation *seen = &finder->observations->items[at];
    const struct workload *workload = seen->workload;
    const struct condition *refusal = workload != NULL ? workload->refusal : NULL;

    judge->targets[cluster]++;
    if (binding_is_refused(&judge->fleet->bindings[binding], judge->fleet->clusters[cluster].name,
                           seen->status)) {
        add_refused(judge, binding, cluster, target_written_at(finder, binding, target));
    } else if (refusal != NULL && refusal_by_namespace(refusal->message) == NULL) {
        add_refused(judge, binding, cluster, refusal->last_transition);
    } else if (is_unattended(finder, binding, target)) {
        judge->ignored[cluster]++;
        judge->is_behind[cluster] |= workload_is_behind(workload);
        vec_add(&judge->starts.failed,
                ((struct failed_start){.cluster = cluster,
                                       .binding = binding,
                                       .since = ignored_after(finder, binding, target, cluster),
                                       .classes = FAILURE_BIT(FAILURE_CREATION)}));
    }
}

static void
add_target(struct judge *judge, uint32_t binding, uint32_t cluster, const struct observation *item,
           const struct trouble *trouble)
{
    unsigned classes = trouble != NULL ? trouble->classes & CLASSES_OF_CLUSTERS : 0;

    if (classes != 0) {
        vec_add(&judge->starts.failed, ((struct failed_start){.cluster = cluster,
                                                              .binding = binding,
                                                              .since = trouble->latest,
                                                              .classes = classes}));
    }
    if (trouble != NULL && trouble->hung != 0) {
        vec_add(&judge->starts.failed, ((struct failed_start){.cluster = cluster,
                                                              .binding = binding,
                                                              .since = trouble->hung_latest,
                                                              .classes = trouble->hung}));
    }
    if (item->steady > 0 && item->newest_ready != TIME_NONE &&
        (classes & FAILURE_BIT(FAILURE_ENDED)) == 0) {
        vec_add(&judge->starts.good, ((struct good_start){cluster, item->newest_ready}));
    }
}

static void
add_binding(struct judge *judge, const struct observations *all, uint32_t index)
{
    const struct binding *binding = &judge->fleet->bindings[index];
    const struct last_move *record = binding->last_move;
    uint32_t target = judge->diagnosis->bindings[index].first_target;
    size_t first = judge->starts.failed.count;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct observation *item = &all->items[target + i];

        if (binding->clusters.items[i].cluster != CLUSTER_NONE) {
            add_target(judge, index, binding->clusters.items[i].cluster, item,
                       trouble_of(all, item));
            add_uncreated(judge, index, i, binding->clusters.items[i].cluster);
        }
    }
    if (record == NULL) {
        return;
    }
    add_past_move(judge, index, first, &record->last);
    for (uint32_t i = 0; i < record->earlier.count; i++) {
        add_past_move(judge, index, first, &record->earlier.items[i]);
    }
}

static int
failed_cmp(const void *a, const void *b)
{
    const struct failed_start *x = a, *y = b;

    if (x->cluster != y->cluster) {
        return x->cluster < y->cluster ? -1 : 1;
    }
    return x->since != y->since       ? (x->since > y->since ? -1 : 1)
           : x->binding != y->binding ? (x->binding < y->binding ? -1 : 1)
                                      : 0;
}

static int
good_cmp(const void *a, const void *b)
{
    const struct good_start *x = a, *y = b;

    if (x->cluster != y->cluster) {
        return x->cluster < y->cluster ? -1 : 1;
    }
    return x->at != y->at ? (x->at > y->at ? -1 : 1) : 0;
}

static void
sort_starts(struct judge *judge)
{
    struct start_list *starts = &judge->starts;
    uint32_t n = judge->fleet->n_clusters;

    judge->first_failed = ARENA_ARRAY(judge->scratch, uint32_t, (size_t)n + 1);
    judge->first_good = ARENA_ARRAY(judge->scratch, uint32_t, (size_t)n + 1);
    sort_unless_sorted(starts->failed.items, starts->failed.count, sizeof(*starts->failed.items),
                       failed_cmp);
    sort_unless_sorted(starts->good.items, starts->good.count, sizeof(*starts->good.items),
                       good_cmp);
    for (uint32_t c = 0, failed = 0, good = 0; c <= n; c++) {
        while (failed < starts->failed.count && starts->failed.items[failed].cluster < c) {
            failed++;
        }
        while (good < starts->good.count && starts->good.items[good].cluster < c) {
            good++;
        }
        judge->first_failed[c] = failed;
        judge->first_good[c] = good;
    }
}

/* --- one cluster ------------------------------------------------------------------------- */

/* Returns the team that alone could be at fault: a namespace, or a policy's part of it. */
static const char *
team_of(struct judge *judge, const struct failed_start *start, enum failure_class class_)
{
    static const char *const ids[] = {"propagationpolicy.karmada.io/permanent-id",
                                      "clusterpropagationpolicy.karmada.io/permanent-id"};
    const struct binding *binding = &judge->fleet->bindings[start->binding];
    const char *policy = binding->policy_name;

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        const char *id = label_list_find(&binding->labels, ids[i]);

        policy = id != NULL && !str_is_empty(id) ? id : policy;
    }
    return class_ == FAILURE_CONFIG || start->of_namespace
               ? binding->resource.namespace_
               : arena_printf(judge->scratch, "%s/%s", binding->resource.namespace_, policy);
}

/* A few teams are enough if controllers look at no target of the cluster. */
static bool
are_enough(const struct judge *judge, uint32_t cluster, enum failure_class class_, size_t teams)
{
    return teams >= TEAMS_MIN || (class_ == FAILURE_CREATION && judge->is_behind[cluster] &&
                                  judge->ignored[cluster] == judge->targets[cluster]);
}

/* A cluster fails if workloads of enough teams failed since some time, and more failed than came up
 * since. Workloads that are always broken do not hide that. */
static struct verdict
judge_cluster(struct judge *judge, uint32_t cluster, enum failure_class class_)
{
    struct verdict ret = {.since = TIME_NONE};
    struct map *teams = map_new();
    uint32_t workloads = 0, good = judge->first_good[cluster];
    bool shows = false;

    for (uint32_t i = judge->first_failed[cluster]; i < judge->first_failed[cluster + 1]; i++) {
        const struct failed_start *start = &judge->starts.failed.items[i];

        if ((start->classes & FAILURE_BIT(class_)) == 0) {
            continue;
        }
        workloads++;
        shows = shows || !start->is_past;
        map_put_str(teams, team_of(judge, start, class_), NULL);
        while (good < judge->first_good[cluster + 1] &&
               judge->starts.good.items[good].at >= start->since) {
            good++;
        }
        if (are_enough(judge, cluster, class_, map_count(teams)) &&
            workloads > good - judge->first_good[cluster]) {
            ret = (struct verdict){workloads, start->since, true, shows,
                                   class_ == FAILURE_CREATION && judge->ignored[cluster] > 0};
        }
    }
    map_free(teams);
    return ret;
}

/* --- all of them ------------------------------------------------------------------------- */

static uint32_t
failed_since(const struct judge *judge, uint32_t cluster, enum failure_class class_, int64_t since)
{
    uint32_t count = 0;

    for (uint32_t i = judge->first_failed[cluster]; i < judge->first_failed[cluster + 1]; i++) {
        const struct failed_start *start = &judge->starts.failed.items[i];

        count += start->since >= since && (start->classes & FAILURE_BIT(class_)) != 0 ? 1 : 0;
    }
    return count;
}

static uint32_t
good_since(const struct judge *judge, uint32_t cluster, int64_t since)
{
    uint32_t count = 0;

    for (uint32_t i = judge->first_good[cluster];
         i < judge->first_good[cluster + 1] && judge->starts.good.items[i].at >= since; i++) {
        count++;
    }
    return count;
}

static bool
is_compared(const struct judge *judge, uint32_t cluster)
{
    return judge->diagnosis->clusters[cluster].ready && judge->fleet->members[cluster].has_pods;
}

/* True if the clusters are to blame, not a common cause (a registry, a bad release):
 * - at most half of the clusters fail in this way since then; or
 * - fewer than nine in ten do, and in at least one cluster most starts since then went well. */
static bool
is_clusters_fault(const struct judge *judge, enum failure_class class_, int64_t since)
{
    uint64_t compared = 0, alike = 0, well = 0;

    since = timestamp_add(since, -ALIKE_SKEW);
    for (uint32_t c = 0; c < judge->fleet->n_clusters; c++) {
        if (!is_compared(judge, c)) {
            continue;
        }
        uint32_t failed = failed_since(judge, c, class_, since), good = good_since(judge, c, since);

        compared++;
        alike += failed > 0 && failed >= good ? 1 : 0;
        well += good > failed ? 1 : 0;
    }
    return alike * 2 <= compared || (well > 0 && alike * 10 < compared * 9);
}

/* A cluster that is unhealthy or not ready keeps that reason, which is more severe. */
static void
notice_failing(struct judge *judge, struct arena *arena, struct cluster_health *health,
               const struct verdict *verdict, enum failure_class class_)
{
    bool is_first = health->failing == 0;

    health->failing |= FAILURE_BIT(verdict->shows ? class_ : FAILURE_OTHER);
    if (is_first && health->healthy && health->ready) {
        const char *since = since_text(judge->scratch, verdict->since, judge->policy->now);

        health->reason =
            verdict->is_unattended
                ? arena_printf(arena,
                               "most workloads written there%s get no pods: %u; look at its "
                               "kube-controller-manager and its admission webhooks",
                               since, verdict->workloads)
            : verdict->shows
                ? arena_printf(arena, "most workloads started there%s fail: %u by %s", since,
                               verdict->workloads, failure_class_text(class_))
                : arena_printf(arena, "%u workloads that failed there were moved away%s",
                               verdict->workloads, since);
    }
}

static void
judge_class(struct judge *judge, struct arena *arena, struct cluster_health *health,
            enum failure_class class_)
{
    uint32_t n = judge->fleet->n_clusters;
    struct verdict *verdicts = ARENA_ARRAY(judge->scratch, struct verdict, n);
    int64_t since = INT64_MAX;

    for (uint32_t c = 0; c < n; c++) {
        verdicts[c] = is_compared(judge, c) ? judge_cluster(judge, c, class_) : verdicts[c];
        since = verdicts[c].fails && verdicts[c].since < since ? verdicts[c].since : since;
    }
    if (since == INT64_MAX || !is_clusters_fault(judge, class_, since)) {
        return;
    }
    for (uint32_t c = 0; c < n; c++) {
        if (verdicts[c].fails) {
            notice_failing(judge, arena, &health[c], &verdicts[c], class_);
        }
    }
}

void
find_failing_clusters(const struct finder *finder, struct cluster_health *health)
{
    struct judge judge = {.scratch = arena_new(),
                          .finder = finder,
                          .fleet = finder->fleet,
                          .policy = finder->policy,
                          .diagnosis = finder->diagnosis};

    judge.targets = ARENA_ARRAY(judge.scratch, uint32_t, finder->fleet->n_clusters);
    judge.is_behind = ARENA_ARRAY(judge.scratch, bool, finder->fleet->n_clusters);
    judge.ignored = ARENA_ARRAY(judge.scratch, uint32_t, finder->fleet->n_clusters);

    for (uint32_t i = 0; i < finder->fleet->n_bindings; i++) {
        add_binding(&judge, finder->observations, i);
    }
    if (judge.starts.failed.count > 0) {
        sort_starts(&judge);
        for (enum failure_class class_ = 0; class_ < N_FAILURE_CLASSES; class_++) {
            judge_class(&judge, finder->arena, health, class_);
        }
    }
    vec_free(&judge.starts.failed);
    vec_free(&judge.starts.good);
    arena_free(judge.scratch);
}
