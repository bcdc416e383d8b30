/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a fleet from an API server: every list a decision needs, page by page
 * into the builder. A list that the server had to begin again mixes two states
 * of the fleet with what was taken so far, so then all of it is read again.
 */
#include "ballast/karmada/control_plane.h"

#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/timestamp.h"
#include "ballast/kube/kube_apis.h"
#include "control_plane_parts.h"

#define READINGS_MAX 4
#define DESCHEDULER_LEASE                                                                          \
    "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/karmada-descheduler"

/* A list of the control plane. Those that are required come first. */
static const struct resource {
    const char *api; /* "/apis/" stands before it */
    const char *plural;
    const char *list_kind;
    const char *older_api; /* asked where `api` is not served; NULL: none */
    bool required;         /* else it is fine when the server does not know it */
} resources[] = {
    {"cluster.karmada.io/v1alpha1", "clusters", "ClusterList", NULL, true},
    {"work.karmada.io/v1alpha2", "resourcebindings", "ResourceBindingList", NULL, true},
    {"work.karmada.io/v1alpha2", "clusterresourcebindings", "ClusterResourceBindingList", NULL,
     true},
    {"policy.karmada.io/v1alpha1", "overridepolicies", "OverridePolicyList", NULL, false},
    {"policy.karmada.io/v1alpha1", "clusteroverridepolicies", "ClusterOverridePolicyList", NULL,
     false},
    {"policy.karmada.io/v1alpha1", "federatedresourcequotas", "FederatedResourceQuotaList", NULL,
     false},
    {"policy.karmada.io/v1alpha1", "replicaschedulingpolicies", "ReplicaSchedulingPolicyList", NULL,
     false},
    {"autoscaling.karmada.io/v1alpha1", "federatedhpas", "FederatedHPAList", NULL, false},
    {"autoscaling.karmada.io/v1alpha1", "cronfederatedhpas", "CronFederatedHPAList", NULL, false},
    {"autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscalerList", "autoscaling/v1",
     false},
    {"keda.sh/v1alpha1", "scaledobjects", "ScaledObjectList", NULL, false},
    {"scheduling.kubefed.io/v1alpha1", "replicaschedulingpreferences",
     "ReplicaSchedulingPreferenceList", NULL, false},
};

#define N_RESOURCES (sizeof(resources) / sizeof(resources[0]))

enum list_reading { READING_DONE, READING_AGAIN, READING_FAILED };

struct list_collector {
    struct control_plane *plane;
    struct fleet_builder *builder;
    const struct resource *resource;
    const char *api;
    const char *what; /* for whoever watches: "listing clusters" */
    uint64_t taken, total;
    struct kube_list_options options;
    struct kube_listing *listing; /* under way; NULL: it is not, or the server has none */
    bool again;                   /* the list began anew */
    struct error why;
};

static bool
is_ready(const struct value *cluster)
{
    const struct value *conditions = value_get(value_get(cluster, "status"), "conditions");

    for (size_t i = 0; i < value_count(conditions); i++) {
        const struct value *condition = value_at(conditions, i);

        if (str_eq(value_text(condition, "type"), "Ready")) {
            return str_eq(value_text(condition, "status"), "True");
        }
    }
    return false;
}

static const char *
keep_text(struct control_plane *plane, const struct value *object, const char *key)
{
    const char *text = value_text(object, key);

    return arena_strndup(plane->arena, text, strlen(text));
}

static struct label_list
keep_headers(struct control_plane *plane, const struct value *headers)
{
    struct value_iterator it = VALUE_ITERATOR(headers);
    struct label *items = ARENA_ARRAY(plane->arena, struct label, value_count(headers));
    struct label_list list = {.items = items};
    const struct value *value;
    const char *key;

    while (value_each(&it, &key, &value)) {
        items[list.count++] = (struct label){arena_strndup(plane->arena, key, strlen(key)),
                                             keep_text(plane, headers, key)};
    }
    return list;
}

static struct kube_member
way_to(struct control_plane *plane, const char *name, const struct value *spec)
{
    const struct value *secret = value_get(spec, "secretRef");
    const struct value *headers = value_find(spec, "proxyHeader", VALUE_OBJECT);
    const struct value *insecure = value_find(spec, "insecureSkipTLSVerification", VALUE_BOOL);
    struct kube_member way = {
        .name = name,
        .kind = "Cluster",
        .api_endpoint = keep_text(plane, spec, "apiEndpoint"),
        .secret_namespace = keep_text(plane, secret, "namespace"),
        .secret_name = keep_text(plane, secret, "name"),
        .proxy_url = keep_text(plane, spec, "proxyURL"),
        .insecure_skip_tls_verify = insecure != NULL && value_bool(insecure),
    };

    if (headers != NULL) {
        way.proxy_header = keep_headers(plane, headers);
    }
    return way;
}

static void
note_member(struct control_plane *plane, const struct value *cluster)
{
    const char *name = keep_text(plane, value_get(cluster, "metadata"), "name");

    vec_add(&plane->members,
            ((struct member_address){name, is_ready(cluster),
                                     way_to(plane, name, value_get(cluster, "spec"))}));
}

/* What a binding with replicas lets us look for in members. */
static void
note_kind(struct control_plane *plane, const struct value *binding)
{
    const struct value *spec = value_get(binding, "spec");
    const struct value *replicas = value_get(spec, "replicas");
    const struct value *resource = value_get(spec, "resource");
    const char *kind = value_text(resource, "kind"), *api = value_text(resource, "apiVersion");
    const char *namespace_ = value_text(resource, "namespace");

    if (replicas == NULL) {
        return;
    }
    if (strncmp(api, "batch/", strlen("batch/")) == 0 && str_eq(kind, "Job")) {
        plane->has_finishing_kinds = true;
    } else if (strncmp(api, "apps/", strlen("apps/")) != 0) {
        plane->has_finishing_kinds = plane->has_unknown_kinds = true;
    } else if (str_eq(kind, "Deployment") && map_get_str(plane->namespaces, namespace_) == NULL) {
        map_put_str(plane->namespaces, keep_text(plane, resource, "namespace"), NULL);
    }
}

static bool
collect(void *context, const struct stream_object *object, struct error *err)
{
    struct list_collector *c = context;
    struct object_origin origin = {.file = "", .member = ""};
    const char *api_version =
        str_is_empty(object->list_api_version) ? c->api : object->list_api_version;
    const char *list_kind =
        str_is_empty(object->list_kind) ? c->resource->list_kind : object->list_kind;

    if (c->again) { /* none of it is wanted any more */
        return error_set(err, ERROR_CONFLICT, "the list began again");
    }
    progress_tell(&c->plane->options.progress, c->what, ++c->taken, c->total);
    if (str_eq(c->resource->plural, "clusters")) {
        note_member(c->plane, object->root);
    } else if (str_eq(c->resource->list_kind, "ResourceBindingList")) {
        note_kind(c->plane, object->root);
        control_plane_note_bound(c->plane, object->root);
    } else if (str_eq(c->resource->list_kind, "ClusterResourceBindingList")) {
        control_plane_note_bound(c->plane, object->root);
    }
    return fleet_builder_add(c->builder, object->root, api_version, list_kind, &origin, err) !=
           ADD_FAILED;
}

static bool
collect_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct list_collector *c = context;

    (void)where;
    if (str_eq(c->resource->plural, "clusters")) {
        return false; /* without a Cluster that is there, all that runs in it would seem lost */
    }
    fleet_builder_problem(c->builder, c->resource->plural, err->message);
    return true;
}

static void
begin_again(void *context, const struct error *why)
{
    struct list_collector *c = context;

    c->again = true;
    c->plane->begins_again = true;
    c->why = *why;
}

static void
note_size(void *context, uint64_t total)
{
    struct list_collector *c = context;

    c->total = total;
}

static void
begin_list(struct list_collector *c, const char *api)
{
    static const struct stream_ops ops = {collect, collect_bad};
    struct control_plane *plane = c->plane;

    c->options = (struct kube_list_options){
        .path = arena_printf(plane->arena, "/apis/%s/%s", api, c->resource->plural),
        .page_limit = plane->options.page_size,
        .from_cache = plane->from_cache,
        .ops = &ops,
        .wanted = fleet_builder_wanted,
        .wanted_context = c->builder,
        .restart = begin_again,
        .size = note_size,
        .context = c,
    };
    c->api = api;
    c->what = arena_printf(plane->arena, "listing %s", c->resource->plural);
    c->listing = kube_list_begin(plane->client, &c->options);
}

static bool
finish_list(struct list_collector *c, struct error *err)
{
    struct kube_listing *listing = c->listing;

    c->listing = NULL;
    c->taken = c->total = 0;
    progress_tell(&c->plane->options.progress, c->what, 0, 0);
    return kube_list_finish(listing, err);
}

static enum list_reading
read_list(struct list_collector *c, struct error *err)
{
    const struct resource *resource = c->resource;
    struct error failure = ERROR_INIT;
    bool done = finish_list(c, &failure);

    if (!done && failure.code == ERROR_NOT_FOUND && resource->older_api != NULL &&
        c->api != resource->older_api) {
        failure = (struct error)ERROR_INIT;
        begin_list(c, resource->older_api);
        done = finish_list(c, &failure);
    }
    if (c->again && (done || failure.code == ERROR_CONFLICT)) {
        error_set(err, ERROR_CONFLICT, "listing %s: it changed while it was read: %s",
                  resource->plural, c->why.message);
        return READING_AGAIN;
    }
    if (done || (failure.code == ERROR_NOT_FOUND && !resource->required)) {
        return READING_DONE;
    }
    *err = failure;
    error_wrap(err, "listing %s", resource->plural);
    if (failure.code == ERROR_NOT_FOUND) {
        error_wrap(err, "this is no Karmada control plane: it does not serve %s", resource->api);
    }
    return READING_FAILED;
}

/* What the server is known not to have is not asked for. */
static void
begin_if_served(struct list_collector *c, struct kube_apis *apis)
{
    const struct resource *resource = c->resource;

    if (kube_apis_find(apis, resource->api, resource->plural) != KUBE_NOT_SERVED) {
        begin_list(c, resource->api);
    } else if (resource->older_api != NULL &&
               kube_apis_find(apis, resource->older_api, resource->plural) != KUBE_NOT_SERVED) {
        begin_list(c, resource->older_api);
    }
}

/* Clusters first, since they tell whether anybody is there; then all others at the same time. */
static enum list_reading
read_all(struct control_plane *plane, struct fleet_builder *builder, struct kube_apis *apis,
         struct error *err)
{
    struct list_collector lists[N_RESOURCES];
    enum list_reading reading = READING_DONE;

    for (size_t i = 0; i < N_RESOURCES; i++) {
        lists[i] =
            (struct list_collector){.plane = plane, .builder = builder, .resource = &resources[i]};
    }
    plane->from_cache = false;
    begin_list(&lists[0], resources[0].api);
    reading = read_list(&lists[0], err);
    plane->from_cache = /* what broke off once may do so again: page by page then */
        reading == READING_DONE && !plane->begins_again && kube_apis_pages_are_dear(apis);
    for (size_t i = 1; i < N_RESOURCES && reading == READING_DONE; i++) {
        if (resources[i].required) {
            begin_list(&lists[i], resources[i].api);
        }
    }
    for (size_t i = 1; i < N_RESOURCES && reading == READING_DONE; i++) {
        if (!resources[i].required) {
            begin_if_served(&lists[i], apis);
        }
    }
    for (size_t i = 1; i < N_RESOURCES && reading == READING_DONE; i++) {
        if (lists[i].listing != NULL) {
            reading = read_list(&lists[i], err);
        }
    }
    for (size_t i = 0; i < N_RESOURCES; i++) {
        kube_list_abandon(lists[i].listing);
    }
    return reading;
}

static enum list_reading
read_lists(struct control_plane *plane, struct fleet_builder *builder, struct error *err)
{
    arena_reset(plane->arena);
    plane->members.count = 0;
    plane->bound_kinds.count = 0;
    plane->has_finishing_kinds = plane->has_unknown_kinds = false;
    map_free(plane->namespaces);
    plane->namespaces = map_new();
    struct kube_apis *apis = kube_apis_ask(plane->client);
    enum list_reading reading = read_all(plane, builder, apis, err);

    kube_apis_free(apis);
    return reading;
}

/* karmada-descheduler holds a Lease where it runs. Whoever may not read that is none the wiser. */
static int64_t
read_descheduler_lease(const struct control_plane *plane)
{
    struct kube_request request = {.method = KUBE_GET, .path = DESCHEDULER_LEASE, .max_tries = 1};
    struct error err = ERROR_INIT;
    int64_t renewed = TIME_NONE;

    kube_perform(plane->client, &request, 1);
    struct document *lease =
        request.error.code == ERROR_NONE
            ? document_parse_json(buf_text(&request.reply), request.reply.length, 1, &err)
            : NULL;

    if (lease != NULL) {
        renewed = decode_lease_renewed(document_root(lease));
    }
    document_free(lease);
    kube_request_release(&request);
    return renewed;
}

/* What a part of the reading cost: the difference to when it began. */
static struct source_costs
costs_now(const struct control_plane *plane, const char *source)
{
    const struct clock *clock = &plane->options.clock;
    struct kube_statistics statistics = control_plane_statistics(plane);

    return (struct source_costs){source, statistics.requests, statistics.bytes_read,
                                 clock->monotonic(clock->context)};
}

static struct source_costs
costs_since(const struct control_plane *plane, const struct source_costs *begun)
{
    struct source_costs costs = costs_now(plane, begun->source);

    costs.requests -= begun->requests;
    costs.bytes -= begun->bytes;
    costs.nanos -= begun->nanos;
    return costs;
}

/* Replicas of it are the member's own affair. */
static const struct label retained = {"resourcetemplate.karmada.io/retain-replicas", "true"};

static bool
read_members(struct control_plane *plane, struct fleet_builder *builder, struct error *err)
{
    struct estimators *estimators = plane->options.estimators;
    struct source_costs begun = costs_now(plane, "members");
    const struct members_look look = {
        .client = plane->client,
        .proxy = &control_plane_proxy,
        .options = &plane->options.members,
        .clock = plane->options.clock,
        .page_size = plane->options.page_size,
        .progress = plane->options.progress,
        .addresses = plane->members.items,
        .n_addresses = plane->members.count,
        .hints = {plane->namespaces, plane->has_finishing_kinds, plane->has_unknown_kinds,
                  retained},
    };
    bool done = members_look(&look, builder, &plane->member_requests, err);

    plane->of_members = costs_since(plane, &begun);
    return done && (estimators == NULL ||
                    estimators_find(estimators, plane->client, plane->options.page_size, err));
}

static struct fleet *
finish(struct control_plane *plane, struct fleet_builder *builder, int64_t captured_at,
       struct error *err)
{
    if (!control_plane_read_labels(plane, builder, err) || !read_members(plane, builder, err)) {
        return NULL;
    }
    struct fleet *fleet = fleet_builder_finish(builder, captured_at, err);

    if (fleet != NULL) {
        fleet->descheduler_renewed = read_descheduler_lease(plane);
    }
    return fleet;
}

/* The times in objects are of the server's clock; ours may be off. */
static int64_t
server_time_at(const struct control_plane *plane, int64_t monotonic)
{
    const struct clock *clock = &plane->options.clock;
    int64_t now = kube_client_server_time(plane->client);
    int64_t since = clock->monotonic(clock->context) - monotonic;

    return timestamp_add(now != TIME_NONE ? now : clock->wall(clock->context), -since);
}

static struct fleet *
read_fleet(void *context, struct error *err)
{
    struct control_plane *plane = context;
    enum list_reading reading = READING_AGAIN;
    struct fleet *fleet = NULL;
    struct error failure = ERROR_INIT;

    plane->begins_again = false;
    for (int i = 0; i < READINGS_MAX && reading == READING_AGAIN; i++) {
        struct fleet_builder *builder = fleet_builder_new();
        struct source_costs begun = costs_now(plane, "control plane");

        failure = (struct error)ERROR_INIT;
        fleet_builder_tap(builder, plane->options.tap);
        reading = read_lists(plane, builder, &failure);
        plane->of_lists = costs_since(plane, &begun);
        if (reading == READING_DONE) {
            fleet = finish(plane, builder, server_time_at(plane, begun.nanos), &failure);
        }
        fleet_builder_free(builder);
    }
    progress_end(&plane->options.progress);
    if (fleet == NULL) {
        *err = failure;
    }
    return fleet;
}

struct control_plane *
control_plane_new(struct kube_client *client, const struct control_plane_options *options)
{
    struct control_plane *plane = heap_new(1, sizeof(*plane));

    plane->client = client;
    plane->options = *options;
    plane->arena = arena_new();
    return plane;
}

void
control_plane_free(struct control_plane *plane)
{
    if (plane == NULL) {
        return;
    }
    vec_free(&plane->members);
    vec_free(&plane->bound_kinds);
    map_free(plane->namespaces);
    arena_free(plane->arena);
    free(plane);
}

struct kube_statistics
control_plane_statistics(const struct control_plane *plane)
{
    struct kube_statistics sum = kube_client_statistics(plane->client);

    kube_statistics_add(&sum, &plane->member_requests);
    return sum;
}

/* Nobody told what its estimator was to tell. */
static void
note_silence(struct arena *arena, const struct estimator_failure *failure, struct member *member)
{
    struct member_gap *gap = &member->gap;
    const char *before = gap->parts != NULL ? gap->parts : "";

    gap->message = gap->parts != NULL
                       ? gap->message
                       : arena_strndup(arena, failure->message, strlen(failure->message));
    gap->parts = arena_printf(arena, "%s%sestimator", before, str_is_empty(before) ? "" : ", ");
}

/* The fleet, a view of it where estimators kept silent on every question. */
static struct fleet *
note_silent_estimators(const struct control_plane *plane, struct fleet *fleet)
{
    const struct member_sources *sources = &plane->options.members.sources;
    uint32_t count;
    const struct estimator_failure *const *failures =
        estimators_failures(plane->options.estimators, &count);
    struct fleet *view = arena_memdup(fleet->arena, fleet, sizeof(*fleet));
    struct member *members =
        arena_memdup(fleet->arena, fleet->members, fleet->n_clusters * sizeof(*members));

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const bool was_asked = sources_ask_stuck(sources, &members[i]) ||
                               sources_ask_room(sources, &fleet->clusters[i], &members[i]);

        for (uint32_t f = 0; f < count && was_asked; f++) {
            bool is_of_it =
                str_eq(failures[f]->member, members[i].name) || str_eq(failures[f]->member, "*");

            if (is_of_it && failures[f]->failed == failures[f]->asked) {
                note_silence(fleet->arena, failures[f], &members[i]);
                break;
            }
        }
    }
    view->members = members;
    return count > 0 ? view : fleet;
}

struct kube_statistics
control_plane_member_statistics(const struct control_plane *plane)
{
    return plane->member_requests;
}

static struct fleet *
survey(void *context, struct fleet *fleet, const struct survey *asked)
{
    struct control_plane *plane = context;
    struct estimators *estimators = plane->options.estimators;
    struct fleet *surveyed = fleet;

    if (asked->wants_purge_modes) {
        control_plane_ask_purge_modes(plane, fleet);
    }
    if (estimators != NULL) {
        surveyed = estimators_ask(estimators, fleet, asked);
        surveyed = asked->is_last ? note_silent_estimators(plane, surveyed) : surveyed;
    }
    progress_end(&plane->options.progress);
    return surveyed;
}

struct backend
control_plane_backend(struct control_plane *plane)
{
    return (struct backend){
        .context = plane,
        .read = read_fleet,
        .survey = survey,
        .write = control_plane_write,
        .read_again = control_plane_read_again,
    };
}

uint32_t
control_plane_costs(const struct control_plane *plane, struct source_costs ret[SOURCE_COSTS_MAX])
{
    uint32_t count = 0;

    ret[count++] = plane->of_lists;
    ret[count++] = plane->of_members;
    if (plane->options.estimators != NULL) {
        struct estimator_costs stuck = estimators_stuck_costs(plane->options.estimators);
        struct estimator_costs room = estimators_room_costs(plane->options.estimators);

        ret[count++] = (struct source_costs){"estimators, unschedulable replicas", stuck.calls,
                                             stuck.bytes, stuck.nanos};
        ret[count++] =
            (struct source_costs){"estimators, room", room.calls, room.bytes, room.nanos};
    }
    return count;
}
