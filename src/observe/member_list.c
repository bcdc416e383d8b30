/* SPDX-License-Identifier: Apache-2.0
 *
 * One list of one member, page by page into the builder. The next page is asked
 * for as soon as the head of one has told where it goes on. Pages of two states
 * are never put together: where the member cannot go on (410), or does with
 * another resourceVersion, what was taken is dropped and the list begins again.
 */
#include "ballast/kube_text.h"
#include "ballast/protobuf.h"
#include "member_look.h"

#define RESTARTS_MAX 3
#define ACCEPT PROTOBUF_CONTENT_TYPE ", application/json;q=0.9" /* a fifth of the work, for us */
#define REPLY_MAX ((size_t)128 << 20)
#define HEAD_SIZE ((size_t)4096)
#define HEAD_SLICE ((size_t)512)
#define SLICE ((size_t)256 << 10)

static void ask(struct member_list *list);

static struct arena *
arena_of(const struct member_list *list)
{
    return list->member->looking->plane->arena;
}

static const char *
keep(struct member_list *list, const char *text)
{
    return arena_strndup(arena_of(list), text, strlen(text));
}

void
member_list_fail(struct member_list *list, const char *message)
{
    list->state = LIST_FAILED;
    list->message = keep(list, message);
}

/* --- taking a page --- */

static bool
collect(void *context, const struct stream_object *object, struct error *err)
{
    struct member_list *list = context;
    const struct member_resource *resource = list->resource;
    struct object_origin origin = {.file = "", .member = list->member->address->name};

    if (!object->in_list) {
        return error_set(err, ERROR_PARSE, "the answer is no list");
    }
    return fleet_builder_add(list->member->looking->builder, object->root,
                             str_is_empty(object->list_api_version) ? resource->api_version
                                                                    : object->list_api_version,
                             str_is_empty(object->list_kind) ? resource->list_kind
                                                             : object->list_kind,
                             &origin, err) != ADD_FAILED;
}

static void
begin_again(struct member_list *list)
{
    list->token = list->version = "";
    list->begins_again = false;
    ask(list);
}

/* What was taken is not of one state with what comes. A part is dropped as a whole, so all lists
 * that it is made of begin again. */
static void
restart(struct member_list *list, const char *why)
{
    if (++list->restarts > RESTARTS_MAX) {
        member_list_fail(list, why);
        return;
    }
    struct looked_member *member = list->member;

    if (list->resource->part >= 0) {
        fleet_builder_forget(member->looking->builder, member->address->name,
                             (enum member_part)list->resource->part);
    }
    for (unsigned i = 0; i < member->n_begun; i++) {
        struct member_list *other = &member->lists[i];

        if (other->resource == list->resource && other->state != LIST_FAILED) {
            other->state = LIST_OPEN;
            other->begins_again = true;
            if (!other->is_asked) {
                begin_again(other);
            }
        }
    }
}

/* Once the head of a page is read. */
static void
follow(struct member_list *list, const char *token)
{
    if (!list->is_asked && !str_is_empty(token)) {
        list->token = keep(list, token);
        ask(list);
    }
}

static bool
is_same_state(struct member_list *list, const char *version)
{
    if (str_is_empty(list->version)) {
        list->version = keep(list, version);
    }
    return str_eq(list->version, version);
}

static bool
decode(struct member_list *list, struct stream *stream, const struct buf *page, struct error *err)
{
    for (size_t done = 0, slice; done < page->length; done += slice) {
        slice = done < HEAD_SIZE ? HEAD_SLICE : SLICE;
        slice = slice < page->length - done ? slice : page->length - done;
        if (!stream_feed(stream, page->data + done, slice, err)) {
            return false;
        }
        follow(list, stream_continue(stream));
        kube_engine_poll(list->member->looking->engine); /* what comes must not wait for us */
    }
    return stream_finish(stream, err);
}

static const struct stream_ops collect_ops = {collect, NULL};

/* What the list says of itself, once a page of it is taken. */
static void
settle(struct member_list *list, const char *version, const char *token)
{
    if (!is_same_state(list, version)) {
        restart(list, "its pages are of different states, time and again");
    } else if (str_is_empty(token)) {
        list->state = LIST_DONE;
    } else {
        follow(list, token);
    }
}

static bool
take_json(struct member_list *list, const struct buf *page, struct error *err)
{
    struct stream *stream = stream_new(&collect_ops, list);
    bool done = decode(list, stream, page, err);

    if (done && str_is_empty(stream_list_kind(stream))) {
        done = error_set(err, ERROR_PARSE, "the answer is no list");
    }
    if (done) {
        settle(list, stream_resource_version(stream), stream_continue(stream));
    }
    stream_free(stream);
    return done;
}

static bool
take_protobuf(struct member_list *list, const struct buf *page, struct error *err)
{
    struct protobuf_list head = {.kind = NULL};
    bool done = protobuf_list_head(page->data, page->length, &head, err);

    if (done && !head.is_list) {
        done = error_set(err, ERROR_PARSE, "the answer is no list");
    }
    if (done) {
        follow(list, head.continue_token);
        kube_engine_poll(list->member->looking->engine); /* the next one comes meanwhile */
        done = protobuf_list_read(page->data, page->length, &collect_ops, list, NULL, err);
    }
    if (done) {
        settle(list, head.resource_version, head.continue_token);
    }
    protobuf_list_release(&head);
    return done;
}

static void
take_page(struct member_list *list, const struct buf *page)
{
    struct error err = ERROR_INIT;
    bool done = protobuf_is(page->data, page->length) ? take_protobuf(list, page, &err)
                                                      : take_json(list, page, &err);

    if (!done) {
        member_list_fail(list, err.message);
    }
}

/* --- asking --- */

/* Who answers with an error has one list less; who does not answer, or has not yet answered
 * anything else, is not there. */
static bool
is_nobody_there(const struct looked_member *member, const struct kube_request *request)
{
    return (request->error.code == ERROR_UNAVAILABLE || request->error.code == ERROR_DEADLINE) &&
           (!member->has_answered || request->status == 0);
}

static void
take_refusal(struct member_list *list, const struct kube_request *request)
{
    struct looked_member *member = list->member;
    const char *message = request->error.message;

    if (request->status == 410) {
        restart(list, message);
    } else if (member_proxy_is_missing(member, request)) {
        member_reach_directly(member, message);
    } else if (request->error.code == ERROR_NOT_FOUND && list->resource->older_group != NULL &&
               !list->is_older) {
        list->is_older = true;
        ask(list);
    } else if (request->error.code == ERROR_NOT_FOUND && list->resource->part < 0) {
        list->state = LIST_DONE; /* it has none */
    } else if (is_nobody_there(member, request)) {
        member_lose(member, message);
    } else {
        member_list_fail(list, message);
    }
}

static void
take_answer(void *context, struct kube_request *request)
{
    struct member_list *list = context;
    struct looked_member *member = list->member;
    struct kube_request answer = *request; /* the next page may be asked for meanwhile */

    list->is_asked = false;
    member->waited += answer.took;
    if (answer.error.code == ERROR_STOPPED) {
        member->looking->stopped = answer.error;
        list->state = LIST_FAILED;
    } else if (list->state != LIST_OPEN) {
        /* given up meanwhile */
    } else if (list->begins_again) {
        begin_again(list);
    } else if (answer.error.code == ERROR_NONE) {
        member->n_pages++;
        member_take_clock(member, answer.date);
        take_page(list, &answer.reply);
    } else {
        take_refusal(list, &answer);
    }
    buf_release(&answer.reply);
    member->has_answered |= answer.status != 0 && member->client != NULL && !member->is_lost;
    member_begin(member);
}

static const char *
path_of(const struct member_list *list)
{
    const struct member_resource *resource = list->resource;
    struct buf path;

    buf_init(&path, KUBE_PATH_MAX);
    buf_printf(&path, "%s%s", list->member->prefix,
               list->is_older ? resource->older_group : resource->group);
    if (!str_is_empty(list->namespace_)) {
        buf_append_str(&path, "/namespaces/");
        kube_append_segment(&path, list->namespace_);
    }
    buf_printf(&path, "/%s", resource->plural);
    const char *kept = arena_strndup(arena_of(list), buf_text(&path), path.length);

    buf_release(&path);
    return kept;
}

static const char *
query_of(const struct member_list *list)
{
    struct buf query;

    buf_init(&query, STREAM_OBJECT_MAX);
    buf_printf(&query, "limit=%u%s", (unsigned)list->member->looking->plane->options.page_size,
               list->query);
    if (!str_is_empty(list->token)) {
        buf_append_str(&query, "&continue=");
        kube_append_segment(&query, list->token);
    }
    const char *kept = arena_strndup(arena_of(list), buf_text(&query), query.length);

    buf_release(&query);
    return kept;
}

static void
ask(struct member_list *list)
{
    struct looked_member *member = list->member;
    int64_t left = member_time_left(member);

    if (left <= 0) {
        member_lose(member, "it keeps us waiting for longer than --member-timeout");
        return;
    }
    list->request = (struct kube_request){
        .method = KUBE_GET,
        .path = path_of(list),
        .query = query_of(list),
        .accept = ACCEPT,
        .max_tries = member->address->is_ready ? 2 : 1,
        .timeout = left,
        .until = member->looking->until,
        .max_reply = REPLY_MAX,
    };
    list->is_asked = true;
    kube_start(member->client, &list->request, take_answer, list);
}

void
member_list_begin(struct member_list *list)
{
    list->token = list->version = "";
    ask(list);
}
