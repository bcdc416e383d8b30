/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes LimitRange and ResourceQuota of a member.
 */
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include "ballast/model/admission.h"

static const struct field limit_table[] = {
    FIELD("type", convert_string, struct limit_range_item, type, AS_TEXT(1, TEXT_WORD)),
    FIELD("max", convert_resource_list, struct limit_range_item, max, AS_AMOUNTS(2)),
    FIELD("min", convert_resource_list, struct limit_range_item, min, AS_AMOUNTS(3)),
    FIELD("default", convert_resource_list, struct limit_range_item, default_limit, AS_AMOUNTS(4)),
    FIELD("defaultRequest", convert_resource_list, struct limit_range_item, default_request,
          AS_AMOUNTS(5)),
    FIELD("maxLimitRequestRatio", convert_resource_list, struct limit_range_item, max_ratio,
          AS_AMOUNTS(6)),
    FIELD_END,
};

CHECK_LIST(struct limit_range, items, count);

static const struct field range_spec_table[] = {
    FIELD("limits", convert_list, struct limit_range, items, .flags = OF_RULES,
          .item_size = sizeof(struct limit_range_item), AS_OBJECTS(1, limit_table)),
    FIELD_END,
};

static const struct field range_metadata_table[] = {
    FIELD("namespace", convert_string, struct limit_range, namespace_, AS_TEXT(3, TEXT_NAME)),
    FIELD("name", convert_string, struct limit_range, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

const struct field limit_range_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(1, range_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(2, range_spec_table)),
    FIELD_END,
};

static struct object_key
range_key(const void *items, uint32_t index)
{
    const struct limit_range *range = (const struct limit_range *)items + index;

    return (struct object_key){range->namespace_, "LimitRange", range->name};
}

enum add_result
take_limit_range(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct limit_range range = {.name = ""};
    struct error err = ERROR_INIT;

    member->has[MEMBER_LIMIT_RANGES] = true;
    if (!decode_object(builder_decoder(t->builder, &err), limit_range_table, t->value, &range)) {
        return taking_skip(t, err.message);
    }
    t->builder->has_admission = true;
    vec_add(&member->limit_ranges, range);
    return taking_keep(t, &member->places_of[MEMBER_LIMIT_RANGES], range_key,
                       member->limit_ranges.items, &member->limit_ranges.count);
}

static const struct field scope_table[] = {
    FIELD("scopeName", convert_string, struct quota_scope, name, AS_TEXT(1, TEXT_WORD)),
    FIELD("operator", convert_string, struct quota_scope, operator_, AS_TEXT(2, TEXT_WORD)),
    FIELD("values", convert_string_list, struct quota_scope, values, .flags = OF_RULES,
          AS_TEXTS(3, TEXT_NAME)),
    FIELD_END,
};

CHECK_LIST(struct quota_scopes, items, count);

static const struct field scope_selector_table[] = {
    FIELD("matchExpressions", convert_list, struct resource_quota, selectors, .flags = OF_RULES,
          .item_size = sizeof(struct quota_scope), AS_OBJECTS(1, scope_table)),
    FIELD_END,
};

static const struct field quota_spec_table[] = {
    FIELD("scopes", convert_string_list, struct resource_quota, scopes, .flags = OF_RULES,
          AS_TEXTS(2, TEXT_WORD)),
    PART("scopeSelector", convert_struct, AS_OBJECT(3, scope_selector_table)),
    FIELD_END,
};

static const struct field quota_status_table[] = {
    FIELD("hard", convert_resource_list, struct resource_quota, hard, AS_AMOUNTS(1)),
    FIELD("used", convert_resource_list, struct resource_quota, used, AS_AMOUNTS(2)),
    FIELD_END,
};

static const struct field quota_metadata_table[] = {
    FIELD("namespace", convert_string, struct resource_quota, namespace_, AS_TEXT(3, TEXT_NAME)),
    FIELD("name", convert_string, struct resource_quota, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

const struct field resource_quota_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(1, quota_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(2, quota_spec_table)),
    PART("status", convert_struct, AS_OBJECT(3, quota_status_table)),
    FIELD_END,
};

static struct object_key
quota_key(const void *items, uint32_t index)
{
    const struct resource_quota *quota = (const struct resource_quota *)items + index;

    return (struct object_key){quota->namespace_, "ResourceQuota", quota->name};
}

enum add_result
take_resource_quota(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct resource_quota quota = {.name = ""};
    struct error err = ERROR_INIT;

    member->has[MEMBER_RESOURCE_QUOTAS] = true;
    if (!decode_object(builder_decoder(t->builder, &err), resource_quota_table, t->value, &quota)) {
        return taking_skip(t, err.message);
    }
    t->builder->has_admission = true;
    vec_add(&member->resource_quotas, quota);
    return taking_keep(t, &member->places_of[MEMBER_RESOURCE_QUOTAS], quota_key,
                       member->resource_quotas.items, &member->resource_quotas.count);
}
