/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes bindings: one merge patch per binding, with the resourceVersion it is based on, some in
 * flight at a time. A run can be stopped between two lots.
 */
#include <stdlib.h>

#include "ballast/base/text.h"
#include "ballast/kube/kube_text.h"
#include "control_plane_parts.h"

#define PATCH_MAX ((size_t)STREAM_OBJECT_MAX)
#define QUERY "fieldManager=ballast"

struct patch {
    struct buf path, body;
    struct write_request *write;
};

static void
append_path(const struct binding *binding, struct buf *path)
{
    if (binding->kind == BINDING_CLUSTER_RESOURCE) {
        buf_append_str(path, CLUSTER_RESOURCE_BINDINGS "/");
    } else {
        buf_append_str(path, "/apis/work.karmada.io/v1alpha2/namespaces/");
        kube_append_segment(path, binding->namespace_);
        buf_append_str(path, "/resourcebindings/");
    }
    kube_append_segment(path, binding->name);
}

/* False: the patch is too large. */
static bool
make_patch(struct write_request *write, struct patch *patch)
{
    patch->write = write;
    buf_init(&patch->path, KUBE_PATH_MAX);
    append_path(write->binding, &patch->path);
    buf_init(&patch->body, PATCH_MAX);
    encode_binding_patch(write->binding, &write->change, &patch->body);
    return !patch->body.overflowed ||
           error_set(&write->error, ERROR_LIMIT, "a patch of more than %zu bytes", PATCH_MAX);
}

static void
patch_release(struct patch *patch)
{
    buf_release(&patch->path);
    buf_release(&patch->body);
}

static struct kube_request
patch_request(const struct control_plane *plane, const struct patch *patch)
{
    return (struct kube_request){
        .method = KUBE_PATCH_MERGE,
        .path = buf_text(&patch->path),
        .query = plane->options.server_dry_run ? QUERY "&dryRun=All" : QUERY,
        .body = buf_text(&patch->body),
        .body_length = patch->body.length,
        .repeatable = !str_is_empty(patch->write->binding->resource_version),
    };
}

/* Takes the version that the write made, and checks that the server kept the split. An unreadable
 * response is ignored. */
static void
take_answer(const struct kube_request *request, struct write_request *write)
{
    struct error ignored = ERROR_INIT;
    struct document *written =
        document_parse_json(buf_text(&request->reply), request->reply.length, 1, &ignored);

    if (written != NULL) {
        text_print(write->version, sizeof(write->version), "%s",
                   value_text(value_get(document_root(written), "metadata"), "resourceVersion"));
        if (!binding_is_as_written(document_root(written), write->binding, &write->change,
                                   &write->error)) {
            write->status = WRITE_OVERRULED;
        }
    }
    document_free(written);
}

static void
finish_write(const struct kube_request *request, struct write_request *write)
{
    write->status = write_status_of(request->error.code, request->tries > 0);
    write->in_doubt = request->in_doubt;
    if (write->status != WRITE_DONE) {
        write->error = request->error;
    } else {
        take_answer(request, write);
    }
}

/* `count` is within the bound on writes in flight. */
static void
write_lot(const struct control_plane *plane, struct write_request *writes, uint32_t count)
{
    struct arena *arena = arena_new();
    struct kube_request *requests = ARENA_ARRAY(arena, struct kube_request, count);
    struct patch *patches = ARENA_ARRAY(arena, struct patch, count);
    uint32_t n_requests = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct patch *patch = &patches[n_requests];

        if (make_patch(&writes[i], patch)) {
            requests[n_requests++] = patch_request(plane, patch);
        } else {
            writes[i].status = WRITE_FAILED;
            patch_release(patch);
        }
    }
    kube_perform(plane->client, requests, n_requests);
    for (uint32_t i = 0; i < n_requests; i++) {
        finish_write(&requests[i], patches[i].write);
        kube_request_release(&requests[i]);
        patch_release(&patches[i]);
    }
    arena_free(arena);
    for (uint32_t i = 0; i < count; i++) {
        write_request_done(&writes[i]);
    }
}

void
control_plane_write(void *context, struct write_request *writes, uint32_t count,
                    const atomic_bool *stop)
{
    const struct control_plane *plane = context;
    uint32_t most = plane->options.concurrency > 0 ? plane->options.concurrency : 1;

    for (uint32_t at = 0; at < count && !*stop; at += most) {
        progress_report(&plane->options.progress, "writing", at, count);
        write_lot(plane, writes + at, count - at < most ? count - at : most);
    }
    progress_end(&plane->options.progress);
}

/* The decoder trusts the kind that was asked for. An object may omit its kind, like an item of a
 * list. */
static bool
is_of_kind(const struct value *object, enum binding_kind kind, struct error *err)
{
    const char *want = binding_kind_name(kind);
    const struct value *got = value_get(object, "kind");

    if (got == NULL) {
        return true;
    }
    if (value_type(got) != VALUE_STRING) {
        return error_set(err, ERROR_INVALID, "read again, its kind is no text");
    }
    return str_eq(value_string(got), want) ||
           error_set(err, ERROR_INVALID, "read again, it is no %s but another object: %s", want,
                     value_string(got));
}

const struct binding *
control_plane_read_again(void *context, struct fleet *fleet, const struct binding *binding,
                         struct error *err)
{
    const struct control_plane *plane = context;
    struct buf path;
    const struct binding *fresh = NULL;

    buf_init(&path, KUBE_PATH_MAX);
    append_path(binding, &path);
    struct kube_request request = {.method = KUBE_GET, .path = buf_text(&path)};

    kube_perform(plane->client, &request, 1);
    if (request.error.code != ERROR_NONE) {
        *err = request.error;
    } else {
        struct document *document =
            document_parse_json(buf_text(&request.reply), request.reply.length, 1, err);

        if (document != NULL && is_of_kind(document_root(document), binding->kind, err)) {
            fresh = fleet_decode_binding(fleet, document_root(document), binding->kind,
                                         binding->source, err);
        }
        document_free(document);
    }
    kube_request_release(&request);
    buf_release(&path);
    return fresh;
}
