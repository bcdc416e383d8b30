/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes FederatedResourceQuota.
 */
#include "decoders.h"

struct reported_usage {
    const char *cluster_name;
    struct resource_list used;
};

struct quota_object {
    struct quota quota;
    struct {
        const struct quota_assignment *items;
        uint32_t count;
    } assignments;
    struct {
        const struct reported_usage *items;
        uint32_t count;
    } reported;
};

static const struct field metadata_table[] = {
    FIELD("namespace", convert_string, struct quota_object, quota.namespace_,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct quota_object, quota.name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field assignment_table[] = {
    FIELD("clusterName", convert_string, struct quota_assignment, cluster_name,
          .flags = FIELD_REQUIRED, AS_TEXT(0, TEXT_NAME)),
    FIELD("hard", convert_resource_list, struct quota_assignment, hard, AS_AMOUNTS(0)),
    FIELD_END,
};

static const struct field spec_table[] = {
    FIELD("overall", convert_resource_list, struct quota_object, quota.overall, AS_AMOUNTS(0)),
    FIELD("staticAssignments", convert_list, struct quota_object, assignments, .flags = OF_CLUSTERS,
          .item_size = sizeof(struct quota_assignment), AS_OBJECTS(0, assignment_table)),
    FIELD_END,
};

static const struct field usage_table[] = {
    FIELD("clusterName", convert_string, struct reported_usage, cluster_name,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("used", convert_resource_list, struct reported_usage, used, AS_AMOUNTS(0)),
    FIELD_END,
};

static const struct field status_table[] = {
    FIELD("overallUsed", convert_resource_list, struct quota_object, quota.overall_used,
          AS_AMOUNTS(0)),
    FIELD("aggregatedStatus", convert_list, struct quota_object, reported, .flags = OF_CLUSTERS,
          .item_size = sizeof(struct reported_usage), AS_OBJECTS(0, usage_table)),
    FIELD_END,
};

const struct field quota_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, metadata_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, status_table)),
    FIELD_END,
};

/* Of several usages of a cluster, the first counts. */
static const struct resource_list *
find_usage(const struct named_items *reported, const char *cluster_name)
{
    static const struct resource_list nothing;
    const struct reported_usage *items = reported->items;
    uint32_t at = name_index_find(reported, cluster_name, 0);

    return at != NAME_NONE ? &items[at].used : &nothing;
}

bool
quota_decode(struct decoder *decoder, const struct value *value, struct quota *ret)
{
    struct quota_object object = {.quota = {.namespace_ = ""}};

    if (!decode_object(decoder, quota_table, value, &object)) {
        return false;
    }
    const struct named_items reported = {
        object.reported.items, sizeof(object.reported.items[0]), object.reported.count,
        name_index_new(builder_of(decoder)->scratch, object.reported.items,
                       sizeof(object.reported.items[0]), object.reported.count)};
    uint32_t count = object.assignments.count;
    struct quota_assignment *assignments =
        ARENA_ARRAY(decoder->arena, struct quota_assignment, count);

    for (uint32_t i = 0; i < count; i++) {
        assignments[i] = object.assignments.items[i];
        assignments[i].cluster = CLUSTER_NONE;
        assignments[i].used = *find_usage(&reported, assignments[i].cluster_name);
    }
    *ret = object.quota;
    ret->assignments = assignments;
    ret->n_assignments = count;
    return true;
}
