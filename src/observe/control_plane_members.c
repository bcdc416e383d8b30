/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks into the members through the control plane: some lists at a time, a
 * page of each in flight, so that members are asked side by side and what is in
 * memory stays bounded. A list that fails leaves its part of the member unknown;
 * a member that does not answer at all is not asked again, and never makes the
 * others wait for longer than its first question.
 */
#include <stdlib.h>

#include "ballast/kube_text.h"
#include "ballast/timestamp.h"
#include "control_plane_parts.h"

#define PAGES_IN_FLIGHT_MAX 8
#define PATH_MAX_BYTES 4096
#define READY_TIMEOUT (10 * NANOS_PER_SECOND)
#define NOT_READY_TIMEOUT (3 * NANOS_PER_SECOND)

/* What is listed in a member; the first one tells whether it answers. */
static const struct member_resource {
    const char *name;
    const char *path; /* behind the proxy */
    const char *older_path;
    const char *api_version;
    const char *list_kind;
    int part;                  /* enum member_part, or -1 */
    enum member_source source; /* that it belongs to */
    bool only_for_other_kinds;
} resources[] = {
    {"nodes", "/api/v1/nodes", NULL, "v1", "NodeList", MEMBER_NODES, SOURCE_NODES, false},
    {"pods", "/api/v1/pods", NULL, "v1", "PodList", MEMBER_PODS, SOURCE_PODS, false},
    {"replicasets", "/apis/apps/v1/replicasets", NULL, "apps/v1", "ReplicaSetList",
     MEMBER_REPLICA_SETS, SOURCE_PODS, false},
    {"deployments", "/apis/apps/v1/deployments", NULL, "apps/v1", "DeploymentList",
     MEMBER_DEPLOYMENTS, SOURCE_PODS, false},
    {"statefulsets", "/apis/apps/v1/statefulsets", NULL, "apps/v1", "StatefulSetList",
     MEMBER_STATEFUL_SETS, SOURCE_PODS, true},
    {"jobs", "/apis/batch/v1/jobs", NULL, "batch/v1", "JobList", MEMBER_JOBS, SOURCE_PODS, true},
    {"horizontalpodautoscalers", "/apis/autoscaling/v2/horizontalpodautoscalers",
     "/apis/autoscaling/v1/horizontalpodautoscalers", "autoscaling/v2",
     "HorizontalPodAutoscalerList", -1, SOURCE_PODS, false},
};

enum { N_RESOURCES = sizeof(resources) / sizeof(resources[0]) };

enum list_state { LIST_OPEN, LIST_DONE, LIST_FAILED };

/* One list of one member. */
struct member_list {
    const struct member_resource *resource;
    uint32_t member; /* index into plane->members */
    enum list_state state;
    bool older;          /* the older path is the one that is served */
    const char *go_on;   /* the token of the next page, "" for the first */
    const char *message; /* why it failed */
};

struct looking {
    struct control_plane *plane;
    struct fleet_builder *builder;
    struct member_list *lists; /* by resource, then member */
    size_t n_lists;
    size_t first_open; /* none before it is open */
    struct error stopped;
};

/* One page on its way into the builder. */
struct page {
    struct looking *looking;
    const struct member_list *list;
};

static const struct member_address *
address_of(const struct looking *looking, const struct member_list *list)
{
    return &looking->plane->members.items[list->member];
}

static bool
collect(void *context, const struct stream_object *object, struct error *err)
{
    struct page *page = context;
    const struct member_resource *resource = page->list->resource;
    struct object_origin origin = {.file = "",
                                   .member = address_of(page->looking, page->list)->name};

    return fleet_builder_add(page->looking->builder, object->root,
                             str_is_empty(object->list_api_version) ? resource->api_version
                                                                    : object->list_api_version,
                             str_is_empty(object->list_kind) ? resource->list_kind
                                                             : object->list_kind,
                             &origin, err) != ADD_FAILED;
}

static void
fail(struct looking *looking, struct member_list *list, const char *message)
{
    list->state = LIST_FAILED;
    list->message = arena_strndup(looking->plane->arena, message, strlen(message));
}

/* Who does not answer is not asked again. */
static void
give_up(struct looking *looking, uint32_t member, const char *message)
{
    for (size_t i = 0; i < looking->n_lists; i++) {
        struct member_list *list = &looking->lists[i];

        if (list->member == member && list->state == LIST_OPEN) {
            fail(looking, list, message);
        }
    }
}

static void
give_up_all(struct looking *looking, const char *message)
{
    for (size_t i = 0; i < looking->n_lists; i++) {
        if (looking->lists[i].state == LIST_OPEN) {
            fail(looking, &looking->lists[i], message);
        }
    }
}

static void
take_page(struct looking *looking, struct member_list *list, const struct buf *reply)
{
    static const struct stream_ops ops = {collect, NULL};
    struct page page = {looking, list};
    struct error err = ERROR_INIT;
    struct stream *stream = stream_new(&ops, &page);

    if (!stream_feed(stream, buf_text(reply), reply->length, &err) ||
        !stream_finish(stream, &err)) {
        fail(looking, list, err.message);
    } else if (stream_list_kind(stream)[0] == '\0') {
        fail(looking, list, "the answer is no list");
    } else if (str_is_empty(stream_continue(stream))) {
        list->state = LIST_DONE;
    } else {
        const char *token = stream_continue(stream);

        list->go_on = arena_strndup(looking->plane->arena, token, strlen(token));
    }
    stream_free(stream);
}

static void
take_answer(struct looking *looking, struct member_list *list, const struct kube_request *request)
{
    switch (request->error.code) {
    case ERROR_NONE:
        take_page(looking, list, &request->reply);
        break;
    case ERROR_STOPPED:
        looking->stopped = request->error;
        break;
    case ERROR_NOT_FOUND:
        if (list->resource->older_path != NULL && !list->older) {
            list->older = true;
        } else if (list->resource->part < 0) {
            list->state = LIST_DONE;
        } else {
            fail(looking, list, request->error.message);
        }
        break;
    case ERROR_UNAVAILABLE:
    case ERROR_DEADLINE:
        give_up(looking, list->member, request->error.message);
        break;
    default:
        fail(looking, list, request->error.message);
    }
}

/* The request of a list's next page; its texts live as long as the reading. */
static struct kube_request
next_request(const struct looking *looking, const struct member_list *list)
{
    struct arena *arena = looking->plane->arena;
    const struct member_address *member = address_of(looking, list);
    const char *path = list->older ? list->resource->older_path : list->resource->path;
    struct buf text;

    buf_init(&text, PATH_MAX_BYTES);
    buf_append_str(&text, "/apis/cluster.karmada.io/v1alpha1/clusters/");
    kube_append_segment(&text, member->name);
    buf_printf(&text, "/proxy%s", path);
    const char *whole_path = arena_strndup(arena, buf_text(&text), text.length);

    buf_clear(&text);
    buf_printf(&text, "limit=%u", (unsigned)looking->plane->options.page_size);
    if (!str_is_empty(list->go_on)) {
        buf_append_str(&text, "&continue=");
        kube_append_segment(&text, list->go_on);
    }
    const char *query = arena_strndup(arena, buf_text(&text), text.length);

    buf_release(&text);
    return (struct kube_request){
        .method = KUBE_GET,
        .path = whole_path,
        .query = query,
        .max_tries = member->is_ready ? 2 : 1,
        .timeout = member->is_ready ? READY_TIMEOUT : NOT_READY_TIMEOUT,
    };
}

/* One page of each of the first open lists; false when there is none. */
static bool
look_once(struct looking *looking)
{
    struct member_list *asked[PAGES_IN_FLIGHT_MAX];
    struct kube_request requests[PAGES_IN_FLIGHT_MAX];
    uint32_t most = looking->plane->options.concurrency;
    uint32_t count = 0;

    most = most < 1 ? 1 : most;
    most = most > PAGES_IN_FLIGHT_MAX ? PAGES_IN_FLIGHT_MAX : most;
    while (looking->first_open < looking->n_lists &&
           looking->lists[looking->first_open].state != LIST_OPEN) {
        looking->first_open++;
    }
    for (size_t i = looking->first_open; i < looking->n_lists && count < most; i++) {
        if (looking->lists[i].state == LIST_OPEN) {
            asked[count] = &looking->lists[i];
            requests[count++] = next_request(looking, &looking->lists[i]);
        }
    }
    if (count == 0) {
        return false;
    }
    kube_perform(looking->plane->client, requests, count);
    for (uint32_t i = 0; i < count; i++) {
        if (asked[i]->state == LIST_OPEN) { /* not given up with its member meanwhile */
            take_answer(looking, asked[i], &requests[i]);
        }
        buf_release(&requests[i].reply);
    }
    return true;
}

static void
look_at_all(struct looking *looking)
{
    const struct control_plane_options *options = &looking->plane->options;
    int64_t begun = options->clock.monotonic(options->clock.context);

    while (looking->stopped.code == ERROR_NONE && look_once(looking)) {
        int64_t now = options->clock.monotonic(options->clock.context);

        if (options->members_time > 0 && now - begun > options->members_time) {
            give_up_all(looking, "there was no time left to look into it");
        }
    }
}

/* Lists of a member that failed have their parts forgotten, and are told in one line. */
static void
settle_member(struct looking *looking, uint32_t member)
{
    struct control_plane *plane = looking->plane;
    const char *parts = "", *message = NULL;

    for (size_t i = 0; i < looking->n_lists; i++) {
        const struct member_list *list = &looking->lists[i];

        if (list->member != member || list->state != LIST_FAILED) {
            continue;
        }
        parts = arena_printf(plane->arena, "%s%s%s", parts, str_is_empty(parts) ? "" : ", ",
                             list->resource->name);
        message = message == NULL ? list->message : message;
        if (list->resource->part >= 0) {
            fleet_builder_forget(looking->builder, plane->members.items[member].name,
                                 (enum member_part)list->resource->part);
        }
    }
    if (message != NULL) {
        vec_add(&plane->unseen,
                ((struct unseen_member){plane->members.items[member].name, parts, message}));
    }
}

static void
settle(struct looking *looking)
{
    for (size_t i = 0; i < looking->n_lists; i++) {
        const struct member_list *list = &looking->lists[i];

        if (list->state == LIST_DONE && list->resource->part >= 0) {
            fleet_builder_saw(looking->builder, address_of(looking, list)->name,
                              (enum member_part)list->resource->part);
        }
    }
    for (size_t i = 0; i < looking->plane->members.count; i++) {
        settle_member(looking, (uint32_t)i);
    }
}

static bool
is_read(const struct control_plane *plane, const struct member_resource *resource)
{
    return sources_have(&plane->options.sources, resource->source) &&
           (plane->has_other_kinds || !resource->only_for_other_kinds);
}

bool
control_plane_read_members(struct control_plane *plane, struct fleet_builder *builder,
                           struct error *err)
{
    struct looking looking = {
        .plane = plane,
        .builder = builder,
        .lists = ARENA_ARRAY(plane->arena, struct member_list, plane->members.count * N_RESOURCES),
        .stopped = ERROR_INIT,
    };

    for (size_t i = 0; i < N_RESOURCES; i++) {
        for (size_t j = 0; j < plane->members.count; j++) {
            if (is_read(plane, &resources[i])) {
                looking.lists[looking.n_lists++] = (struct member_list){
                    .resource = &resources[i], .member = (uint32_t)j, .go_on = ""};
            }
        }
    }
    look_at_all(&looking);
    if (looking.stopped.code != ERROR_NONE) {
        *err = looking.stopped;
        return false;
    }
    settle(&looking);
    return true;
}
