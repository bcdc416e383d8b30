/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes work.karmada.io/v1alpha2 ReplicaRequirements: the demands of one replica on a node. Equal
 * requirements are decoded once.
 */
#include "decoders.h"
#include "kinds/builder/builder.h"

static const struct field node_term_table[] = {
    FIELD("matchExpressions", convert_list_present, struct node_selector_term, match_expressions,
          .flags = OF_RULES, .item_size = sizeof(struct selector_requirement),
          AS_OBJECTS(0, requirement_table)),
    FIELD("matchFields", convert_list_present, struct node_selector_term, match_fields,
          .flags = OF_RULES, .item_size = sizeof(struct selector_requirement),
          AS_OBJECTS(0, field_requirement_table)),
    FIELD_END,
};

const struct field node_selector_table[] = {
    PART("nodeSelectorTerms", convert_list, .flags = OF_RULES,
         .item_size = sizeof(struct node_selector_term), AS_OBJECTS(0, node_term_table)),
    FIELD_END,
};

static const struct field node_claim_table[] = {
    FIELD("hardNodeAffinity", convert_presence, struct node_claim, hard_node_affinity.present),
    FIELD("hardNodeAffinity", convert_struct, struct node_claim, hard_node_affinity,
          AS_OBJECT(0, node_selector_table)),
    FIELD("nodeSelector", convert_string_map, struct node_claim, node_selector, AS_LABELS(0)),
    FIELD("tolerations", convert_list_present, struct node_claim, tolerations, .flags = OF_RULES,
          .item_size = sizeof(struct toleration), AS_OBJECTS(0, toleration_table)),
    FIELD_END,
};

const struct field requirements_table[] = {
    FIELD("resourceRequest", convert_resource_list, struct requirements, request, AS_AMOUNTS(0)),
    FIELD("nodeClaim", convert_presence, struct requirements, has_node_claim),
    FIELD("nodeClaim", convert_struct, struct requirements, node_claim,
          AS_OBJECT(0, node_claim_table)),
    FIELD("namespace", convert_string, struct requirements, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("priorityClassName", convert_string, struct requirements, priority_class_name,
          AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

bool
convert_requests(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    struct fleet_builder *builder = builder_of(decoder);
    void **slot = builder_slot_by_value(builder, 'o', value);

    if (*slot == NULL) {
        struct requirements *requirements = ARENA_NEW(decoder->arena, struct requirements);

        if (!convert_resource_list(decoder, field, value, &requirements->request)) {
            return false;
        }
        requirements->id = builder->fleet->n_requirements++;
        *slot = requirements;
    }
    memcpy(target, slot, sizeof(*slot));
    return true;
}

bool
convert_requirements(struct decoder *decoder, const struct field *field, const struct value *value,
                     void *target)
{
    struct fleet_builder *builder = builder_of(decoder);
    const struct requirements *known = builder_remembered(builder, value);

    (void)field;
    if (known != NULL) {
        memcpy(target, &known, sizeof(known));
        return true;
    }
    void **slot = builder_slot_by_value(builder, 'r', value);

    if (*slot == NULL) {
        struct requirements *requirements = ARENA_NEW(decoder->arena, struct requirements);

        if (!decode_object(decoder, requirements_table, value, requirements)) {
            return false;
        }
        requirements->id = builder->fleet->n_requirements++;
        *slot = requirements;
    }
    builder_remember(builder, value, *slot);
    memcpy(target, slot, sizeof(*slot));
    return true;
}
