/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of Events: what went from where to where, and why.
 */
#include "ballast/report/run_events.h"

#include <string.h>

#include "ballast/base/str.h"

#define REASON_SUCCEED "DescheduleBindingSucceed"
#define REASON_FAILED "DescheduleBindingFailed"
#define REASON_SUMMARY "DescheduleSummary"
#define REASON_GUARD "DisruptionGuard"
#define FINDINGS_TOLD_MAX 3
#define CLUSTERS_TOLD_MAX 10
#define EVENTS_A_BINDING 2
#define GUARDED_TOLD_MAX 10

struct teller {
    struct arena *arena;
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    struct kube_event *events;
    uint32_t count;
    const struct run_summary *summary;
    uint32_t untold_done, untold_failed;
};

/* "m2 (2), m3 (1)": the clusters that have more in `more` than in `less`; *ret_sum is how many. */
static const char *
difference(struct arena *arena, const struct target_list *more, const struct target_list *less,
           int64_t *ret_sum)
{
    const char *text = "";
    uint32_t told = 0;

    *ret_sum = 0;
    for (uint32_t i = 0; i < more->count; i++) {
        const struct target *target = &more->items[i];
        const struct target *other = target_list_find(less, target->name);
        int64_t by = (int64_t)target->replicas - (other != NULL ? other->replicas : 0);

        if (by <= 0) {
            continue;
        }
        *ret_sum += by;
        if (told < CLUSTERS_TOLD_MAX) {
            text = arena_printf(arena, "%s%s%s (%lld)", text, told == 0 ? "" : ", ", target->name,
                                (long long)by);
        } else if (told == CLUSTERS_TOLD_MAX) {
            text = arena_printf(arena, "%s and more", text);
        }
        told++;
    }
    return text;
}

static const char *
plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* What was or was to be done; NULL when no replica is concerned. */
static const char *
tell_move(struct arena *arena, const struct decision *decision, bool done)
{
    int64_t lost, gained;
    const char *from = difference(arena, &decision->before, &decision->after, &lost);
    const char *to = difference(arena, &decision->after, &decision->before, &gained);

    if (lost > 0 && gained > 0) {
        return arena_printf(arena, "%s %lld replica%s from %s to %s", done ? "moved" : "to move",
                            (long long)gained, plural(gained), from, to);
    }
    if (gained > 0) {
        return arena_printf(arena, "%s %lld replica%s in %s", done ? "placed" : "to place",
                            (long long)gained, plural(gained), to);
    }
    if (lost > 0) {
        return arena_printf(arena, "%s %lld replica%s from %s", done ? "took" : "to take",
                            (long long)lost, plural(lost), from);
    }
    return NULL;
}

/* ": UnschedulableReplicas in m1: ...; ..." */
static const char *
tell_why(const struct teller *teller, uint32_t binding)
{
    const struct binding_state *state = &teller->diagnosis->bindings[binding];
    const char *text = "";
    uint32_t told = 0;

    for (uint32_t i = 0; i < state->n_findings && told < FINDINGS_TOLD_MAX; i++) {
        const struct finding *finding = &teller->diagnosis->findings[state->first_finding + i];

        if (finding->triggers) {
            text = arena_printf(teller->arena, "%s%s%s%s%s: %s", text, told == 0 ? ": " : "; ",
                                finding_type_name(finding->type),
                                str_is_empty(finding->cluster) ? "" : " in ", finding->cluster,
                                finding->message);
            told++;
        }
    }
    return text;
}

static struct kube_event_subject
lease_of(const struct run_summary *summary)
{
    return (struct kube_event_subject){"coordination.k8s.io/v1", "Lease", summary->namespace_,
                                       summary->name, ""};
}

static void
add_events(struct teller *teller, const struct binding *binding, bool warning, const char *message)
{
    const struct object_reference *resource = &binding->resource;
    const char *reason = warning ? REASON_FAILED : REASON_SUCCEED;

    teller->events[teller->count++] = (struct kube_event){
        .warning = warning,
        .reason = reason,
        .message = message,
        .about = {binding_api_version(teller->fleet, binding), binding_kind_name(binding->kind),
                  binding->namespace_, binding->name, binding->uid},
    };
    /* in KubeFed there is none of it in the control plane */
    if (binding->federated == NULL && !str_is_empty(resource->name)) {
        teller->events[teller->count++] = (struct kube_event){
            .warning = warning,
            .reason = reason,
            .message = message,
            .about = {resource->api_version, resource->kind, resource->namespace_, resource->name,
                      resource->uid},
        };
    }
}

static void
tell(struct teller *teller, const struct write_outcome *write)
{
    const struct binding *binding = &teller->fleet->bindings[write->binding];
    bool done = write->status == WRITE_DONE;

    /* what is gone cannot be spoken of, what was not tried comes with the next run, and what needs
     * no change any more is not of our making */
    if (!write->decision->changes || write->status == WRITE_GONE ||
        write->status == WRITE_PENDING) {
        return;
    }
    const char *move = tell_move(teller->arena, write->decision, done);

    if (move == NULL && done) {
        return;
    }
    if (teller->count + EVENTS_A_BINDING > RUN_EVENTS_MAX) {
        teller->untold_done += done ? 1 : 0;
        teller->untold_failed += done ? 0 : 1;
        return;
    }
    const struct run_summary *summary = teller->summary;
    const char *why = summary->undone != NULL
                          ? arena_printf(teller->arena, ": undo of record %s", summary->undone)
                          : tell_why(teller, write->binding);

    if (summary->record != NULL) {
        why = arena_printf(teller->arena, " (record %s)%s", summary->record, why);
    }
    const char *message =
        done ? arena_printf(teller->arena, "%s%s", move, why)
             : arena_printf(teller->arena, "failed%s%s: %s%s", move != NULL ? " " : "",
                            move != NULL ? move : "", write->message, why);

    add_events(teller, binding, !done, message);
}

/* Where an operator looks: at the run's Lease, and at the clusters that are not left. */
static void
tell_guard(struct teller *teller, const struct run_summary *summary)
{
    const struct diagnosis *diagnosis = teller->diagnosis;
    struct kube_event event = {.warning = true, .reason = REASON_GUARD};
    uint32_t told = 0;

    if (!diagnosis->guard_tripped || summary->undone != NULL) {
        return;
    }
    event.message = arena_printf(teller->arena, "%s in this run: %s", diagnosis->guard_verdict,
                                 diagnosis->guard_reason);
    teller->events[teller->count] = event;
    teller->events[teller->count++].about = lease_of(summary);
    for (uint32_t i = 0; i < teller->fleet->n_clusters && told < GUARDED_TOLD_MAX; i++) {
        const struct cluster *cluster = &teller->fleet->clusters[i];

        if (diagnosis->clusters[i].guarded && !diagnosis->clusters[i].healthy) {
            teller->events[teller->count] = event;
            teller->events[teller->count++].about = (struct kube_event_subject){
                "cluster.karmada.io/v1alpha1", "Cluster", "", cluster->name, cluster->uid};
            told++;
        }
    }
}

const struct kube_event *
run_events(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
           const struct outcome *outcome, const struct run_summary *summary, uint32_t *ret_count)
{
    struct teller teller = {
        .arena = arena,
        .fleet = fleet,
        .diagnosis = diagnosis,
        .summary = summary,
        .events = ARENA_ARRAY(arena, struct kube_event, RUN_EVENTS_MAX + 1),
    };

    tell_guard(&teller, summary);
    /* failures first: they are fewer, and somebody may have to act on them */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < outcome->n_writes; i++) {
            if ((outcome->writes[i].status == WRITE_DONE) == (pass == 1)) {
                tell(&teller, &outcome->writes[i]);
            }
        }
    }
    if (teller.untold_done + teller.untold_failed > 0) {
        teller.events[teller.count++] = (struct kube_event){
            .warning = teller.untold_failed > 0,
            .reason = REASON_SUMMARY,
            .message = arena_printf(arena, "and %u more bindings changed, %u more failed",
                                    (unsigned)teller.untold_done, (unsigned)teller.untold_failed),
            .about = lease_of(summary),
        };
    }
    *ret_count = teller.count;
    return teller.events;
}
