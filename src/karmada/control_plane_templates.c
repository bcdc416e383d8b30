/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the pod templates of workloads that a plan may change: by list if a namespace has many of a
 * kind, else one by one. Workloads that a list refused or did not hold are read one by one, too.
 * Unreadable templates stay unknown, and are reported once per kind.
 */
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/kube/kube_list.h"
#include "ballast/kube/kube_text.h"
#include "control_plane_parts.h"
#include "template_groups.h"

/* Most templates in one run: about the number of writes, which cost the server more. */
#define TEMPLATES_MAX 1000
#define AT_ONCE 64 /* requests whose responses are held together */
#define LISTS_AT_ONCE 8u
#define OBJECT_MAX ((size_t)STREAM_OBJECT_MAX)

struct wanted_kind {
    struct bound_kind of;
    const char *collection; /* NULL: unknown */
    bool has_no_lists;      /* a list was refused or failed */
    struct unseen_templates unseen;
};

struct template_reader {
    const struct control_plane *plane;
    const struct fleet *fleet;
    struct fleet_builder *builder;
    struct error *err;
    VEC_OF(struct wanted_kind) kinds;
    struct wanted_template *wanted; /* to be read: TEMPLATES_MAX at most */
    uint32_t n_wanted;
    /* under way */
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

/* Returns the kind of a workload, discovered when it is new; NULL: the run is over. */
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

static bool
is_of(const struct value *object, const struct object_reference *workload)
{
    const struct value *metadata = value_get(object, "metadata");

    return str_eq(value_text(metadata, "namespace"), workload->namespace_) &&
           str_eq(value_text(metadata, "name"), workload->name);
}

static bool
take(const struct template_reader *reader, const struct object_reference *workload,
     const struct kube_request *request, struct error *err)
{
    struct document *document =
        document_parse_json(buf_text(&request->reply), request->reply.length, 1, err);
    bool done = document != NULL;

    if (done) {
        const struct value *root = document_root(document);

        done = (str_eq(value_text(root, "kind"), workload->kind) && is_of(root, workload)) ||
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

/* NULL name: all objects in the namespace. */
static const char *
path_of(const struct template_reader *reader, const struct wanted_kind *kind,
        const char *namespace_, const char *name)
{
    struct arena *arena = reader->plane->arena;

    return kube_path(arena, &(struct kube_place){
                                .api = control_plane_api_path(arena, kind->of.api_version),
                                .namespace_ = str_is_empty(namespace_) ? NULL : namespace_,
                                .plural = kind->collection,
                                .name = name,
                            });
}

static bool
ask(struct template_reader *reader, const struct object_reference *workload)
{
    const struct wanted_kind *kind = find_kind(reader, workload);

    reader->workloads[reader->n_requests] = workload;
    reader->requests[reader->n_requests++] =
        (struct kube_request){.method = KUBE_GET,
                              .path = path_of(reader, kind, workload->namespace_, workload->name),
                              .max_reply = OBJECT_MAX};
    return reader->n_requests < AT_ONCE || perform(reader);
}

static bool
ask_one_by_one(struct template_reader *reader)
{
    bool done = true;

    for (uint32_t i = 0; i < reader->n_wanted && done; i++) {
        done = reader->wanted[i].is_settled || ask(reader, reader->wanted[i].workload);
    }
    return done && perform(reader);
}

struct template_list {
    struct template_reader *reader;
    const struct template_group *group;
    struct wanted_kind *kind;
    struct kube_listing *listing; /* NULL: not asked for */
};

static bool
take_listed(void *context, const struct stream_object *object, struct error *err)
{
    struct template_list *list = context;
    const char *name = value_text(value_get(object->root, "metadata"), "name");
    struct wanted_template *wanted = template_group_find(list->group, name);
    struct error failure = ERROR_INIT;

    (void)err;
    if (wanted == NULL || wanted->is_settled || !is_of(object->root, wanted->workload)) {
        return true;
    }
    const struct object_reference *workload = wanted->workload;

    wanted->is_settled = true;
    if (!fleet_builder_add_template(list->reader->builder, object->root, workload->api_version,
                                    workload->kind, &failure)) {
        error_wrap(&failure, "%s/%s", workload->namespace_, workload->name);
        note_unseen(list->reader, list->kind, failure.message);
    }
    return true;
}

static void
begin_list(struct template_reader *reader, const struct template_group *group,
           struct template_list *list)
{
    static const struct stream_ops ops = {take_listed, stream_pass_over};
    const struct object_reference *of = template_group_of(group);
    const struct control_plane *plane = reader->plane;

    *list = (struct template_list){
        .reader = reader, .group = group, .kind = find_kind(reader, of), .listing = NULL};
    if (list->kind == NULL || list->kind->has_no_lists) {
        return;
    }
    const struct kube_list_options options = {
        .path = path_of(reader, list->kind, of->namespace_, NULL),
        .page_limit = plane->options.page_size,
        .from_cache = plane->from_cache,
        .ops = &ops,
        .context = list,
    };
    list->listing = kube_list_begin(plane->client, &options);
}

/* Objects that a list did not bring are read one by one. False if the run is over. */
static bool
finish_list(struct template_reader *reader, struct template_list *list)
{
    struct error failure = ERROR_INIT;

    if (list->kind == NULL) {
        return false; /* find_kind set the error */
    }
    if (list->listing == NULL || kube_list_finish(list->listing, &failure)) {
        return true;
    }
    list->kind->has_no_lists = true;
    if (ends_run(&failure)) {
        *reader->err = failure;
    }
    return !ends_run(&failure);
}

/* Sends the first list alone: a server that refuses it refuses the others. */
static bool
ask_with_lists(struct template_reader *reader)
{
    struct template_group *groups;
    struct template_list lists[LISTS_AT_ONCE];
    uint32_t count = template_groups_to_list(reader->plane->arena, reader->wanted, reader->n_wanted,
                                             reader->fleet, &groups);
    bool done = true;

    for (uint32_t from = 0, n; from < count && done; from += n) {
        const uint32_t rest = count - from, most = from == 0 ? 1 : LISTS_AT_ONCE;

        n = rest < most ? rest : most;
        for (uint32_t i = 0; i < n; i++) {
            begin_list(reader, &groups[from + i], &lists[i]);
        }
        for (uint32_t i = 0; i < n; i++) {
            if (done) {
                done = finish_list(reader, &lists[i]);
            } else {
                kube_list_abandon(lists[i].listing);
            }
        }
    }
    return done;
}

/* False if the run is over. */
static bool
want(struct template_reader *reader, const struct object_reference *workload)
{
    struct wanted_kind *kind = find_kind(reader, workload);

    if (kind == NULL) {
        return false;
    }
    if (kind->collection == NULL) {
        kind->unseen.count++;
    } else if (str_is_empty(workload->name)) { /* an empty name would read the whole collection */
        note_unseen(reader, kind, "a binding names none");
    } else if (reader->n_wanted == TEMPLATES_MAX) {
        note_unseen(reader, kind, "more are wanted than a run reads");
    } else {
        reader->wanted[reader->n_wanted++] = (struct wanted_template){workload, false};
    }
    return true;
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
    reader->wanted = ARENA_ARRAY(plane->arena, struct wanted_template, TEMPLATES_MAX);
    for (uint32_t i = 0; i < asked->n_fit && done; i++) {
        if (i == 0 || asked->fit[i].binding != asked->fit[i - 1].binding) {
            done = want(reader, &fleet->bindings[asked->fit[i].binding].resource);
        }
    }
    done = done && ask_with_lists(reader) && ask_one_by_one(reader);
    for (size_t i = 0; i < reader->kinds.count; i++) {
        if (reader->kinds.items[i].unseen.count > 0) {
            fleet_builder_miss_templates(builder, &reader->kinds.items[i].unseen);
        }
    }
    vec_free(&reader->kinds);
    free(reader);
    return done || error_wrap(err, "reading pod templates");
}
