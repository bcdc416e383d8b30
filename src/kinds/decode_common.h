/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables and converters that several kinds use. Private to this room. A decoder's
 * context is the struct fleet_builder.
 */
#ifndef BALLAST_KINDS_DECODE_COMMON_H
#define BALLAST_KINDS_DECODE_COMMON_H

#include "builder.h"

/* What a tenant may write must not cost all others their run: more is refused, and that object
 * alone. Where there is one entry a cluster, and where people write the entries.
 * docs/fleet-directory.md tells the numbers. */
#define OF_CLUSTERS FIELD_MOST(10000)
#define OF_RULES FIELD_MOST(1000)

/* A binding while it is decoded: what is rare of it is kept afterwards, if there is any. */
struct binding_draft {
    struct binding binding;
    struct rare_members rare;
};

/* A string that hardly occurs twice (a name): const char *, copied and not interned, since
 * the interner's table would weigh more than it saves. The engine does not know it: whoever uses it
 * presets "". */
field_converter convert_text;
field_converter convert_uid; /* struct uid */
/* A string map whose values may be unique to the object: struct label_list. */
field_converter convert_binding_labels;
/* A string map that many objects have alike: struct label_list, one copy of equal ones. */
field_converter convert_shared_map;
field_converter convert_quantity;         /* struct quantity */
field_converter convert_resource_list;    /* struct resource_list, one copy of equal ones */
field_converter convert_resource_amounts; /* struct resource_amounts, likewise; with "pods" */
/* uint8_t, an enum ended: by the conditions of a status. */
field_converter convert_ended_conditions;
field_converter convert_controller; /* struct owner, from metadata.ownerReferences */

extern const struct field requirement_table[];       /* struct selector_requirement */
extern const struct field field_requirement_table[]; /* likewise, of fields instead of labels */
extern const struct field label_selector_table[];
extern const struct field taint_table[];
extern const struct field toleration_table[];
/* Conditions of any kind, with the numbers that its protobuf has for what others number otherwise.
 */
#define CONDITION_ROWS(reason_, message_, time_)                                                   \
    FIELD("type", convert_string, struct condition, type, AS_TEXT(1, TEXT_WORD)),                  \
        FIELD("status", convert_string, struct condition, status, AS_TEXT(2, TEXT_WORD)),          \
        FIELD("reason", convert_string, struct condition, reason, AS_TEXT(reason_, TEXT_WORD)),    \
        FIELD("message", convert_string, struct condition, message,                                \
              AS_TEXT(message_, TEXT_MESSAGE)),                                                    \
        FIELD("lastTransitionTime", convert_time, struct condition, last_transition,               \
              AS_TIME(time_))
extern const struct field condition_table[];
extern const struct field owner_table[];            /* an item of metadata.ownerReferences */
extern const struct field decode_component_table[]; /* struct component */
extern const struct field binding_metadata_table[]; /* struct binding: what is read of metadata */
extern const struct field ended_condition_table[];  /* what of conditions says that it is over */
extern const struct field told_status_table[];      /* likewise, and whether it has ended */
extern const struct field told_counts_table[];      /* struct aggregated_status: of a workload */

/* What tells an object of a manifest from others, read from its metadata. */
struct object_name {
    const char *namespace_;
    const char *name;
};
extern const struct field object_name_table[];

/* Which workloads a policy is about; upstream demands the type or not. */
struct resource_selector {
    const char *api_version;
    const char *kind;
    const char *namespace_;
    const char *name;
    bool has_label_selector;
};
#define RESOURCE_SELECTOR_FIELDS(type_flags)                                                       \
    FIELD("apiVersion", convert_string, struct resource_selector, api_version,                     \
          .flags = (type_flags), AS_TEXT(0, TEXT_API)),                                            \
        FIELD("kind", convert_string, struct resource_selector, kind, .flags = (type_flags),       \
              AS_TEXT(0, TEXT_KIND)),                                                              \
        FIELD("namespace", convert_string, struct resource_selector, namespace_,                   \
              AS_TEXT(0, TEXT_NAME)),                                                              \
        FIELD("name", convert_string, struct resource_selector, name, AS_TEXT(0, TEXT_NAME)),      \
        FIELD("labelSelector", convert_presence, struct resource_selector, has_label_selector,     \
              AS_OBJECT(0, presence_table))

#define ANY_ADDRESS "0.0.0.0" /* of a host port */

extern const struct field retain_replicas_table[]; /* of labels, that one */
extern const struct field presence_table[];        /* nothing but that the object is there */

/* All that is read or kept of a kind. */
extern const struct field autoscaler_table[];
extern const struct field override_table[];
extern const struct field preference_table[];
extern const struct field policy_table[];
extern const struct field quota_table[];
extern const struct field interpreter_table[];
extern const struct field rebalancer_table[];
extern const struct field estimator_answers_table[];
extern const struct field workload_labels_table[];
extern const struct field workload_template_table[];
extern const struct field limit_range_table[];
extern const struct field resource_quota_table[];
extern const struct field persistent_volume_claim_table[];
extern const struct field persistent_volume_table[];
extern const struct field storage_class_table[];
extern const struct field csi_node_table[];
extern const struct field disruption_budget_table[];
extern const struct field deployment_table[];
extern const struct field replica_set_table[];
extern const struct field stateful_set_table[];
extern const struct field job_table[];
extern const struct field cluster_table[];
extern const struct field binding_table[];
extern const struct field left_out_table[];
extern const struct field unseen_templates_table[];
extern const struct field kubefed_config_table[];
extern const struct field type_config_table[];
extern const struct field kubefed_cluster_table[];
extern const struct field federated_namespace_table[];
extern const struct field federated_object_table[];
extern const struct field pod_table[];
extern const struct field alike_pod_table[];         /* of one of many that are alike */
extern const struct field alike_spec_of_pod_table[]; /* nothing but its spec */
extern const struct field settled_pods_table[];
extern const struct field settled_workloads_table[];
extern const struct field node_table[];

/* Of whatever has replicas in a member. */
const struct field *workload_table(const char *api_version, const char *kind);

/* The context of a decoder. */
static inline struct fleet_builder *
builder_of(const struct decoder *decoder)
{
    return decoder->context;
}

/* decode_object, or a converter, with all that it allocates in the memory of the object under way:
 * for what is read to make something else of it. */
bool decode_in_scratch(struct decoder *decoder, const struct field *table,
                       const struct value *value, void *target);
bool convert_in_scratch(struct decoder *decoder, field_converter *convert,
                        const struct field *field, const struct value *value, void *target);

/* Whether a value is there and not null. */
bool value_is_set(const struct value *value);

/* "ScaledObject shop/web" */
const char *decode_origin(struct decoder *decoder, const char *kind,
                          const struct object_name *object);

/* struct str_list, sorted, so that a name is found soon in one of any length. */
field_converter convert_sorted_names;

/* qsort: of const char *; of names and where they stand, of one name by where. */
int names_order(const void *a, const void *b);
struct named_index {
    const char *name;
    uint32_t index;
};
int named_index_cmp(const void *a, const void *b);
int resource_amount_cmp(const void *a, const void *b);

/* Parses one quantity, given as a string or (as Go accepts it) as a number. */
bool decode_quantity(struct decoder *decoder, const struct value *value, struct quantity *ret);

#endif
