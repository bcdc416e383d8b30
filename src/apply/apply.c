/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a plan: everything that changes goes to the back end in one batch; what
 * conflicts is read and planned again, a bounded number of times.
 */
#include "ballast/apply/apply.h"

#include <string.h>

#include "ballast/base/str.h"

struct plan_writer {
    struct arena *arena;
    struct fleet *fleet;
    const struct backend *backend;
    const struct replanner *replanner;
    const atomic_bool *stop;
    struct write_outcome *outcomes;
    uint32_t count;
    struct write_request *requests;
    bool *is_recorded; /* by outcome */
};

/* Keeps the object's order of targets and adds new ones at the end: a write changes little. */
static struct target_list
targets_of(struct arena *arena, const struct binding *binding, const struct decision *decision)
{
    struct target *targets =
        ARENA_ARRAY(arena, struct target, (size_t)binding->clusters.count + decision->after.count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *kept =
            target_list_find(&decision->after, binding->clusters.items[i].name);

        if (kept != NULL) {
            targets[count] = binding->clusters.items[i];
            targets[count++].replicas = kept->replicas;
        }
    }
    for (uint32_t i = 0; i < decision->after.count; i++) {
        if (target_list_find(&binding->clusters, decision->after.items[i].name) == NULL) {
            targets[count++] = decision->after.items[i];
        }
    }
    return (struct target_list){.items = targets, .count = count};
}

static struct binding_change
change_of(struct arena *arena, const struct binding *binding, const struct decision *decision)
{
    const struct target_list targets = decision->as_written.count > 0
                                           ? decision->as_written
                                           : targets_of(arena, binding, decision);
    const struct label_list annotations = decision_annotations(arena, decision);

    return (struct binding_change){
        .clusters = targets.items,
        .n_clusters = targets.count,
        .extras = decision->extras_as_written,
        .drops_emptied = decision->as_written.count > 0,
        .tasks_taken_back = decision->tasks_taken_back,
        .new_tasks = decision->new_tasks,
        .n_new_tasks = decision->n_new_tasks,
        .annotations = annotations.items,
        .n_annotations = annotations.count,
    };
}

static void
record(struct plan_writer *writer, struct write_outcome *outcome,
       const struct write_request *request)
{
    outcome->status = request->status;
    outcome->in_doubt = outcome->in_doubt || request->in_doubt;
    outcome->tries += request->status != WRITE_PENDING ? 1 : 0;
    outcome->message =
        request->status == WRITE_DONE || request->status == WRITE_PENDING
            ? ""
            : arena_strndup(writer->arena, request->error.message, strlen(request->error.message));
    outcome->version = arena_strndup(writer->arena, request->version, strlen(request->version));
}

/* Returns why a decision changes nothing: "OptedOut: by annotation ..." */
static const char *
first_reason(struct arena *arena, const struct decision *decision)
{
    if (!str_is_empty(decision->error_type)) {
        return arena_printf(arena, "%s: %s", decision->error_type, decision->error_message);
    }
    if (decision->n_reasons > 0) {
        return arena_printf(arena, "%s: %s", decision->reasons[0].code,
                            decision->reasons[0].message);
    }
    return "it was changed meanwhile";
}

static void
finish_without_write(struct plan_writer *writer, struct write_outcome *outcome)
{
    const struct decision *decision = outcome->decision;

    if (decision->action == ACTION_BLOCKED || decision->action == ACTION_LEFT_ALONE ||
        decision->action == ACTION_DEFERRED) {
        outcome->status = decision->action == ACTION_DEFERRED ? WRITE_DEFERRED : WRITE_BLOCKED;
        outcome->message = first_reason(writer->arena, decision);
    } else {
        outcome->status = WRITE_NEEDLESS;
        outcome->message = "nothing left to do: it was changed meanwhile";
    }
}

/* True if Ballast's own write, whose answer was lost, caused the conflict. */
static bool
is_our_work(const struct write_outcome *outcome, const struct binding *fresh)
{
    const struct target_list *want = &outcome->decision->after;

    if (!outcome->in_doubt || fresh->clusters.count != want->count) {
        return false;
    }
    for (uint32_t i = 0; i < want->count; i++) {
        const struct target *is = target_list_find(&fresh->clusters, want->items[i].name);

        if (is == NULL || is->replicas != want->items[i].replicas) {
            return false;
        }
    }
    return true;
}

/* A server may answer with any object, also with one that was deleted and created again. */
static bool
is_same_object(const struct binding *asked, const struct binding *got, struct error *err)
{
    if (asked->kind != got->kind || !str_eq(asked->namespace_, got->namespace_) ||
        !str_eq(asked->name, got->name)) {
        return error_set(err, ERROR_INVALID, "read again, it is another object: %s%s%s",
                         got->namespace_, str_is_empty(got->namespace_) ? "" : "/", got->name);
    }
    return uid_is_empty(&asked->uid) || uid_eq(&asked->uid, &got->uid) ||
           error_set(err, ERROR_NOT_FOUND, "it was deleted and created anew meanwhile");
}

/* Keeps the conflict's message: Ballast's own write may have caused the conflict. */
static void
finish_unread(struct plan_writer *writer, struct write_outcome *outcome, const struct error *err)
{
    outcome->status = err->code == ERROR_NOT_FOUND ? WRITE_GONE : WRITE_FAILED;
    outcome->message =
        arena_printf(writer->arena, "%s; before that: %s", err->message, outcome->message);
}

/* Returns the present state of a binding after a conflict; NULL if the outcome is final. */
static const struct binding *
read_again(struct plan_writer *writer, struct write_outcome *outcome, const struct binding *binding)
{
    struct error err = ERROR_INIT;
    const struct binding *fresh =
        writer->backend->read_again(writer->backend->context, writer->fleet, binding, &err);

    if (fresh == NULL || !is_same_object(binding, fresh, &err)) {
        finish_unread(writer, outcome, &err);
        return NULL;
    }
    if (is_our_work(outcome, fresh)) {
        outcome->status = WRITE_DONE;
        outcome->message = "";
        return NULL;
    }
    writer->replanner->reread(writer->replanner->context, outcome->binding, fresh);
    return fresh;
}

/* Tries once more. True if the write met a conflict again. */
static bool
try_again(struct plan_writer *writer, struct write_outcome *outcome, const struct binding *fresh)
{
    outcome->decision = writer->replanner->replan(writer->replanner->context, outcome->binding);
    if (!outcome->decision->changes) {
        finish_without_write(writer, outcome);
        return false;
    }
    struct write_request request = {
        .binding = fresh,
        .change = change_of(writer->arena, fresh, outcome->decision),
    };

    writer->backend->write(writer->backend->context, &request, 1, writer->stop);
    record(writer, outcome, &request);
    return outcome->status == WRITE_CONFLICT;
}

static bool
may_try_again(const struct plan_writer *writer, const struct write_outcome *outcome)
{
    return outcome->status == WRITE_CONFLICT && outcome->tries < APPLY_MAX_TRIES && !*writer->stop;
}

/* Reads all bindings before it plans the first one: a new plan must not use capacity that others
 * gave to another of these bindings. */
static void
resolve_conflicts(struct plan_writer *writer)
{
    const struct binding **fresh =
        ARENA_ARRAY(writer->arena, const struct binding *, writer->count);

    for (uint32_t i = 0; i < writer->count; i++) {
        struct write_outcome *outcome = &writer->outcomes[i];

        if (may_try_again(writer, outcome)) {
            fresh[i] = read_again(writer, outcome, &writer->fleet->bindings[outcome->binding]);
        }
    }
    for (uint32_t i = 0; i < writer->count; i++) {
        struct write_outcome *outcome = &writer->outcomes[i];

        while (fresh[i] != NULL && may_try_again(writer, outcome) &&
               try_again(writer, outcome, fresh[i])) {
            fresh[i] =
                may_try_again(writer, outcome) ? read_again(writer, outcome, fresh[i]) : NULL;
        }
    }
}

/* A conflict's result is known only after all other writes. */
static void
on_written(void *context, struct write_request *request)
{
    struct plan_writer *writer = context;
    size_t index = (size_t)(request - writer->requests);
    struct write_outcome *outcome = &writer->outcomes[index];

    record(writer, outcome, request);
    writer->is_recorded[index] = true;
    if (outcome->status != WRITE_CONFLICT && outcome->status != WRITE_PENDING &&
        writer->replanner->written != NULL) {
        writer->replanner->written(writer->replanner->context, outcome);
    }
}

static void
write_all(struct plan_writer *writer)
{
    struct write_request *requests =
        ARENA_ARRAY(writer->arena, struct write_request, writer->count);

    writer->requests = requests;
    writer->is_recorded = ARENA_ARRAY(writer->arena, bool, writer->count);
    for (uint32_t i = 0; i < writer->count; i++) {
        const struct write_outcome *outcome = &writer->outcomes[i];

        requests[i].binding = &writer->fleet->bindings[outcome->binding];
        requests[i].change = change_of(writer->arena, requests[i].binding, outcome->decision);
        requests[i].done = on_written;
        requests[i].done_context = writer;
    }
    writer->backend->write(writer->backend->context, requests, writer->count, writer->stop);
    for (uint32_t i = 0; i < writer->count; i++) {
        if (!writer->is_recorded[i]) {
            record(writer, &writer->outcomes[i], &requests[i]);
        }
    }
    resolve_conflicts(writer);
}

static void
collect(struct plan_writer *writer, const struct plan *plan)
{
    writer->outcomes = ARENA_ARRAY(writer->arena, struct write_outcome, plan->totals.changed);
    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        const struct decision *decision = plan->decisions[plan->order[i]];

        if (decision != NULL && decision->changes) {
            writer->outcomes[writer->count++] = (struct write_outcome){
                .binding = decision->binding,
                .decision = decision,
                .message = "",
                .version = "",
            };
        }
    }
}

static void
count(struct outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->n_writes; i++) {
        switch (outcome->writes[i].status) {
        case WRITE_DONE:
            outcome->n_done++;
            outcome->replicas_moved += outcome->writes[i].decision->moved;
            outcome->replicas_added += outcome->writes[i].decision->added;
            break;
        case WRITE_PENDING:
            outcome->n_pending++;
            break;
        case WRITE_NEEDLESS:
            outcome->n_needless++;
            break;
        case WRITE_BLOCKED:
            outcome->n_blocked++;
            break;
        case WRITE_DEFERRED:
            outcome->n_deferred++;
            break;
        default:
            outcome->n_failed++;
        }
    }
}

const struct outcome *
apply(struct arena *arena, struct fleet *fleet, const struct plan *plan,
      const struct backend *backend, const struct replanner *replanner, const atomic_bool *stop)
{
    struct plan_writer writer = {
        .arena = arena,
        .fleet = fleet,
        .backend = backend,
        .replanner = replanner,
        .stop = stop,
    };
    struct outcome *outcome = ARENA_NEW(arena, struct outcome);

    collect(&writer, plan);
    if (writer.count > 0) {
        write_all(&writer);
    }
    outcome->writes = writer.outcomes;
    outcome->n_writes = writer.count;
    count(outcome);
    return outcome;
}

void
apply_note(struct arena *arena, const struct binding *binding, const struct label *annotation,
           const struct backend *backend, const atomic_bool *stop)
{
    struct write_request *request = ARENA_NEW(arena, struct write_request);

    request->binding = binding;
    request->change = (struct binding_change){
        .annotations = annotation,
        .n_annotations = 1,
        .only_annotates = true,
    };
    backend->write(backend->context, request, 1, stop);
}
