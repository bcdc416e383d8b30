/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes the claims of autoscalers and override policies on a workload's replicas.
 */
#include "decoders.h"

#define SCALED_OBJECT_DEFAULT_KIND "Deployment"

struct autoscaler {
    struct object_name object;
    struct {
        const char *kind;
        const char *name;
    } target;
};

static const struct field scale_target_table[] = {
    FIELD("kind", convert_string, struct autoscaler, target.kind, AS_TEXT(1, TEXT_KIND)),
    FIELD("name", convert_string, struct autoscaler, target.name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(2, TEXT_NAME)),
    KEPT("apiVersion", AS_TEXT(3, TEXT_API)),
    FIELD_END,
};

static const struct field autoscaler_spec_table[] = {
    PART("scaleTargetRef", convert_struct, .flags = FIELD_REQUIRED,
         AS_OBJECT(1, scale_target_table)),
    FIELD_END,
};

const struct field autoscaler_table[] = {
    FIELD("metadata", convert_struct, struct autoscaler, object, .flags = FIELD_REQUIRED,
          AS_OBJECT(1, object_name_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(2, autoscaler_spec_table)),
    FIELD_END,
};

static bool
autoscaler_decode(struct decoder *decoder, const struct value *value, const char *kind)
{
    struct autoscaler autoscaler = {.object = {.namespace_ = ""}};

    if (!decode_object(decoder, autoscaler_table, value, &autoscaler)) {
        return false;
    }
    if (str_is_empty(autoscaler.target.kind)) {
        if (!str_eq(kind, "ScaledObject")) {
            return decode_fail(decoder, "spec.scaleTargetRef.kind: required");
        }
        autoscaler.target.kind = SCALED_OBJECT_DEFAULT_KIND;
    }
    vec_add(&builder_of(decoder)->claims,
            ((struct replica_owner){
                .kind = REPLICA_OWNER_AUTOSCALER,
                .origin = decode_origin(decoder, kind, &autoscaler.object),
                .scaler_kind = intern_cstr(decoder->strings, kind),
                .scaler_name = autoscaler.object.name,
                .api_version = "",
                .resource_kind = autoscaler.target.kind,
                .namespace_ = autoscaler.object.namespace_,
                .name = autoscaler.target.name,
            }));
    return true;
}

struct overridden_path {
    const char *path;
};

struct path_list {
    const struct overridden_path *items;
    uint32_t count;
};

/* Changes texts that hold JSON or YAML. */
struct field_overrider {
    const char *path;            /* of the text */
    struct path_list json, yaml; /* paths in the text */
};

struct labels_overrider {
    const char *operator_;
    struct label_list labels;
};

struct overriders {
    struct path_list plaintext;
    struct {
        const struct field_overrider *items;
        uint32_t count;
    } fields;
    struct {
        const struct labels_overrider *items;
        uint32_t count;
    } labels;
};

struct override_rule {
    const struct cluster_affinity *clusters; /* NULL: all */
    struct overriders overriders;
};

struct override_policy {
    struct object_name object;
    struct {
        const struct resource_selector *items;
        uint32_t count;
    } selectors;
    struct {
        const struct override_rule *items;
        uint32_t count;
    } rules;
    struct override_rule only; /* of older policies, without rules */
};

static const struct field path_table[] = {
    FIELD("path", convert_string, struct overridden_path, path, AS_TEXT(0, TEXT_PATH)),
    FIELD_END,
};

static const struct field sub_path_table[] = {
    FIELD("subPath", convert_string, struct overridden_path, path, AS_TEXT(0, TEXT_PATH)),
    FIELD_END,
};

#define PATHS(name, type, member, table_)                                                          \
    FIELD(name, convert_list, type, member, .flags = OF_RULES,                                     \
          .item_size = sizeof(struct overridden_path), AS_OBJECTS(0, table_))

static const struct field field_overrider_table[] = {
    FIELD("fieldPath", convert_string, struct field_overrider, path, AS_TEXT(0, TEXT_PATH)),
    PATHS("json", struct field_overrider, json, sub_path_table),
    PATHS("yaml", struct field_overrider, yaml, sub_path_table),
    FIELD_END,
};

static const struct field labels_overrider_table[] = {
    FIELD("operator", convert_string, struct labels_overrider, operator_, AS_TEXT(0, TEXT_WORD)),
    FIELD("value", convert_string_map, struct labels_overrider, labels,
          AS_CHOSEN(0, retain_replicas_table)),
    FIELD_END,
};

static const struct field overriders_table[] = {
    PATHS("plaintext", struct overriders, plaintext, path_table),
    FIELD("fieldOverrider", convert_list, struct overriders, fields, .flags = OF_RULES,
          .item_size = sizeof(struct field_overrider), AS_OBJECTS(0, field_overrider_table)),
    FIELD("labelsOverrider", convert_list, struct overriders, labels, .flags = OF_RULES,
          .item_size = sizeof(struct labels_overrider), AS_OBJECTS(0, labels_overrider_table)),
    FIELD_END,
};

static const struct field rule_table[] = {
    FIELD("targetCluster", convert_struct_pointer, struct override_rule, clusters,
          .item_size = sizeof(struct cluster_affinity), AS_OBJECT(0, cluster_affinity_table)),
    FIELD("overriders", convert_struct, struct override_rule, overriders,
          AS_OBJECT(0, overriders_table)),
    FIELD_END,
};

static const struct field selector_table[] = {RESOURCE_SELECTOR_FIELDS(FIELD_OPTIONAL), FIELD_END};

static const struct field override_spec_table[] = {
    FIELD("resourceSelectors", convert_list, struct override_policy, selectors,
          .flags = OF_CLUSTERS, .item_size = sizeof(struct resource_selector),
          AS_OBJECTS(0, selector_table)),
    FIELD("overrideRules", convert_list, struct override_policy, rules, .flags = OF_RULES,
          .item_size = sizeof(struct override_rule), AS_OBJECTS(0, rule_table)),
    FIELD("targetCluster", convert_struct_pointer, struct override_policy, only.clusters,
          .item_size = sizeof(struct cluster_affinity), AS_OBJECT(0, cluster_affinity_table)),
    FIELD("overriders", convert_struct, struct override_policy, only.overriders,
          AS_OBJECT(0, overriders_table)),
    FIELD_END,
};

const struct field override_table[] = {
    FIELD("metadata", convert_struct, struct override_policy, object, .flags = FIELD_REQUIRED,
          AS_OBJECT(0, object_name_table)),
    PART("spec", convert_struct, AS_OBJECT(0, override_spec_table)),
    FIELD_END,
};

static bool
any_names_replicas(const struct path_list *paths)
{
    for (uint32_t i = 0; i < paths->count; i++) {
        if (replica_path_names(paths->items[i].path)) {
            return true;
        }
    }
    return false;
}

/* A FieldOverrider changes a text, and replicas are a number. At their own path it fails, and with
 * it everything that Karmada applies in the member. So nothing should move there either. */
static bool
field_sets_replicas(const struct field_overrider *field)
{
    return replica_path_names(field->path) || any_names_replicas(&field->json) ||
           any_names_replicas(&field->yaml);
}

/* With this label the member keeps its own count. */
static bool
label_gives_replicas_away(const struct labels_overrider *overrider)
{
    const char *value = label_list_find(&overrider->labels, RETAIN_REPLICAS_LABEL);

    return value != NULL && str_eq(value, "true") && !str_eq(overrider->operator_, "remove");
}

static bool
sets_replicas(const struct overriders *overriders)
{
    for (uint32_t i = 0; i < overriders->plaintext.count; i++) {
        if (replica_path_sets(overriders->plaintext.items[i].path)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < overriders->fields.count; i++) {
        if (field_sets_replicas(&overriders->fields.items[i])) {
            return true;
        }
    }
    for (uint32_t i = 0; i < overriders->labels.count; i++) {
        if (label_gives_replicas_away(&overriders->labels.items[i])) {
            return true;
        }
    }
    return false;
}

/* An OverridePolicy applies to its own namespace alone, whatever its selectors name. */
static bool
selects_nothing(const struct override_policy *policy, const struct resource_selector *selector)
{
    return !str_is_empty(policy->object.namespace_) && !str_is_empty(selector->namespace_) &&
           !str_eq(policy->object.namespace_, selector->namespace_);
}

static void
push_claims(struct decoder *decoder, const struct override_policy *policy, const char *origin,
            const struct replica_owner_scope *scope)
{
    static const struct resource_selector everything = {
        .api_version = "", .kind = "", .namespace_ = "", .name = ""};
    bool is_for_all = policy->selectors.count == 0;
    const struct resource_selector *selectors = is_for_all ? &everything : policy->selectors.items;

    for (uint32_t i = 0; i < (is_for_all ? 1 : policy->selectors.count); i++) {
        const struct resource_selector *selector = &selectors[i];

        if (selects_nothing(policy, selector)) {
            continue;
        }
        vec_add(
            &builder_of(decoder)->claims,
            ((struct replica_owner){
                .kind = REPLICA_OWNER_OVERRIDE,
                .origin = origin,
                .scaler_kind = "",
                .scaler_name = "",
                .api_version = selector->api_version,
                .resource_kind = selector->kind,
                .namespace_ = str_is_empty(policy->object.namespace_) ? selector->namespace_
                                                                      : policy->object.namespace_,
                .name = selector->name,
                /* beside a name, the label selector does not count */
                .by_label = selector->has_label_selector && str_is_empty(selector->name),
                .scope = scope,
            }));
    }
}

/* Returns the clusters of the rules that set replicas. */
static const struct replica_owner_scope *
scope_of(struct decoder *decoder, const struct override_policy *policy)
{
    bool has_rules = policy->rules.count > 0;
    const struct override_rule *rules = has_rules ? policy->rules.items : &policy->only;
    uint32_t n_rules = has_rules ? policy->rules.count : 1;
    struct replica_owner_scope *scope = ARENA_NEW(decoder->arena, struct replica_owner_scope);
    const struct cluster_affinity **affinities =
        ARENA_ARRAY(decoder->arena, const struct cluster_affinity *, n_rules);

    for (uint32_t i = 0; i < n_rules; i++) {
        if (sets_replicas(&rules[i].overriders)) {
            affinities[scope->count++] = rules[i].clusters;
        }
    }
    scope->affinities = affinities;
    return scope;
}

static bool
override_policy_decode(struct decoder *decoder, const struct value *value, const char *kind)
{
    struct override_policy policy = {.object = {.namespace_ = ""}};

    if (!decode_object(decoder, override_table, value, &policy)) {
        return false;
    }
    const struct replica_owner_scope *scope = scope_of(decoder, &policy);

    if (scope->count > 0) {
        push_claims(decoder, &policy, decode_origin(decoder, kind, &policy.object), scope);
    }
    return true;
}

bool
replica_owners_decode(struct decoder *decoder, const struct value *value, const char *kind)
{
    bool is_policy = str_eq(kind, "OverridePolicy") || str_eq(kind, "ClusterOverridePolicy");

    return (is_policy ? override_policy_decode : autoscaler_decode)(decoder, value, kind);
}
