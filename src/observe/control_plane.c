/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a fleet from an API server: every list a decision needs, page by page
 * into the builder. A list that the server had to begin again mixes two states
 * of the fleet with what was taken so far, so then all of it is read again.
 */
#include "ballast/control_plane.h"

#include <stdlib.h>

#include "ballast/timestamp.h"
#include "control_plane_parts.h"

#define READINGS_MAX 4
#define DESCHEDULER_LEASE                                                                          \
    "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/karmada-descheduler"
#define DESCHEDULER_SILENT_AFTER (2 * NANOS_PER_MINUTE)

/* A list of the control plane. */
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
    {"policy.karmada.io/v1alpha1", "replicaschedulingpolicies", "ReplicaSchedulingPolicyList", NULL,
     false},
    {"autoscaling.karmada.io/v1alpha1", "federatedhpas", "FederatedHPAList", NULL, false},
    {"autoscaling.karmada.io/v1alpha1", "cronfederatedhpas", "CronFederatedHPAList", NULL, false},
    {"autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscalerList", "autoscaling/v1",
     false},
    {"scheduling.kubefed.io/v1alpha1", "replicaschedulingpreferences",
     "ReplicaSchedulingPreferenceList", NULL, false},
};

enum reading { READING_DONE, READING_AGAIN, READING_FAILED };

struct collector {
    struct control_plane *plane;
    struct fleet_builder *builder;
    const struct resource *resource;
    const char *api;
    bool again; /* the list began anew */
};

static const char *
text_of(const struct value *object, const char *key)
{
    const struct value *value = object != NULL ? value_get(object, key) : NULL;

    return value != NULL && value_type(value) == VALUE_STRING ? value_string(value) : "";
}

static bool
is_ready(const struct value *cluster)
{
    const struct value *status = value_get(cluster, "status");
    const struct value *conditions = status != NULL ? value_get(status, "conditions") : NULL;

    for (size_t i = 0; conditions != NULL && i < value_count(conditions); i++) {
        const struct value *condition = value_at(conditions, i);

        if (condition != NULL && str_eq(text_of(condition, "type"), "Ready")) {
            return str_eq(text_of(condition, "status"), "True");
        }
    }
    return false;
}

static void
note_member(struct control_plane *plane, const struct value *cluster)
{
    const char *name = text_of(value_get(cluster, "metadata"), "name");

    vec_add(&plane->members,
            ((struct member_address){arena_strndup(plane->arena, name, strlen(name)),
                                     is_ready(cluster)}));
}

/* Whether members hold workloads that a list of Deployments does not show. */
static void
note_kind(struct control_plane *plane, const struct value *binding)
{
    const struct value *spec = value_get(binding, "spec");
    const struct value *replicas = spec != NULL ? value_get(spec, "replicas") : NULL;
    const struct value *resource = spec != NULL ? value_get(spec, "resource") : NULL;

    if (replicas != NULL && !str_eq(text_of(resource, "kind"), "Deployment")) {
        plane->has_other_kinds = true;
    }
}

static bool
refuse_mixture(struct error *err)
{
    return error_set(err, ERROR_CONFLICT, "the list changed while it was read");
}

static bool
collect(void *context, const struct stream_object *object, struct error *err)
{
    struct collector *c = context;
    struct object_origin origin = {.file = "", .member = ""};
    const char *api_version =
        str_is_empty(object->list_api_version) ? c->api : object->list_api_version;
    const char *list_kind =
        str_is_empty(object->list_kind) ? c->resource->list_kind : object->list_kind;

    if (c->again) {
        return refuse_mixture(err);
    }
    if (str_eq(c->resource->plural, "clusters")) {
        note_member(c->plane, object->root);
    } else if (str_eq(c->resource->list_kind, "ResourceBindingList")) {
        note_kind(c->plane, object->root);
    }
    return fleet_builder_add(c->builder, object->root, api_version, list_kind, &origin, err) !=
           ADD_FAILED;
}

static bool
collect_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct collector *c = context;

    (void)where;
    if (str_eq(c->resource->plural, "clusters")) {
        return false; /* without a Cluster that is there, all that runs in it would seem lost */
    }
    fleet_builder_problem(c->builder, c->resource->plural, err->message);
    return true;
}

static void
begin_again(void *context)
{
    struct collector *c = context;

    c->again = true;
}

static bool
list_api(struct collector *c, const char *api, struct error *err)
{
    static const struct stream_ops ops = {collect, collect_bad};
    struct kube_list_options options = {
        .path = arena_printf(c->plane->arena, "/apis/%s/%s", api, c->resource->plural),
        .page_limit = c->plane->options.page_size,
        .ops = &ops,
        .restart = begin_again,
        .context = c,
    };

    c->api = api;
    return kube_list(c->plane->client, &options, err);
}

static enum reading
read_list(struct control_plane *plane, struct fleet_builder *builder,
          const struct resource *resource, struct error *err)
{
    struct collector c = {.plane = plane, .builder = builder, .resource = resource};
    struct error failure = ERROR_INIT;
    bool done = list_api(&c, resource->api, &failure);

    if (!done && failure.code == ERROR_NOT_FOUND && resource->older_api != NULL) {
        failure = (struct error)ERROR_INIT;
        done = list_api(&c, resource->older_api, &failure);
    }
    if (c.again && (done || failure.code == ERROR_CONFLICT)) {
        refuse_mixture(err);
        error_wrap(err, "listing %s", resource->plural);
        return READING_AGAIN;
    }
    if (done || (failure.code == ERROR_NOT_FOUND && !resource->required)) {
        return READING_DONE;
    }
    *err = failure;
    error_wrap(err, "listing %s", resource->plural);
    return READING_FAILED;
}

static enum reading
read_lists(struct control_plane *plane, struct fleet_builder *builder, struct error *err)
{
    enum reading reading = READING_DONE;

    arena_reset(plane->arena);
    plane->members.count = 0;
    plane->unseen.count = 0;
    plane->has_other_kinds = false;
    for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]) && reading == READING_DONE;
         i++) {
        reading = read_list(plane, builder, &resources[i], err);
    }
    return reading;
}

/* karmada-descheduler holds a Lease where it runs. Whoever may not read that is none the wiser. */
static bool
sees_descheduler(const struct control_plane *plane)
{
    struct kube_request request = {.method = KUBE_GET, .path = DESCHEDULER_LEASE, .max_tries = 1};
    struct error err = ERROR_INIT;
    bool seen = false;

    kube_perform(plane->client, &request, 1);
    struct document *lease =
        request.error.code == ERROR_NONE
            ? document_parse_json(buf_text(&request.reply), request.reply.length, 1, &err)
            : NULL;

    if (lease != NULL) {
        const struct value *spec = value_get(document_root(lease), "spec");
        int64_t now = plane->options.clock.wall(plane->options.clock.context);
        int64_t renewed;

        seen = !str_is_empty(text_of(spec, "holderIdentity")) &&
               timestamp_parse(text_of(spec, "renewTime"), &renewed) &&
               timestamp_add(renewed, DESCHEDULER_SILENT_AFTER) > now;
    }
    document_free(lease);
    buf_release(&request.reply);
    return seen;
}

static struct fleet *
finish(struct control_plane *plane, struct fleet_builder *builder, int64_t captured_at,
       struct error *err)
{
    if (!control_plane_read_members(plane, builder, err)) {
        return NULL;
    }
    struct fleet *fleet = fleet_builder_finish(builder, captured_at, err);

    if (fleet != NULL && sees_descheduler(plane)) {
        fleet->has_descheduler = true;
    }
    return fleet;
}

struct fleet *
control_plane_read(struct control_plane *plane, struct error *err)
{
    enum reading reading = READING_AGAIN;
    struct fleet *fleet = NULL;
    struct error failure = ERROR_INIT;

    for (int i = 0; i < READINGS_MAX && reading == READING_AGAIN; i++) {
        struct fleet_builder *builder = fleet_builder_new();
        int64_t captured_at = plane->options.clock.wall(plane->options.clock.context);

        failure = (struct error)ERROR_INIT;
        reading = read_lists(plane, builder, &failure);
        if (reading == READING_DONE) {
            fleet = finish(plane, builder, captured_at, &failure);
        }
        fleet_builder_free(builder);
    }
    if (fleet == NULL) {
        *err = failure;
    }
    return fleet;
}

struct control_plane *
control_plane_new(struct kube_client *client, const struct control_plane_options *options)
{
    struct control_plane *plane = calloc(1, sizeof(*plane));

    if (plane == NULL) {
        out_of_memory();
    }
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
    vec_free(&plane->unseen);
    arena_free(plane->arena);
    free(plane);
}

const struct unseen_member *
control_plane_unseen(const struct control_plane *plane, uint32_t *ret_count)
{
    *ret_count = (uint32_t)plane->unseen.count;
    return plane->unseen.items;
}
