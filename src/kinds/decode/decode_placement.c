/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes policy.karmada.io/v1alpha1 Placement. Equal placements, by the canonical text of their
 * source, are decoded once.
 */
#include "decoders.h"
#include "kinds/builder/builder.h"

#include <inttypes.h>

static bool
convert_spread_field(struct decoder *decoder, const struct field *field, const struct value *value,
                     void *target)
{
    static const struct {
        const char *name;
        enum spread_field field;
    } known[] = {
        {"cluster", SPREAD_BY_CLUSTER},
        {"region", SPREAD_BY_REGION},
        {"zone", SPREAD_BY_ZONE},
        {"provider", SPREAD_BY_PROVIDER},
    };
    enum spread_field found = SPREAD_BY_LABEL;

    (void)decoder;
    (void)field;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (str_eq(value_string(value), known[i].name)) {
            found = known[i].field;
        }
    }
    *(enum spread_field *)target = found;
    return true;
}

static const struct field field_selector_table[] = {
    FIELD("matchExpressions", convert_list_present, struct field_selector, match_expressions,
          .flags = OF_RULES, .item_size = sizeof(struct selector_requirement),
          AS_OBJECTS(0, field_requirement_table)),
    FIELD_END,
};

/* The members of a ClusterAffinity, which upstream embeds in larger objects. */
#define AFFINITY_FIELDS(type, base)                                                                \
    FIELD("labelSelector", convert_struct_pointer, type, base label_selector,                      \
          .item_size = sizeof(struct label_selector), AS_OBJECT(0, label_selector_table)),         \
        FIELD("fieldSelector", convert_struct_pointer, type, base field_selector,                  \
              .item_size = sizeof(struct field_selector), AS_OBJECT(0, field_selector_table)),     \
        FIELD("clusterNames", convert_string_list, type, base cluster_names, .flags = OF_CLUSTERS, \
              AS_TEXTS(0, TEXT_NAME)),                                                             \
        FIELD("exclude", convert_string_list, type, base exclude, .flags = OF_CLUSTERS,            \
              AS_TEXTS(0, TEXT_NAME))

const struct field cluster_affinity_table[] = {
    AFFINITY_FIELDS(struct cluster_affinity, ),
    FIELD_END,
};

static const struct field overflow_table[] = {
    FIELD("affinityName", convert_string, struct overflow_affinity, name, AS_TEXT(0, TEXT_NAME)),
    AFFINITY_FIELDS(struct overflow_affinity, affinity.),
    FIELD_END,
};

static const struct field term_table[] = {
    FIELD("affinityName", convert_string, struct affinity_term, name, AS_TEXT(0, TEXT_NAME)),
    AFFINITY_FIELDS(struct affinity_term, affinity.),
    FIELD("overflowAffinities", convert_list_present, struct affinity_term, overflow,
          .flags = OF_RULES, .item_size = sizeof(struct overflow_affinity),
          AS_OBJECTS(0, overflow_table)),
    FIELD_END,
};

static const struct field spread_table[] = {
    FIELD("spreadByField", convert_string, struct spread_constraint, field_text,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("spreadByField", convert_spread_field, struct spread_constraint, field),
    FIELD("spreadByLabel", convert_string, struct spread_constraint, label,
          AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD("minGroups", convert_int64, struct spread_constraint, min_groups, AS_INT64(0)),
    FIELD("maxGroups", convert_int64, struct spread_constraint, max_groups, AS_INT64(0)),
    FIELD_END,
};

const struct field static_weight_table[] = {
    FIELD("targetCluster", convert_struct, struct static_weight, target,
          AS_OBJECT(0, cluster_affinity_table)),
    FIELD("weight", convert_int64, struct static_weight, weight, AS_INT64(0)),
    FIELD_END,
};

static const struct field weight_preference_table[] = {
    FIELD("staticWeightList", convert_list_present, struct replica_scheduling, static_weights,
          .flags = OF_CLUSTERS, .item_size = sizeof(struct static_weight),
          AS_OBJECTS(0, static_weight_table)),
    FIELD("dynamicWeight", convert_string, struct replica_scheduling, dynamic_weight,
          AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

static const struct field replica_scheduling_table[] = {
    FIELD("replicaSchedulingType", convert_string, struct replica_scheduling, type,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("replicaDivisionPreference", convert_string, struct replica_scheduling, preference,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("weightPreference", convert_presence, struct replica_scheduling, has_weight_preference),
    PART("weightPreference", convert_struct, AS_OBJECT(0, weight_preference_table)),
    FIELD_END,
};

static const struct field group_table[] = {
    FIELD("groupByLabelKey", convert_string, struct placement, affinity_group_label_key,
          AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD_END,
};

static const struct field anti_group_table[] = {
    FIELD("groupByLabelKey", convert_string, struct placement, anti_affinity_group_label_key,
          AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD_END,
};

static const struct field workload_affinity_table[] = {
    FIELD("affinity", convert_presence, struct placement, has_workload_affinity_term),
    PART("affinity", convert_struct, AS_OBJECT(0, group_table)),
    FIELD("antiAffinity", convert_presence, struct placement, has_workload_anti_affinity_term),
    PART("antiAffinity", convert_struct, AS_OBJECT(0, anti_group_table)),
    FIELD_END,
};

const struct field placement_table[] = {
    FIELD("clusterAffinity", convert_struct_pointer, struct placement, cluster_affinity,
          .item_size = sizeof(struct cluster_affinity), AS_OBJECT(0, cluster_affinity_table)),
    FIELD("clusterAffinities", convert_list_present, struct placement, cluster_affinities,
          .flags = OF_RULES, .item_size = sizeof(struct affinity_term), AS_OBJECTS(0, term_table)),
    FIELD("clusterTolerations", convert_list_present, struct placement, cluster_tolerations,
          .flags = OF_RULES, .item_size = sizeof(struct toleration),
          AS_OBJECTS(0, toleration_table)),
    FIELD("spreadConstraints", convert_list_present, struct placement, spread_constraints,
          .flags = OF_RULES, .item_size = sizeof(struct spread_constraint),
          AS_OBJECTS(0, spread_table)),
    FIELD("replicaScheduling", convert_presence, struct placement, replica_scheduling.present),
    FIELD("replicaScheduling", convert_struct, struct placement, replica_scheduling,
          AS_OBJECT(0, replica_scheduling_table)),
    FIELD("workloadAffinity", convert_presence, struct placement, has_workload_affinity),
    PART("workloadAffinity", convert_struct, AS_OBJECT(0, workload_affinity_table)),
    FIELD_END,
};

const struct placement *
decode_placement_leniently(struct decoder *decoder, const struct value *value)
{
    struct fleet_builder *builder = builder_of(decoder);
    const struct placement *known = builder_remembered(builder, value);

    if (known != NULL) {
        return known;
    }
    void **slot = builder_slot_by_value(builder, 'p', value);

    if (*slot == NULL) {
        struct placement *placement = ARENA_NEW(decoder->arena, struct placement);

        if (builder->text.length <= PLACEMENT_TEXT_MAX) {
            placement->text =
                arena_strndup(decoder->arena, buf_text(&builder->text), builder->text.length);
        }
        if (!decode_object(decoder, placement_table, value, placement)) {
            return NULL;
        }
        placement->cluster_affinities.by_name = name_index_new(
            decoder->arena, placement->cluster_affinities.items,
            sizeof(placement->cluster_affinities.items[0]), placement->cluster_affinities.count);
        placement->id = builder->fleet->n_placements++;
        *slot = placement;
    }
    builder_remember(builder, value, *slot);
    return *slot;
}

/* Refuses a negative number, as the CRD does: decisions rely on it. */
static bool
check_not_negative(struct decoder *decoder, const char *list, uint32_t index, const char *name,
                   int64_t number)
{
    if (number >= 0) {
        return true;
    }
    decoder_push_name(decoder, list);
    decoder_push_index(decoder, index);
    decoder_push_name(decoder, name);
    return decode_fail(decoder, "want integer from 0, got %" PRId64, number);
}

static bool
check_placement(struct decoder *decoder, const struct placement *placement)
{
    const struct spread_constraint_list *spread = &placement->spread_constraints;
    const struct static_weight_list *weights = &placement->replica_scheduling.static_weights;

    for (uint32_t i = 0; i < spread->count; i++) {
        if (!check_not_negative(decoder, "spreadConstraints", i, "minGroups",
                                spread->items[i].min_groups) ||
            !check_not_negative(decoder, "spreadConstraints", i, "maxGroups",
                                spread->items[i].max_groups)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < weights->count; i++) {
        if (!check_not_negative(decoder, "replicaScheduling.weightPreference.staticWeightList", i,
                                "weight", weights->items[i].weight)) {
            return false;
        }
    }
    return true;
}

bool
convert_placement(struct decoder *decoder, const struct field *field, const struct value *value,
                  void *target)
{
    const struct placement *placement = decode_placement_leniently(decoder, value);

    (void)field;
    if (placement == NULL || !check_placement(decoder, placement)) {
        return false;
    }
    memcpy(target, &placement, sizeof(const struct placement *));
    return true;
}
