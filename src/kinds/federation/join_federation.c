/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins the objects of a KubeFed host: KubeFedClusters become the fleet's clusters; a federated
 * object with its ReplicaSchedulingPreference becomes one binding.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "federation.h"
#include "kinds/builder/builder.h"
#include "kinds/member/member_decoders.h"

#define CONFIG_NAME "kubefed"
#define NAMESPACED "Namespaced"

static const struct kubefed_config *
find_config(const struct fleet_builder *builder)
{
    const struct federation_builder *federation = &builder->federation;
    const char *wanted = builder->expectation.kubefed_namespace;

    for (size_t i = 0; i < federation->configs.count; i++) {
        const struct kubefed_config *config = &federation->configs.items[i];

        if (str_eq(config->name, CONFIG_NAME) &&
            (str_is_empty(wanted) || str_eq(config->namespace_, wanted))) {
            return config;
        }
    }
    return NULL;
}

/* Takes the expected namespace, else that of the configuration, else that of all clusters. */
static bool
find_namespace(struct fleet_builder *builder, const struct kubefed_config *config, const char **ret,
               struct error *err)
{
    const struct federation_builder *federation = &builder->federation;
    const char *wanted = builder->expectation.kubefed_namespace;

    *ret = !str_is_empty(wanted) ? intern_cstr(builder->fleet->strings, wanted)
           : config != NULL      ? config->namespace_
                                 : federation->clusters.items[0].namespace_;
    for (size_t i = 0; str_is_empty(wanted) && i < federation->clusters.count; i++) {
        const char *other = federation->clusters.items[i].namespace_;

        if (config == NULL && !str_eq(other, *ret)) {
            return error_set(err, ERROR_INVALID,
                             "KubeFedClusters are in the namespaces %s and %s: say by "
                             "--kubefed-namespace which is the control plane's",
                             *ret, other);
        }
    }
    return true;
}

static void
take_clusters(struct fleet_builder *builder, const char *namespace_)
{
    struct federation_builder *federation = &builder->federation;

    for (size_t i = 0; i < federation->clusters.count; i++) {
        const struct kubefed_cluster *cluster = &federation->clusters.items[i];

        if (str_eq(cluster->namespace_, namespace_)) {
            vec_add(&builder->clusters, cluster->cluster);
        }
    }
}

static int
namespace_cmp(const void *a, const void *b)
{
    return strcmp(((const struct federated_namespace *)a)->name,
                  ((const struct federated_namespace *)b)->name);
}

static void
take_namespaces(struct fleet_builder *builder, struct federation *federation)
{
    struct federated_namespace *items = builder->federation.namespaces.items;
    size_t count = builder->federation.namespaces.count;

    if (count > 1) {
        qsort(items, count, sizeof(*items), namespace_cmp);
    }
    federation->namespaces = vec_to_arena(&builder->federation.namespaces, builder->fleet->arena);
    federation->n_namespaces = pin_uint32(count);
}

static int
preference_cmp(const void *a, const void *b)
{
    const struct federated_preference *x = a, *y = b;
    int order = strcmp(x->carrier.namespace_, y->carrier.namespace_);

    order = order != 0 ? order : strcmp(x->carrier.name, y->carrier.name);
    return order;
}

/* A name has one preference, which applies only to the object of its kind. */
static const struct federated_preference *
find_preference(const struct federation_builder *federation, const struct binding *object)
{
    const struct federated_preference key = {.carrier = *object};
    const struct federated_preference *found =
        federation->preferences.count == 0
            ? NULL
            : bsearch(&key, federation->preferences.items, federation->preferences.count,
                      sizeof(key), preference_cmp);

    return found != NULL && str_eq(found->target_kind, binding_kind_name(object->kind)) ? found
                                                                                        : NULL;
}

static int
unread_cmp(const void *a, const void *b)
{
    const struct unread_preference *x = a, *y = b;
    int order = strcmp(x->namespace_, y->namespace_);

    order = order != 0 ? order : strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->problem, y->problem);
}

/* Returns the problem of the unreadable preference of that name; NULL: none. */
static const char *
find_unread(const struct federation_builder *federation, const struct binding *object)
{
    const struct unread_preference key = {object->namespace_, object->name, ""};
    size_t low = 0, high = federation->unread.count;

    while (low < high) { /* the first that does not sort before the key */
        size_t middle = low + (high - low) / 2;

        if (unread_cmp(&federation->unread.items[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const struct unread_preference *found =
        low < federation->unread.count ? &federation->unread.items[low] : NULL;

    return found != NULL && str_eq(found->namespace_, object->namespace_) &&
                   str_eq(found->name, object->name)
               ? found->problem
               : NULL;
}

static void
check_preference(struct fleet_builder *builder, const struct federated_preference *preference)
{
    enum binding_kind kind;

    if (!binding_kind_parse(preference->target_kind, &kind) || !binding_kind_is_federated(kind)) {
        fleet_builder_problem(
            builder, "",
            arena_printf(builder->fleet->arena, "ReplicaSchedulingPreference %s/%s",
                         preference->carrier.namespace_, preference->carrier.name),
            arena_printf(builder->fleet->arena,
                         "spec.targetKind: want FederatedDeployment or FederatedReplicaSet, "
                         "got \"%s\"",
                         preference->target_kind));
    }
}

static void
sort_preferences(struct fleet_builder *builder)
{
    struct federation_builder *federation = &builder->federation;

    if (federation->preferences.count > 1) {
        qsort(federation->preferences.items, federation->preferences.count,
              sizeof(*federation->preferences.items), preference_cmp);
    }
    if (federation->unread.count > 1) {
        qsort(federation->unread.items, federation->unread.count, sizeof(*federation->unread.items),
              unread_cmp);
    }
    for (size_t i = 0; i < federation->preferences.count; i++) {
        check_preference(builder, &federation->preferences.items[i]);
    }
}

static void
keep_labels(struct fleet_builder *builder, const struct federated_object *object,
            const struct object_reference *resource)
{
    const char *slash = strchr(resource->api_version, '/');
    struct workload_labels labels = {
        .group = intern(builder->fleet->strings, resource->api_version,
                        slash != NULL ? (size_t)(slash - resource->api_version) : 0),
        .kind = resource->kind,
        .namespace_ = resource->namespace_,
        .name = resource->name,
        .labels = object->template_labels,
    };

    builder_keep_labels(builder, &labels);
}

static bool
is_outside(const struct federation *federation, const struct binding *binding)
{
    return federation->is_namespaced && !str_eq(binding->namespace_, federation->namespace_);
}

static int
object_cmp(const void *a, const void *b)
{
    const struct binding *x = &((const struct federated_object *)a)->binding;
    const struct binding *y = &((const struct federated_object *)b)->binding;
    int order = strcmp(x->namespace_, y->namespace_);

    order = order != 0 ? order : strcmp(x->name, y->name);
    return order != 0 ? order : (int)x->kind - (int)y->kind;
}

/* The order of the objects sets the order of the problems. */
static void
sort_objects(struct federation_builder *federation)
{
    if (federation->objects.count > 1) {
        qsort(federation->objects.items, federation->objects.count,
              sizeof(*federation->objects.items), object_cmp);
    }
}

static void
join_objects(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;
    struct federation_builder *parts = &builder->federation;
    const struct cluster_span clusters = {builder->clusters.items,
                                          pin_uint32(builder->clusters.count)};

    sort_objects(parts);
    for (size_t i = 0; i < parts->objects.count; i++) {
        const struct federated_object *object = &parts->objects.items[i];
        struct error err = ERROR_INIT;
        struct binding binding;

        if (is_outside(fleet->federation, &object->binding)) {
            fleet_builder_problem(
                builder, "",
                arena_printf(fleet->arena, "%s %s/%s", binding_kind_name(object->binding.kind),
                             object->binding.namespace_, object->binding.name),
                arena_printf(fleet->arena,
                             "KubeFed federates the namespace %s alone (scope Namespaced)",
                             fleet->federation->namespace_));
            continue;
        }
        federated_binding(builder_decoder(builder, &err), &clusters, object,
                          find_preference(parts, &object->binding),
                          find_unread(parts, &object->binding), &binding);
        keep_labels(builder, object, &binding.resource);
        vec_add(&builder->bindings, binding);
    }
}

bool
join_federation(struct fleet_builder *builder, struct error *err)
{
    struct fleet *fleet = builder->fleet;
    const struct kubefed_config *config = find_config(builder);
    struct federation *federation = ARENA_NEW(fleet->arena, struct federation);

    if (!find_namespace(builder, config, &federation->namespace_, err)) {
        return false;
    }
    federation->has_config = config != NULL;
    federation->is_namespaced = config != NULL && str_eq(config->scope, NAMESPACED);
    federation->schedules = config != NULL && config->schedules;
    federation->probe_period = config != NULL ? config->period : 10 * NANOS_PER_SECOND;
    take_namespaces(builder, federation);
    take_federated_types(builder, federation);
    fleet->federation = federation;
    take_clusters(builder, federation->namespace_);
    federated_types_enable(builder, federation);
    sort_preferences(builder);
    join_objects(builder);
    return true;
}

void
leave_out_federation(struct fleet_builder *builder)
{
    const struct federation_builder *federation = &builder->federation;
    const struct {
        const char *kind;
        size_t count;
    } parts[] = {
        {"KubeFedConfig", federation->configs.count},
        {"FederatedTypeConfig", federation->types.count},
        {"KubeFedCluster", federation->clusters.count},
        {"FederatedNamespace", federation->namespaces.count},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        builder_leave_out(builder, parts[i].kind, pin_uint32(parts[i].count), true);
    }
    for (size_t i = 0; i < federation->objects.count; i++) {
        builder_leave_out(builder, binding_kind_name(federation->objects.items[i].binding.kind), 1,
                          true);
    }
}
