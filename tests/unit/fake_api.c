/* SPDX-License-Identifier: Apache-2.0
 *
 * A small API server for tests.
 */
#include "fake_api.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/format/value.h"
#include "fake_selector.h"
#include "fault_server.h"
#include "live_fleet.h"

#define TEXT_MAX ((size_t)64 << 20)

struct collection {
    char *path, *api_version, *kind;
};

struct object {
    char *collection, *path;
    struct document *document;
};

struct failure {
    char *method, *path, *message;
    int status;
    unsigned times;
};

struct interference {
    char *method, *path, *object_path, *patch;
    bool is_over;
};

struct clock_offset {
    char *prefix;
    int64_t offset;
};

struct record {
    char *method, *target, *body, *head;
};

struct fake_api {
    struct fault_server *server;
    pthread_mutex_t mutex;
    uint64_t version;
    VEC_OF(struct collection) collections;
    VEC_OF(struct object) objects;
    VEC_OF(struct failure) failures;
    VEC_OF(struct interference) interferences;
    VEC_OF(struct clock_offset) clock_offsets;
    VEC_OF(struct record) records;
    char *cut; /* a path whose next answer ends in its middle; NULL: none */
    char *got;
};

/* One request under way. */
struct call {
    struct fake_api *api;
    char method[16];
    char path[2048];
    const char *target, *query;
    const char *body;
    int status;
    struct buf reply;
};

static char *
copy(const char *text)
{
    return str_print("%s", text);
}

static struct document *
parse(const char *text)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(text, strlen(text), 1, &err);

    if (document == NULL) {
        BUG("a test's JSON: %s: %s", err.message, text);
    }
    return document;
}

static const char *
text_at(const struct value *value, const char *outer, const char *inner)
{
    return value != NULL ? value_text(value_get(value, outer), inner) : "";
}

/* The object with `patch` (JSON text) made to it, under a new resourceVersion. */
static void
change(struct fake_api *api, struct object *object, const char *patch)
{
    char version[96];
    struct document *by = parse(patch);
    struct document *merged = document_merge(
        object->document != NULL ? document_root(object->document) : NULL, document_root(by));

    snprintf(version, sizeof(version), "{\"metadata\":{\"resourceVersion\":\"%llu\"}}",
             (unsigned long long)++api->version);
    struct document *stamp = parse(version);

    document_free(object->document);
    object->document = document_merge(document_root(merged), document_root(stamp));
    document_free(stamp);
    document_free(merged);
    document_free(by);
}

static struct object *
find_object(struct fake_api *api, const char *path)
{
    for (size_t i = 0; i < api->objects.count; i++) {
        if (str_eq(api->objects.items[i].path, path)) {
            return &api->objects.items[i];
        }
    }
    return NULL;
}

static const struct collection *
find_collection(const struct fake_api *api, const char *path)
{
    for (size_t i = 0; i < api->collections.count; i++) {
        if (str_eq(api->collections.items[i].path, path)) {
            return &api->collections.items[i];
        }
    }
    return NULL;
}

static void
refuse(struct call *call, int status, const char *message)
{
    call->status = status;
    buf_clear(&call->reply);
    buf_printf(&call->reply,
               "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":%d,"
               "\"message\":",
               status);
    text_append_quoted(&call->reply, message);
    buf_append_char(&call->reply, '}');
}

static void
answer_object(struct call *call, const struct object *object, int status)
{
    call->status = status;
    value_write_json(document_root(object->document), true, &call->reply);
}

static bool
is_listed(const struct call *call, const struct collection *collection, const struct object *object)
{
    const struct value *root = document_root(object->document);

    return str_eq(object->collection, collection->path) && fake_selector_takes(call->query, root);
}

static void
answer_list(struct call *call, const struct collection *collection)
{
    const struct fake_api *api = call->api;
    bool is_cached = strstr(call->query, "resourceVersion=0") != NULL;
    unsigned limit = is_cached ? UINT_MAX : fake_query_number(call->query, "limit=", 1000);
    unsigned from = fake_query_number(call->query, "continue=", 0), seen = 0, given = 0;
    struct buf items;

    buf_init(&items, TEXT_MAX);
    for (size_t i = 0; i < api->objects.count; i++) {
        if (is_listed(call, collection, &api->objects.items[i]) && seen++ >= from &&
            given < limit) {
            buf_append_str(&items, given++ > 0 ? "," : "");
            value_write_json(document_root(api->objects.items[i].document), true, &items);
        }
    }
    buf_printf(
        &call->reply,
        "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%llu\"",
        collection->kind, collection->api_version, (unsigned long long)api->version);
    if (from + given < seen) {
        buf_printf(&call->reply, ",\"continue\":\"%u\"", from + given);
    }
    buf_printf(&call->reply, "},\"items\":[%s]}", buf_text(&items));
    buf_release(&items);
    call->status = 200;
}

static void
answer_get(struct call *call)
{
    const struct collection *collection = find_collection(call->api, call->path);
    const struct object *object = find_object(call->api, call->path);

    if (collection != NULL) {
        answer_list(call, collection);
    } else if (object != NULL) {
        answer_object(call, object, 200);
    } else if (str_eq(call->path, CLUSTER_API_PATH) &&
               find_collection(call->api, CLUSTERS_PATH) != NULL) {
        buf_append_str(&call->reply, "{\"kind\":\"APIResourceList\",\"resources\":[]}");
        call->status = 200;
    } else {
        refuse(call, 404, "the server could not find the requested resource");
    }
}

static void
interfere(struct call *call, const char *when)
{
    for (size_t i = 0; i < call->api->interferences.count; i++) {
        struct interference *by = &call->api->interferences.items[i];

        if (!by->is_over && str_eq(by->method, when) && str_eq(by->path, call->path)) {
            by->is_over = !str_eq(when, FAKE_API_WEBHOOK);
            change(call->api, find_object(call->api, by->object_path), by->patch);
            return;
        }
    }
}

/* PUT and PATCH: both carry the resourceVersion they are based on. A PUT is merged, too. */
static void
answer_write(struct call *call)
{
    struct object *object = find_object(call->api, call->path);
    struct document *body = parse(call->body);
    const char *based_on = text_at(document_root(body), "metadata", "resourceVersion");

    if (object == NULL) {
        refuse(call, 404, "not found");
    } else if (!str_is_empty(based_on) &&
               !str_eq(based_on,
                       text_at(document_root(object->document), "metadata", "resourceVersion"))) {
        refuse(call, 409, "the object has been modified");
    } else {
        const bool is_dry = strstr(call->query, "dryRun=All") != NULL;
        struct document *before = document_merge(NULL, document_root(object->document));

        if (str_eq(call->method, "PUT")) {
            document_free(object->document);
            object->document = NULL;
        }
        change(call->api, object, call->body);
        interfere(call, FAKE_API_WEBHOOK);
        answer_object(call, object, 200);
        struct document *after = object->document;

        object->document = is_dry ? before : after;
        document_free(is_dry ? after : before);
    }
    document_free(body);
}

static void
answer_create(struct call *call)
{
    struct document *body = parse(call->body);
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s", call->path,
             text_at(document_root(body), "metadata", "name"));
    if (find_collection(call->api, call->path) == NULL) {
        refuse(call, 404, "the server could not find the requested resource");
    } else if (find_object(call->api, path) != NULL) {
        refuse(call, 409, "already exists");
    } else {
        struct object created = {.collection = copy(call->path), .path = copy(path)};

        change(call->api, &created, call->body);
        vec_add(&call->api->objects, created);
        answer_object(call, &created, 201);
    }
    document_free(body);
}

static void
answer_delete(struct call *call)
{
    bool is_there = find_object(call->api, call->path) != NULL;

    fake_api_delete(call->api, call->path);
    refuse(call, is_there ? 200 : 404, is_there ? "deleted" : "not found");
}

static bool
fails(struct call *call)
{
    for (size_t i = 0; i < call->api->failures.count; i++) {
        struct failure *failure = &call->api->failures.items[i];

        if (failure->times > 0 && str_eq(failure->method, call->method) &&
            (str_eq(failure->path, call->path) ||
             (strchr(failure->path, '?') != NULL &&
              strncmp(failure->path, call->target, strlen(failure->path)) == 0))) {
            failure->times--;
            refuse(call, failure->status, failure->message);
            return true;
        }
    }
    return false;
}

static void
answer(struct call *call)
{
    interfere(call, call->method);
    if (fails(call)) {
        return;
    }
    if (str_eq(call->method, "GET")) {
        answer_get(call);
    } else if (str_eq(call->method, "POST")) {
        answer_create(call);
    } else if (str_eq(call->method, "DELETE")) {
        answer_delete(call);
    } else {
        answer_write(call);
    }
}

static const char *
date_of(const struct call *call, char text[64])
{
    time_t now = time(NULL);
    struct tm parts;

    for (size_t i = 0; i < call->api->clock_offsets.count; i++) {
        const struct clock_offset *by = &call->api->clock_offsets.items[i];

        if (strncmp(call->path, by->prefix, strlen(by->prefix)) == 0) {
            now += (time_t)(by->offset / NANOS_PER_SECOND);
        }
    }
    strftime(text, 64, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &parts));
    return text;
}

static bool
take_cut(struct fake_api *api, const char *path)
{
    bool is_cut = api->cut != NULL && str_eq(api->cut, path);

    if (is_cut) {
        free(api->cut);
        api->cut = NULL;
    }
    return is_cut;
}

static bool
handle(void *context, struct fault_connection *connection, const struct fault_request *request)
{
    struct fake_api *api = context;
    struct call call = {.api = api, .target = request->target, .query = "", .body = request->body};
    char head[256], date[64];
    const char *mark = strchr(request->target, '?');
    size_t length = mark != NULL ? (size_t)(mark - request->target) : strlen(request->target);

    snprintf(call.method, sizeof(call.method), "%.*s", (int)strcspn(request->head, " "),
             request->head);
    snprintf(call.path, sizeof(call.path), "%.*s", (int)length, request->target);
    call.query = mark != NULL ? mark + 1 : "";
    buf_init(&call.reply, TEXT_MAX);
    pthread_mutex_lock(&api->mutex);
    vec_add(&api->records, ((struct record){copy(call.method), copy(request->target),
                                            copy(request->body != NULL ? request->body : ""),
                                            copy(request->head)}));
    answer(&call);
    size_t length_shown = take_cut(api, call.path) ? call.reply.length / 2 : call.reply.length;

    pthread_mutex_unlock(&api->mutex);
    snprintf(head, sizeof(head),
             "HTTP/1.1 %d Answer\r\nContent-Type: application/json\r\nDate: %s\r\n"
             "Content-Length: %zu\r\n\r\n",
             call.status, date_of(&call, date), call.reply.length);
    bool done = fault_write(connection, head, strlen(head)) &&
                fault_write(connection, buf_text(&call.reply), length_shown) &&
                length_shown == call.reply.length;

    buf_release(&call.reply);
    return done;
}

struct fake_api *
fake_api_start(void)
{
    struct fake_api *api = calloc(1, sizeof(*api));

    if (api == NULL) {
        out_of_memory();
    }
    pthread_mutex_init(&api->mutex, NULL);
    api->server = fault_server_start(
        &(struct fault_options){.is_clear = true, .handler = handle, .context = api});
    return api;
}

void
fake_api_stop(struct fake_api *api)
{
    fault_server_stop(api->server);
    for (size_t i = 0; i < api->collections.count; i++) {
        free(api->collections.items[i].path);
        free(api->collections.items[i].api_version);
        free(api->collections.items[i].kind);
    }
    for (size_t i = 0; i < api->objects.count; i++) {
        free(api->objects.items[i].collection);
        free(api->objects.items[i].path);
        document_free(api->objects.items[i].document);
    }
    for (size_t i = 0; i < api->failures.count; i++) {
        free(api->failures.items[i].method);
        free(api->failures.items[i].path);
        free(api->failures.items[i].message);
    }
    for (size_t i = 0; i < api->interferences.count; i++) {
        free(api->interferences.items[i].method);
        free(api->interferences.items[i].path);
        free(api->interferences.items[i].object_path);
        free(api->interferences.items[i].patch);
    }
    for (size_t i = 0; i < api->records.count; i++) {
        free(api->records.items[i].method);
        free(api->records.items[i].target);
        free(api->records.items[i].body);
        free(api->records.items[i].head);
    }
    for (size_t i = 0; i < api->clock_offsets.count; i++) {
        free(api->clock_offsets.items[i].prefix);
    }
    vec_free(&api->clock_offsets);
    vec_free(&api->collections);
    vec_free(&api->objects);
    vec_free(&api->failures);
    vec_free(&api->interferences);
    vec_free(&api->records);
    pthread_mutex_destroy(&api->mutex);
    free(api->cut);
    free(api->got);
    free(api);
}

const char *
fake_api_url(const struct fake_api *api)
{
    return fault_server_url(api->server);
}

void
fake_api_serve(struct fake_api *api, const char *path, const char *api_version, const char *kind)
{
    vec_add(&api->collections, ((struct collection){copy(path), copy(api_version), copy(kind)}));
}

void
fake_api_put(struct fake_api *api, const char *collection, const char *path, const char *json)
{
    struct object *object = find_object(api, path);

    if (object == NULL) {
        vec_add(&api->objects,
                ((struct object){.collection = copy(collection), .path = copy(path)}));
        object = &api->objects.items[api->objects.count - 1];
    }
    change(api, object, json);
}

void
fake_api_delete(struct fake_api *api, const char *path)
{
    struct object *object = find_object(api, path);

    if (object != NULL) {
        free(object->collection);
        free(object->path);
        document_free(object->document);
        *object = api->objects.items[--api->objects.count];
    }
}

const char *
fake_api_get(struct fake_api *api, const char *path)
{
    struct buf text;

    buf_init(&text, TEXT_MAX);
    pthread_mutex_lock(&api->mutex);
    const struct object *object = find_object(api, path);

    if (object != NULL) {
        value_write_json(document_root(object->document), true, &text);
    }
    pthread_mutex_unlock(&api->mutex);
    free(api->got);
    api->got = copy(buf_text(&text));
    buf_release(&text);
    return api->got;
}

void
fake_api_fail(struct fake_api *api, const char *method, const char *path, int status,
              const char *message, unsigned times)
{
    vec_add(&api->failures,
            ((struct failure){copy(method), copy(path), copy(message), status, times}));
}

void
fake_api_cut(struct fake_api *api, const char *path)
{
    free(api->cut);
    api->cut = copy(path);
}

void
fake_api_interfere(struct fake_api *api, const char *method, const char *path,
                   const char *object_path, const char *patch)
{
    vec_add(&api->interferences, ((struct interference){copy(method), copy(path), copy(object_path),
                                                        copy(patch), false}));
}

void
fake_api_clock_offset(struct fake_api *api, const char *prefix, int64_t offset)
{
    vec_add(&api->clock_offsets, ((struct clock_offset){copy(prefix), offset}));
}

static const struct record *
find_record(struct fake_api *api, const char *method, const char *prefix, unsigned n,
            unsigned *ret_count)
{
    const struct record *found = NULL;

    *ret_count = 0;
    pthread_mutex_lock(&api->mutex);
    for (size_t i = 0; i < api->records.count; i++) {
        const struct record *record = &api->records.items[i];

        if ((str_is_empty(method) || str_eq(record->method, method)) &&
            strncmp(record->target, prefix, strlen(prefix)) == 0 && (*ret_count)++ == n) {
            found = record;
        }
    }
    pthread_mutex_unlock(&api->mutex);
    return found;
}

unsigned
fake_api_count(struct fake_api *api, const char *method, const char *prefix)
{
    unsigned count;

    find_record(api, method, prefix, 0, &count);
    return count;
}

const char *
fake_api_target(struct fake_api *api, const char *method, const char *prefix, unsigned n)
{
    unsigned count;
    const struct record *record = find_record(api, method, prefix, n, &count);

    return record != NULL ? record->target : NULL;
}

const char *
fake_api_body(struct fake_api *api, const char *method, const char *prefix, unsigned n)
{
    unsigned count;
    const struct record *record = find_record(api, method, prefix, n, &count);

    return record != NULL ? record->body : NULL;
}

const char *
fake_api_head(struct fake_api *api, const char *method, const char *prefix, unsigned n)
{
    unsigned count;
    const struct record *record = find_record(api, method, prefix, n, &count);

    return record != NULL ? record->head : NULL;
}
