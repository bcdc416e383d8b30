/* SPDX-License-Identifier: Apache-2.0
 *
 * Autoscalers and override policies, as far as they claim a workload's
 * replicas.
 */
#include "decode_common.h"

struct claim_name {
    const char *namespace_;
    const char *name;
};

static const struct field name_table[] = {
    FIELD("namespace", convert_string, struct claim_name, namespace_),
    FIELD("name", convert_string, struct claim_name, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY),
    FIELD_END,
};

static void
push(struct decoder *decoder, enum claim_kind claim, const char *kind,
     const struct claim_name *object, const char *resource_kind, const char *namespace_,
     const char *name)
{
    struct replica_claim *pushed = vec_push(&builder_of(decoder)->claims);

    *pushed = (struct replica_claim){
        .kind = claim,
        .origin = arena_printf(decoder->arena, "%s %s%s%s", kind, object->namespace_,
                               str_is_empty(object->namespace_) ? "" : "/", object->name),
        .resource_kind = resource_kind,
        .namespace_ = namespace_,
        .name = name,
    };
}

/* --- autoscalers: all of them say spec.scaleTargetRef --- */

struct autoscaler {
    struct claim_name object;
    struct {
        const char *kind;
        const char *name;
    } target;
};

static const struct field scale_target_table[] = {
    FIELD("kind", convert_string, struct autoscaler, target.kind,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY),
    FIELD("name", convert_string, struct autoscaler, target.name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY),
    FIELD_END,
};

static const struct field autoscaler_spec_table[] = {
    PART("scaleTargetRef", convert_struct, .flags = FIELD_REQUIRED, .table = scale_target_table),
    FIELD_END,
};

static const struct field autoscaler_table[] = {
    FIELD("metadata", convert_struct, struct autoscaler, object, .flags = FIELD_REQUIRED,
          .table = name_table),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, .table = autoscaler_spec_table),
    FIELD_END,
};

bool
autoscaler_decode(struct decoder *decoder, const struct value *value, const char *kind)
{
    struct autoscaler autoscaler = {.object = {.namespace_ = ""}};

    if (!decode_object(decoder, autoscaler_table, value, &autoscaler)) {
        return false;
    }
    push(decoder, CLAIM_AUTOSCALER, kind, &autoscaler.object, autoscaler.target.kind,
         autoscaler.object.namespace_, autoscaler.target.name);
    return true;
}

/* --- override policies --- */

struct overridden_path {
    const char *path;
};

struct overriders {
    struct {
        const struct overridden_path *items;
        uint32_t count;
    } plaintext;
};

struct resource_selector {
    const char *kind;
    const char *namespace_;
    const char *name;
};

struct override_policy {
    struct claim_name object;
    struct {
        const struct resource_selector *items;
        uint32_t count;
    } selectors;
    struct {
        const struct overriders *items;
        uint32_t count;
    } rules;
    struct overriders overriders; /* of older policies, without rules */
};

static const struct field path_table[] = {
    FIELD("path", convert_string, struct overridden_path, path),
    FIELD_END,
};

static const struct field overriders_table[] = {
    FIELD("plaintext", convert_list, struct overriders, plaintext, .table = path_table,
          .item_size = sizeof(struct overridden_path)),
    FIELD_END,
};

static const struct field rule_table[] = {
    PART("overriders", convert_struct, .table = overriders_table),
    FIELD_END,
};

static const struct field selector_table[] = {
    FIELD("kind", convert_string, struct resource_selector, kind),
    FIELD("namespace", convert_string, struct resource_selector, namespace_),
    FIELD("name", convert_string, struct resource_selector, name),
    FIELD_END,
};

static const struct field override_spec_table[] = {
    FIELD("resourceSelectors", convert_list, struct override_policy, selectors,
          .table = selector_table, .item_size = sizeof(struct resource_selector)),
    FIELD("overrideRules", convert_list, struct override_policy, rules, .table = rule_table,
          .item_size = sizeof(struct overriders)),
    FIELD("overriders", convert_struct, struct override_policy, overriders,
          .table = overriders_table),
    FIELD_END,
};

static const struct field override_table[] = {
    FIELD("metadata", convert_struct, struct override_policy, object, .flags = FIELD_REQUIRED,
          .table = name_table),
    PART("spec", convert_struct, .table = override_spec_table),
    FIELD_END,
};

static bool
sets_replicas(const struct overriders *overriders)
{
    for (uint32_t i = 0; i < overriders->plaintext.count; i++) {
        const char *path = overriders->plaintext.items[i].path;

        if (str_eq(path, "/spec/replicas") || str_eq(path, "/spec/parallelism")) {
            return true;
        }
    }
    return false;
}

static bool
policy_sets_replicas(const struct override_policy *policy)
{
    bool sets = sets_replicas(&policy->overriders);

    for (uint32_t i = 0; !sets && i < policy->rules.count; i++) {
        sets = sets_replicas(&policy->rules.items[i]);
    }
    return sets;
}

bool
override_policy_decode(struct decoder *decoder, const struct value *value, const char *kind)
{
    static const struct resource_selector everything = {.kind = "", .namespace_ = "", .name = ""};
    struct override_policy policy = {.object = {.namespace_ = ""}};

    if (!decode_object(decoder, override_table, value, &policy)) {
        return false;
    }
    if (!policy_sets_replicas(&policy)) {
        return true;
    }
    if (policy.selectors.count == 0) {
        policy.selectors.items = &everything;
        policy.selectors.count = 1;
    }
    for (uint32_t i = 0; i < policy.selectors.count; i++) {
        const struct resource_selector *selector = &policy.selectors.items[i];
        bool namespaced = !str_is_empty(policy.object.namespace_);

        push(decoder, CLAIM_OVERRIDE, kind, &policy.object, selector->kind,
             namespaced ? policy.object.namespace_ : selector->namespace_, selector->name);
    }
    return true;
}
