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

extern const struct field requirement_table[]; /* struct selector_requirement */

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

extern const struct field owner_table[]; /* an item of metadata.ownerReferences */

extern const struct field decode_component_table[]; /* struct component */

extern const struct field binding_metadata_table[]; /* struct binding: what is read of metadata */

extern const struct field ended_condition_table[]; /* what of conditions says that it is over */

extern const struct field told_status_table[]; /* likewise, and whether it has ended */

extern const struct field told_counts_table[]; /* struct aggregated_status: of a workload */

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

extern const struct field retain_replicas_table[]; /* of labels, that one */

extern const struct field presence_table[]; /* nothing but that the object is there */

/* All that is read or kept of a kind. */
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

/* The context of a decoder. */
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

/* As decode_placement_leniently. Target: const struct placement *. */
field_converter convert_placement_leniently;
/* Sets what the scheduler applied. Upstream takes a text that does not parse as "nothing changed",
 * so that is a state and no error. */
void decode_applied_placement(struct decoder *outer, const char *text, size_t length,
                              struct binding *binding);
/* What ANNOTATION_PLACED_FOR holds; NULL when it does not parse. */
const struct placed_for *decode_placed_for(struct decoder *outer, const char *text, size_t length);

/* --- decode_binding.c --- */

bool binding_decode(struct decoder *decoder, const struct value *value, enum binding_kind kind,
                    struct binding *ret);
/* As it is before anything is known of it. */
void binding_init(struct binding *binding, enum binding_kind kind);

/* --- decode_cluster.c --- */

/* Into the order in which cluster_has_api looks for them. */
void api_enablements_sort(struct api_enablement *items, uint32_t count);
/* Decoding into the caller's memory; false with the decoder's error. */
bool cluster_decode(struct decoder *decoder, const struct value *value, struct cluster *ret);

/* --- decode_common.c --- */

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
field_converter convert_controller;       /* struct owner, from metadata.ownerReferences */
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
int named_index_cmp(const void *a, const void *b);
int resource_amount_cmp(const void *a, const void *b);
/* Parses one quantity, given as a string or (as Go accepts it) as a number. */
bool decode_quantity(struct decoder *decoder, const struct value *value, struct quantity *ret);

/* --- decode_estimator.c --- */

/* Adds to the member's answers. */
bool estimator_answers_decode(struct decoder *decoder, const struct value *value,
                              struct member_builder *member);

/* --- decode_failover.c --- */

/* Reads status.aggregatedStatus (a list of objects) for the rules of a binding's behaviours, where
 * it has any. */
void decode_preserved_states(struct decoder *decoder, const struct value *aggregated,
                             const struct rare_members *rare);

/* --- decode_kubefed.c --- */

field_converter convert_federated_placement; /* const struct federated_placement *, shared */
bool kubefed_config_decode(struct decoder *decoder, const struct value *value,
                           struct kubefed_config *ret);
bool type_config_decode(struct decoder *decoder, const struct value *value,
                        struct type_config *ret);
bool kubefed_cluster_decode(struct decoder *decoder, const struct value *value,
                            struct kubefed_cluster *ret);
bool federated_namespace_decode(struct decoder *decoder, const struct value *value,
                                struct federated_namespace *ret);

/* --- decode_last_move.c --- */

/* NULL, and why in *ret_problem, when the text is none. */
const struct last_move *decode_last_move(struct decoder *outer, const char *text, size_t length,
                                         const char **ret_problem);

/* --- decode_placement.c --- */

field_converter convert_placement; /* const struct placement *, shared, validated */
/* As convert_placement, without what the CRD would have refused being an error: a text that was
 * written as an annotation passed no such check. */
const struct placement *decode_placement_leniently(struct decoder *decoder,
                                                   const struct value *value);

/* --- decode_preference.c --- */

/* Pushes what the manifest says to builder->preferences. */
bool scheduling_preference_decode(struct decoder *decoder, const struct value *value);
bool scheduling_policy_decode(struct decoder *decoder, const struct value *value);

/* --- decode_quota.c --- */

bool quota_decode(struct decoder *decoder, const struct value *value, struct quota *ret);

/* --- decode_replica_owner.c --- */

/* Pushes what an autoscaler or an override policy claims to builder->claims; `kind` is its. */
bool replica_owners_decode(struct decoder *decoder, const struct value *value, const char *kind);

/* --- decode_requirements.c --- */

field_converter convert_requests;     /* the same, of which v1alpha1 has the resources alone */
field_converter convert_requirements; /* const struct requirements *, shared */

/* --- decode_reschedule_parts.c --- */

/* NULL when they do not have it, or what stands there is of no use. */
const struct reschedule_parts *decode_reschedule_parts(struct decoder *outer,
                                                       const struct label_list *annotations);

/* --- decode_told.c --- */

/* uint8_t, an enum ended: by the conditions of a status. */
field_converter convert_ended_conditions;

/* --- purge_modes.c --- */

void builder_note_definition(struct fleet_builder *builder, const char *kind,
                             const struct value *object);

/* --- replaced_source.c --- */

/* Interned. Of a PersistentVolume its labels, else NULL. "": no driver has replaced it. */
const char *replaced_source_handle(struct interner *strings, const char *source, const char *id,
                                   const struct label_list *labels);

/* --- replica_path.c --- */

/* A JSON pointer (RFC 6901) to a count of replicas: the last part of "/spec/replicas",
 * "/spec/parallelism", or a deeper one of a custom resource. */
bool replica_path_names(const char *path);
/* To one, or to what holds it: what replaces "/spec" replaces the replicas. */
bool replica_path_sets(const char *path);

#endif
