/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes objects of the control plane.
 */
#ifndef BALLAST_KINDS_DECODERS_H
#define BALLAST_KINDS_DECODERS_H

#include "ballast/annotations/last_move.h"
#include "ballast/annotations/reschedule_parts.h"
#include "ballast/base/map.h"
#include "ballast/base/order.h"
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/decode.h"
#include "ballast/model/binding.h"
#include "ballast/model/object_location_set.h"
#include "ballast/model/selector.h"
#include "ballast/model/settled.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/federation_builder.h"
#include "kinds/schema/field.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern const struct field placed_for_table[]; /* of ANNOTATION_PLACED_FOR */

#define ANNOTATION_APPLIED_PLACEMENT "policy.karmada.io/applied-placement"

/* The most entries of a list that has one entry per cluster. A longer list refuses its object, and
 * that alone: one tenant must not cost the others their run. docs/fleet-directory.md has the
 * numbers. */
#define OF_CLUSTERS FIELD_MOST(10000)

/* The most entries of a list that people write. */
#define OF_RULES FIELD_MOST(1000)

/* A binding under way. Its rare members are kept afterwards, if it has any. */
struct binding_draft {
    struct binding binding;
    struct rare_members rare;
};

extern const struct field requirement_table[]; /* struct selector_requirement */

extern const struct field field_requirement_table[]; /* struct selector_requirement, of fields */

extern const struct field label_selector_table[];

extern const struct field taint_table[];

extern const struct field toleration_table[];

/* The rows of conditions. Kinds number reason, message and time differently in protobuf. */
#define CONDITION_ROWS(reason_, message_, time_)                                                   \
    FIELD("type", convert_string, struct condition, type, AS_TEXT(1, TEXT_WORD)),                  \
        FIELD("status", convert_string, struct condition, status, AS_TEXT(2, TEXT_WORD)),          \
        FIELD("reason", convert_string, struct condition, reason, AS_TEXT(reason_, TEXT_WORD)),    \
        FIELD("message", convert_string, struct condition, message,                                \
              AS_TEXT(message_, TEXT_MESSAGE)),                                                    \
        FIELD("lastTransitionTime", convert_time, struct condition, last_transition,               \
              AS_TIME(time_))

extern const struct field condition_table[];

extern const struct field owner_table[]; /* an item of metadata.ownerReferences */

extern const struct field decode_component_table[]; /* struct component */

extern const struct field binding_metadata_table[]; /* struct binding: fields of metadata */

extern const struct field ended_condition_table[]; /* conditions that show a workload's end */

extern const struct field told_status_table[]; /* told_counts_table, and the end */

extern const struct field told_counts_table[]; /* struct aggregated_status: of a workload */

/* The name of an object, from its metadata. */
struct object_name {
    const char *namespace_;
    const char *name;
};

extern const struct field object_name_table[];

/* The workloads that a policy selects. Upstream requires the type in some policies. */
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

extern const struct field retain_replicas_table[]; /* the label that retains replicas */

extern const struct field presence_table[]; /* no rows: only the object's presence counts */

/* Each of these tables has all fields of a kind that are read or kept. */
extern const struct field autoscaler_table[];

extern const struct field override_table[];

extern const struct field preference_table[];

extern const struct field policy_table[];

extern const struct field quota_table[];

extern const struct field interpreter_table[];

extern const struct field rebalancer_table[];

extern const struct field estimator_answers_table[];

extern const struct field cluster_table[];

extern const struct field binding_table[];

extern const struct field kubefed_config_table[];

extern const struct field type_config_table[];

extern const struct field kubefed_cluster_table[];

extern const struct field federated_namespace_table[];

static inline struct fleet_builder *
builder_of(const struct decoder *decoder)
{
    return decoder->context;
}

struct named_index {
    const char *name;
    uint32_t index;
};

/* Target: struct binding_draft. */
extern const struct field failover_table[];

extern const struct field last_move_table[];

#define KEPT_LAST_MOVE                                                                             \
    KEPT(ANNOTATION_LAST_MOVE, .flags = FIELD_MOST(LAST_MOVE_TEXT_MAX),                            \
         AS_OBJECT(0, last_move_table))

extern const struct field cluster_affinity_table[];

extern const struct field placement_table[];

extern const struct field static_weight_table[];

extern const struct field requirements_table[];

extern const struct field node_selector_table[];

extern const struct field reschedule_parts_table[];

#define KEPT_RESCHEDULE_PARTS                                                                      \
    KEPT(ANNOTATION_RESCHEDULE_PARTS, .flags = FIELD_MOST(RESCHEDULE_PARTS_TEXT_MAX),              \
         AS_OBJECT(0, reschedule_parts_table))

extern const struct field federated_placement_table[];

/* --- decode_applied.c --- */

/* Calls decode_placement_leniently. Target: const struct placement *. */
field_converter convert_placement_leniently;
/* Sets the placement that the scheduler applied to a binding, from the text of its annotation; ""
 * sets nothing. A text that does not parse is a state, not an error: upstream takes it for "nothing
 * changed". */
void decode_applied_placement(struct decoder *outer, const char *text, size_t length,
                              struct binding *binding);
/* Parses the text of ANNOTATION_PLACED_FOR, equal texts once. NULL: the text does not parse. */
const struct placed_for *decode_placed_for(struct decoder *outer, const char *text, size_t length);

/* --- decode_binding.c --- */

/* Decodes a ResourceBinding or ClusterResourceBinding (`kind`) into *ret, in the fleet's memory.
 * False with the decoder's error. */
bool binding_decode(struct decoder *decoder, const struct value *value, enum binding_kind kind,
                    struct binding *ret);
/* Sets a binding of that kind to its state before decoding. */
void binding_init(struct binding *binding, enum binding_kind kind);

/* --- decode_cluster.c --- */

/* Sorts APIs into the order that cluster_has_api needs. */
void api_enablements_sort(struct api_enablement *items, uint32_t count);
/* Decodes a Cluster into *ret, in the decoder's memory. False with the decoder's error. */
bool cluster_decode(struct decoder *decoder, const struct value *value, struct cluster *ret);

/* --- decode_common.c --- */

/* A rarely repeated string (a name): const char *, copied, not interned: the interner's table would
 * weigh more than it saves. The caller presets ""; decode_object does not. */
field_converter convert_text;
field_converter convert_uid; /* struct uid */
/* A string map whose values may be unique to the object: struct label_list. */
field_converter convert_binding_labels;
/* A string map that many objects share: struct label_list, one copy of equal maps. */
field_converter convert_shared_map;
field_converter convert_quantity;         /* struct quantity */
field_converter convert_resource_list;    /* struct resource_list, one copy of equal lists */
field_converter convert_resource_amounts; /* struct resource_amounts, one copy; with "pods" */
field_converter convert_controller;       /* struct owner, from metadata.ownerReferences */
/* Calls decode_object, but allocates in the builder's scratch, which lasts until the next
 * builder_decoder. For a caller that makes another object of the result. */
bool decode_in_scratch(struct decoder *decoder, const struct field *table,
                       const struct value *value, void *target);
/* Calls `convert`, but allocates in the builder's scratch, which lasts until the next
 * builder_decoder. */
bool convert_in_scratch(struct decoder *decoder, field_converter *convert,
                        const struct field *field, const struct value *value, void *target);
/* True if a value is present and not null. */
bool value_is_set(const struct value *value);
/* Returns an object's name in reasons: "ScaledObject shop/web", in the decoder's memory. */
const char *decode_origin(struct decoder *decoder, const char *kind,
                          const struct object_name *object);
/* struct str_list, sorted: fast to search at any length. */
field_converter convert_sorted_names;
/* Orders const char * by their texts, for qsort. */
int names_order(const void *a, const void *b);
/* Orders struct named_index by name, and equal names by index, for qsort. */
int named_index_cmp(const void *a, const void *b);
/* Orders struct resource_amount by name, for qsort. */
int resource_amount_cmp(const void *a, const void *b);
/* Parses one quantity, a string or (as Go accepts it) a number, and pins it to the range that sums
 * can hold. False with the decoder's error. */
bool decode_quantity(struct decoder *decoder, const struct value *value, struct quantity *ret);

/* --- decode_estimator.c --- */

/* Appends the answers of an EstimatorAnswers object to the member's. False with the decoder's
 * error, and appends nothing. */
bool estimator_answers_decode(struct decoder *decoder, const struct value *value,
                              struct member_builder *member);

/* --- decode_failover.c --- */

/* Fills the states that a binding's failover behaviours preserve, from their rules and
 * status.aggregatedStatus (a list of objects). Does nothing if the binding has no rules. */
void decode_preserved_states(struct decoder *decoder, const struct value *aggregated,
                             const struct rare_members *rare);

/* --- decode_kubefed.c --- */

field_converter convert_federated_placement; /* const struct federated_placement *, shared */
/* Decodes a KubeFedConfig into *ret. False with the decoder's error. */
bool kubefed_config_decode(struct decoder *decoder, const struct value *value,
                           struct kubefed_config *ret);
/* Decodes a FederatedTypeConfig into *ret. False with the decoder's error. */
bool type_config_decode(struct decoder *decoder, const struct value *value,
                        struct type_config *ret);
/* Decodes a KubeFedCluster into *ret. False with the decoder's error. */
bool kubefed_cluster_decode(struct decoder *decoder, const struct value *value,
                            struct kubefed_cluster *ret);
/* Decodes a FederatedNamespace into *ret, with an empty placement if it has none. False with the
 * decoder's error. */
bool federated_namespace_decode(struct decoder *decoder, const struct value *value,
                                struct federated_namespace *ret);

/* --- decode_last_move.c --- */

/* Parses the text of ANNOTATION_LAST_MOVE. NULL, with the reason in *ret_problem: the text does not
 * parse. Both are in the decoder's memory. */
const struct last_move *decode_last_move(struct decoder *outer, const char *text, size_t length,
                                         const char **ret_problem);

/* --- decode_placement.c --- */

field_converter convert_placement; /* const struct placement *, shared, validated */
/* Decodes a placement, equal values once, without the CRD's checks: a placement in an annotation
 * never passed them. NULL with the decoder's error. */
const struct placement *decode_placement_leniently(struct decoder *decoder,
                                                   const struct value *value);

/* --- decode_preference.c --- */

/* Appends the preference of a ReplicaSchedulingPreference to builder->preferences, and to those of
 * a KubeFed host. False with the decoder's error. */
bool scheduling_preference_decode(struct decoder *decoder, const struct value *value);
/* Appends the preference of a ReplicaSchedulingPolicy to builder->preferences, once per selector.
 * False with the decoder's error. */
bool scheduling_policy_decode(struct decoder *decoder, const struct value *value);

/* --- decode_quota.c --- */

/* Decodes a FederatedResourceQuota into *ret, with the usage in its status. Its assignments have no
 * cluster yet (CLUSTER_NONE). False with the decoder's error. */
bool quota_decode(struct decoder *decoder, const struct value *value, struct quota *ret);

/* --- decode_replica_owner.c --- */

/* Appends the claims of an autoscaler or an override policy of that kind to builder->claims. False
 * with the decoder's error. */
bool replica_owners_decode(struct decoder *decoder, const struct value *value, const char *kind);

/* --- decode_requirements.c --- */

field_converter convert_requests;     /* const struct requirements *, resources only; shared */
field_converter convert_requirements; /* const struct requirements *, shared */

/* --- decode_reschedule_parts.c --- */

/* Parses ANNOTATION_RESCHEDULE_PARTS. NULL: the annotations lack it, it does not parse, or it has
 * neither a time nor a placement. */
const struct reschedule_parts *decode_reschedule_parts(struct decoder *outer,
                                                       const struct label_list *annotations);

/* --- decode_told.c --- */

/* Raises a uint8_t, an enum ended, to the end that the conditions of a status show. */
field_converter convert_ended_conditions;

/* --- purge_modes.c --- */

/* Adds the purge modes in the schemas of a CustomResourceDefinition to those of the fleet. Ignores
 * objects of other kinds. */
void builder_note_definition(struct fleet_builder *builder, const char *kind,
                             const struct value *object);

/* --- replaced_source.c --- */

/* Returns the handle, interned, that a CSI driver has for the disk `id` of an in-tree source. "":
 * no driver has replaced the source, or `id` is "". `labels`: a PersistentVolume's, for the zone;
 * NULL: for a volume of a pod. */
const char *replaced_source_handle(struct interner *strings, const char *source, const char *id,
                                   const struct label_list *labels);

/* --- replica_path.c --- */

/* True if a JSON pointer (RFC 6901) leads to a count of replicas: "replicas", "parallelism" or
 * "completions" anywhere but below "/metadata" and "/spec/template". */
bool replica_path_names(const char *path);
/* True if replacing the value at a JSON pointer replaces a count of replicas: at a path of
 * replica_path_names, at "/spec", and at "", the whole object. */
bool replica_path_sets(const char *path);

#endif
