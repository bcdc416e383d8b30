/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of the control plane, decoded.
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

/* How many entries a list may have that has one for each cluster. What one tenant writes must not
 * cost the others their run: an object with more is refused, and that object alone.
 * docs/fleet-directory.md has the numbers. */
#define OF_CLUSTERS FIELD_MOST(10000)

/* How many entries a list may have whose entries people write. */
#define OF_RULES FIELD_MOST(1000)

/* A binding while it is decoded: its rare members are kept afterwards, if it has any. */
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

extern const struct field binding_metadata_table[]; /* struct binding: what is read of metadata */

extern const struct field ended_condition_table[]; /* conditions that say a workload has ended */

extern const struct field told_status_table[]; /* told_counts_table, and whether it has ended */

extern const struct field told_counts_table[]; /* struct aggregated_status: of a workload */

/* The name of an object in a manifest, read from its metadata. */
struct object_name {
    const char *namespace_;
    const char *name;
};

extern const struct field object_name_table[];

/* Which workloads a policy is about. Of some policies upstream requires the type. */
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

extern const struct field presence_table[]; /* no member: only that the object is there */

/* Each of these tables has all that is read or kept of a kind. */
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

/* Returns the builder that a decoder decodes for. */
static inline struct fleet_builder *
builder_of(const struct decoder *decoder)
{
    return decoder->context;
}

struct named_index {
    const char *name;
    uint32_t index;
};

/* Of struct binding_draft. */
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
/* Sets what the scheduler applied to a binding, by the text of its annotation; "" sets nothing.
 * Upstream takes a text that does not parse as "nothing changed", so that is a state and no error.
 */
void decode_applied_placement(struct decoder *outer, const char *text, size_t length,
                              struct binding *binding);
/* Parses the text of ANNOTATION_PLACED_FOR, equal texts once. NULL when it does not parse. */
const struct placed_for *decode_placed_for(struct decoder *outer, const char *text, size_t length);

/* --- decode_binding.c --- */

/* Decodes a ResourceBinding or ClusterResourceBinding, as `kind` says, into *ret; what it points to
 * is the fleet's memory. False with the decoder's error. */
bool binding_decode(struct decoder *decoder, const struct value *value, enum binding_kind kind,
                    struct binding *ret);
/* Sets a binding of that kind to what it is before anything is known of it. */
void binding_init(struct binding *binding, enum binding_kind kind);

/* --- decode_cluster.c --- */

/* Sorts APIs into the order that cluster_has_api needs. */
void api_enablements_sort(struct api_enablement *items, uint32_t count);
/* Decodes a Cluster into *ret; what it points to is the decoder's memory. False with the decoder's
 * error. */
bool cluster_decode(struct decoder *decoder, const struct value *value, struct cluster *ret);

/* --- decode_common.c --- */

/* A string that hardly occurs twice (a name): const char *, copied and not interned, since
 * the interner's table would weigh more than it saves. decode_object does not preset its target:
 * the caller presets "". */
field_converter convert_text;
field_converter convert_uid; /* struct uid */
/* A string map whose values may be unique to the object: struct label_list. */
field_converter convert_binding_labels;
/* A string map that many objects have alike: struct label_list, one copy of equal ones. */
field_converter convert_shared_map;
field_converter convert_quantity;         /* struct quantity */
field_converter convert_resource_list;    /* struct resource_list, one copy of equal ones */
field_converter convert_resource_amounts; /* struct resource_amounts, one copy; with "pods" */
field_converter convert_controller;       /* struct owner, from metadata.ownerReferences */
/* Calls decode_object, with all that it allocates in the builder's scratch: for what is read to
 * make something else of it. The scratch lasts until the next builder_decoder. */
bool decode_in_scratch(struct decoder *decoder, const struct field *table,
                       const struct value *value, void *target);
/* Calls `convert`, with all that it allocates in the builder's scratch, which lasts until the next
 * builder_decoder. */
bool convert_in_scratch(struct decoder *decoder, field_converter *convert,
                        const struct field *field, const struct value *value, void *target);
/* True if a value is there and not null. */
bool value_is_set(const struct value *value);
/* Returns what an object is called in reasons: "ScaledObject shop/web", in the decoder's memory. */
const char *decode_origin(struct decoder *decoder, const char *kind,
                          const struct object_name *object);
/* struct str_list, sorted, so that a name is found soon in one of any length. */
field_converter convert_sorted_names;
/* Orders const char * by their texts, for qsort. */
int names_order(const void *a, const void *b);
/* Orders struct named_index by name, and equal names by index, for qsort. */
int named_index_cmp(const void *a, const void *b);
/* Orders struct resource_amount by name, for qsort. */
int resource_amount_cmp(const void *a, const void *b);
/* Parses one quantity, given as a string or (as Go accepts it) as a number, and pins it to what
 * sums can hold. False with the decoder's error. */
bool decode_quantity(struct decoder *decoder, const struct value *value, struct quantity *ret);

/* --- decode_estimator.c --- */

/* Appends the answers of an EstimatorAnswers object to the member's. False with the decoder's
 * error, and nothing is appended. */
bool estimator_answers_decode(struct decoder *decoder, const struct value *value,
                              struct member_builder *member);

/* --- decode_failover.c --- */

/* Fills the states that a binding's failover behaviours preserve, by their rules and by
 * status.aggregatedStatus (a list of objects). Does nothing where the binding has no rules. */
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
/* Decodes a FederatedNamespace into *ret, with an empty placement where it has none. False with the
 * decoder's error. */
bool federated_namespace_decode(struct decoder *decoder, const struct value *value,
                                struct federated_namespace *ret);

/* --- decode_last_move.c --- */

/* Parses the text of ANNOTATION_LAST_MOVE. NULL, with the reason in *ret_problem, when it does not
 * parse. Both are the decoder's memory. */
const struct last_move *decode_last_move(struct decoder *outer, const char *text, size_t length,
                                         const char **ret_problem);

/* --- decode_placement.c --- */

field_converter convert_placement; /* const struct placement *, shared, validated */
/* Decodes a placement, equal values once, without the checks of the CRD: a text that was written as
 * an annotation never passed them. NULL with the decoder's error. */
const struct placement *decode_placement_leniently(struct decoder *decoder,
                                                   const struct value *value);

/* --- decode_preference.c --- */

/* Appends what a ReplicaSchedulingPreference wants to builder->preferences, and to those of a
 * KubeFed host. False with the decoder's error. */
bool scheduling_preference_decode(struct decoder *decoder, const struct value *value);
/* Appends what a ReplicaSchedulingPolicy wants to builder->preferences, once for each of its
 * selectors. False with the decoder's error. */
bool scheduling_policy_decode(struct decoder *decoder, const struct value *value);

/* --- decode_quota.c --- */

/* Decodes a FederatedResourceQuota into *ret, with what its status reports as used. Its assignments
 * have no cluster yet (CLUSTER_NONE). False with the decoder's error. */
bool quota_decode(struct decoder *decoder, const struct value *value, struct quota *ret);

/* --- decode_replica_owner.c --- */

/* Appends what an autoscaler or an override policy of that kind claims to builder->claims. False
 * with the decoder's error. */
bool replica_owners_decode(struct decoder *decoder, const struct value *value, const char *kind);

/* --- decode_requirements.c --- */

field_converter convert_requests;     /* const struct requirements *, of resources alone; shared */
field_converter convert_requirements; /* const struct requirements *, shared */

/* --- decode_reschedule_parts.c --- */

/* Parses ANNOTATION_RESCHEDULE_PARTS. NULL when the annotations do not have it, when it does not
 * parse, and when it says neither a time nor a placement. */
const struct reschedule_parts *decode_reschedule_parts(struct decoder *outer,
                                                       const struct label_list *annotations);

/* --- decode_told.c --- */

/* Raises a uint8_t, an enum ended, to what the conditions of a status say. */
field_converter convert_ended_conditions;

/* --- purge_modes.c --- */

/* Adds the purge modes that the schemas of a CustomResourceDefinition allow to those of the fleet.
 * Does nothing for an object of another kind. */
void builder_note_definition(struct fleet_builder *builder, const char *kind,
                             const struct value *object);

/* --- replaced_source.c --- */

/* Returns the handle, interned, by which a CSI driver knows the disk `id` of an in-tree source.
 * "": no driver has replaced the source, or `id` is "". `labels` are those of a PersistentVolume,
 * which say the zone; NULL for a volume of a pod. */
const char *replaced_source_handle(struct interner *strings, const char *source, const char *id,
                                   const struct label_list *labels);

/* --- replica_path.c --- */

/* True if a JSON pointer (RFC 6901) leads to a count of replicas: to "replicas", "parallelism" or
 * "completions" anywhere but under "/metadata" and "/spec/template". */
bool replica_path_names(const char *path);
/* True if whoever replaces what a JSON pointer leads to replaces a count of replicas: what
 * replica_path_names knows, "/spec", and "", the whole object. */
bool replica_path_sets(const char *path);

#endif
