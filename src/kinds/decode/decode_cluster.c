/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes cluster.karmada.io/v1alpha1 Cluster.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "decoders.h"
#include "kinds/builder/builder.h"

static const struct field range_table[] = {
    FIELD("name", convert_string, struct model_range, name, AS_TEXT(0, TEXT_RESOURCE)),
    FIELD("min", convert_quantity, struct model_range, min, AS_TEXT(0, TEXT_NUMBER)),
    FIELD("max", convert_quantity, struct model_range, max, AS_TEXT(0, TEXT_NUMBER)),
    FIELD_END,
};

static const struct field model_table[] = {
    FIELD("grade", convert_count64, struct resource_model, grade, AS_INT64(0)),
    FIELD("ranges", convert_list, struct resource_model, ranges,
          .item_size = sizeof(struct model_range), AS_OBJECTS(0, range_table)),
    FIELD_END,
};

static const struct field model_count_table[] = {
    FIELD("grade", convert_count64, struct model_count, grade, AS_INT64(0)),
    FIELD("count", convert_int64, struct model_count, count, AS_INT64(0)),
    FIELD_END,
};

/* An entry of status.apiEnablements under way. */
struct api_resource {
    const char *kind;
};

struct api_group {
    const char *group_version;
    const struct api_resource *resources;
    uint32_t n_resources;
};

static const struct field api_resource_table[] = {
    FIELD("kind", convert_string, struct api_resource, kind, AS_TEXT(0, TEXT_KIND)),
    FIELD_END,
};

static const struct field api_group_table[] = {
    FIELD("groupVersion", convert_string, struct api_group, group_version, AS_TEXT(0, TEXT_API)),
    FIELD("resources", convert_list, struct api_group, resources,
          .item_size = sizeof(struct api_resource), AS_OBJECTS(0, api_resource_table)),
    FIELD_END,
};

struct api_group_list {
    const struct api_group *items;
    uint32_t count;
};

static int
api_enablement_cmp(const void *a, const void *b)
{
    const struct api_enablement *x = a, *y = b;
    int order = strcmp(x->group_version, y->group_version);

    return order != 0 ? order
                      : (x->kinds.count > y->kinds.count) - (x->kinds.count < y->kinds.count);
}

void
api_enablements_sort(struct api_enablement *items, uint32_t count)
{
    if (count > 1) {
        qsort(items, count, sizeof(*items), api_enablement_cmp);
    }
}

static struct str_list
share_kinds(struct fleet_builder *builder, const struct api_group *group)
{
    const char **kinds = ARENA_ARRAY(builder->scratch, const char *, group->n_resources);

    for (uint32_t i = 0; i < group->n_resources; i++) {
        kinds[i] = group->resources[i].kind;
    }
    qsort(kinds, group->n_resources, sizeof(*kinds), names_order);
    return (struct str_list){
        .items = builder_share(builder, kinds, group->n_resources * sizeof(*kinds)),
        .count = group->n_resources,
        .present = true,
    };
}

/* Target: struct cluster. Clusters of one make enable equal lists of a few hundred APIs, and share
 * the list. */
static bool
convert_api_enablements(struct decoder *decoder, const struct field *field,
                        const struct value *value, void *target)
{
    struct fleet_builder *builder = builder_of(decoder);
    struct cluster *cluster = target;
    struct api_group_list groups = {.count = 0};

    if (!convert_in_scratch(decoder, convert_list, field, value, &groups)) {
        return false;
    }
    struct api_enablement *items =
        ARENA_ARRAY(builder->scratch, struct api_enablement, groups.count);

    for (uint32_t i = 0; i < groups.count; i++) {
        items[i].group_version = groups.items[i].group_version;
        items[i].kinds = share_kinds(builder, &groups.items[i]);
    }
    api_enablements_sort(items, groups.count);
    cluster->api_enablements = builder_share(builder, items, groups.count * sizeof(*items));
    cluster->n_api_enablements = groups.count;
    return true;
}

static const struct field metadata_table[] = {
    FIELD("name", convert_string, struct cluster, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("uid", convert_string, struct cluster, uid, AS_TEXT(0, TEXT_UID)),
    FIELD("resourceVersion", convert_string, struct cluster, resource_version,
          AS_TEXT(0, TEXT_NUMBER)),
    FIELD("deletionTimestamp", convert_time, struct cluster, deletion_timestamp, AS_TIME(0)),
    FIELD("labels", convert_string_map, struct cluster, labels, AS_LABELS(0)),
    KEPT("namespace", AS_TEXT(0, TEXT_NAME)),
    KEPT("generation", AS_INT64(0)),
    KEPT("creationTimestamp", AS_TIME(0)),
    KEPT("ownerReferences", AS_OBJECTS(0, owner_table)),
    FIELD_END,
};

static const struct field spec_table[] = {
    FIELD("syncMode", convert_string, struct cluster, sync_mode, AS_TEXT(0, TEXT_WORD)),
    FIELD("provider", convert_string, struct cluster, provider, AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD("region", convert_string, struct cluster, region, AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD("zone", convert_string, struct cluster, zone, AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD("zones", convert_string_list, struct cluster, zones, AS_TEXTS(0, TEXT_LABEL_VALUE)),
    FIELD("taints", convert_list, struct cluster, taints, .item_size = sizeof(struct taint),
          AS_OBJECTS(0, taint_table)),
    FIELD("resourceModels", convert_list, struct cluster, models,
          .item_size = sizeof(struct resource_model), AS_OBJECTS(0, model_table)),
    FIELD_END,
};

static const struct field summary_table[] = {
    FIELD("allocatable", convert_resource_list, struct cluster, allocatable, AS_AMOUNTS(0)),
    FIELD("allocated", convert_resource_list, struct cluster, allocated, AS_AMOUNTS(0)),
    FIELD("allocating", convert_resource_list, struct cluster, allocating, AS_AMOUNTS(0)),
    FIELD("allocatableModelings", convert_list, struct cluster, allocatable_modelings,
          .item_size = sizeof(struct model_count), AS_OBJECTS(0, model_count_table)),
    FIELD_END,
};

static const struct field status_table[] = {
    FIELD("conditions", convert_list, struct cluster, conditions,
          .item_size = sizeof(struct condition), AS_OBJECTS(0, condition_table)),
    PART("apiEnablements", convert_api_enablements, .item_size = sizeof(struct api_group),
         AS_OBJECTS(0, api_group_table)),
    FIELD("resourceSummary", convert_presence, struct cluster, has_resource_summary),
    PART("resourceSummary", convert_struct, AS_OBJECT(0, summary_table)),
    FIELD_END,
};

const struct field cluster_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, status_table)),
    FIELD_END,
};

CHECK_LIST(struct cluster, models, n_models);
CHECK_LIST(struct cluster, allocatable_modelings, n_allocatable_modelings);
CHECK_LIST(struct resource_model, ranges, n_ranges);
CHECK_LIST(struct api_group, resources, n_resources);

bool
cluster_decode(struct decoder *decoder, const struct value *value, struct cluster *ret)
{
    *ret = (struct cluster){.name = "", .probed = TIME_NONE};
    return decode_object(decoder, cluster_table, value, ret);
}
