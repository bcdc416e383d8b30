/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the pages of a list. A page is decoded only once it is complete, so that a request that is
 * tried again never delivers an object twice.
 *
 * The first request has no resourceVersion: it gets the newest state, and its continue tokens give
 * the other pages of that state.
 *
 * A response out of the watch cache has any size and is decoded as it arrives. A server without the
 * cache sends a page instead, and the other pages follow.
 */
#include "ballast/kube/kube_list.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/http/http.h"
#include "kube/request/client_state.h"

#define DEFAULT_PAGE 500u
#define QUERY_MAX ((size_t)1 << 20)
#define TOKEN_MAX ((size_t)16 << 10) /* a URL has to hold it */
#define VERSION_MAX ((size_t)256)
#define HEAD_SIZE ((size_t)4096)
#define HEAD_SLICE ((size_t)512)
#define SLICE ((size_t)64 << 10)
#define SMALLER 4 /* divisor of the limit after a page that is too large */
/* Bytes of a response out of the cache that are decoded at once, at least. It comes in pieces of 16
 * KB, and the stream scans an object twice if a piece cuts it. */
#define GATHERED ((size_t)128 << 10)

struct kube_listing {
    struct kube_client *client;
    struct kube_list_options options;
    struct kube_request request; /* for the last page asked for */
    char *query;                 /* of `request` */
    char *token;                 /* of that page; NULL: the first page */
    char *version;               /* of all pages; NULL: not read yet */
    bool is_asked;               /* a page is asked for and not taken */
    bool has_come;               /* its response has come */
    bool is_torn;                /* the pages are of different states */
    uint32_t limit;              /* objects in further pages */
    uint64_t taken;              /* objects in the pages before, by their limits */
    struct stream *stream;
    struct buf gathered; /* from the cache, for the stream */
};

/* Items of a list may leave out their kind and version. */
static bool
is_of_list(const struct kube_list_options *options, const struct stream_object *object)
{
    const char *wanted = options->list_kind;

    if (wanted == NULL || !object->in_list) {
        return object->in_list;
    }
    const char *kind = value_text(object->root, "kind");
    const char *api_version = value_text(object->root, "apiVersion");
    size_t length = strlen(wanted) - strlen("List");

    return (str_is_empty(kind) || (strlen(kind) == length && strncmp(wanted, kind, length) == 0)) &&
           (str_is_empty(api_version) || str_eq(api_version, options->api_version));
}

static bool
on_object(void *context, const struct stream_object *object, struct error *err)
{
    const struct kube_listing *listing = context;
    const struct kube_list_options *options = &listing->options;

    if (is_of_list(options, object)) {
        return options->ops->object(options->context, object, err);
    }
    return options->list_kind == NULL
               ? error_set(err, ERROR_PARSE, "this is not a list")
               : error_set(err, ERROR_PARSE, "the answer is no %s: items[%zu] is of another kind",
                           options->list_kind, object->index);
}

static bool
on_bad_object(void *context, const struct stream_object *where, struct error *err)
{
    const struct kube_listing *listing = context;
    const struct kube_list_options *options = &listing->options;

    return where->in_list && options->ops->bad_object != NULL &&
           options->ops->bad_object(options->context, where, err);
}

static const struct stream_ops list_ops = {on_object, on_bad_object};

static void
open_stream(struct kube_listing *listing)
{
    const struct kube_list_options *options = &listing->options;

    stream_free(listing->stream);
    listing->stream = stream_new(&list_ops, listing);
    if (options->object_bytes > 0) {
        stream_bound(listing->stream, options->object_bytes, options->object_values);
    }
    stream_want(listing->stream, options->wanted, options->wanted_context);
}

static bool
take_part(void *context, const char *bytes, size_t length, struct error *err)
{
    struct kube_listing *listing = context;
    struct buf *gathered = &listing->gathered;

    buf_append(gathered, bytes, length);
    if (gathered->length < GATHERED) {
        return true;
    }
    bool done = stream_feed(listing->stream, gathered->data, gathered->length, err);

    buf_clear(gathered);
    return done;
}

static void
on_answer(void *context, struct kube_request *request)
{
    struct kube_listing *listing = context;

    listing->has_come = true;
    if (listing->options.answered != NULL) {
        listing->options.answered(listing->options.context, request);
    }
}

static bool
ask(struct kube_listing *listing, struct error *err)
{
    const struct kube_list_options *options = &listing->options;
    bool from_cache = options->from_cache && listing->token == NULL;
    struct buf query;

    buf_init(&query, QUERY_MAX);
    buf_printf(&query, "limit=%u%s%s", listing->limit, from_cache ? "&resourceVersion=0" : "",
               options->query != NULL ? options->query : "");
    if (listing->token != NULL) {
        buf_append_str(&query, "&continue=");
        http_append_escaped(&query, listing->token);
    }
    free(listing->query);
    listing->query = query.data;
    listing->request = (struct kube_request){.method = KUBE_GET,
                                             .path = options->path,
                                             .query = listing->query,
                                             .accept = options->accept};
    if (options->prepare != NULL && !options->prepare(options->context, &listing->request, err)) {
        return false;
    }
    if (from_cache) {
        open_stream(listing);
        buf_clear(&listing->gathered);
        listing->request.part = take_part;
        listing->request.part_context = listing;
    }
    listing->is_asked = true;
    listing->has_come = false;
    kube_start(listing->client, &listing->request, on_answer, listing);
    return true;
}

/* Moves other requests forward, as decoding takes long. */
static void
move_on(struct kube_listing *listing)
{
    if (listing->options.answered != NULL) { /* a step is under way */
        kube_engine_poll(listing->client->engine);
    } else {
        client_step(listing->client, false);
    }
}

static void
report_size(const struct kube_listing *listing)
{
    const struct kube_list_options *options = &listing->options;
    uint64_t remaining = listing->stream != NULL ? stream_remaining(listing->stream) : 0;

    if (remaining > 0 && options->size != NULL) {
        options->size(options->context, listing->taken + listing->limit + remaining);
    }
}

/* Checks that a page belongs to the pages before it, and asks for the next page once. */
static bool
follow(struct kube_listing *listing, const char *version, const char *token, struct error *err)
{
    if (strlen(token) > TOKEN_MAX || strlen(version) > VERSION_MAX) {
        return error_set(err, ERROR_PARSE,
                         "its continue token or resourceVersion is too long to be one");
    }
    if (listing->version == NULL) {
        listing->version = heap_text(version);
    }
    listing->is_torn = !str_eq(version, listing->version);
    if (listing->is_torn) {
        return error_set(err, ERROR_CONFLICT, "the pages are of different resourceVersions");
    }
    if (str_is_empty(token) || listing->is_asked) {
        return true;
    }
    report_size(listing);
    free(listing->token);
    listing->token = heap_text(token);
    return ask(listing, err);
}

static bool
check_list(const struct kube_list_options *options, const char *kind, const char *api_version,
           struct error *err)
{
    return options->list_kind == NULL ||
           (str_eq(kind, options->list_kind) && str_eq(api_version, options->api_version)) ||
           error_set(err, ERROR_PARSE, "the answer is no %s of %s", options->list_kind,
                     options->api_version);
}

static bool
follow_stream(struct kube_listing *listing, struct error *err)
{
    const struct stream *stream = listing->stream;

    return follow(listing, stream_resource_version(stream), stream_continue(stream), err);
}

static bool
decode(struct kube_listing *listing, const struct buf *body, struct error *err)
{
    struct stream *stream = listing->stream;

    for (size_t done = 0, slice; done < body->length; done += slice) {
        slice = done < HEAD_SIZE ? HEAD_SLICE : SLICE;
        slice = slice < body->length - done ? slice : body->length - done;
        if (!stream_feed(stream, body->data + done, slice, err) ||
            (!str_is_empty(stream_continue(stream)) && !follow_stream(listing, err))) {
            return false;
        }
        move_on(listing);
    }
    return true;
}

/* For a response out of the cache, only the rest is left to decode; the response may be cut. */
static bool
take_json(struct kube_listing *listing, const struct kube_request *page, struct error *err)
{
    bool is_in_parts = page->part != NULL;

    if (!is_in_parts) {
        open_stream(listing);
    }
    if (!decode(listing, is_in_parts ? &listing->gathered : &page->reply, err)) {
        return false;
    }
    const struct stream *stream = listing->stream;

    if (!stream_finish(listing->stream, err)) {
        listing->is_torn = is_in_parts;
        return false;
    }
    return check_list(&listing->options, stream_list_kind(stream), stream_list_api_version(stream),
                      err) &&
           follow_stream(listing, err);
}

static bool
take_protobuf(struct kube_listing *listing, const struct buf *page, struct error *err)
{
    struct protobuf_list head = {.kind = NULL};
    bool done = protobuf_list_head(page->data, page->length, &head, NULL, NULL, err) &&
                check_list(&listing->options, head.kind, head.api_version, err) &&
                follow(listing, head.resource_version, head.continue_token, err);

    if (done) {
        move_on(listing);
        done = listing->options.protobuf(page->data, page->length, &list_ops, listing, NULL, err);
    }
    protobuf_list_release(&head);
    return done;
}

/* Objects of a response that broke off are no state, so the list begins again. */
static bool
take_failure(struct kube_listing *listing, const struct kube_request *page, struct error *err)
{
    *err = page->error;
    listing->is_torn =
        page->status == 410 || (page->was_begun && page->error.code == ERROR_UNAVAILABLE);
    return false;
}

enum kube_listed
kube_list_take(struct kube_listing *listing, struct error *err)
{
    struct kube_request page = listing->request; /* a copy, as the next page replaces it */
    bool done;

    listing->is_asked = listing->has_come = listing->is_torn = false;
    if (page.error.code != ERROR_NONE) {
        done = take_failure(listing, &page, err);
    } else if (listing->options.protobuf != NULL &&
               protobuf_is(page.reply.data, page.reply.length)) {
        done = take_protobuf(listing, &page.reply, err);
    } else {
        done = take_json(listing, &page, err);
    }
    kube_request_release(&page);
    stream_free(listing->stream);
    listing->stream = NULL;
    buf_release(&listing->gathered);
    listing->taken += listing->limit;
    if (listing->is_torn && page.part != NULL) {
        listing->options.from_cache = false;
    }
    if (done) {
        return listing->is_asked ? KUBE_LIST_MORE : KUBE_LIST_DONE;
    }
    return listing->is_torn ? KUBE_LIST_AGAIN : KUBE_LIST_FAILED;
}

static void
drop(struct kube_listing *listing)
{
    if (listing->is_asked) {
        kube_forget(listing->client, &listing->request);
        kube_request_release(&listing->request);
    }
    free(listing->token);
    free(listing->version);
    listing->token = listing->version = NULL;
    listing->is_asked = false;
    listing->taken = 0;
}

void
kube_list_abandon(struct kube_listing *listing)
{
    if (listing != NULL) {
        drop(listing);
        stream_free(listing->stream);
        buf_release(&listing->gathered);
        free(listing->query);
        free(listing);
    }
}

struct kube_listing *
kube_list_begin(struct kube_client *client, const struct kube_list_options *options)
{
    struct kube_listing *listing = heap_new(1, sizeof(*listing));
    struct error ignored = ERROR_INIT;

    listing->client = client;
    listing->options = *options;
    listing->limit = options->page_limit > 0 ? options->page_limit : DEFAULT_PAGE;
    listing->gathered.maximum = SIZE_MAX / 2;
    if (!ask(listing, &ignored)) {
        kube_list_abandon(listing);
        return NULL;
    }
    return listing;
}

/* Waits for the page and takes it; asks again with fewer objects while it is too large. */
static enum kube_listed
wait_and_take(struct kube_listing *listing, uint32_t number, struct error *err)
{
    const struct kube_request *answer = &listing->request;

    while (!listing->has_come || (answer->error.code == ERROR_LIMIT && listing->limit > 1)) {
        if (listing->has_come) {
            listing->limit = listing->limit > SMALLER ? listing->limit / SMALLER : 1;
            ask(listing, err);
        }
        client_step(listing->client, true);
    }
    bool has_page = answer->error.code == ERROR_NONE;
    enum kube_listed listed = kube_list_take(listing, err);

    if (has_page && (listed == KUBE_LIST_AGAIN || listed == KUBE_LIST_FAILED)) {
        error_wrap(err, "GET %s%s: page %u", listing->client->config->server, listing->options.path,
                   number);
    }
    return listed;
}

bool
kube_list_finish(struct kube_listing *listing, struct error *err)
{
    const struct kube_list_options *options = &listing->options;
    uint32_t page = 0, restarts = 0;
    enum kube_listed listed;

    do {
        struct error why = ERROR_INIT;

        listed = wait_and_take(listing, ++page, &why);
        if (listed == KUBE_LIST_AGAIN && restarts++ < KUBE_LIST_RESTARTS_MAX) {
            if (options->restart != NULL) {
                options->restart(options->context, &why);
            }
            drop(listing);
            ask(listing, &why);
            listed = KUBE_LIST_MORE;
            page = 0;
        } else if (listed == KUBE_LIST_AGAIN || listed == KUBE_LIST_FAILED) {
            *err = why;
        }
    } while (listed == KUBE_LIST_MORE);
    kube_list_abandon(listing);
    return listed == KUBE_LIST_DONE;
}

bool
kube_list(struct kube_client *client, const struct kube_list_options *options, struct error *err)
{
    return kube_list_finish(kube_list_begin(client, options), err);
}
