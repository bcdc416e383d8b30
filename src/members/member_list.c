/* SPDX-License-Identifier: Apache-2.0
 *
 * One list of one member, page by page into the builder. The next page is asked
 * for as soon as the head of one has told where it goes on. Pages of two states
 * are never put together: where the member cannot go on (410), or does with
 * another resourceVersion, what was taken is dropped and the list begins again.
 */
#include <stdlib.h>

#include "ballast/kinds/protobuf.h"
#include "ballast/kube/kube_text.h"
#include "probe.h"

#define RESTARTS_MAX 3
#define ACCEPT PROTOBUF_CONTENT_TYPE ", application/json;q=0.9" /* a fifth of the work, for us */
#define REPLY_MAX ((size_t)128 << 20)
#define TOKEN_MAX ((size_t)16 << 10) /* a URL has to hold it */
#define VERSION_MAX ((size_t)256)
/* Far beyond what an API server stores, so that one object is no way round the bounds on memory. */
#define OBJECT_MAX ((size_t)8 << 20)
#define OBJECT_VALUES_MAX ((size_t)1 << 17)
#define TIME_EVERY 64                      /* objects */
#define TIME_LEAST (NANOS_PER_SECOND / 20) /* what is less is no time for an answer */
#define WAITING "it keeps us waiting for longer than --member-timeout"
#define HEAD_SIZE ((size_t)4096)
#define HEAD_SLICE ((size_t)512)
#define SLICE ((size_t)256 << 10)

static void ask(struct member_list *list);

/* NULL is no text. */
static void
set_text(char **target, const char *text)
{
    free(*target);
    *target = text != NULL ? str_print("%s", text) : NULL;
}

/* --- taking a page --- */

/* "/apis/apps/v1" -> "apps/v1" */
static const char *
api_version_of(const struct member_list *list)
{
    const char *group = list->is_older ? list->resource->older_group : list->resource->group;

    return strchr(group + 1, '/') + 1;
}

static bool
check_list(const struct member_list *list, const char *kind, const char *api_version,
           struct error *err)
{
    const char *wanted = list->resource->list_kind, *wanted_api = api_version_of(list);

    return (str_eq(kind, wanted) && str_eq(api_version, wanted_api)) ||
           error_set(err, ERROR_PARSE, "the answer is no %s of %s", wanted, wanted_api);
}

/* Objects of another kind than was asked for are no business of this list's, whatever they are. */
static bool
check_item(const struct member_list *list, const struct stream_object *object, struct error *err)
{
    const char *wanted = list->resource->list_kind, *kind = value_text(object->root, "kind");
    const char *api_version = value_text(object->root, "apiVersion");
    size_t length = strlen(wanted) - strlen("List");
    bool is_fine =
        object->in_list &&
        (str_is_empty(kind) || (strlen(kind) == length && strncmp(wanted, kind, length) == 0)) &&
        (str_is_empty(api_version) || str_eq(api_version, api_version_of(list)));

    return is_fine ||
           error_set(err, ERROR_PARSE, "the answer is no %s: items[%zu] is of another kind", wanted,
                     object->index);
}

/* What the object just taken costs. */
static bool
charge(struct member_probe *member, size_t before, struct error *err)
{
    const struct member_probes *looking = member->looking;
    size_t after = fleet_builder_footprint(looking->builder, member->address->name);
    size_t more = after > before ? after - before : 0;

    if (looking->shown.limit == 0 || byte_budget_take(&member->sure, more) ||
        byte_budget_take(&member->shown, more)) {
        return true;
    }
    bool is_its_own = member->shown.used + more > member->shown.limit;

    return error_set(err, ERROR_LIMIT, "what %s takes more than %zu bytes (--memory-limit)",
                     is_its_own ? "it shows" : "the members show together",
                     is_its_own ? member->shown.limit : looking->look->options->memory);
}

/* Work on a page ends, too, when time is up: there may be any number of objects in it. */
static bool
has_time(const struct member_list *list, struct error *err)
{
    const struct member_probe *member = list->member;
    const struct member_probes *looking = member->looking;
    const struct kube_client_options *settings = kube_client_settings(looking->relay);
    int64_t now = settings->clock.monotonic(settings->clock.context);

    if (settings->stop != NULL && *settings->stop) {
        return error_set(err, ERROR_STOPPED, "stopped by a signal");
    }
    if (looking->until > 0 && now >= looking->until) {
        return error_set(err, ERROR_DEADLINE, "the deadline has passed");
    }
    return now - member->waited_till < member_time_left(member) ||
           error_set(err, ERROR_DEADLINE, WAITING);
}

static bool
collect(void *context, const struct stream_object *object, struct error *err)
{
    struct member_list *list = context;
    struct member_probe *member = list->member;
    struct fleet_builder *builder = member->looking->builder;
    struct object_origin origin = {.file = "", .member = member->address->name, .is_strict = true};

    if ((list->n_taken % TIME_EVERY == 0 && !has_time(list, err)) ||
        !check_item(list, object, err)) {
        return false;
    }
    size_t before = fleet_builder_footprint(builder, member->address->name);

    list->n_taken++;
    if (member_list_is_of_namespaces(list)) {
        return member_take_namespace(member, object->root, err);
    }
    return fleet_builder_add(builder, object->root, api_version_of(list), list->resource->list_kind,
                             &origin, err) != ADD_FAILED &&
           charge(member, before, err);
}

static void
begin_again(struct member_list *list)
{
    list->begins_again = false;
    member_list_begin(list);
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
    struct member_probe *member = list->member;

    if (member_list_is_of_namespaces(list)) {
        member_drop_namespaces(member);
    } else if (list->resource->part >= 0) {
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
    if (!list->is_asked && !str_is_empty(token) && strlen(token) <= TOKEN_MAX) {
        set_text(&list->token, token);
        ask(list);
    }
}

static bool
is_same_state(struct member_list *list, const char *version)
{
    if (list->version == NULL) {
        set_text(&list->version, version);
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

static void
ask_first(struct member_list *list)
{
    set_text(&list->token, NULL);
    set_text(&list->version, NULL);
    ask(list);
}

static void
end(struct member_list *list)
{
    if (list->is_of_ours && ++list->at < list->member->namespaces.count) {
        ask_first(list); /* of the next one */
        return;
    }
    list->state = LIST_DONE;
    fleet_builder_listed(list->member->looking->builder, list->member->address->name);
}

/* What the list says of itself, once a page of it is taken. Only a full page earns the member more
 * time: so empty ones do not go on for ever, however fast they come. */
static void
finish_page(struct member_list *list, const char *version, const char *token)
{
    struct member_probe *member = list->member;

    bool is_full = list->n_taken >= member->looking->look->page_size;

    member->n_pages += is_full ? 1 : 0;
    list->is_stalling = !is_full && !str_is_empty(token);
    if (list->state != LIST_OPEN) {
        return; /* the member was given up meanwhile */
    }
    if (strlen(token) > TOKEN_MAX || strlen(version) > VERSION_MAX) {
        member_list_fail(list, "its continue token or resourceVersion is too long to be one");
    } else if (!is_same_state(list, version)) {
        restart(list, "its pages are of different states, time and again");
    } else if (str_is_empty(token)) {
        end(list);
    } else {
        follow(list, token);
    }
}

static bool
take_json(struct member_list *list, const struct buf *page, struct error *err)
{
    struct stream *stream = stream_new(&collect_ops, list);

    stream_bound(stream, OBJECT_MAX, OBJECT_VALUES_MAX);
    if (!member_list_is_of_namespaces(list)) {
        stream_want(stream, fleet_builder_wanted, list->member->looking->builder);
    }
    bool done = decode(list, stream, page, err);

    done = done && check_list(list, stream_list_kind(stream), stream_list_api_version(stream), err);
    if (done) {
        finish_page(list, stream_resource_version(stream), stream_continue(stream));
    }
    stream_free(stream);
    return done;
}

static bool
take_protobuf(struct member_list *list, const struct buf *page, struct error *err)
{
    struct protobuf_list head = {.kind = NULL};
    bool done = protobuf_list_head(page->data, page->length, &head, NULL, NULL, err);

    done = done && check_list(list, head.kind, head.api_version, err);
    if (done) {
        follow(list, head.continue_token);
        kube_engine_poll(list->member->looking->engine); /* the next one comes meanwhile */
        done = protobuf_list_read(page->data, page->length, &collect_ops, list, NULL, err);
    }
    if (done) {
        finish_page(list, head.resource_version, head.continue_token);
    }
    protobuf_list_release(&head);
    return done;
}

static void
take_page(struct member_list *list, const struct buf *page)
{
    struct error err = ERROR_INIT;

    list->n_taken = 0;
    bool done = protobuf_is(page->data, page->length) ? take_protobuf(list, page, &err)
                                                      : take_json(list, page, &err);

    member_count_wait(list->member, INT64_MAX); /* our own work on it, too */
    if (!done && err.code == ERROR_LIMIT) {
        member_disown(list->member, err.message);
    } else if (!done && err.code == ERROR_DEADLINE) {
        member_lose(list->member, err.message);
    } else if (!done && err.code == ERROR_STOPPED) {
        list->member->looking->stopped = err;
        list->state = LIST_FAILED;
    } else if (!done) {
        member_list_fail(list, err.message);
        member_list_forget(list); /* the next page */
    }
}

/* --- asking --- */

/* Who answers with an error has one list less; who does not answer, or has not yet answered
 * anything else, is not there. */
static bool
is_nobody_there(const struct member_probe *member, const struct kube_request *request)
{
    return (request->error.code == ERROR_UNAVAILABLE || request->error.code == ERROR_DEADLINE) &&
           (!member->has_answered || request->status == 0);
}

static void
take_refusal(struct member_list *list, const struct kube_request *request)
{
    struct member_probe *member = list->member;
    const char *message = request->error.message;

    if (request->status == 410) {
        restart(list, message);
    } else if (request->error.code == ERROR_NOT_FOUND && list->resource->older_group != NULL &&
               !list->is_older) { /* also as the very first: not every server has the newer one */
        list->is_older = true;
        ask(list);
    } else if (member_proxy_is_missing(member, request)) {
        member_reach_directly(member, message);
    } else if (request->error.code == ERROR_NOT_FOUND && list->resource->part < 0) {
        list->state = LIST_DONE; /* it has none */
    } else if (request->error.code == ERROR_LIMIT) {
        member_disown(member, message);
    } else if (member_time_left(member) < TIME_LEAST) {
        member_lose(member, arena_printf(member->looking->arena, "%s: %s", WAITING, message));
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
    struct member_probe *member = list->member;
    struct kube_request answer = *request; /* the next page may be asked for meanwhile */

    list->is_asked = false;
    /* nor does it matter then whether our own rate limit had a part in the wait */
    member_count_wait(member, list->is_stalling ? INT64_MAX : answer.took);
    if (answer.error.code == ERROR_STOPPED) {
        member->looking->stopped = answer.error;
        list->state = LIST_FAILED;
    } else if (list->state != LIST_OPEN) {
        /* given up meanwhile */
    } else if (list->begins_again) {
        begin_again(list);
    } else if (answer.error.code == ERROR_NONE) {
        if (member->own != NULL) {
            fleet_builder_direct(member->looking->builder, member->address->name);
        }
        member_take_clock(member, answer.date);
        take_page(list, &answer.reply);
    } else {
        take_refusal(list, &answer);
    }
    kube_request_release(&answer);
    member->has_answered |= answer.status != 0 && member->client != NULL && !member->is_lost;
    member_begin(member);
    if (member->looking->answered != NULL && !member->is_over && member_is_looked_into(member)) {
        member->looking->answered(member);
    }
    member_tell_progress(member->looking);
}

static const char *
namespace_of(const struct member_list *list)
{
    return list->is_of_ours ? list->member->namespaces.names[list->at] : list->namespace_;
}

static char *
path_of(const struct member_list *list)
{
    const struct member_resource *resource = list->resource;
    const char *namespace_ = namespace_of(list);
    struct buf path;

    buf_init(&path, KUBE_PATH_MAX);
    buf_append_str(&path, list->member->prefix);
    kube_append_path(
        &path, &(struct kube_place){.api = list->is_older ? resource->older_group : resource->group,
                                    .namespace_ = str_is_empty(namespace_) ? NULL : namespace_,
                                    .plural = resource->name});
    return path.data;
}

static char *
query_of(const struct member_list *list)
{
    struct buf query;

    buf_init(&query, STREAM_OBJECT_MAX);
    buf_printf(&query, "limit=%u%s", (unsigned)list->member->looking->look->page_size, list->query);
    if (list->token != NULL) {
        buf_append_str(&query, "&continue=");
        kube_append_segment(&query, list->token);
    }
    return query.data;
}

static void
ask(struct member_list *list)
{
    struct member_probe *member = list->member;
    int64_t left = member_time_left(member);

    if (left < TIME_LEAST) {
        member_lose(member, WAITING);
        return;
    }
    free(list->asked_path);
    free(list->asked_query);
    list->asked_path = path_of(list);
    list->asked_query = query_of(list);
    list->request = (struct kube_request){
        .method = KUBE_GET,
        .path = list->asked_path,
        .query = list->asked_query,
        .accept = list->resource->is_json ? NULL : ACCEPT,
        .max_tries = member->address->is_ready ? 2 : 1,
        .timeout = left,
        .patience = left,
        .until = member->looking->until,
        .max_reply = REPLY_MAX,
        .budget = &member->replies,
        .is_relayed = member->own == NULL,
    };
    list->is_asked = true;
    kube_start(member->client, &list->request, take_answer, list);
}

void
member_list_begin(struct member_list *list)
{
    list->at = 0;
    if (list->is_of_ours && list->member->namespaces.count == 0) {
        list->state = LIST_DONE;
        return;
    }
    ask_first(list);
}
