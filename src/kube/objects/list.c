/* SPDX-License-Identifier: Apache-2.0
 *
 * A collection, page by page, or out of the server's cache at once. A page is decoded only once its
 * text has come whole, so that what is tried again is never taken twice; the next one is asked for
 * as soon as the page's head has told where it goes on, and comes while this one is decoded.
 *
 * The first page is asked for without a resourceVersion: the newest state, of
 * which the continue tokens then give the rest. Pages of two states are never
 * put together: when the server cannot go on (410), or does with another
 * resourceVersion, all is read again.
 *
 * A page that is too large to be held is asked for again with fewer objects.
 *
 * What comes out of the cache is one answer of any size, taken while it comes. A
 * server that cannot answer so gives a page, and the others follow it as ever.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "kube/request/client_state.h"

#define MAX_RESTARTS 3
#define DEFAULT_PAGE 500u
#define HEAD_SIZE ((size_t)4096)
#define HEAD_SLICE ((size_t)512)
#define SLICE ((size_t)64 << 10)
#define SMALLER 4 /* times fewer objects */
/* What is decoded at once of an answer that is taken while it comes. It comes in pieces of 16 KB,
 * and an object that is cut is gone over twice. */
#define GATHERED ((size_t)128 << 10)

enum verdict { LIST_DONE, LIST_FAILED, LIST_AGAIN };

struct page {
    struct kube_request request;
    struct kube_job job;
    char *token; /* NULL: of the first page */
    char *query;
    uint32_t limit;
    bool is_asked;
};

struct kube_listing {
    struct kube_client *client;
    const struct kube_list_options *options;
    struct stream_ops ops;
    struct page pages[2]; /* the one under decoding and the next one */
    unsigned current;
    uint32_t count;  /* of pages taken */
    uint32_t limit;  /* objects of the pages from now on */
    uint64_t taken;  /* objects of the pages before this one */
    bool from_cache; /* the first page is all there is, as far as the server can */
    bool is_refused; /* ... and what came of it cannot be used */
    char *resource_version;
    struct stream *stream;
    struct buf gathered; /* of the answer out of the cache: what the stream has not got yet */
};

static bool
on_object(void *context, const struct stream_object *object, struct error *err)
{
    struct kube_listing *listing = context;

    if (!object->in_list) {
        return error_set(err, ERROR_PARSE, "this is not a list");
    }
    return listing->options->ops->object(listing->options->context, object, err);
}

static bool
on_bad_object(void *context, const struct stream_object *where, struct error *err)
{
    struct kube_listing *listing = context;

    return where->in_list &&
           listing->options->ops->bad_object(listing->options->context, where, err);
}

static void
add_escaped(struct buf *out, const char *name, const char *value)
{
    if (value == NULL || str_is_empty(value)) {
        return;
    }
    buf_printf(out, "&%s=", name);
    http_append_escaped(out, value);
}

static bool
feed_gathered(struct kube_listing *listing, struct error *err)
{
    struct buf *gathered = &listing->gathered;

    listing->is_refused = !stream_feed(listing->stream, buf_text(gathered), gathered->length, err);
    buf_clear(gathered);
    return !listing->is_refused;
}

/* A piece of the answer out of the cache. */
static bool
take_part(void *context, const char *bytes, size_t length, struct error *err)
{
    struct kube_listing *listing = context;
    struct buf *gathered = &listing->gathered;

    while (length > 0) {
        size_t room = GATHERED - gathered->length, some = length < room ? length : room;

        buf_append(gathered, bytes, some);
        bytes += some;
        length -= some;
        if (gathered->length == GATHERED && !feed_gathered(listing, err)) {
            return false;
        }
    }
    return true;
}

static void
open_stream(struct kube_listing *listing)
{
    stream_free(listing->stream);
    listing->stream = stream_new(&listing->ops, listing);
    stream_want(listing->stream, listing->options->wanted, listing->options->wanted_context);
}

static void
ask(struct kube_listing *listing, struct page *page)
{
    const struct kube_list_options *options = listing->options;
    struct buf query;

    buf_init(&query, 1 << 20);
    bool from_cache = listing->from_cache && page->token == NULL;

    buf_printf(&query, "limit=%u%s", listing->limit, from_cache ? "&resourceVersion=0" : "");
    add_escaped(&query, "labelSelector", options->label_selector);
    add_escaped(&query, "fieldSelector", options->field_selector);
    add_escaped(&query, "continue", page->token);
    free(page->query);
    page->query = query.data;
    page->limit = listing->limit;
    page->request = (struct kube_request){
        .method = KUBE_GET, .path = options->path, .query = page->query, .accept = options->accept};
    if (from_cache) {
        open_stream(listing);
        buf_clear(&listing->gathered);
        page->request.part = take_part;
        page->request.part_context = listing;
    }
    page->is_asked = true;
    client_add(listing->client, &page->job, &page->request);
}

static void
drop(struct kube_listing *listing, struct page *page)
{
    if (page->is_asked && !page->job.is_done) {
        client_cancel(listing->client, &page->job);
    }
    if (page->is_asked) {
        kube_request_release(&page->request);
        free(page->query);
        free(page->token);
    }
    *page = (struct page){.query = NULL};
}

static void
tell_size(struct kube_listing *listing)
{
    uint64_t remaining = stream_remaining(listing->stream);

    if (remaining > 0 && listing->options->size != NULL) {
        listing->options->size(listing->options->context,
                               listing->taken + listing->pages[listing->current].limit + remaining);
    }
}

/* Once the head of a page is read: whether it belongs to the others, and the next one. */
static enum verdict
follow(struct kube_listing *listing, struct page *next, struct error *err)
{
    const char *version = stream_resource_version(listing->stream);
    const char *token = stream_continue(listing->stream);

    if (str_is_empty(token) || next->is_asked) {
        return LIST_DONE;
    }
    tell_size(listing);
    if (listing->resource_version != NULL && !str_eq(version, listing->resource_version)) {
        error_set(err, ERROR_CONFLICT, "the pages are of different resourceVersions");
        return LIST_AGAIN;
    }
    next->token = str_print("%s", token);
    ask(listing, next);
    client_step(listing->client, false);
    return LIST_DONE;
}

/* The last word on a page's resourceVersion; the first page's counts for all. */
static enum verdict
check_version(struct kube_listing *listing, struct error *err)
{
    const char *version = stream_resource_version(listing->stream);

    if (listing->resource_version == NULL) {
        listing->resource_version = heap_text(version);
    }
    if (str_eq(version, listing->resource_version)) {
        return LIST_DONE;
    }
    error_set(err, ERROR_CONFLICT, "the pages are of different resourceVersions");
    return LIST_AGAIN;
}

static enum verdict
decode(struct kube_listing *listing, const struct page *page, struct page *next, struct error *err)
{
    const struct buf *body = &page->request.reply;
    enum verdict verdict = LIST_DONE;

    for (size_t done = 0, slice; done < body->length && verdict == LIST_DONE; done += slice) {
        slice = done < HEAD_SIZE ? HEAD_SLICE : SLICE;
        slice = slice < body->length - done ? slice : body->length - done;
        if (!stream_feed(listing->stream, body->data + done, slice, err)) {
            return LIST_FAILED;
        }
        verdict = follow(listing, next, err);
        client_step(listing->client, false); /* what comes must not wait for us */
    }
    if (verdict == LIST_DONE && !stream_finish(listing->stream, err)) {
        return LIST_FAILED;
    }
    return verdict == LIST_DONE ? check_version(listing, err) : verdict;
}

/* The page's answer, of fewer objects where it was too large. */
static void
await(struct kube_listing *listing, struct page *page)
{
    for (;;) {
        while (!page->job.is_done) {
            client_step(listing->client, true);
        }
        if (page->request.error.code != ERROR_LIMIT || page->limit == 1) {
            return;
        }
        uint32_t fewer = page->limit / SMALLER;

        listing->limit = listing->limit < fewer ? listing->limit : fewer;
        listing->limit = listing->limit > 0 ? listing->limit : 1;
        kube_request_release(&page->request);
        ask(listing, page);
    }
}

/* All pieces were taken. */
static enum verdict
settle_parts(struct kube_listing *listing, struct page *next, struct error *err)
{
    if (!feed_gathered(listing, err)) {
        return LIST_FAILED;
    }
    if (!stream_finish(listing->stream, err)) {
        listing->from_cache = false;
        return LIST_AGAIN;
    }
    enum verdict verdict = check_version(listing, err);

    return verdict == LIST_DONE ? follow(listing, next, err) : verdict;
}

/* What was taken of an answer that broke off is not the state of anything. */
static enum verdict
judge_failure(struct kube_listing *listing, const struct page *page, struct error *err)
{
    *err = page->request.error;
    if (page->request.was_begun && !listing->is_refused && err->code == ERROR_UNAVAILABLE) {
        listing->from_cache = false;
        return LIST_AGAIN;
    }
    return page->request.status == 410 ? LIST_AGAIN : LIST_FAILED;
}

static enum verdict
take_page(struct kube_listing *listing, struct page *page, struct page *next, struct error *err)
{
    await(listing, page);
    if (page->request.error.code != ERROR_NONE) {
        return judge_failure(listing, page, err);
    }
    if (page->request.part == NULL) {
        open_stream(listing);
    }
    enum verdict verdict = page->request.part == NULL ? decode(listing, page, next, err)
                                                      : settle_parts(listing, next, err);

    if (verdict != LIST_DONE) {
        error_wrap(err, "GET %s%s: page %u", listing->client->config->server,
                   listing->options->path, listing->count + 1);
    }
    stream_free(listing->stream);
    listing->stream = NULL;
    buf_release(&listing->gathered);
    listing->taken += page->limit;
    listing->count++;
    return verdict;
}

static enum verdict
list_once(struct kube_listing *listing, struct error *err)
{
    enum verdict verdict;
    bool has_more = true;

    if (!listing->pages[0].is_asked) {
        ask(listing, &listing->pages[0]);
    }
    listing->current = 0;
    listing->count = 0;
    listing->taken = 0;
    do {
        struct page *page = &listing->pages[listing->current];
        struct page *next = &listing->pages[1 - listing->current];

        verdict = take_page(listing, page, next, err);
        has_more = verdict == LIST_DONE && next->is_asked;
        drop(listing, page);
        listing->current = 1 - listing->current;
    } while (has_more);
    drop(listing, &listing->pages[0]);
    drop(listing, &listing->pages[1]);
    free(listing->resource_version);
    listing->resource_version = NULL;
    return verdict;
}

static void
end(struct kube_listing *listing)
{
    drop(listing, &listing->pages[0]);
    drop(listing, &listing->pages[1]);
    stream_free(listing->stream);
    buf_release(&listing->gathered);
    free(listing->resource_version);
    free(listing);
}

struct kube_listing *
kube_list_begin(struct kube_client *client, const struct kube_list_options *options)
{
    struct kube_listing *listing = heap_new(1, sizeof(*listing));

    *listing = (struct kube_listing){
        .client = client,
        .options = options,
        .limit = options->page_limit > 0 ? options->page_limit : DEFAULT_PAGE,
        .from_cache = options->from_cache,
        .gathered = {.maximum = GATHERED},
        .ops = {.object = on_object,
                .bad_object = options->ops->bad_object != NULL ? on_bad_object : NULL},
    };
    ask(listing, &listing->pages[0]);
    return listing;
}

bool
kube_list_finish(struct kube_listing *listing, struct error *err)
{
    const struct kube_list_options *options = listing->options;
    enum verdict verdict = LIST_AGAIN;

    for (unsigned i = 0; i <= MAX_RESTARTS && verdict == LIST_AGAIN; i++) {
        struct error why = ERROR_INIT;

        verdict = list_once(listing, &why);
        if (verdict == LIST_FAILED || (verdict == LIST_AGAIN && i == MAX_RESTARTS)) {
            *err = why;
        } else if (verdict == LIST_AGAIN && options->restart != NULL) {
            options->restart(options->context, &why);
        }
    }
    end(listing);
    return verdict == LIST_DONE;
}

void
kube_list_abandon(struct kube_listing *listing)
{
    if (listing != NULL) {
        end(listing);
    }
}

bool
kube_list(struct kube_client *client, const struct kube_list_options *options, struct error *err)
{
    return kube_list_finish(kube_list_begin(client, options), err);
}
