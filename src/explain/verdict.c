/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers "why is this one stuck" in two sentences: problem and outcome, then the reason.
 */
#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wording.h"
#include "explain_internal.h"

#define TEXT_MAX ((size_t)64 << 10)
#define NAMED_MAX 3 /* clusters of one obstacle */
#define KINDS_MAX 12

/* --- the headline --- */

static const char *
replicas_text(const struct subject *subject, int64_t count)
{
    return counted(subject->arena, count, "replica", "replicas");
}

static const struct explained_finding *
largest_of(const struct explanation *explanation, enum explained_standing standing)
{
    const struct explained_finding *largest = NULL;

    for (uint32_t i = 0; i < explanation->n_findings; i++) {
        const struct explained_finding *finding = &explanation->findings[i];

        if (finding->standing == standing &&
            (largest == NULL || finding->replicas > largest->replicas)) {
            largest = finding;
        }
    }
    return largest;
}

static const struct explained_finding *
main_finding(const struct explanation *explanation)
{
    for (int standing = EXPLAINED_TRIGGERS; standing <= EXPLAINED_PENDING; standing++) {
        const struct explained_finding *finding =
            largest_of(explanation, (enum explained_standing)standing);

        if (finding != NULL) {
            return finding;
        }
    }
    return NULL;
}

/* Returns "" for findings about replicas that do not run: the readiness tells those. */
static const char *
finding_text(const struct subject *subject, const struct explanation *explanation,
             const struct explained_finding *finding)
{
    const char *where = finding->cluster;

    switch (finding->type) {
    case FINDING_UNHEALTHY_CLUSTER:
        if (explanation->of_state[REPLICA_LOST] > 0) {
            return "";
        }
        return arena_printf(subject->arena, "%s is %s", where,
                            finding->standing == EXPLAINED_PENDING ? "not ready" : "lost");
    case FINDING_REPLICA_MISMATCH:
        return arena_printf(subject->arena, "%s assigned, %d wanted%s",
                            replicas_text(subject, explanation->assigned), explanation->wanted,
                            explanation->is_divided ? "" : " in each target");
    case FINDING_RESCHEDULE_REQUESTED:
        return "a reschedule was asked for";
    case FINDING_INFEASIBLE_CLUSTER:
        return arena_printf(subject->arena, "it could not be placed in %s now", where);
    case FINDING_PLACEMENT_CHANGED:
        return "its placement changed";
    case FINDING_UNPLACED:
        return "it has no cluster yet";
    case FINDING_IMBALANCE:
        return "its split is off what is wanted";
    case FINDING_ORPHANED_REPLICAS:
        return arena_printf(subject->arena, "it runs in %s still, which is no target", where);
    case FINDING_NOT_APPLIED:
        return arena_printf(subject->arena, "it could not be applied in %s", where);
    default:
        return "";
    }
}

static const char *
matter_text(const struct subject *subject, const struct explanation *explanation)
{
    const struct explained_finding *finding = main_finding(explanation);
    const char *what = finding != NULL ? finding_text(subject, explanation, finding) : "";
    const char *state = explained_state_name(explanation->state);

    if (finding != NULL && finding->standing == EXPLAINED_PENDING && !str_is_empty(what)) {
        what = arena_printf(subject->arena, "%s, but not for long enough to count", what);
    }
    if (!explanation->has_replicas) {
        return str_is_empty(what) ? "no fault was found" : what;
    }
    return arena_printf(subject->arena, "%s: %s%s%s", state, explanation->readiness,
                        str_is_empty(what) ? "" : "; ", what);
}

static const char *
change_text(const struct subject *subject, const struct explanation *explanation)
{
    const char *done = "a run rewrites it";

    if (explanation->action == ACTION_EVICT) {
        done = arena_printf(subject->arena, "a run takes %s away, for the scheduler to place",
                            replicas_text(subject, explanation->moved));
    } else if (explanation->moved > 0) {
        done = arena_printf(subject->arena, "a run moves %s%s",
                            replicas_text(subject, explanation->moved),
                            explanation->added > 0
                                ? arena_printf(subject->arena, " and adds %d", explanation->added)
                                : "");
    } else if (explanation->added > 0) {
        done = arena_printf(subject->arena, "a run adds %s",
                            replicas_text(subject, explanation->added));
    } else if (explanation->after < explanation->assigned) {
        done = arena_printf(subject->arena, "a run takes %s away",
                            replicas_text(subject, explanation->assigned - explanation->after));
    }
    if (explanation->unplaced > 0) {
        done = arena_printf(subject->arena, "%s, and finds no place for %d", done,
                            explanation->unplaced);
    }
    return explanation->deferred > 0 ? arena_printf(subject->arena, "%s, and leaves %d for later",
                                                    done, explanation->deferred)
                                     : done;
}

static const char *
outcome_text(const struct subject *subject, const struct explanation *explanation)
{
    if (explanation->changes) {
        return change_text(subject, explanation);
    }
    switch (explanation->action) {
    case ACTION_LEFT_ALONE:
        return "Ballast leaves it alone";
    case ACTION_BLOCKED:
        return "a run can do nothing about it";
    case ACTION_DEFERRED:
        return "a limit leaves it to a later run";
    default:
        return explanation->n_findings == 0 ? "a run leaves it as it is"
                                            : "a run does nothing about it";
    }
}

/* --- the reason --- */

static const char *
named_reason(const struct subject *subject, const char *cluster, const char *message)
{
    return str_is_empty(cluster) ? message
                                 : arena_printf(subject->arena, "%s: %s", cluster, message);
}

/* Returns the first reason about the whole binding, or with a deciding code. */
static const char *
deciding_reason(const struct subject *subject, const struct explanation *explanation)
{
    static const char *const deciding[] = {
        "FailureFollowsWorkload", "LeftToKarmadaFailover", "Tolerated",
        "ClusterFailoverOff",     "NotEvictable",          "StateNotPreserved"};

    for (uint32_t i = 0; i < explanation->n_reasons; i++) {
        const struct reason *reason = &explanation->reasons[i];
        bool decides = str_is_empty(reason->cluster) && !str_eq(reason->code, "MoreClusters");

        for (size_t j = 0; j < sizeof(deciding) / sizeof(deciding[0]); j++) {
            decides = decides || str_eq(reason->code, deciding[j]);
        }
        if (decides) {
            return named_reason(subject, reason->cluster, reason->message);
        }
    }
    return NULL;
}

/* Appends "member2 +1, member3 -1". */
static void
append_steps(const struct subject *subject, const struct explanation *explanation, struct buf *out)
{
    struct name_list steps = name_list_new(subject->arena, 2 * NAMED_MAX);

    for (uint32_t i = 0; i < explanation->n_clusters; i++) {
        const struct explained_cluster *cluster = &explanation->clusters[i];
        int32_t step = cluster->after - cluster->assigned;

        if (step != 0 || cluster->is_target != cluster->is_target_after) {
            name_list_add(&steps,
                          explanation->has_replicas
                              ? arena_printf(subject->arena, "%s %+d", cluster->name, step)
                              : arena_printf(subject->arena, "%s %s", cluster->name,
                                             cluster->is_target_after ? "gets it" : "leaves"));
        }
    }
    buf_append_str(out, name_list_text(&steps, "cluster", "clusters"));
}

/* --- obstacles in the clusters --- */

/* Clusters with one obstacle. */
struct obstacle {
    const char *code;
    struct name_list names;
};

const char *
explained_obstacle(const struct explained_cluster *cluster)
{
    return str_eq(cluster->code, "ClusterFiltered") ? cluster->filter : cluster->code;
}

static struct obstacle *
obstacle_of(struct arena *arena, struct obstacle *all, uint32_t *count, const char *code)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (str_eq(all[i].code, code)) {
            return &all[i];
        }
    }
    if (*count == KINDS_MAX) {
        return NULL;
    }
    all[*count] = (struct obstacle){code, name_list_new(arena, NAMED_MAX)};
    return &all[(*count)++];
}

/* True if the replicas that the cluster gets fill it. */
static bool
is_filled(const struct explained_cluster *cluster)
{
    return cluster->after > cluster->assigned &&
           cluster->room <= cluster->after - cluster->assigned;
}

static const char *
obstacle_name(struct arena *arena, const struct explained_cluster *cluster)
{
    char until[TIMESTAMP_TEXT_MAX];

    if (str_eq(cluster->code, "Cooldown")) {
        return arena_printf(arena, "%s until %s", cluster->name,
                            timestamp_format_seconds(cluster->cools_until, until));
    }
    if (is_filled(cluster)) {
        return arena_printf(arena, "%s after %d more", cluster->name,
                            cluster->after - cluster->assigned);
    }
    if (str_is_empty(cluster->bound.resource) || !str_eq(cluster->code, "NoRoom")) {
        return cluster->name;
    }
    const char *held = explained_held_text(arena, cluster);

    return arena_printf(arena, "%s (%s%s%s)", cluster->name, cluster->bound.resource,
                        str_is_empty(held) ? "" : ", ", held);
}

const char *
explained_obstacles(struct arena *arena, const struct explanation *of)
{
    struct obstacle all[KINDS_MAX];
    const char *text = "";
    uint32_t count = 0;

    for (uint32_t i = 0; i < of->n_clusters; i++) {
        const struct explained_cluster *cluster = &of->clusters[i];
        const char *code = is_filled(cluster) ? "NoRoom" : explained_obstacle(cluster);
        struct obstacle *obstacle =
            str_is_empty(code) || cluster->stuck > 0 ? NULL : obstacle_of(arena, all, &count, code);

        if (obstacle != NULL) {
            name_list_add(&obstacle->names, obstacle_name(arena, cluster));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        text = arena_printf(arena, "%s%s%s in %s", text, i == 0 ? "" : "; ", all[i].code,
                            name_list_text(&all[i].names, "cluster", "clusters"));
    }
    return text;
}

/* Drops a full stop: other parts may follow. */
static void
append_part(struct buf *out, const char *text)
{
    const size_t length = strlen(text);

    if (length > 0) {
        buf_append_str(out, out->length > 0 ? "; " : "");
        buf_append(out, text, text[length - 1] == '.' ? length - 1 : length);
    }
}

static void
append_finding(const struct subject *subject, const struct explained_finding *finding,
               struct buf *out)
{
    char when[TIMESTAMP_TEXT_MAX];

    append_part(out, named_reason(subject, finding->cluster, finding->message));
    if (finding->standing == EXPLAINED_PENDING && finding->counts_at != TIME_NONE) {
        buf_printf(out, "; it counts from %s", timestamp_format_seconds(finding->counts_at, when));
    } else if (finding->standing == EXPLAINED_REPORTED && subject->decision->n_reasons == 0) {
        append_part(out, finding->why_not);
    }
}

/* Counts the other findings of that standing. */
static void
append_others(const struct explanation *explanation, const struct explained_finding *finding,
              struct buf *out)
{
    uint32_t others = 0;

    for (uint32_t i = 0; i < explanation->n_findings; i++) {
        others += explanation->findings[i].standing == finding->standing ? 1 : 0;
    }
    if (--others > 0) {
        buf_printf(out, " (and %u more finding%s)", others, others == 1 ? "" : "s");
    }
}

static void
append_hold(const struct subject *subject, const struct explanation *explanation, struct buf *out)
{
    const char *reason = deciding_reason(subject, explanation);

    if (subject->state->left_alone != LEFT_ALONE_NOT) {
        append_part(out, subject->state->left_alone_reason);
        return;
    }
    if (!str_is_empty(explanation->error_type)) {
        append_part(out, explanation->error_message);
    }
    if (reason != NULL) {
        append_part(out, reason);
        return;
    }
    if (explanation->action == ACTION_BLOCKED) {
        const char *obstacles = explained_obstacles(subject->arena, explanation);

        append_part(
            out, str_is_empty(obstacles)
                     ? ""
                     : arena_printf(subject->arena, "no other cluster takes more: %s", obstacles));
    }
}

static void
append_why(const struct subject *subject, const struct explanation *explanation, struct buf *out)
{
    const struct explained_finding *finding = main_finding(explanation);

    if (finding != NULL) {
        append_finding(subject, finding, out);
        append_others(explanation, finding, out);
    }
    if (explanation->changes) {
        buf_append_str(out, out->length > 0 ? "; then " : "");
        append_steps(subject, explanation, out);
    } else {
        append_hold(subject, explanation, out);
    }
}

void
explain_verdict(const struct subject *subject, struct explanation *explanation)
{
    struct buf text;

    explanation->headline =
        arena_printf(subject->arena, "%s; %s", matter_text(subject, explanation),
                     outcome_text(subject, explanation));
    buf_init(&text, TEXT_MAX);
    append_why(subject, explanation, &text);
    explanation->because = arena_strndup(subject->arena, buf_text(&text), text.length);
    buf_release(&text);
}
