/* SPDX-License-Identifier: Apache-2.0
 *
 * The pod templates of workloads that something is to be done about: the very
 * object that a binding names, some at a time. What cannot be read is unknown, and
 * told once a kind.
 */
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/kube/kube_text.h"
#include "control_plane_parts.h"

/* In one run: about what it may write, which costs the server more. */
#define TEMPLATES_MAX 1000
#define AT_ONCE 64 /* whose answers are held together */
#define OBJECT_MAX ((size_t)STREAM_OBJECT_MAX)

/* A kind of what is asked for. */
struct wanted_kind {
    struct bound_kind of;
    const char *collection; /* NULL: it is not known */
    struct unseen_templates unseen;
};

struct template_reader {
    const struct control_plane *plane;
    const struct fleet *fleet;
    struct fleet_builder *builder;
    struct error *err;
    VEC_OF(struct wanted_kind) kinds;
    uint32_t n_read;
    /* those of one go */
    const struct object_reference *workloads[AT_ONCE];
    struct kube_request requests[AT_ONCE];
    uint32_t n_requests;
};

static bool
ends_run(const struct error *failure)
{
    return failure->code == ERROR_STOPPED || failure->code == ERROR_DEADLINE;
}

static void
note_unseen(const struct template_reader *reader, struct wanted_kind *kind, const char *message)
{
    if (kind->unseen.count++ == 0) {
        kind->unseen.message = arena_strndup(reader->plane->arena, message, strlen(message));
    }
}

/* The kind of a workload, discovered when it is new; NULL: that ended the run. */
static struct wanted_kind *
find_kind(struct template_reader *reader, const struct object_reference *workload)
{
    for (size_t i = 0; i < reader->kinds.count; i++) {
        struct wanted_kind *known = &reader->kinds.items[i];

        if (str_eq(known->of.kind, workload->kind) &&
            str_eq(known->of.api_version, workload->api_version)) {
            return known;
        }
    }
    struct error failure = ERROR_INIT;
    struct wanted_kind *kind = vec_push(&reader->kinds);

    *kind = (struct wanted_kind){
        .of = {workload->api_version, workload->kind},
        .unseen = {.api_version = workload->api_version, .kind = workload->kind}};
    kind->collection = control_plane_discover(reader->plane, &kind->of, &failure);
    if (kind->collection == NULL && ends_run(&failure)) {
        *reader->err = failure;
        return NULL;
    }
    if (kind->collection == NULL) {
        kind->unseen.message =
            arena_strndup(reader->plane->arena, failure.message, strlen(failure.message));
    }
    return kind;
}

/* --- one go --- */

static bool
take(const struct template_reader *reader, const struct object_reference *workload,
     const struct kube_request *request, struct error *err)
{
    struct document *document =
        document_parse_json(buf_text(&request->reply), request->reply.length, 1, err);
    bool done = document != NULL;

    if (done) {
        const struct value *root = document_root(document);
        const struct value *metadata = value_get(root, "metadata");

        done = (str_eq(value_text(root, "kind"), workload->kind) &&
                str_eq(value_text(metadata, "namespace"), workload->namespace_) &&
                str_eq(value_text(metadata, "name"), workload->name)) ||
               error_set(err, ERROR_PARSE, "the answer is another object");
        done = done && fleet_builder_add_template(reader->builder, root, workload->api_version,
                                                  workload->kind, err);
    }
    document_free(document);
    return done || error_wrap(err, "GET %s", request->path);
}

static bool
perform(struct template_reader *reader)
{
    bool done = true;

    kube_perform(reader->plane->client, reader->requests, reader->n_requests);
    for (uint32_t i = 0; i < reader->n_requests; i++) {
        struct kube_request *request = &reader->requests[i];
        struct error failure = request->error;

        if (done && failure.code == ERROR_NONE) {
            take(reader, reader->workloads[i], request, &failure);
        }
        if (done && ends_run(&failure)) {
            *reader->err = failure;
            done = false;
        } else if (done && failure.code != ERROR_NONE) {
            note_unseen(reader, find_kind(reader, reader->workloads[i]), failure.message);
        }
        kube_request_release(request);
    }
    reader->n_requests = 0;
    return done;
}

static const char *
path_of(const struct template_reader *reader, const struct wanted_kind *kind,
        const struct object_reference *workload)
{
    struct arena *arena = reader->plane->arena;

    return kube_path(
        arena, &(struct kube_place){
                   .api = control_plane_api_path(arena, workload->api_version),
                   .namespace_ = str_is_empty(workload->namespace_) ? NULL : workload->namespace_,
                   .plural = kind->collection,
                   .name = workload->name,
               });
}

static bool
ask(struct template_reader *reader, const struct object_reference *workload)
{
    struct wanted_kind *kind = find_kind(reader, workload);

    if (kind == NULL) {
        return false;
    }
    if (kind->collection == NULL) {
        kind->unseen.count++;
        return true;
    }
    if (str_is_empty(workload->name)) { /* it would be asked for all of them */
        note_unseen(reader, kind, "a binding names none");
        return true;
    }
    if (reader->n_read == TEMPLATES_MAX) {
        note_unseen(reader, kind, "more are wanted than a run reads");
        return true;
    }
    reader->n_read++;
    reader->workloads[reader->n_requests] = workload;
    reader->requests[reader->n_requests++] = (struct kube_request){
        .method = KUBE_GET, .path = path_of(reader, kind, workload), .max_reply = OBJECT_MAX};
    return reader->n_requests < AT_ONCE || perform(reader);
}

bool
control_plane_read_templates(struct control_plane *plane, const struct fleet *fleet,
                             const struct survey *asked, struct fleet_builder *builder,
                             struct error *err)
{
    struct template_reader *reader = heap_new(1, sizeof(*reader));
    bool done = true;

    reader->plane = plane;
    reader->fleet = fleet;
    reader->builder = builder;
    reader->err = err;
    for (uint32_t i = 0; i < asked->n_fit && done; i++) {
        if (i == 0 || asked->fit[i].binding != asked->fit[i - 1].binding) {
            done = ask(reader, &fleet->bindings[asked->fit[i].binding].resource);
        }
    }
    done = done && perform(reader);
    for (size_t i = 0; i < reader->kinds.count; i++) {
        if (reader->kinds.items[i].unseen.count > 0) {
            fleet_builder_miss_templates(builder, &reader->kinds.items[i].unseen);
        }
    }
    vec_free(&reader->kinds);
    free(reader);
    return done || error_wrap(err, "reading pod templates");
}
