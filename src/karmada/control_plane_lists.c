/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the lists of a control plane, and notes facts about their objects while they come.
 */
#include <stdlib.h>

#include "ballast/kube/kube_apis.h"
#include "ballast/kube/kube_list.h"
#include "control_plane_parts.h"

enum need {
    NEEDED,      /* a server without it is no control plane */
    IF_SERVED,   /* the server may lack it */
    FOR_CHANGES, /* the server may lack it; only a cycle with a change reads it */
};

/* The lists of the control plane; the needed lists come first. */
static const struct resource {
    const char *api; /* without "/apis/" before it */
    const char *plural;
    const char *list_kind;
    enum need need;
    const char *older_api; /* asked if `api` is not served; NULL: none */
    /* The kind, if the list matters only when a binding brings that kind to members. Without that
     * binding Ballast does not read the list. NULL: it always matters. */
    const char *bound;
} resources[] = {
#define LIST(api, plural, kind, need)                                                              \
    {                                                                                              \
        api, plural, kind "List", need, NULL, NULL                                                 \
    }
    LIST("cluster.karmada.io/v1alpha1", "clusters", "Cluster", NEEDED),
    LIST("work.karmada.io/v1alpha2", "resourcebindings", "ResourceBinding", NEEDED),
    LIST("work.karmada.io/v1alpha2", "clusterresourcebindings", "ClusterResourceBinding", NEEDED),
    LIST("policy.karmada.io/v1alpha1", "overridepolicies", "OverridePolicy", IF_SERVED),
    LIST("policy.karmada.io/v1alpha1", "clusteroverridepolicies", "ClusterOverridePolicy",
         IF_SERVED),
    LIST("policy.karmada.io/v1alpha1", "replicaschedulingpolicies", "ReplicaSchedulingPolicy",
         IF_SERVED),
    LIST("apps.karmada.io/v1alpha1", "workloadrebalancers", "WorkloadRebalancer", IF_SERVED),
    LIST("config.karmada.io/v1alpha1", "resourceinterpretercustomizations",
         "ResourceInterpreterCustomization", IF_SERVED),
    LIST("autoscaling.karmada.io/v1alpha1", "federatedhpas", "FederatedHPA", IF_SERVED),
    LIST("autoscaling.karmada.io/v1alpha1", "cronfederatedhpas", "CronFederatedHPA", IF_SERVED),
    LIST("scheduling.kubefed.io/v1alpha1", "replicaschedulingpreferences",
         "ReplicaSchedulingPreference", IF_SERVED),
    LIST("policy.karmada.io/v1alpha1", "federatedresourcequotas", "FederatedResourceQuota",
         FOR_CHANGES),
#undef LIST
    {"autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscalerList", IF_SERVED,
     "autoscaling/v1", "HorizontalPodAutoscaler"},
    {"keda.sh/v1alpha1", "scaledobjects", "ScaledObjectList", IF_SERVED, NULL, "ScaledObject"},
};

#define N_RESOURCES (sizeof(resources) / sizeof(resources[0]))

struct list_collector {
    struct control_plane *plane;
    struct fleet_builder *builder;
    const struct resource *resource;
    const char *api;
    const char *what; /* for the progress: "listing clusters" */
    uint64_t taken, total;
    struct kube_listing *listing; /* NULL: not under way */
    bool again;                   /* the list began again */
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
    struct label *items = ARENA_ARRAY(plane->arena, struct label, value_count(headers));
    struct label_list list = {.items = items};

    for (struct value_iterator it = VALUE_ITERATOR(headers); value_each(&it);) {
        items[list.count++] = (struct label){arena_strndup(plane->arena, it.key, strlen(it.key)),
                                             keep_text(plane, headers, it.key)};
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

    if (plane->options.observes != NULL && !member_choice_has(plane->options.observes, name)) {
        return;
    }
    vec_add(&plane->members,
            ((struct member_address){name, is_ready(cluster),
                                     way_to(plane, name, value_get(cluster, "spec"))}));
}

static void
note_brought(struct control_plane *plane, const struct value *binding)
{
    const char *kind = value_text(value_get(value_get(binding, "spec"), "resource"), "kind");

    for (size_t i = 0; i < N_RESOURCES; i++) {
        if (resources[i].bound != NULL && str_eq(resources[i].bound, kind)) {
            plane->brought |= 1U << i;
        }
    }
}

/* Notes facts about a workload that decide which lists of members to read. */
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

    if (c->again) { /* the caller drops all objects */
        return error_set(err, ERROR_CONFLICT, "the list began again");
    }
    progress_report(&c->plane->options.progress, c->what, ++c->taken, c->total);
    if (str_eq(c->resource->plural, "clusters")) {
        note_member(c->plane, object->root);
    } else if (str_eq(c->resource->list_kind, "ResourceBindingList")) {
        note_kind(c->plane, object->root);
        note_brought(c->plane, object->root);
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
        return false; /* without its Cluster, all that runs in a member would seem lost */
    }
    fleet_builder_problem(c->builder, "", c->resource->plural, err->message);
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

    const struct kube_list_options options = {
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
    c->listing = kube_list_begin(plane->client, &options);
}

static bool
finish_list(struct list_collector *c, struct error *err)
{
    struct kube_listing *listing = c->listing;

    c->listing = NULL;
    c->taken = c->total = 0;
    progress_report(&c->plane->options.progress, c->what, 0, 0);
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
    if (done || (failure.code == ERROR_NOT_FOUND && resource->need != NEEDED)) {
        return READING_DONE;
    }
    *err = failure;
    error_wrap(err, "listing %s", resource->plural);
    if (failure.code == ERROR_NOT_FOUND) {
        error_wrap(err, "this is no Karmada control plane: it does not serve %s", resource->api);
    }
    return READING_FAILED;
}

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

/* Begins the optional lists: those that bindings brought, or without `brought` all others. Leaves
 * lists for changes to control_plane_read_later. */
static void
begin_optional(struct control_plane *plane, struct list_collector *lists, struct kube_apis *apis,
               bool brought)
{
    for (size_t i = 0; i < N_RESOURCES; i++) {
        const struct resource *resource = &resources[i];
        bool is_due = resource->bound == NULL || (plane->brought >> i & 1) != 0;

        if (resource->need == NEEDED || (resource->bound != NULL) != brought || !is_due) {
            continue;
        }
        if (resource->need != FOR_CHANGES || plane->options.tap != NULL) {
            begin_if_served(&lists[i], apis);
        } else if (kube_apis_find(apis, resource->api, resource->plural) != KUBE_NOT_SERVED) {
            plane->later |= 1U << i;
        }
    }
}

static enum list_reading
read_begun(struct list_collector *lists, struct error *err)
{
    enum list_reading reading = READING_DONE;

    for (size_t i = 0; i < N_RESOURCES && reading == READING_DONE; i++) {
        if (lists[i].listing != NULL) {
            reading = read_list(&lists[i], err);
        }
    }
    return reading;
}

static void
init_lists(struct control_plane *plane, struct fleet_builder *builder,
           struct list_collector lists[N_RESOURCES])
{
    for (size_t i = 0; i < N_RESOURCES; i++) {
        lists[i] =
            (struct list_collector){.plane = plane, .builder = builder, .resource = &resources[i]};
    }
}

static void
abandon_lists(const struct list_collector lists[N_RESOURCES])
{
    for (size_t i = 0; i < N_RESOURCES; i++) {
        kube_list_abandon(lists[i].listing);
    }
}

/* Reads Clusters first, as they show whether the server answers. Then reads all other lists side by
 * side, and last the lists that a binding brought. */
static enum list_reading
read_all(struct control_plane *plane, struct fleet_builder *builder, struct kube_apis *apis,
         struct error *err)
{
    struct list_collector lists[N_RESOURCES];

    init_lists(plane, builder, lists);
    plane->from_cache = false;
    begin_list(&lists[0], resources[0].api);
    enum list_reading reading = read_begun(lists, err);

    if (plane->options.observes != NULL) {
        return reading;
    }
    if (reading == READING_DONE) {
        plane->from_cache = /* a list that broke off may do so again: read it in pages */
            !plane->begins_again && kube_apis_pages_are_dear(apis);
        for (size_t i = 1; i < N_RESOURCES; i++) {
            if (resources[i].need == NEEDED) {
                begin_list(&lists[i], resources[i].api);
            }
        }
        begin_optional(plane, lists, apis, false);
        reading = read_begun(lists, err);
    }
    if (reading == READING_DONE) {
        begin_optional(plane, lists, apis, true);
        reading = read_begun(lists, err);
    }
    abandon_lists(lists);
    return reading;
}

enum list_reading
control_plane_read_lists(struct control_plane *plane, struct fleet_builder *builder,
                         struct error *err)
{
    arena_reset(plane->arena);
    plane->members.count = 0;
    plane->bound_kinds.count = 0;
    plane->brought = plane->later = 0;
    plane->has_finishing_kinds = plane->has_unknown_kinds = false;
    map_free(plane->namespaces);
    plane->namespaces = map_new();
    struct kube_apis *apis = kube_apis_ask(plane->client);
    enum list_reading reading = read_all(plane, builder, apis, err);

    kube_apis_free(apis);
    return reading;
}

static enum list_reading
read_later(struct control_plane *plane, struct fleet_builder *builder, struct error *err)
{
    struct list_collector lists[N_RESOURCES];

    init_lists(plane, builder, lists);
    for (size_t i = 0; i < N_RESOURCES; i++) {
        if ((plane->later >> i & 1) != 0) {
            begin_list(&lists[i], resources[i].api);
        }
    }
    enum list_reading reading = read_begun(lists, err);

    abandon_lists(lists);
    return reading;
}

bool
control_plane_read_later(struct control_plane *plane, struct fleet *fleet, struct error *err)
{
    enum list_reading reading = READING_AGAIN;
    struct error failure = ERROR_INIT;

    for (int i = 0; i < READINGS_MAX && reading == READING_AGAIN && plane->later != 0; i++) {
        struct fleet_builder *builder = fleet_builder_again(fleet);

        failure = (struct error)ERROR_INIT;
        plane->from_cache = plane->from_cache && !plane->begins_again; /* as in read_all */
        reading = read_later(plane, builder, &failure);
        fleet_builder_end_again(builder, reading == READING_DONE);
    }
    if (plane->later != 0 && reading != READING_DONE) {
        *err = failure;
        return false;
    }
    plane->later = 0;
    return true;
}
