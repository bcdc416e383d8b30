/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes ballast.io/v1alpha1 SettledWorkloads, as if all of their objects had come: Deployments that
 * have nothing in a member but their current ReplicaSet and its settled pods, all alike.
 *
 *     {"apiVersion":"ballast.io/v1alpha1","kind":"SettledWorkloads",
 *      "nodes":["n1","n2"],"pods":[{"spec":{...}}],
 *      "workloads":[{"namespace":"shop","name":"web","replicas":3,"template":"1f...",
 *                    "created":"...","newest":"...","generation":7,"managed":true,
 *                    "labels":{...},"pods":0,"on":[0,2,1,1]}]}
 *
 * A workload's "pods" is an index into "pods" above; "on" has pairs: an index into "nodes", and the
 * number of pods there.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"
#include "kinds/member/member_decoders.h"
#include "settled_finder.h"

#define PLACES_MAX ((size_t)UINT16_MAX) /* of one workload */

struct read_pods {
    const struct pod *items;
    uint32_t count;
};

/* Labels and places are in the builder's scratch; texts live as long as the object. */
struct read_workload {
    const char *namespace_, *name; /* NULL: "" */
    int64_t replicas, creation, newest, generation;
    struct digest pod_template;
    struct label_list labels;
    int32_t pods;
    const struct settled_place *places;
    uint32_t n_places;
    bool is_managed;
};

struct read_workloads {
    struct str_list nodes;
    struct read_pods pods;
    struct {
        const struct read_workload *items;
        uint32_t count;
    } workloads;
};

CHECK_LIST(struct read_pods, items, count);

static bool
convert_template_name(struct decoder *decoder, const struct field *field, const struct value *value,
                      void *target)
{
    (void)field;
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "string", value);
    }
    *(struct digest *)target = pod_template_digest_of_name(builder_of(decoder), value_string(value),
                                                           value_string_length(value));
    return true;
}

static const char *
pass_text(struct decoder *decoder, const char *text, size_t length)
{
    (void)decoder;
    (void)length;
    return text;
}

/* Target: const char *, NULL before. */
static bool
convert_passing_text(struct decoder *decoder, const struct field *field, const struct value *value,
                     void *target)
{
    return decode_text(decoder, field, value, pass_text, target);
}

static bool
convert_passing_map(struct decoder *decoder, const struct field *field, const struct value *value,
                    void *target)
{
    (void)field;
    return decode_string_map(decoder, value, pass_text, target);
}

/* Reads one number of a pair. */
static bool
read_half(struct decoder *decoder, const struct value *value, uint16_t *ret)
{
    bool is_good = value_type(value) == VALUE_INTEGER && value_integer(value) >= 0 &&
                   value_integer(value) < SETTLED_NOWHERE;

    *ret = is_good ? pin_uint16(value_integer(value)) : 0;
    return is_good || decode_fail(decoder, "want integers from 0 to %d", SETTLED_NOWHERE - 1);
}

/* Target: struct read_workload. */
static bool
convert_places(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    struct read_workload *workload = target;
    size_t count = value_type(value) == VALUE_LIST ? value_count(value) : 0;

    (void)field;
    if (value_type(value) != VALUE_LIST || count % 2 != 0 || count / 2 > PLACES_MAX) {
        return decode_fail(decoder, "want a list of pairs");
    }
    struct settled_place *places = ARENA_ARRAY(decoder->arena, struct settled_place, count / 2);

    for (size_t i = 0; i < count / 2; i++) {
        if (!read_half(decoder, value_at(value, 2 * i), &places[i].node) ||
            !read_half(decoder, value_at(value, 2 * i + 1), &places[i].pods)) {
            return false;
        }
    }
    workload->places = places;
    workload->n_places = pin_uint32(count / 2);
    return true;
}

static const struct field workload_row_table[] = {
    FIELD("namespace", convert_passing_text, struct read_workload, namespace_,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_passing_text, struct read_workload, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("replicas", convert_int64, struct read_workload, replicas, AS_INT64(0)),
    FIELD("template", convert_template_name, struct read_workload, pod_template,
          .flags = FIELD_REQUIRED, AS_TEXT(0, TEXT_NAME)),
    FIELD("created", convert_time, struct read_workload, creation, AS_TIME(0)),
    FIELD("newest", convert_time, struct read_workload, newest, AS_TIME(0)),
    FIELD("generation", convert_count64, struct read_workload, generation, AS_INT64(0)),
    FIELD("managed", convert_bool, struct read_workload, is_managed, AS_BOOL(0)),
    FIELD("labels", convert_passing_map, struct read_workload, labels, AS_LABELS(0)),
    FIELD("pods", convert_count32, struct read_workload, pods, AS_INT32(0)),
    PART("on", convert_places, AS_TEXTS(0, TEXT_NUMBER)),
    FIELD_END,
};

const struct field settled_workloads_table[] = {
    FIELD("nodes", convert_string_list, struct read_workloads, nodes, AS_TEXTS(0, TEXT_NAME)),
    FIELD("pods", convert_list, struct read_workloads, pods, .item_size = sizeof(struct pod),
          AS_OBJECTS(0, alike_spec_of_pod_table)),
    FIELD("workloads", convert_list, struct read_workloads, workloads,
          .item_size = sizeof(struct read_workload), AS_OBJECTS(0, workload_row_table)),
    FIELD_END,
};

/* A node that an object names, in the member. */
struct known_node {
    struct node_sum *sum; /* NULL: not needed so far */
    uint16_t number;      /* in the member builder's list */
};

struct taking_workloads {
    struct fleet_builder *builder;
    struct member_builder *member;
    const struct read_workloads *read;
    struct known_node *nodes;
    const struct pod_ties **ties; /* by index into pods */
};

/* NULL: the member has too many nodes. */
static const struct known_node *
node_of(struct taking_workloads *t, uint16_t number)
{
    struct known_node *node = &t->nodes[number];
    struct member_builder *member = t->member;

    if (node->sum == NULL) {
        const char *name = t->read->nodes.items[number];

        if (member->settled_node_numbers == NULL) {
            member->settled_node_numbers = map_new();
        }
        void **slot = map_put_str(member->settled_node_numbers, name, NULL);

        if (*slot == NULL) {
            vec_add(&member->settled_nodes, name);
            *slot = (void *)(uintptr_t)member->settled_nodes.count;
        }
        if ((uintptr_t)*slot > SETTLED_NOWHERE) {
            return NULL;
        }
        node->sum = settled_node(&member->settled, name);
        node->number = pin_uint16((uintptr_t)*slot - 1);
    }
    return node;
}

static const struct pod_ties *
share_ties(struct fleet_builder *builder, const struct pod *pod)
{
    struct pod_ties ties;

    memset(&ties, 0, sizeof(ties)); /* padding is compared, too */
    ties.namespace_ = "";
    ties.affinity = pod->affinity;
    ties.ports.items = pod->ports.items;
    ties.ports.count = pod->ports.count;
    ties.volumes = pod->volumes;
    ties.priority = pod->priority;
    return builder_share(builder, &ties, sizeof(ties));
}

/* A pod's label value is mostly the workload's name, or unique to the workload. */
static struct label_list
keep_labels(struct fleet_builder *builder, const struct label_list *read, const char *name)
{
    struct label *items = ARENA_ARRAY(builder->scratch, struct label, read->count);

    for (uint32_t i = 0; i < read->count; i++) {
        const char *value = read->items[i].value;

        items[i].key = read->items[i].key;
        items[i].value =
            str_eq(value, name) ? name : builder_keep_common_text(builder, value, strlen(value));
    }
    return (struct label_list){
        .items = builder_share_labels(builder, items, read->count),
        .count = read->count,
        .present = read->present,
    };
}

static void
append_text(struct buf *text, const char *part)
{
    buf_append(text, part, strlen(part) + 1);
}

/* Writes all fields that distinguish versions. */
static const struct buf *
write_version(struct fleet_builder *builder, const struct read_workload *row,
              const char *namespace_)
{
    struct buf *text = &builder->text;

    buf_clear(text);
    append_text(text, namespace_);
    append_text(text, row->name);
    buf_append(text, &row->pod_template, sizeof(row->pod_template));
    buf_append_char(text, row->is_managed ? '1' : '0');
    buf_append_char(text, row->labels.present ? '1' : '0');
    for (uint32_t i = 0; i < row->labels.count; i++) {
        append_text(text, row->labels.items[i].key);
        append_text(text, row->labels.items[i].value);
    }
    return text;
}

static struct settled_version *
keep_version(struct fleet_builder *builder, const struct read_workload *row)
{
    struct fleet *fleet = builder->fleet;
    const char *namespace_ = row->namespace_ != NULL ? row->namespace_ : "";
    const struct buf *text = write_version(builder, row, namespace_);
    void **slot = builder_slot_by_text(builder, 'V', text->data, text->length);

    if (*slot == NULL) {
        struct settled_version *version = ARENA_NEW(fleet->arena, struct settled_version);

        version->namespace_ = intern_cstr(fleet->strings, namespace_);
        version->name = builder_keep_text(builder, row->name, strlen(row->name));
        version->pod_template = row->pod_template;
        version->is_managed = row->is_managed;
        version->labels = keep_labels(builder, &row->labels, version->name);
        version->number = fleet->n_settled_versions++;
        *slot = version;
    }
    return *slot;
}

/* Members may mutate pods differently: the largest pods count. */
static const struct settled_version *
keep_version_of(struct fleet_builder *builder, const struct read_workload *row,
                const struct pod *pod)
{
    struct settled_version *version = keep_version(builder, row);
    int order = pod != NULL ? resource_amounts_order(&pod->requests, &version->requests) : -1;

    if (order > 0 || (order == 0 && resource_amounts_order(&pod->beyond, &version->beyond) > 0)) {
        version->requests = pod->requests;
        version->beyond = pod->beyond;
    }
    return version;
}

/* Adds the places of *ret_count pods to the member. NULL: done; else the reason why not. */
static const char *
take_places(struct taking_workloads *t, const struct read_workload *row, const struct pod *pod,
            uint32_t *ret_count)
{
    *ret_count = 0;
    if (t->member->settled_places.count + row->n_places > UINT32_MAX) {
        return "on: there are too many places";
    }
    for (uint32_t i = 0; i < row->n_places; i++) {
        const struct settled_place *place = &row->places[i];

        if (place->node >= t->read->nodes.count) {
            return "on: the list of nodes is shorter";
        }
        const struct known_node *node = node_of(t, place->node);

        if (node == NULL ||
            !settled_add_to_node(&t->member->settled, node->sum, pod, place->pods)) {
            return "on: its pods do not add up";
        }
        vec_add(&t->member->settled_places,
                ((struct settled_place){.node = node->number, .pods = place->pods}));
        *ret_count += place->pods;
        if (*ret_count > SETTLED_PODS_MAX) {
            return "on: there are too many pods";
        }
    }
    return NULL;
}

static int32_t
saturate(int64_t replicas)
{
    return pin_int32(replicas);
}

/* NULL: the row was taken; else the reason why not. */
static const char *
take_row(struct taking_workloads *t, const struct read_workload *row)
{
    const struct pod *pod =
        (uint32_t)row->pods < t->read->pods.count ? &t->read->pods.items[row->pods] : NULL;
    size_t first_place = t->member->settled_places.count;
    uint32_t count = 0;

    if (pod == NULL && (row->n_places > 0 || row->pods > 0)) {
        return "pods: the list of pods is shorter";
    }
    const char *why = take_places(t, row, pod, &count);

    if (why != NULL) {
        return why;
    }
    if (pod != NULL && t->ties[row->pods] == NULL) {
        pod_note_class(t->member, pod);
        t->ties[row->pods] = share_ties(t->builder, pod);
    }
    vec_add(&t->member->settled_workloads, ((struct settled_workload){
                                               .version = keep_version_of(t->builder, row, pod),
                                               .ties = pod != NULL ? t->ties[row->pods] : NULL,
                                               .creation = row->creation,
                                               .newest_creation = row->newest,
                                               .template_generation = row->generation,
                                               .replicas = saturate(row->replicas),
                                               .count = count,
                                               .first_place = pin_uint32(first_place),
                                               .n_places = row->n_places,
                                           }));
    return NULL;
}

enum add_result
take_settled_workloads(const struct taking *t)
{
    struct fleet_builder *builder = t->builder;
    struct error err = ERROR_INIT;
    struct read_workloads read = {.nodes = {.count = 0}};
    const char *why = NULL;

    if (!decode_in_scratch(builder_decoder(builder, &err), settled_workloads_table, t->value,
                           &read)) {
        return taking_skip(t, err.message);
    }
    struct taking_workloads taking = {
        .builder = builder,
        .member = builder_member(builder, t->member),
        .read = &read,
        .nodes = ARENA_ARRAY(builder->scratch, struct known_node, read.nodes.count),
        .ties = ARENA_ARRAY(builder->scratch, const struct pod_ties *, read.pods.count),
    };
    uint32_t i = 0;

    while (i < read.workloads.count && why == NULL) {
        why = take_row(&taking, &read.workloads.items[i++]);
    }
    return why == NULL ? ADD_COUNTED
                       : taking_skip(t, arena_printf(builder->fleet->arena, "workloads[%u].%s",
                                                     (unsigned)(i - 1), why));
}
