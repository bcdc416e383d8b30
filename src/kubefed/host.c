/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a fleet from a KubeFed host: its configuration first, which names the lists. If a list
 * begins again, the objects so far mix two states of the fleet, so Ballast reads all of them again.
 */
#include "ballast/kubefed/host.h"

#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/timestamp.h"
#include "ballast/kube/kube_list.h"
#include "ballast/kube/kube_text.h"
#include "host_parts.h"

#define READINGS_MAX 4
#define CORE_API "core.kubefed.io/v1beta1"
#define CONFIG "kubefed"
/* The limits of KubeFed's own controllers for a member (kubefed
 * pkg/controller/util/cluster_util.go). */
#define MEMBER_QPS 20
#define MEMBER_BURST 30

/* The label of Deployments that KubeFed manages. */
static const struct label managed = {"kubefed.io/managed", "true"};

enum list_reading { READING_DONE, READING_AGAIN, READING_FAILED };

struct resource {
    const char *api, *plural, *list_kind;
    bool is_inside; /* only in the control plane's namespace */
    bool required;  /* a server without it is no host */
    /* Notes facts about an object before the fleet is built; NULL: none. */
    void (*note)(struct kubefed_host *host, const struct value *object);
    const char *config; /* the FederatedTypeConfig that names it; NULL: none */
};

struct list_collector {
    struct kubefed_host *host;
    struct fleet_builder *builder;
    const struct resource *resource;
    const char *what; /* for the progress: "listing kubefedclusters" */
    uint64_t taken, total;
    bool again; /* the list began again */
    struct error why;
};

static void
note_workload(struct kubefed_host *host, const struct value *object)
{
    const struct value *metadata = value_get(object, "metadata");

    if (map_get_str(host->namespaces, value_text(metadata, "namespace")) == NULL) {
        map_put_str(host->namespaces, host_keep(host, metadata, "namespace"), NULL);
    }
}

static bool
collect(void *context, const struct stream_object *object, struct error *err)
{
    struct list_collector *c = context;
    const struct object_origin origin = {.file = "", .member = ""};
    const char *api_version =
        str_is_empty(object->list_api_version) ? c->resource->api : object->list_api_version;
    const char *list_kind =
        str_is_empty(object->list_kind) ? c->resource->list_kind : object->list_kind;

    if (c->again) { /* the caller drops all objects */
        return error_set(err, ERROR_CONFLICT, "the list began again");
    }
    progress_report(&c->host->options.progress, c->what, ++c->taken, c->total);
    if (c->resource->note != NULL) {
        c->resource->note(c->host, object->root);
    }
    return fleet_builder_add(c->builder, object->root, api_version, list_kind, &origin, err) !=
           ADD_FAILED;
}

static bool
collect_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct list_collector *c = context;

    (void)where;
    if (c->resource->required) {
        return false; /* without its KubeFedCluster, all that runs in a member would seem lost */
    }
    fleet_builder_problem(c->builder, "", c->resource->plural, err->message);
    return true;
}

static void
begin_again(void *context, const struct error *why)
{
    struct list_collector *c = context;

    c->again = true;
    c->why = *why;
}

static void
note_size(void *context, uint64_t total)
{
    struct list_collector *c = context;

    c->total = total;
}

static const char *
path_of(struct kubefed_host *host, const struct resource *resource)
{
    struct buf path;

    buf_init(&path, KUBE_PATH_MAX);
    buf_printf(&path, "/apis/%s/", resource->api);
    if (resource->is_inside || host->is_namespaced) {
        buf_append_str(&path, "namespaces/");
        kube_append_segment(&path, host->options.namespace_);
        buf_append_char(&path, '/');
    }
    buf_append_str(&path, resource->plural);
    const char *kept = arena_strndup(host->arena, buf_text(&path), path.length);

    buf_release(&path);
    return kept;
}

static enum list_reading
read_list(struct kubefed_host *host, struct fleet_builder *builder, const struct resource *resource,
          struct error *err)
{
    static const struct stream_ops ops = {collect, collect_bad};
    struct list_collector c = {.host = host, .builder = builder, .resource = resource};
    struct kube_list_options options = {
        .path = path_of(host, resource),
        .page_limit = host->options.page_size,
        .ops = &ops,
        .wanted = fleet_builder_wanted,
        .wanted_context = builder,
        .restart = begin_again,
        .size = note_size,
        .context = &c,
    };
    struct error failure = ERROR_INIT;

    c.what = arena_printf(host->arena, "listing %s", resource->plural);
    progress_report(&host->options.progress, c.what, 0, 0);
    bool done = kube_list(host->client, &options, &failure);

    if (c.again && (done || failure.code == ERROR_CONFLICT)) {
        error_set(err, ERROR_CONFLICT, "listing %s: it changed while it was read: %s",
                  resource->plural, c.why.message);
        return READING_AGAIN;
    }
    if (!done && failure.code == ERROR_NOT_FOUND && resource->config != NULL) {
        fleet_builder_unread(
            builder, arena_printf(host->arena, "FederatedTypeConfig %s", resource->config),
            arena_printf(host->arena, "the host does not serve the %s of %s that it names",
                         resource->plural, resource->api));
    }
    if (done || (failure.code == ERROR_NOT_FOUND && !resource->required)) {
        return READING_DONE;
    }
    *err = failure;
    error_wrap(err, "listing %s", resource->plural);
    if (failure.code == ERROR_NOT_FOUND) {
        error_wrap(err, "this is no KubeFed host: it does not serve %s", resource->api);
    }
    return READING_FAILED;
}

static bool
take_config(struct kubefed_host *host, struct fleet_builder *builder, const struct buf *reply,
            struct error *err)
{
    const struct object_origin origin = {.file = "", .member = ""};
    struct document *document = document_parse_json(buf_text(reply), reply->length, 1, err);

    if (document == NULL) {
        return false;
    }
    const struct value *root = document_root(document);
    const struct value *spec = value_get(root, "spec");

    host->is_namespaced = str_eq(value_text(spec, "scope"), "Namespaced");
    bool done =
        fleet_builder_add(builder, root, CORE_API, "KubeFedConfigList", &origin, err) != ADD_FAILED;

    document_free(document);
    return done;
}

static bool
read_config(struct kubefed_host *host, struct fleet_builder *builder, struct error *err)
{
    const char *namespace_ = host->options.namespace_;
    const struct resource configs = {
        .api = CORE_API, .plural = "kubefedconfigs", .is_inside = true};
    struct kube_request request = {
        .method = KUBE_GET,
        .path = arena_printf(host->arena, "%s/" CONFIG, path_of(host, &configs)),
    };

    kube_perform(host->client, &request, 1);
    bool done = request.error.code == ERROR_NONE;

    if (done) {
        done = take_config(host, builder, &request.reply, err);
    } else {
        *err = request.error;
    }
    if (!done) {
        error_wrap(err, "reading KubeFedConfig %s/" CONFIG, namespace_);
    }
    if (!done && request.error.code == ERROR_NOT_FOUND) {
        error_wrap(err,
                   "this is no KubeFed host, or its control plane is in another namespace than %s "
                   "(--kubefed-namespace)",
                   namespace_);
    }
    kube_request_release(&request);
    return done;
}

/* Reads each kind by the API in its FederatedTypeConfig. Always reads FederatedNamespaces, as they
 * bound the placement of the other kinds. */
static enum list_reading
read_federated(struct kubefed_host *host, struct fleet_builder *builder, struct error *err)
{
    enum list_reading reading = READING_DONE;

    if (host_find_type(host, "FederatedNamespace") == NULL) {
        const struct host_type usual = {"FederatedNamespace", FEDERATED_API, "federatednamespaces",
                                        NULL};

        vec_add(&host->types, usual);
    }
    for (size_t i = 0; i < host->types.count && reading == READING_DONE; i++) {
        const struct host_type *type = &host->types.items[i];
        bool is_namespace = str_eq(type->kind, "FederatedNamespace");
        const struct resource resource = {
            .api = type->api,
            .plural = type->plural,
            .list_kind = arena_printf(host->arena, "%sList", type->kind),
            .note = is_namespace ? NULL : note_workload,
            .config = type->config,
        };

        if (!is_namespace || !host->is_namespaced) { /* they bound nothing there */
            reading = read_list(host, builder, &resource, err);
        }
    }
    return reading;
}

static enum list_reading
read_lists(struct kubefed_host *host, struct fleet_builder *builder, struct error *err)
{
    static const struct resource resources[] = {
        {CORE_API, "federatedtypeconfigs", "FederatedTypeConfigList", true, true, host_note_type,
         NULL},
        {CORE_API, "kubefedclusters", "KubeFedClusterList", true, true, host_note_member, NULL},
        {PREFERENCES_API, PREFERENCES, "ReplicaSchedulingPreferenceList", false, false, NULL, NULL},
    };
    enum list_reading reading = READING_DONE;

    arena_reset(host->arena);
    host->members.count = host->types.count = 0;
    host->is_namespaced = false;
    map_free(host->namespaces);
    host->namespaces = map_new();
    if (!read_config(host, builder, err)) {
        return READING_FAILED;
    }
    for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]) && reading == READING_DONE;
         i++) {
        if (host->options.observes == NULL || resources[i].note == host_note_member) {
            reading = read_list(host, builder, &resources[i], err);
        }
    }
    return reading == READING_DONE && host->options.observes == NULL
               ? read_federated(host, builder, err)
               : reading;
}

/* Times in objects are the server's, and the local clock may be off. */
static int64_t
server_time_at(const struct kubefed_host *host, int64_t monotonic)
{
    const struct clock *clock = &host->options.clock;
    int64_t now = kube_client_server_time(host->client);
    int64_t since = clock->monotonic(clock->context) - monotonic;

    return timestamp_add(now != TIME_NONE ? now : clock->wall(clock->context), -since);
}

static struct members_look
look_of(const struct kubefed_host *host)
{
    bool observes = host->options.observes != NULL;

    return (struct members_look){
        .client = host->client,
        .options = &host->options.members,
        .clock = host->options.clock,
        .page_size = host->options.page_size,
        .progress = host->options.progress,
        .addresses = host->members.items,
        .n_addresses = host->members.count,
        .hints = {.namespaces = host->namespaces,
                  .has_finishing_kinds = observes,
                  .has_unknown_kinds = observes,
                  .are_apart = observes,
                  .marked = managed},
    };
}

static struct fleet *
finish(struct kubefed_host *host, struct fleet_builder *builder, int64_t captured_at,
       struct error *err)
{
    const struct member_port *port = host->options.port;
    const struct members_look look = look_of(host);
    bool done = port != NULL ? port->look(port->context, builder, captured_at, err)
                             : members_look(&look, builder, &host->member_requests, err);

    return done ? fleet_builder_finish(builder, captured_at, err) : NULL;
}

/* Federated objects hold their pod templates, so Ballast only reads the members' limits on these
 * pods. Members that a port reads are left out. */
static struct fleet *
survey(void *context, struct fleet *fleet, const struct survey *asked, struct error *err)
{
    struct kubefed_host *host = context;

    if (asked->n_fit == 0 || host->options.port != NULL) {
        return fleet;
    }
    struct fleet_builder *builder = fleet_builder_again(fleet);
    const struct members_look look = look_of(host);

    fleet_builder_tap_again(builder, host->options.tap);
    bool done = members_look_fit(&look, fleet, asked, builder, &host->member_requests, err);

    fleet_builder_end_templates(builder);
    progress_end(&host->options.progress);
    return done ? fleet : NULL;
}

static void
expect(const struct kubefed_host *host, struct fleet_builder *builder)
{
    struct fleet_expectation expectation = {.platform = PLATFORM_KUBEFED,
                                            .kubefed_namespace = host->options.namespace_,
                                            .keeps_pods = host->options.keeps_pods};

    if (host->options.observes != NULL) {
        expectation.choice = *host->options.observes;
    }
    fleet_builder_expect(builder, expectation);
}

static struct fleet *
read_fleet(void *context, struct error *err)
{
    struct kubefed_host *host = context;
    const struct clock *clock = &host->options.clock;
    enum list_reading reading = READING_AGAIN;
    struct fleet *fleet = NULL;
    struct error failure = ERROR_INIT;

    for (int i = 0; i < READINGS_MAX && reading == READING_AGAIN; i++) {
        struct fleet_builder *builder = fleet_builder_new();
        int64_t begun = clock->monotonic(clock->context);

        failure = (struct error)ERROR_INIT;
        expect(host, builder);
        fleet_builder_tap(builder, host->options.tap);
        reading = read_lists(host, builder, &failure);
        if (reading == READING_DONE) {
            fleet = finish(host, builder, server_time_at(host, begun), &failure);
        }
        fleet_builder_free(builder);
    }
    progress_end(&host->options.progress);
    if (fleet == NULL) {
        *err = failure;
    }
    return fleet;
}

struct kubefed_host *
kubefed_host_new(struct kube_client *client, const struct kubefed_host_options *options)
{
    struct kubefed_host *host = heap_new(1, sizeof(*host));
    struct members_options *members = &host->options.members;

    host->client = client;
    host->options = *options;
    host->arena = arena_new();
    if (str_is_empty(options->namespace_)) {
        host->options.namespace_ = KUBEFED_NAMESPACE;
    }
    members->access = MEMBER_ACCESS_DIRECT;
    members->trust.secret_namespaces =
        (struct str_list){.items = &host->options.namespace_, .count = 1};
    if (!(members->qps > 0)) {
        members->qps = MEMBER_QPS;
        members->burst = MEMBER_BURST;
    }
    return host;
}

void
kubefed_host_free(struct kubefed_host *host)
{
    if (host == NULL) {
        return;
    }
    vec_free(&host->types);
    vec_free(&host->members);
    map_free(host->namespaces);
    arena_free(host->arena);
    free(host);
}

struct backend
kubefed_host_backend(struct kubefed_host *host)
{
    return (struct backend){
        .context = host,
        .read = read_fleet,
        .survey = survey,
        .write = kubefed_host_write,
        .read_again = kubefed_host_read_again,
    };
}

struct kube_statistics
kubefed_host_statistics(const struct kubefed_host *host)
{
    struct kube_statistics sum = kube_client_statistics(host->client);

    kube_statistics_add(&sum, &host->of_halves);
    kube_statistics_add(&sum, &host->member_requests);
    return sum;
}

struct kube_statistics
kubefed_host_member_statistics(const struct kubefed_host *host)
{
    return host->member_requests;
}
