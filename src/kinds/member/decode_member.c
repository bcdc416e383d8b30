/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes Nodes, ReplicaSets, and workloads of a member.
 */
#include <inttypes.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

/* A node under way: its lists are in the builder's scratch. */
struct node_parts {
    const char *name;
    struct label_list labels;
    struct taint_list taints;
    struct resource_amounts allocatable;
    bool unschedulable;
};

static const struct field node_metadata_table[] = {
    FIELD("name", convert_string, struct node_parts, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(1, TEXT_NAME)),
    KEPT("namespace", AS_TEXT(3, TEXT_NAME)),
    KEPT("uid", AS_TEXT(5, TEXT_UID)),
    KEPT("resourceVersion", AS_TEXT(0, TEXT_NUMBER)),
    KEPT("generation", AS_INT64(7)),
    KEPT("creationTimestamp", AS_TIME(8)),
    KEPT("deletionTimestamp", AS_TIME(9)),
    KEPT("ownerReferences", AS_OBJECTS(13, owner_table)),
    FIELD("labels", convert_string_map, struct node_parts, labels, AS_LABELS(11)),
    FIELD_END,
};

static const struct field node_spec_table[] = {
    FIELD("unschedulable", convert_bool, struct node_parts, unschedulable, AS_BOOL(4)),
    FIELD("taints", convert_list, struct node_parts, taints, .item_size = sizeof(struct taint),
          AS_OBJECTS(5, taint_table)),
    FIELD_END,
};

static const struct field node_status_table[] = {
    FIELD("allocatable", convert_resource_amounts, struct node_parts, allocatable, AS_AMOUNTS(2)),
    FIELD_END,
};

const struct field node_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(1, node_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(2, node_spec_table)),
    PART("status", convert_struct, AS_OBJECT(3, node_status_table)),
    FIELD_END,
};

/* Returns the hostname label, which differs on every node; NULL: none. Shares the other labels. */
static const char *
share_labels(struct fleet_builder *builder, const struct label_list *labels, struct label_list *ret)
{
    struct label *items = ARENA_ARRAY(builder->scratch, struct label, labels->count);
    const char *hostname = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < labels->count; i++) {
        if (str_eq(labels->items[i].key, NODE_HOSTNAME_LABEL)) {
            hostname = labels->items[i].value;
        } else {
            items[count++] = labels->items[i];
        }
    }
    ret->items = builder_share(builder, items, count * sizeof(*items));
    ret->count = count;
    ret->present = labels->present;
    return hostname;
}

bool
node_decode(struct decoder *decoder, const struct value *value, struct node *ret)
{
    struct fleet_builder *builder = builder_of(decoder);
    struct node_parts parts = {.name = ""};
    struct node_kind kind;

    if (!decode_in_scratch(decoder, node_table, value, &parts)) {
        return false;
    }
    memset(&kind, 0, sizeof(kind)); /* padding is compared, too */
    *ret = (struct node){
        .name = parts.name,
        .hostname = share_labels(builder, &parts.labels, &kind.labels),
    };
    kind.taints.items = builder_share(builder, parts.taints.items,
                                      parts.taints.count * sizeof(*parts.taints.items));
    kind.taints.count = parts.taints.count;
    kind.allocatable.items = parts.allocatable.items; /* already shared */
    kind.allocatable.count = parts.allocatable.count;
    kind.unschedulable = parts.unschedulable;
    ret->kind = builder_share(builder, &kind, sizeof(kind));
    return true;
}

static const struct field deployment_condition_table[] = {
    CONDITION_ROWS(4, 5, 7),
    FIELD_END,
};

static const struct field replica_set_condition_table[] = {
    CONDITION_ROWS(4, 5, 3),
    FIELD_END,
};

static bool
is_true(const struct value *condition, const char *type)
{
    return str_eq(value_text(condition, "type"), type) &&
           str_eq(value_text(condition, "status"), "True");
}

/* True if no pod is created, or no ReplicaSet to create it. In the latter case a Deployment shows
 * nothing else new (kubernetes pkg/controller/deployment/sync.go). */
static bool
is_refusal(const struct value *condition)
{
    return is_true(condition, "ReplicaFailure") ||
           (str_eq(value_text(condition, "type"), "Progressing") &&
            str_eq(value_text(condition, "status"), "False") &&
            str_eq(value_text(condition, "reason"), "ReplicaSetCreateError"));
}

/* Keeps only the first refusal. */
static bool
convert_refusal(struct decoder *decoder, const struct field *field, const struct value *value,
                void *target)
{
    if (value_type(value) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", value);
    }
    for (size_t i = 0; i < value_count(value); i++) {
        if (is_refusal(value_at(value, i))) {
            struct condition *refusal = ARENA_NEW(decoder->arena, struct condition);
            size_t before = decoder_push_index(decoder, i);

            *refusal = (struct condition){.type = "", .status = "", .reason = "", .message = ""};
            *(const struct condition **)target = refusal;
            if (!decode_object(decoder, field->table, value_at(value, i), refusal)) {
                return false;
            }
            decoder_pop(decoder, before);
            break;
        }
    }
    return true;
}

static bool
convert_template(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    (void)field;
    if (value_type(value) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", value);
    }
    *(struct digest *)target = pod_template_digest(builder_of(decoder), value);
    return true;
}

static const struct field replica_set_metadata_table[] = {
    FIELD("namespace", convert_string, struct replica_set, namespace_, AS_TEXT(3, TEXT_NAME)),
    FIELD("name", convert_text, struct replica_set, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(1, TEXT_NAME)),
    FIELD("uid", convert_string, struct replica_set, uid, AS_TEXT(5, TEXT_UID)),
    FIELD("labels", convert_shared_map, struct replica_set, labels, AS_LABELS(11)),
    FIELD("ownerReferences", convert_controller, struct replica_set, owner,
          AS_OBJECTS(13, owner_table)),
    FIELD("creationTimestamp", convert_time, struct replica_set, version.creation, AS_TIME(8)),
    KEPT("resourceVersion", AS_TEXT(0, TEXT_NUMBER)),
    KEPT("generation", AS_INT64(7)),
    KEPT("deletionTimestamp", AS_TIME(9)),
    FIELD_END,
};

/* A ReplicaSet without a controller is read as a workload, too. */
static const struct field replica_set_spec_table[] = {
    FIELD("template", convert_template, struct replica_set, version.pod_template, AS_TEMPLATE(3)),
    KEPT("replicas", AS_INT32(1)),
    KEPT("selector", AS_OBJECT(2, label_selector_table)),
    FIELD_END,
};

static const struct field replica_set_status_table[] = {
    KEPT("readyReplicas", AS_INT32(4)),
    KEPT("observedGeneration", AS_INT64(3)),
    FIELD("conditions", convert_refusal, struct replica_set, refusal,
          AS_OBJECTS(6, replica_set_condition_table)),
    FIELD_END,
};

const struct field replica_set_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED,
         AS_OBJECT(1, replica_set_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(2, replica_set_spec_table)),
    KEPT("status", AS_OBJECT(3, replica_set_status_table)),
    FIELD_END,
};

bool
replica_set_decode(struct decoder *decoder, const struct value *value, struct replica_set *ret)
{
    *ret = (struct replica_set){
        .name = "",
        .owner = {.api_version = "", .kind = "", .name = "", .uid = ""},
        .version.pod_template = pod_template_digest(builder_of(decoder), NULL),
    };
    return decode_object(decoder, replica_set_table, value, ret);
}

/* A label counts only with the value "true" (karmada pkg/util/constants.go). */
static bool
convert_true_label(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    (void)decoder;
    (void)field;
    *(bool *)target = value_type(value) == VALUE_STRING && str_eq(value_string(value), "true");
    return true;
}

static const struct field member_labels_table[] = {
    FIELD(RETAIN_REPLICAS_LABEL, convert_true_label, struct workload, retains_replicas,
          AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD(MANAGED_LABEL, convert_true_label, struct workload, is_managed,
          AS_TEXT(0, TEXT_LABEL_VALUE)),
    FIELD_END,
};

/* Karmada writes it on each object that it applies: the generation of the resource template
 * (Karmada's well_known_labels.go). Anybody may write the annotation, so Ballast ignores a value
 * that is no generation. */
#define TEMPLATE_GENERATION_ANNOTATION "resourcetemplate.karmada.io/generation"

static bool
convert_generation_text(struct decoder *decoder, const struct field *field,
                        const struct value *value, void *target)
{
    const char *text = value_type(value) == VALUE_STRING ? value_string(value) : "";
    int64_t generation = 0;

    (void)decoder;
    (void)field;
    for (; *text >= '0' && *text <= '9' && generation <= (INT64_MAX - 9) / 10; text++) {
        generation = generation * 10 + (*text - '0');
    }
    *(int64_t *)target = *text == '\0' ? generation : 0;
    return true;
}

static const struct field workload_annotations_table[] = {
    FIELD(TEMPLATE_GENERATION_ANNOTATION, convert_generation_text, struct workload,
          template_generation, AS_TEXT(0, TEXT_NUMBER)),
    FIELD_END,
};

static const struct field workload_metadata_table[] = {
    FIELD("namespace", convert_string, struct workload, namespace_, AS_TEXT(3, TEXT_NAME)),
    FIELD("name", convert_text, struct workload, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(1, TEXT_NAME)),
    FIELD("uid", convert_string, struct workload, uid, AS_TEXT(5, TEXT_UID)),
    PART("labels", convert_struct, AS_CHOSEN(11, member_labels_table)),
    PART("annotations", convert_if_object, AS_CHOSEN(12, workload_annotations_table)),
    FIELD("ownerReferences", convert_controller, struct workload, owner,
          AS_OBJECTS(13, owner_table)),
    FIELD("generation", convert_int64, struct workload, generation, AS_INT64(7)),
    FIELD("creationTimestamp", convert_time, struct workload, creation, AS_TIME(8)),
    KEPT("resourceVersion", AS_TEXT(0, TEXT_NUMBER)),
    KEPT("deletionTimestamp", AS_TIME(9)),
    FIELD_END,
};

#define WORKLOAD_METADATA                                                                          \
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(1, workload_metadata_table))
#define WORKLOAD_SPEC(replicas_name, selector_number, template_number)                             \
    FIELD(replicas_name, convert_int64, struct workload, replicas, AS_INT32(1)),                   \
        FIELD("selector", convert_struct_pointer, struct workload, selector,                       \
              .item_size = sizeof(struct label_selector),                                          \
              AS_OBJECT(selector_number, label_selector_table)),                                   \
        FIELD("template", convert_template, struct workload, pod_template,                         \
              AS_TEMPLATE(template_number))
#define WORKLOAD_STATUS(ready_number)                                                              \
    FIELD("readyReplicas", convert_int64, struct workload, ready_replicas,                         \
          AS_INT32(ready_number)),                                                                 \
        FIELD("observedGeneration", convert_int64, struct workload, observed_generation,           \
              AS_INT64(1))

static bool
convert_is_recreate(struct decoder *decoder, const struct field *field, const struct value *value,
                    void *target)
{
    (void)decoder;
    (void)field;
    *(bool *)target = value_type(value) == VALUE_STRING && str_eq(value_string(value), "Recreate");
    return true;
}

static const struct field strategy_table[] = {
    FIELD("type", convert_is_recreate, struct workload, is_recreated, AS_TEXT(1, TEXT_WORD)),
    FIELD_END,
};

static const struct field apps_spec_table[] = {
    WORKLOAD_SPEC("replicas", 2, 3),
    PART("strategy", convert_if_object, AS_OBJECT(4, strategy_table)),
    FIELD("paused", convert_bool, struct workload, is_paused, AS_BOOL(7)),
    FIELD_END,
};
static const struct field deployment_status_table[] = {
    WORKLOAD_STATUS(7),
    FIELD("conditions", convert_refusal, struct workload, refusal,
          AS_OBJECTS(6, deployment_condition_table)),
    FIELD_END,
};
static const struct field stateful_set_status_table[] = {
    WORKLOAD_STATUS(3),
    FIELD("updateRevision", convert_string, struct workload, update_revision,
          AS_TEXT(7, TEXT_LABEL_VALUE)),
    FIELD_END,
};

const struct field deployment_table[] = {
    WORKLOAD_METADATA,
    PART("spec", convert_struct, AS_OBJECT(2, apps_spec_table)),
    PART("status", convert_struct, AS_OBJECT(3, deployment_status_table)),
    FIELD_END,
};

static const struct field ordinals_table[] = {
    FIELD("start", convert_count32, struct workload, first_ordinal, AS_INT32(1)),
    FIELD_END,
};

static const struct field stateful_set_spec_table[] = {
    WORKLOAD_SPEC("replicas", 2, 3),
    PART("ordinals", convert_struct, AS_OBJECT(11, ordinals_table)),
    FIELD_END,
};

const struct field stateful_set_table[] = {
    WORKLOAD_METADATA,
    PART("spec", convert_struct, AS_OBJECT(2, stateful_set_spec_table)),
    PART("status", convert_struct, AS_OBJECT(3, stateful_set_status_table)),
    FIELD_END,
};

/* Takes an index off the head of a text. False: none, or one that no Job has. */
static bool
take_index(const char **text, int64_t *ret)
{
    const char *first = *text;

    for (*ret = 0; **text >= '0' && **text <= '9' && *ret <= INT32_MAX; (*text)++) {
        *ret = *ret * 10 + (**text - '0');
    }
    return *text != first && *ret <= INT32_MAX;
}

/* Counts the indexes in a list like "1,3-5,7"; 0: not a list. */
static bool
convert_index_count(struct decoder *decoder, const struct field *field, const struct value *value,
                    void *target)
{
    const char *text = value_type(value) == VALUE_STRING ? value_string(value) : "";
    int64_t count = 0, first, last;

    (void)decoder;
    (void)field;
    while (take_index(&text, &first)) {
        last = first;
        if (*text == '-') {
            text++;
            if (!take_index(&text, &last) || last < first) {
                break;
            }
        }
        count += last - first + 1;
        text += *text == ',' && text[1] != '\0' ? 1 : 0;
    }
    *(int32_t *)target = *text == '\0' && count <= INT32_MAX ? pin_int32(count) : 0;
    return true;
}

static bool
convert_is_indexed(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    (void)decoder;
    (void)field;
    *(bool *)target = value_type(value) == VALUE_STRING && str_eq(value_string(value), "Indexed");
    return true;
}

static const struct field job_spec_table[] = {
    WORKLOAD_SPEC("parallelism", 4, 6),
    FIELD("completions", convert_int64, struct workload, completions, AS_INT32(2)),
    FIELD("completionMode", convert_is_indexed, struct workload, is_indexed, AS_TEXT(9, TEXT_WORD)),
    FIELD("suspend", convert_bool, struct workload, is_suspended, AS_BOOL(10)),
    FIELD_END,
};

static const struct field job_status_table[] = {
    FIELD("startTime", convert_time, struct workload, started, AS_TIME(2)),
    FIELD("succeeded", convert_int64, struct workload, succeeded, AS_INT32(5)),
    FIELD("failed", convert_int64, struct workload, failed, AS_INT32(6)),
    FIELD("failedIndexes", convert_index_count, struct workload, given_up,
          AS_TEXT(10, TEXT_NUMBER)),
    FIELD("ready", convert_int64, struct workload, ready_replicas, AS_INT32(9)),
    FIELD("conditions", convert_ended_conditions, struct workload, ended,
          AS_OBJECTS(1, ended_condition_table)),
    FIELD_END,
};

const struct field job_table[] = {
    WORKLOAD_METADATA,
    PART("spec", convert_struct, AS_OBJECT(2, job_spec_table)),
    PART("status", convert_struct, AS_OBJECT(3, job_status_table)),
    FIELD_END,
};

/* For an unknown kind: its spec.selector and status may have any form. */
static const struct field other_spec_table[] = {
    FIELD("replicas", convert_int64, struct workload, replicas, AS_INT64(0)),
    FIELD_END,
};

/* 0: not an integer */
static bool
convert_if_integer(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    (void)decoder;
    (void)field;
    *(int64_t *)target = value_type(value) == VALUE_INTEGER ? value_integer(value) : 0;
    return true;
}

static const struct field other_status_table[] = {
    FIELD("readyReplicas", convert_if_integer, struct workload, ready_replicas, AS_INT64(0)),
    FIELD("observedGeneration", convert_if_integer, struct workload, observed_generation,
          AS_INT64(0)),
    FIELD_END,
};

static const struct field other_table[] = {
    WORKLOAD_METADATA,
    PART("spec", convert_struct, AS_OBJECT(0, other_spec_table)),
    PART("status", convert_if_object, AS_OBJECT(0, other_status_table)),
    FIELD_END,
};

const struct field *
workload_table(const char *api_version, const char *kind)
{
    if (str_eq(api_version, "batch/v1") && str_eq(kind, "Job")) {
        return job_table;
    }
    if (strncmp(api_version, "apps/", strlen("apps/")) == 0 || str_is_empty(api_version)) {
        return str_eq(kind, "StatefulSet") ? stateful_set_table : deployment_table;
    }
    return other_table;
}

bool
workload_decode(struct decoder *decoder, const struct value *value, const char *api_version,
                const char *kind, struct workload *ret)
{
    const struct field *table = workload_table(api_version, kind);

    *ret = (struct workload){
        .api_version = intern_cstr(decoder->strings, api_version),
        .kind = intern_cstr(decoder->strings, kind),
        .name = "",
        .update_revision = "",
        .owner = {.api_version = "", .kind = "", .name = "", .uid = ""},
        .creation = TIME_NONE,
        .completions = -1,
        .started = TIME_NONE,
        .replicas = table == job_table ? 1 : -1, /* the default of parallelism is 1 */
        .pod_template = pod_template_digest(builder_of(decoder), NULL),
    };
    return decode_object(decoder, table, value, ret);
}
