/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads one list of one member into the builder. Decides what a response means for the member, and
 * which lists begin again together if pages are of different states.
 */
#include "ballast/kinds/protobuf.h"
#include "ballast/kube/kube_text.h"
#include "probe.h"

#define ACCEPT PROTOBUF_CONTENT_TYPE ", application/json;q=0.9" /* a fifth of JSON's CPU time */
#define REPLY_MAX ((size_t)128 << 20)
/* Far above an API server's own limits, so that one object cannot evade the bounds on memory. */
#define OBJECT_MAX ((size_t)8 << 20)
#define OBJECT_VALUES_MAX ((size_t)1 << 17)
#define TIME_EVERY 64                      /* objects between two looks at the clock */
#define TIME_LEAST (NANOS_PER_SECOND / 20) /* less is too little for a response */
#define WAITING "it keeps us waiting for longer than --member-timeout"

static void begin_collection(struct member_list *list);

static const char *
group_of(const struct member_list *list)
{
    return list->is_older ? list->resource->older_group : list->resource->group;
}

/* "/apis/apps/v1" -> "apps/v1" */
static const char *
api_version_of(const struct member_list *list)
{
    return strchr(group_of(list) + 1, '/') + 1;
}

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

/* Checks the time while a page is decoded, as a page may hold any number of objects. */
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

    if (list->n_taken % TIME_EVERY == 0 && !has_time(list, err)) {
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

/* Begins a list again, as its objects so far are of another state. The builder drops a part as a
 * whole, so all lists of the part begin again. */
static void
restart(struct member_list *list, const char *why)
{
    if (++list->restarts > KUBE_LIST_RESTARTS_MAX) {
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
            if (other->listing == NULL) {
                member_list_begin(other);
            }
        }
    }
}

static void
end(struct member_list *list)
{
    if (list->is_of_ours && ++list->at < list->member->namespaces.count) {
        begin_collection(list); /* in the next namespace */
        return;
    }
    list->state = LIST_DONE;
    fleet_builder_listed(list->member->looking->builder, list->member->address->name);
}

static void
take_failure(struct member_list *list, const struct error *err)
{
    if (err->code == ERROR_LIMIT) {
        member_disown(list->member, err->message);
    } else if (err->code == ERROR_DEADLINE) {
        member_lose(list->member, err->message);
    } else if (err->code == ERROR_STOPPED) {
        list->member->looking->stopped = *err;
        list->state = LIST_FAILED;
    } else {
        member_list_fail(list, err->message);
    }
}

/* Only a full page earns the member more time, so that empty pages do not go on for ever. */
static void
take_page(struct member_list *list)
{
    struct member_probe *member = list->member;
    struct error err = ERROR_INIT;

    list->n_taken = 0;
    enum kube_listed listed = kube_list_take(list->listing, &err);
    bool is_full = list->n_taken >= member->looking->look->page_size;

    if (listed != KUBE_LIST_MORE) {
        member_list_forget(list);
    }
    member->n_pages += is_full && listed != KUBE_LIST_FAILED ? 1 : 0;
    list->is_stalling = !is_full && listed == KUBE_LIST_MORE;
    if (listed == KUBE_LIST_AGAIN) {
        restart(list, "its pages are of different states, time and again");
    } else if (listed == KUBE_LIST_DONE) {
        end(list);
    }
    member_count_wait(member, INT64_MAX); /* includes the decoding */
    if (listed == KUBE_LIST_FAILED) {
        take_failure(list, &err);
    }
}

/* True if the member does not answer, or has answered nothing else yet. Any other error only costs
 * it the list. */
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
               !list->is_older) { /* also for the first: older servers lack the newer group */
        list->is_older = true;
        if (list->n_taken > 0) { /* by the newer group, which went away meanwhile */
            restart(list, message);
        } else {
            begin_collection(list);
        }
    } else if (member_proxy_is_missing(member, request)) {
        member_reach_directly(member, message);
    } else if (request->error.code == ERROR_NOT_FOUND && list->resource->part < 0) {
        list->state = LIST_DONE; /* the member has none */
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
take_answer(void *context, const struct kube_request *request)
{
    struct member_list *list = context;
    struct member_probe *member = list->member;
    const struct kube_request answer = *request; /* a copy, as the next page may replace it */

    /* for a stalling list, waits for the client's rate limit count, too */
    member_count_wait(member, list->is_stalling ? INT64_MAX : answer.took);
    if (answer.error.code == ERROR_STOPPED) {
        member->looking->stopped = answer.error;
        list->state = LIST_FAILED;
    } else if (list->state != LIST_OPEN) { /* given up meanwhile */
        member_list_forget(list);
    } else if (list->begins_again) {
        member_list_begin(list);
    } else if (answer.error.code == ERROR_NONE) {
        if (member->own != NULL) {
            fleet_builder_direct(member->looking->builder, member->address->name);
        }
        member_take_clock(member, answer.date);
        take_page(list);
    } else {
        member_list_forget(list);
        take_refusal(list, &answer);
    }
    member->has_answered |= answer.status != 0 && member->client != NULL && !member->is_lost;
    member_begin(member);
    if (member->looking->answered != NULL && !member->is_over && member_is_looked_into(member)) {
        member->looking->answered(member);
    }
    member_report_progress(member->looking);
}

static bool
prepare(void *context, struct kube_request *request, struct error *err)
{
    const struct member_list *list = context;
    struct member_probe *member = list->member;
    int64_t left = member_time_left(member);

    request->max_tries = member->address->is_ready ? 2 : 1;
    request->timeout = request->patience = left;
    request->until = member->looking->until;
    request->max_reply = REPLY_MAX;
    request->budget = &member->replies;
    request->is_relayed = member->own == NULL;
    return left >= TIME_LEAST || error_set(err, ERROR_DEADLINE, WAITING);
}

static const char *
path_of(const struct member_list *list)
{
    struct member_probe *member = list->member;
    const char *namespace_ =
        list->is_of_ours ? member->namespaces.names[list->at] : list->namespace_;
    const struct kube_place place = {.api = group_of(list),
                                     .namespace_ = str_is_empty(namespace_) ? NULL : namespace_,
                                     .plural = list->resource->name};
    struct arena *arena = member->looking->arena;

    return arena_printf(arena, "%s%s", member->prefix, kube_path(arena, &place));
}

static void
begin_collection(struct member_list *list)
{
    static const struct stream_ops ops = {collect, NULL};
    const struct member_probes *looking = list->member->looking;
    const struct kube_list_options options = {
        .path = path_of(list),
        .query = list->query,
        .accept = list->resource->is_json ? NULL : ACCEPT,
        .list_kind = list->resource->list_kind,
        .api_version = api_version_of(list),
        .page_limit = looking->look->page_size,
        .ops = &ops,
        .object_bytes = OBJECT_MAX,
        .object_values = OBJECT_VALUES_MAX,
        .wanted = member_list_is_of_namespaces(list) ? NULL : fleet_builder_wanted,
        .wanted_context = looking->builder,
        .protobuf = protobuf_list_read,
        .context = list,
        .prepare = prepare,
        .answered = take_answer,
    };

    member_list_forget(list);
    list->n_taken = 0;
    list->listing = kube_list_begin(list->member->client, &options);
    if (list->listing == NULL) {
        member_lose(list->member, WAITING);
    }
}

void
member_list_begin(struct member_list *list)
{
    list->begins_again = false;
    list->at = 0;
    if (list->is_of_ours && list->member->namespaces.count == 0) {
        list->state = LIST_DONE;
        return;
    }
    begin_collection(list);
}
