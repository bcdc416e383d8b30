/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds one object of any kind to the fleet under construction.
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "building.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"
#include "kinds/member/member_decoders.h"

static struct object_key
cluster_key(const void *items, uint32_t index)
{
    const struct cluster *cluster = (const struct cluster *)items + index;

    return (struct object_key){"", "", cluster->name};
}

enum add_result
take_cluster(const struct taking *t)
{
    struct fleet_builder *builder = t->builder;
    struct error err = ERROR_INIT;
    struct cluster cluster;

    if (!cluster_decode(builder_decoder(builder, &err), t->value, &cluster)) {
        return taking_fail(t, err.message);
    }
    vec_add(&builder->clusters, cluster);
    return taking_keep(t, &builder->cluster_places, cluster_key, builder->clusters.items,
                       &builder->clusters.count);
}

static struct object_key
binding_key(const void *items, uint32_t index)
{
    const struct binding *binding = (const struct binding *)items + index;

    return (struct object_key){binding->namespace_,
                               binding->kind == BINDING_RESOURCE ? "" : "cluster", binding->name};
}

enum add_result
take_binding(const struct taking *t)
{
    struct fleet_builder *builder = t->builder;
    struct error err = ERROR_INIT;
    struct binding binding;
    enum binding_kind kind =
        str_eq(t->kind, "ResourceBinding") ? BINDING_RESOURCE : BINDING_CLUSTER_RESOURCE;

    if (!binding_decode(builder_decoder(builder, &err), t->value, kind, &binding)) {
        return taking_skip(t, err.message);
    }
    binding.source = t->origin->source;
    vec_add(&builder->bindings, binding);
    return taking_keep(t, &builder->binding_places, binding_key, builder->bindings.items,
                       &builder->bindings.count);
}

static struct object_key
node_key(const void *items, uint32_t index)
{
    return (struct object_key){"", "", ((const struct node *)items + index)->name};
}

enum add_result
take_node(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct error err = ERROR_INIT;
    struct node node;

    member->has[MEMBER_NODES] = true;
    if (!node_decode(builder_decoder(t->builder, &err), t->value, &node)) {
        return taking_skip(t, err.message);
    }
    vec_add(&member->nodes, node);
    return taking_keep(t, &member->node_places, node_key, member->nodes.items,
                       &member->nodes.count);
}

static void
note_workloads(struct member_builder *member, const char *kind)
{
    enum member_part part;

    if (builder_workload_part(kind, &part)) {
        member->has[part] = true;
    }
}

/* KubeFed's scheduler also counts a workload that cannot be read. */
static enum add_result
skip_workload(const struct taking *t, struct member_builder *member, const char *message)
{
    struct fleet *fleet = t->builder->fleet;
    const struct value *metadata = value_get(t->value, "metadata");
    enum add_result result = taking_skip(t, message);

    if (result == ADD_SKIPPED && t->builder->expectation.keeps_pods) {
        vec_add(&member->workloads,
                ((struct workload){
                    .api_version = intern_cstr(fleet->strings, t->api_version),
                    .kind = intern_cstr(fleet->strings, t->kind),
                    .namespace_ = intern_cstr(fleet->strings, value_text(metadata, "namespace")),
                    .name = intern_cstr(fleet->strings, value_text(metadata, "name")),
                    .uid = "",
                    .owner = {.api_version = "", .kind = "", .name = "", .uid = ""},
                    .creation = TIME_NONE,
                    .completions = -1,
                    .started = TIME_NONE,
                    .replicas = -1,
                    .problem = arena_strndup(fleet->arena, message, strlen(message)),
                }));
        if (taking_keep(t, &member->workload_places, builder_workload_key, member->workloads.items,
                        &member->workloads.count) != ADD_TAKEN) {
            return ADD_SKIPPED;
        }
    }
    return result;
}

enum add_result
take_workload(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct error err = ERROR_INIT;
    struct workload workload;

    note_workloads(member, t->kind);
    if (!workload_decode(builder_decoder(t->builder, &err), t->value, t->api_version, t->kind,
                         &workload)) {
        return skip_workload(t, member, err.message);
    }
    vec_add(&member->workloads, workload);
    return taking_keep(t, &member->workload_places, builder_workload_key, member->workloads.items,
                       &member->workloads.count);
}

static struct object_key
replica_set_key(const void *items, uint32_t index)
{
    const struct replica_set *set = (const struct replica_set *)items + index;

    return (struct object_key){set->namespace_, "", set->name};
}

enum add_result
take_replica_set(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct error err = ERROR_INIT;
    struct replica_set set;

    member->has[MEMBER_REPLICA_SETS] = true;
    if (!replica_set_decode(builder_decoder(t->builder, &err), t->value, &set)) {
        return taking_skip(t, err.message);
    }
    vec_add(&member->replica_sets, set);
    enum add_result result = taking_keep(t, &member->replica_set_places, replica_set_key,
                                         member->replica_sets.items, &member->replica_sets.count);

    /* a ReplicaSet without a controller is a workload */
    return result == ADD_TAKEN && str_is_empty(set.owner.kind) ? take_workload(t) : result;
}

enum add_result
take_estimator_answers(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct error err = ERROR_INIT;

    return estimator_answers_decode(builder_decoder(t->builder, &err), t->value, member)
               ? ADD_TAKEN
               : taking_skip(t, err.message);
}

static struct object_key
manifest_key(const void *items, uint32_t index)
{
    return ((const struct object_key *)items)[index];
}

/* One manifest may hold several preferences: they come or go together. */
static enum add_result
add_preferences(const struct taking *t,
                bool (*decode)(struct decoder *decoder, const struct value *value))
{
    struct fleet_builder *builder = t->builder;
    struct interner *strings = builder->fleet->strings;
    const struct value *metadata = value_get(t->value, "metadata");
    size_t before = builder->preferences.count;
    size_t federated = builder->federation.preferences.count;
    struct error err = ERROR_INIT;

    if (!decode(builder_decoder(builder, &err), t->value)) {
        return taking_skip(t, err.message);
    }
    struct object_key key = {intern_cstr(strings, value_text(metadata, "namespace")),
                             intern_cstr(strings, t->kind),
                             intern_cstr(strings, value_text(metadata, "name"))};

    vec_add(&builder->manifests, key);
    enum add_result result = taking_keep(t, &builder->manifest_places, manifest_key,
                                         builder->manifests.items, &builder->manifests.count);

    if (result != ADD_TAKEN) {
        builder->preferences.count = before;
        builder->federation.preferences.count = federated;
    } else if (builder->federation.preferences.count > federated) {
        builder->federation.preferences.items[federated].carrier.source = t->origin->source;
    }
    return result;
}

enum add_result
take_scheduling_preference(const struct taking *t)
{
    return add_preferences(t, scheduling_preference_decode);
}

enum add_result
take_scheduling_policy(const struct taking *t)
{
    return add_preferences(t, scheduling_policy_decode);
}

enum add_result
take_replica_owners(const struct taking *t)
{
    struct fleet_builder *builder = t->builder;
    const char *member = intern_cstr(builder->fleet->strings, t->member);
    size_t before = builder->claims.count;
    struct error err = ERROR_INIT;

    if (!replica_owners_decode(builder_decoder(builder, &err), t->value, t->kind)) {
        return taking_skip(t, err.message);
    }
    for (size_t i = before; i < builder->claims.count; i++) {
        builder->claims.items[i].member = member;
        if (t->origin->is_strict && str_is_empty(builder->claims.items[i].namespace_)) {
            builder->claims.count = before; /* it would claim workloads in all namespaces */
            return taking_skip(t, "metadata.namespace: required");
        }
    }
    return ADD_TAKEN;
}

static struct object_key
quota_key(const void *items, uint32_t index)
{
    const struct quota *quota = (const struct quota *)items + index;

    return (struct object_key){quota->namespace_, "", quota->name};
}

enum add_result
take_quota(const struct taking *t)
{
    struct fleet_builder *builder = t->builder;
    struct error err = ERROR_INIT;
    struct quota quota;

    if (!quota_decode(builder_decoder(builder, &err), t->value, &quota)) {
        return taking_skip(t, err.message);
    }
    vec_add(&builder->quotas, quota);
    return taking_keep(t, &builder->quota_places, quota_key, builder->quotas.items,
                       &builder->quotas.count);
}

/* Ignores the object, since the tap gets all labels at the end. */
enum add_result
take_workload_labels(const struct taking *t)
{
    const struct value *resource = value_get(t->value, "resource");
    struct error err = ERROR_INIT;

    return fleet_builder_add_labels(t->builder, t->value, value_text(resource, "apiVersion"),
                                    value_text(resource, "kind"), &err)
               ? ADD_IGNORED
               : taking_skip(t, err.message);
}

static enum add_result
refuse_version(const struct taking *t, const struct kind *kind)
{
    const char *message = arena_printf(
        t->builder->fleet->arena, "unknown apiVersion \"%s\"; known: %s%s%s", t->api_version,
        kind->group, str_is_empty(kind->group) ? "" : "/", kind->version);

    return (kind->flags & NECESSARY) != 0 ? taking_fail(t, message) : taking_skip(t, message);
}

/* Any other object of a member is a workload if it has spec.replicas. */
static enum add_result
add_unknown(const struct taking *t)
{
    const struct value *spec = value_get(t->value, "spec");
    const struct value *replicas = spec == NULL ? NULL : value_get(spec, "replicas");

    return str_is_empty(t->member) || replicas == NULL || value_type(replicas) != VALUE_INTEGER
               ? ADD_IGNORED
               : take_workload(t);
}

/* An object of no kind of the control plane may be a resource template. If it cannot be read, its
 * labels stay unknown. */
static void
note_labels(const struct taking *t)
{
    struct error ignored = ERROR_INIT;

    fleet_builder_add_labels(t->builder, t->value, t->api_version, t->kind, &ignored);
}

/* The platforms' own APIs have more kinds than a decision needs. */
static bool
is_of_neither(const char *api_version)
{
    return strstr(api_version, ".karmada.io/") == NULL &&
           strstr(api_version, ".kubefed.io/") == NULL;
}

/* KubeAdmiral, Fleet and Cluster API have kinds of the same names in groups of their own. */
static bool
is_of_other_platform(const char *api_version)
{
    return strchr(api_version, '/') != NULL && is_of_neither(api_version);
}

static enum add_result
take(const struct taking *t)
{
    const struct kind *kind = kind_find(t->kind);
    bool in_member = !str_is_empty(t->member);

    if (!in_member) {
        builder_note(t->builder, t->kind, t->value);
    }
    if (!in_member && (kind == NULL || (kind->flags & IN_MEMBER) != 0)) {
        note_labels(t);
        builder_note_template(t->builder, t->value, t->api_version, t->kind);
    }
    if (kind == NULL) {
        if (!in_member && !builder_needs(t->kind) && is_of_neither(t->api_version)) {
            builder_leave_out(t->builder, t->kind, 1, false);
        }
        return add_unknown(t);
    }
    if ((kind->flags & ANYWHERE) == 0 && ((kind->flags & IN_MEMBER) != 0) != in_member) {
        return ADD_IGNORED; /* in the control plane, objects of members' kinds are templates */
    }
    if (kind_is_of_group(kind, t->api_version)) {
        return kind_is_of_version(kind, t->api_version) ? kind->take(t) : refuse_version(t, kind);
    }
    if (is_of_other_platform(t->api_version)) {
        builder_leave_out_foreign(t);
        return add_unknown(t);
    }
    return (kind->flags & ONE_GROUP) != 0 ? refuse_version(t, kind) : add_unknown(t);
}

static const char *
own_or_listed(const struct value *object, const char *key, const char *listed)
{
    const char *own = value_text(object, key);

    return str_is_empty(own) ? listed : own;
}

const char *
builder_item_kind(struct fleet_builder *builder, const char *list_kind)
{
    size_t length = strlen(list_kind), suffix = strlen("List");

    return length > suffix && str_eq(list_kind + length - suffix, "List")
               ? intern(builder->fleet->strings, list_kind, length - suffix)
               : "";
}

static bool
is_of_ours(const struct taking *t)
{
    return t->builder->expectation.choice.has_namespace == NULL ||
           fleet_builder_takes(t->builder, t->member, fleet_object_namespace(t->value, t->kind));
}

/* In a list of pods, a value that is no object stands for a pod. */
static enum add_result
skip_other(const struct taking *t)
{
    const enum add_result result =
        taking_skip(t, arena_printf(t->builder->fleet->arena, "want object, got %s",
                                    value_type_name(value_type(t->value))));

    if (result == ADD_SKIPPED && !str_is_empty(t->member) && str_eq(t->kind, "Pod")) {
        fleet_builder_lose_pod(t->builder, t->member, taking_label(t));
    }
    return result;
}

enum add_result
fleet_builder_add(struct fleet_builder *builder, const struct value *object,
                  const char *list_api_version, const char *list_kind,
                  const struct object_origin *origin, struct error *err)
{
    struct taking t = {
        .builder = builder,
        .value = object,
        .origin = origin,
        .api_version = own_or_listed(object, "apiVersion", list_api_version),
        .kind = own_or_listed(object, "kind", builder_item_kind(builder, list_kind)),
        .member = origin->member,
        .err = err,
    };

    bool is_ours = is_of_ours(&t);

    if (!is_ours && (value_type(object) != VALUE_OBJECT || str_is_empty(t.kind))) {
        return ADD_IGNORED;
    }
    if (value_type(object) != VALUE_OBJECT) {
        return skip_other(&t);
    }
    if (str_is_empty(t.kind)) {
        return taking_skip(&t, "kind: required");
    }
    const struct value *metadata = value_get(object, "metadata");
    const struct value *annotations = metadata == NULL ? NULL : value_get(metadata, "annotations");

    if (str_is_empty(t.member)) {
        t.member = value_text(annotations, ANNOTATION_MEMBER);
        if (!str_is_empty(t.member) && !member_choice_has(&builder->expectation.choice, t.member)) {
            return ADD_IGNORED;
        }
        is_ours = is_of_ours(&t);
    }
    t.builder = builder_for(builder, t.member);
    enum add_result result = is_ours ? take(&t) : builder_pass(&t);

    if (builder->tap != NULL && result != ADD_IGNORED) {
        struct fleet_object told = {object, t.api_version, t.kind, t.member, result};

        builder->tap->object(builder->tap->context, &told);
    }
    return result == ADD_COUNTED ? ADD_TAKEN : result;
}
