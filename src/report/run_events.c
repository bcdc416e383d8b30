/* SPDX-License-Identifier: Apache-2.0
 *
 * Words the Events of a run: moves and their reasons.
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
#define NAMES_TOLD_MAX 10

/* Writes with one cause, which share an Event. */
struct alike {
    bool done;
    enum write_status status;      /* of failed writes */
    const struct finding *finding; /* the first triggering one; NULL: none */
    uint32_t count;
    int64_t replicas;
    const char *names;   /* of the first bindings */
    const char *message; /* of the last failure */
};

struct run_events {
    struct arena *arena;
    struct run_summary summary;
    struct run_event_sink sink;
    const struct fleet *fleet; /* from the latest call */
    const struct diagnosis *diagnosis;
    bool *is_told; /* by binding; NULL: no Event yet */
    uint32_t n_done;
    uint32_t n_failed[WRITE_DEFERRED + 1]; /* by status */
    struct alike alike[RUN_EVENTS_SUMS_MAX];
    uint32_t n_alike;
    uint32_t others_done, others_failed;
};

/* Returns "m2 (2), m3 (1)", the clusters with more replicas in `more`. *ret_sum is the surplus. */
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

/* Returns the move in words; NULL: no replicas. */
static const char *
write_move(struct arena *arena, const struct decision *decision, bool done)
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

/* Returns ": UnschedulableReplicas in m1: ...; ...". */
static const char *
write_why(const struct run_events *events, uint32_t binding)
{
    const struct binding_state *state = &events->diagnosis->bindings[binding];
    const char *text = "";
    uint32_t told = 0;

    for (uint32_t i = 0; i < state->n_findings && told < FINDINGS_TOLD_MAX; i++) {
        const struct finding *finding = &events->diagnosis->findings[state->first_finding + i];

        if (finding->triggers) {
            text = arena_printf(events->arena, "%s%s%s%s%s: %s", text, told == 0 ? ": " : "; ",
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
add_events(struct run_events *events, const struct binding *binding, bool warning,
           const char *message)
{
    const struct object_reference *resource = &binding->resource;
    struct kube_event event = {
        .warning = warning,
        .reason = warning ? REASON_FAILED : REASON_SUCCEED,
        .message = message,
        .about = {binding_api_version(events->fleet, binding), binding_kind_name(binding->kind),
                  binding->namespace_, binding->name, uid_keep_text(events->arena, &binding->uid)},
    };

    events->sink.send(events->sink.context, &event);
    /* KubeFed's control plane does not have the workload */
    if (binding->federated == NULL && !str_is_empty(resource->name)) {
        event.about = (struct kube_event_subject){resource->api_version, resource->kind,
                                                  resource->namespace_, resource->name,
                                                  uid_keep_text(events->arena, &resource->uid)};
        events->sink.send(events->sink.context, &event);
    }
}

static const struct finding *
cause_of(const struct run_events *events, uint32_t binding)
{
    const struct binding_state *state = &events->diagnosis->bindings[binding];

    for (uint32_t i = 0; i < state->n_findings; i++) {
        const struct finding *finding = &events->diagnosis->findings[state->first_finding + i];

        if (finding->triggers) {
            return finding;
        }
    }
    return NULL;
}

static bool
has_same_cause(const struct finding *a, const struct finding *b)
{
    return a == NULL || b == NULL ? a == b : a->type == b->type && str_eq(a->cluster, b->cluster);
}

/* NULL: too many causes. */
static struct alike *
find_alike(struct run_events *events, const struct write_outcome *write)
{
    bool done = write->status == WRITE_DONE;
    const struct finding *cause = done ? cause_of(events, write->binding) : NULL;

    for (uint32_t i = 0; i < events->n_alike; i++) {
        struct alike *alike = &events->alike[i];

        if (alike->done == done &&
            (done ? has_same_cause(alike->finding, cause) : alike->status == write->status)) {
            return alike;
        }
    }
    if (events->n_alike == RUN_EVENTS_SUMS_MAX) {
        return NULL;
    }
    events->alike[events->n_alike] = (struct alike){
        .done = done, .status = write->status, .finding = cause, .names = "", .message = ""};
    return &events->alike[events->n_alike++];
}

static void
put_together(struct run_events *events, const struct write_outcome *write)
{
    const struct binding *binding = &events->fleet->bindings[write->binding];
    struct alike *alike = find_alike(events, write);

    if (alike == NULL) {
        events->others_done += write->status == WRITE_DONE ? 1 : 0;
        events->others_failed += write->status == WRITE_DONE ? 0 : 1;
        return;
    }
    if (alike->count < NAMES_TOLD_MAX) {
        alike->names = arena_printf(events->arena, "%s%s%s%s%s", alike->names,
                                    alike->count > 0 ? ", " : "", binding->namespace_,
                                    str_is_empty(binding->namespace_) ? "" : "/", binding->name);
    } else if (alike->count == NAMES_TOLD_MAX) {
        alike->names = arena_printf(events->arena, "%s and more", alike->names);
    }
    alike->count++;
    alike->replicas += write->decision->moved + write->decision->added;
    alike->message = write->message;
}

/* Cheaper than write_move: most writes of a large run need no words. */
static bool
moves_replicas(const struct decision *decision)
{
    const struct target_list *before = &decision->before, *after = &decision->after;

    for (uint32_t i = 0; i < after->count; i++) {
        const struct target *was = target_list_find(before, after->items[i].name);

        if (after->items[i].replicas != (was != NULL ? was->replicas : 0)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < before->count; i++) {
        if (before->items[i].replicas > 0 &&
            target_list_find(after, before->items[i].name) == NULL) {
            return true;
        }
    }
    return false;
}

static bool
has_room_for(struct run_events *events, const struct write_outcome *write)
{
    uint32_t *count =
        write->status == WRITE_DONE ? &events->n_done : &events->n_failed[write->status];
    uint32_t most =
        write->status == WRITE_DONE ? RUN_EVENTS_DONE_MAX / EVENTS_A_BINDING : RUN_EVENTS_ALIKE_MAX;

    return (*count)++ < most;
}

static void
tell(struct run_events *events, const struct write_outcome *write)
{
    const struct binding *binding = &events->fleet->bindings[write->binding];
    bool done = write->status == WRITE_DONE;

    /* A deleted binding takes no Events, and a pending write is left to the next run. A write that
     * needs no change is another client's work. */
    if (!write->decision->changes || write->status == WRITE_GONE ||
        write->status == WRITE_PENDING) {
        return;
    }
    if (done && !moves_replicas(write->decision)) {
        return;
    }
    if (!has_room_for(events, write)) {
        put_together(events, write);
        return;
    }
    const char *move = write_move(events->arena, write->decision, done);
    const struct run_summary *summary = &events->summary;
    const char *why = summary->undone != NULL
                          ? arena_printf(events->arena, ": undo of record %s", summary->undone)
                          : write_why(events, write->binding);

    if (summary->record != NULL) {
        why = arena_printf(events->arena, " (record %s)%s", summary->record, why);
    }
    const char *message =
        done ? arena_printf(events->arena, "%s%s", move, why)
             : arena_printf(events->arena, "failed%s%s: %s%s", move != NULL ? " " : "",
                            move != NULL ? move : "", write->message, why);

    add_events(events, binding, !done, message);
}

/* Operators look at the run's Lease and at the unhealthy clusters. */
static void
write_guard(const struct run_events *events)
{
    const struct diagnosis *diagnosis = events->diagnosis;
    struct kube_event event = {.warning = true, .reason = REASON_GUARD};
    uint32_t told = 0;

    if (!diagnosis->guard_tripped || events->summary.undone != NULL) {
        return;
    }
    event.message = arena_printf(events->arena, "%s in this run: %s", diagnosis->guard_verdict,
                                 diagnosis->guard_reason);
    event.about = lease_of(&events->summary);
    events->sink.send(events->sink.context, &event);
    for (uint32_t i = 0; i < events->fleet->n_clusters && told < GUARDED_TOLD_MAX; i++) {
        const struct cluster *cluster = &events->fleet->clusters[i];

        if (diagnosis->clusters[i].guarded && !diagnosis->clusters[i].healthy) {
            event.about = (struct kube_event_subject){"cluster.karmada.io/v1alpha1", "Cluster", "",
                                                      cluster->name, cluster->uid};
            events->sink.send(events->sink.context, &event);
            told++;
        }
    }
}

/* Sends "3 more bindings changed, 7 replicas: UnhealthyCluster in m1: shop/a, shop/b, shop/c". */
static void
write_alike(const struct run_events *events, const struct alike *alike)
{
    const struct finding *finding = alike->finding;
    const char *plural_ = plural(alike->count);
    const char *cause = "";

    if (events->summary.undone != NULL) {
        cause = arena_printf(events->arena, ": undo of record %s", events->summary.undone);
    } else if (finding != NULL) {
        cause = arena_printf(events->arena, ": %s%s%s", finding_type_name(finding->type),
                             str_is_empty(finding->cluster) ? "" : " in ", finding->cluster);
    }
    const struct kube_event event = {
        .warning = !alike->done,
        .reason = REASON_SUMMARY,
        .message =
            alike->done
                ? arena_printf(events->arena, "%u more binding%s changed, %lld replica%s%s: %s",
                               (unsigned)alike->count, plural_, (long long)alike->replicas,
                               plural(alike->replicas), cause, alike->names)
                : arena_printf(events->arena, "%u more binding%s failed (%s): %s; the last: %s",
                               (unsigned)alike->count, plural_, write_status_name(alike->status),
                               alike->names, alike->message),
        .count = alike->count,
        .about = lease_of(&events->summary),
    };

    events->sink.send(events->sink.context, &event);
}

static void
write_others(const struct run_events *events)
{
    const struct kube_event event = {
        .warning = events->others_failed > 0,
        .reason = REASON_SUMMARY,
        .message = arena_printf(events->arena, "and %u more bindings changed, %u more failed",
                                (unsigned)events->others_done, (unsigned)events->others_failed),
        .count = events->others_done + events->others_failed,
        .about = lease_of(&events->summary),
    };

    if (event.count > 0) {
        events->sink.send(events->sink.context, &event);
    }
}

struct run_events *
run_events_new(struct arena *arena, const struct run_summary *summary, struct run_event_sink sink)
{
    struct run_events *events = ARENA_NEW(arena, struct run_events);

    events->arena = arena;
    events->summary = *summary;
    events->sink = sink;
    return events;
}

void
run_events_send(struct run_events *events, const struct fleet *fleet,
                const struct diagnosis *diagnosis, const struct write_outcome *write)
{
    events->fleet = fleet;
    events->diagnosis = diagnosis;
    if (events->is_told == NULL) {
        events->is_told = ARENA_ARRAY(events->arena, bool, fleet->n_bindings);
    }
    if (!events->is_told[write->binding]) {
        events->is_told[write->binding] = true;
        tell(events, write);
    }
}

void
run_events_finish(struct run_events *events, const struct fleet *fleet,
                  const struct diagnosis *diagnosis, const struct outcome *outcome)
{
    events->fleet = fleet;
    events->diagnosis = diagnosis;
    write_guard(events);
    /* failures first: they are few, and may need action */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < outcome->n_writes; i++) {
            if ((outcome->writes[i].status == WRITE_DONE) == (pass == 1)) {
                run_events_send(events, fleet, diagnosis, &outcome->writes[i]);
            }
        }
    }
    for (uint32_t i = 0; i < events->n_alike; i++) {
        write_alike(events, &events->alike[i]);
    }
    write_others(events);
}
