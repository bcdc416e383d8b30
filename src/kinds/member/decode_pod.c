/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes core v1 Pod: its owner, its state, and its requests. Most pods are only counted, so a pod
 * is read into the builder's scratch, and moves to the fleet's memory only if kept.
 */
#include "ballast/base/timestamp.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

struct container_state {
    const char *waiting_reason;
    const char *waiting_message;
    const char *terminated_reason;
    int32_t exit_code;
    int64_t running_since, started, finished;
    bool terminated;
};

struct container_report {
    const char *name;
    bool ready;
    int32_t restart_count;
    struct container_state state;
    struct container_state last_state;
    struct container_in_place in_place;
};

/* A pod under way, with the fields besides its spec that change its requests. */
struct read_pod {
    struct pod pod;
    const char *resize; /* "Infeasible", up to Kubernetes 1.32; later versions have a condition */
    struct container_in_place *in_place;
    uint32_t n_in_place;
};

static const struct field waiting_table[] = {
    FIELD("reason", convert_string, struct container_state, waiting_reason, AS_TEXT(1, TEXT_WORD)),
    FIELD("message", convert_string, struct container_state, waiting_message,
          AS_TEXT(2, TEXT_MESSAGE)),
    FIELD_END,
};

static const struct field terminated_table[] = {
    FIELD("reason", convert_string, struct container_state, terminated_reason,
          AS_TEXT(3, TEXT_WORD)),
    FIELD("exitCode", convert_int32, struct container_state, exit_code, AS_INT32(1)),
    FIELD("startedAt", convert_time, struct container_state, started, AS_TIME(5)),
    FIELD("finishedAt", convert_time, struct container_state, finished, AS_TIME(6)),
    FIELD_END,
};

static const struct field running_table[] = {
    FIELD("startedAt", convert_time, struct container_state, running_since, AS_TIME(1)),
    FIELD_END,
};

static const struct field state_table[] = {
    PART("waiting", convert_struct, AS_OBJECT(1, waiting_table)),
    PART("running", convert_struct, AS_OBJECT(2, running_table)),
    FIELD("terminated", convert_presence, struct container_state, terminated),
    PART("terminated", convert_struct, AS_OBJECT(3, terminated_table)),
    FIELD_END,
};

static const struct field actual_table[] = {
    FIELD("requests", convert_resource_amounts, struct container_report, in_place.actual,
          AS_AMOUNTS(2)),
    FIELD_END,
};

static const struct field report_table[] = {
    FIELD("name", convert_string, struct container_report, name, AS_TEXT(1, TEXT_NAME)),
    FIELD("ready", convert_bool, struct container_report, ready, AS_BOOL(4)),
    FIELD("restartCount", convert_int32, struct container_report, restart_count, AS_INT32(5)),
    FIELD("state", convert_struct, struct container_report, state, AS_OBJECT(2, state_table)),
    FIELD("lastState", convert_struct, struct container_report, last_state,
          AS_OBJECT(3, state_table)),
    FIELD("allocatedResources", convert_presence, struct container_report, in_place.is_told),
    FIELD("allocatedResources", convert_resource_amounts, struct container_report,
          in_place.allocated, AS_AMOUNTS(10)),
    FIELD("resources", convert_presence, struct container_report, in_place.is_told),
    PART("resources", convert_struct, AS_OBJECT(11, actual_table)),
    FIELD_END,
};

#define INIT_STATUSES "initContainerStatuses"

struct report_list {
    const struct container_report *items;
    uint32_t count;
};

static struct container_status
summarize(const struct container_report *report, bool init)
{
    const struct container_state *ended =
        report->state.terminated ? &report->state : &report->last_state;

    return (struct container_status){
        .name = report->name,
        .waiting_reason = report->state.waiting_reason,
        .waiting_message = report->state.waiting_message,
        .terminated_reason = report->state.terminated_reason,
        .last_terminated_reason = report->last_state.terminated_reason,
        .exit_code = ended->exit_code,
        .running_since = report->state.running_since,
        .last_started = ended->started,
        .last_finished = ended->finished,
        .restart_count = report->restart_count,
        .ready = report->ready,
        .init = init,
    };
}

static void
keep_in_place(struct decoder *decoder, const struct report_list *reports, struct read_pod *pod)
{
    struct container_in_place *all =
        ARENA_ARRAY(decoder->arena, struct container_in_place, pod->n_in_place + reports->count);

    for (uint32_t i = 0; i < pod->n_in_place; i++) {
        all[i] = pod->in_place[i];
    }
    for (uint32_t i = 0; i < reports->count; i++) {
        all[pod->n_in_place + i] = reports->items[i].in_place;
        all[pod->n_in_place + i].name = reports->items[i].name;
    }
    pod->in_place = all;
    pod->n_in_place += reports->count;
}

/* Init containers and containers share one list. Target: struct read_pod. */
static bool
convert_statuses(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    struct pod *pod = &((struct read_pod *)target)->pod;
    struct report_list reports = {.count = 0};
    bool init = str_eq(field->name, INIT_STATUSES);
    bool done = convert_list(decoder, field, value, &reports);

    if (!done || reports.count == 0) {
        return done;
    }
    struct container_status *all =
        ARENA_ARRAY(decoder->arena, struct container_status, pod->n_containers + reports.count);

    if (pod->n_containers > 0) {
        memcpy(all, pod->containers, pod->n_containers * sizeof(*all));
    }
    for (uint32_t i = 0; i < reports.count; i++) {
        all[pod->n_containers + i] = summarize(&reports.items[i], init);
    }
    pod->containers = all;
    pod->n_containers += reports.count;
    keep_in_place(decoder, &reports, target);
    return true;
}

static const struct field resources_table[] = {
    KEPT("requests", AS_AMOUNTS(2)),
    FIELD_END,
};

#define CONTAINER_ROWS                                                                             \
    KEPT("resources", AS_OBJECT(8, resources_table)),                                              \
        KEPT("ports", AS_OBJECTS(6, container_port_table))
#define INIT_CONTAINER_ROWS                                                                        \
    KEPT("resources", AS_OBJECT(8, resources_table)), KEPT("restartPolicy", AS_TEXT(24, TEXT_WORD))

static const struct field container_table[] = {
    KEPT("name", AS_TEXT(1, TEXT_NAME)),
    CONTAINER_ROWS,
    FIELD_END,
};

static const struct field init_container_table[] = {
    KEPT("name", AS_TEXT(1, TEXT_NAME)),
    INIT_CONTAINER_ROWS,
    FIELD_END,
};

/* Without names: only a container's status needs its name, and settled pods need no status. */
static const struct field alike_container_table[] = {
    CONTAINER_ROWS,
    FIELD_END,
};

static const struct field alike_init_container_table[] = {
    INIT_CONTAINER_ROWS,
    FIELD_END,
};

static const struct field resource_claim_table[] = {
    KEPT("name", AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

static bool
convert_never(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    (void)field;
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "string", value);
    }
    *(bool *)target = str_eq(value_string(value), "Never");
    return true;
}

/* pod_requests.c and decode_pod_ties.c read the rows without a converter. A summary writes settled
 * pods with equal rows once. */
#define SPEC_ROWS(container_table_, init_container_table_)                                         \
    KEPT("containers", AS_OBJECTS(2, container_table_)),                                           \
        KEPT("initContainers", AS_OBJECTS(20, init_container_table_)),                             \
        KEPT("resources", AS_OBJECT(40, resources_table)), KEPT("overhead", AS_AMOUNTS(32)),       \
        KEPT("resourceClaims", AS_OBJECTS(39, resource_claim_table)),                              \
        FIELD("affinity", convert_pod_affinity, struct pod, affinity,                              \
              AS_OBJECT(18, pod_affinity_table)),                                                  \
        KEPT("hostNetwork", AS_BOOL(11)),                                                          \
        FIELD("volumes", convert_pod_volumes, struct pod, volumes, .flags = OF_RULES,              \
              AS_OBJECTS(1, volume_table)),                                                        \
        FIELD("priority", convert_int32, struct pod, priority, AS_INT32(25)),                      \
        FIELD("priorityClassName", convert_string, struct pod, priority_class,                     \
              AS_TEXT(24, TEXT_NAME)),                                                             \
        FIELD("preemptionPolicy", convert_never, struct pod, never_preempts,                       \
              AS_TEXT(31, TEXT_WORD))

static const struct field spec_table[] = {
    FIELD("nodeName", convert_string, struct pod, node_name, AS_TEXT(10, TEXT_NAME)),
    SPEC_ROWS(container_table, init_container_table),
    FIELD_END,
};

/* Target: struct pod. */
static bool
convert_pod_spec(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    struct pod *pod = target;

    return decode_object(decoder, field->table, value, pod) &&
           pod_ports_decode(decoder, value, &pod->ports);
}

/* Target: struct pod. Adds the requests. */
static bool
convert_alike_spec(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    return convert_pod_spec(decoder, field, value, target) &&
           pod_requests_decode(decoder, value, NULL, target);
}

static const char *
pass_text(struct decoder *decoder, const char *text, size_t length)
{
    return arena_strndup(decoder->arena, text, length);
}

/* Copies into the decoder's memory. */
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

static const struct field metadata_table[] = {
    FIELD("namespace", convert_string, struct pod, namespace_, AS_TEXT(3, TEXT_NAME)),
    FIELD("name", convert_passing_text, struct pod, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(1, TEXT_POD)),
    KEPT("resourceVersion", AS_TEXT(0, TEXT_NUMBER)),
    KEPT("generation", AS_INT64(7)),
    FIELD("uid", convert_passing_text, struct pod, uid, AS_TEXT(5, TEXT_UID)),
    FIELD("labels", convert_passing_map, struct pod, labels, AS_LABELS(11)),
    FIELD("ownerReferences", convert_controller, struct pod, owner, AS_OBJECTS(13, owner_table)),
    FIELD("creationTimestamp", convert_time, struct pod, creation, AS_TIME(8)),
    FIELD("deletionTimestamp", convert_time, struct pod, deletion_timestamp, AS_TIME(9)),
    FIELD_END,
};

static const struct field status_table[] = {
    FIELD("phase", convert_string, struct pod, phase, AS_TEXT(1, TEXT_WORD)),
    FIELD("reason", convert_string, struct pod, reason, AS_TEXT(4, TEXT_WORD)),
    FIELD("nominatedNodeName", convert_string, struct pod, nominated_node, AS_TEXT(11, TEXT_NAME)),
    FIELD("conditions", convert_list, struct pod, conditions, .item_size = sizeof(struct condition),
          AS_OBJECTS(2, condition_table)),
    PART(INIT_STATUSES, convert_statuses, .item_size = sizeof(struct container_report),
         AS_OBJECTS(10, report_table)),
    PART("containerStatuses", convert_statuses, .item_size = sizeof(struct container_report),
         AS_OBJECTS(8, report_table)),
    FIELD("resize", convert_string, struct read_pod, resize, AS_TEXT(14, TEXT_WORD)),
    FIELD_END,
};

const struct field pod_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(1, metadata_table)),
    PART("spec", convert_pod_spec, AS_OBJECT(2, spec_table)),
    PART("status", convert_struct, AS_OBJECT(3, status_table)),
    FIELD_END,
};

static const struct pod unread = {
    .name = "",
    .uid = "",
    .node_name = "",
    .nominated_node = "",
    .priority_class = "",
    .owner = {.api_version = "", .kind = "", .name = "", .uid = ""},
};

static bool
is_infeasible(const struct read_pod *pod)
{
    const struct condition *pending = condition_list_find(&pod->pod.conditions, "PodResizePending");

    return str_eq(pod->resize, "Infeasible") ||
           (pending != NULL && str_eq(pending->reason, "Infeasible"));
}

/* Target: struct read_pod. */
static bool
convert_taken(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    struct read_pod *read = target;
    const struct containers_in_place in_place = {read->in_place, read->n_in_place,
                                                 is_infeasible(read)};
    const struct value *spec = value_get(value, "spec");
    size_t before = decoder_push_name(decoder, "spec");

    (void)field;
    if (value_is_set(spec) && !pod_requests_decode(decoder, spec, &in_place, &read->pod)) {
        return false;
    }
    decoder_pop(decoder, before);
    return true;
}

bool
pod_read(struct decoder *decoder, const struct value *value, struct pod *ret)
{
    struct read_pod read = {.pod = unread, .resize = ""};
    bool done = decode_in_scratch(decoder, pod_table, value, &read) &&
                convert_in_scratch(decoder, convert_taken, NULL, value, &read);

    *ret = read.pod;
    return done;
}

static const struct field whose_metadata_table[] = {
    FIELD("namespace", convert_string, struct pod, namespace_, AS_TEXT(3, TEXT_NAME)),
    FIELD("name", convert_passing_text, struct pod, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(1, TEXT_POD)),
    FIELD("labels", convert_passing_map, struct pod, labels, AS_LABELS(11)),
    FIELD("ownerReferences", convert_controller, struct pod, owner, AS_OBJECTS(13, owner_table)),
    FIELD_END,
};

static const struct field whose_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(1, whose_metadata_table)),
    FIELD_END,
};

static const struct field whose_and_where_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(1, whose_metadata_table)),
    PART("spec", convert_alike_spec, AS_OBJECT(2, spec_table)),
    FIELD_END,
};

bool
pod_read_owner(struct decoder *decoder, const struct value *value, bool with_spec, struct pod *ret)
{
    *ret = unread;
    ret->phase = ret->reason = "";
    ret->creation = ret->deletion_timestamp = TIME_NONE;
    ret->is_unread = true;
    return decode_in_scratch(decoder, with_spec ? whose_and_where_table : whose_table, value, ret);
}

/* --- ballast.io/v1alpha1 SettledPods --- */

static const struct field alike_metadata_table[] = {
    FIELD("namespace", convert_string, struct pod, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("labels", convert_passing_map, struct pod, labels, AS_LABELS(0)),
    FIELD("ownerReferences", convert_controller, struct pod, owner, AS_OBJECTS(0, owner_table)),
    FIELD_END,
};

static const struct field alike_spec_table[] = {
    SPEC_ROWS(alike_container_table, alike_init_container_table),
    FIELD_END,
};

const struct field alike_pod_table[] = {
    PART("metadata", convert_struct, AS_OBJECT(0, alike_metadata_table)),
    PART("spec", convert_alike_spec, AS_OBJECT(0, alike_spec_table)),
    FIELD_END,
};

const struct field alike_spec_of_pod_table[] = {
    PART("spec", convert_alike_spec, AS_OBJECT(0, alike_spec_table)),
    FIELD_END,
};

static const struct field pods_on_node_table[] = {
    FIELD("name", convert_string, struct pods_on_node, name, AS_TEXT(0, TEXT_NAME)),
    FIELD("pods", convert_count32, struct pods_on_node, pods, AS_INT32(0)),
    FIELD_END,
};

CHECK_LIST(struct settled_group, nodes, n_nodes);

const struct field settled_pods_table[] = {
    FIELD("pod", convert_struct, struct settled_group, pod, .flags = FIELD_REQUIRED,
          AS_OBJECT(0, alike_pod_table)),
    FIELD("newest", convert_time, struct settled_group, pod.creation, AS_TIME(0)),
    FIELD("nodes", convert_list, struct settled_group, nodes,
          .item_size = sizeof(struct pods_on_node), AS_OBJECTS(0, pods_on_node_table)),
    FIELD_END,
};

bool
settled_group_read(struct decoder *decoder, const struct value *value, struct settled_group *ret)
{
    *ret = (struct settled_group){.pod = unread};
    return decode_in_scratch(decoder, settled_pods_table, value, ret);
}

static void
keep_labels(struct fleet_builder *builder, struct label_list *labels)
{
    struct label *items = ARENA_ARRAY(builder->scratch, struct label, labels->count);

    for (uint32_t i = 0; i < labels->count; i++) {
        items[i].key = labels->items[i].key;
        items[i].value = intern_cstr(builder->fleet->strings, labels->items[i].value);
    }
    labels->items = builder_share(builder, items, labels->count * sizeof(*items));
}

void
pod_keep(struct fleet_builder *builder, struct pod *pod)
{
    struct arena *arena = builder->fleet->arena;

    pod->name = builder_keep_text(builder, pod->name, strlen(pod->name));
    pod->uid = builder_keep_text(builder, pod->uid, strlen(pod->uid));
    keep_labels(builder, &pod->labels);
    pod->conditions.items = arena_memdup(arena, pod->conditions.items,
                                         pod->conditions.count * sizeof(*pod->conditions.items));
    pod->containers =
        arena_memdup(arena, pod->containers, pod->n_containers * sizeof(*pod->containers));
}

static bool
are_same_ties(const struct pod_ties *a, const struct pod_ties *b)
{
    return a->namespace_ == b->namespace_ && a->labels.items == b->labels.items &&
           a->labels.count == b->labels.count && a->labels.present == b->labels.present &&
           a->affinity == b->affinity && a->ports.items == b->ports.items &&
           a->ports.count == b->ports.count && a->volumes == b->volumes &&
           a->priority == b->priority;
}

/* Compares only with the last ties: an owner's pods mostly come in a row. */
void
pod_place(struct fleet_builder *builder, struct member_builder *member, const struct pod *pod,
          int32_t count)
{
    const struct pod_ties *last = NULL;
    struct pod_ties ties = {
        .namespace_ = pod->namespace_,
        .labels = pod->labels,
        .affinity = pod->affinity,
        .ports = pod->ports,
        .volumes = pod->volumes,
        .priority = pod->priority,
    };

    keep_labels(builder, &ties.labels);
    if (member->placed.count > 0) {
        last = member->placed.items[member->placed.count - 1].ties;
    }
    if (last == NULL || !are_same_ties(&ties, last)) {
        last = arena_memdup(builder->fleet->arena, &ties, sizeof(ties));
    }
    for (int32_t i = 0; i < count; i++) {
        vec_add(&member->placed, ((struct placed_pod){last, pod->node_name}));
    }
}

#define CLASSES_MAX 256 /* a real member has a dozen */

static struct priority_class *
last_class(struct member_builder *member)
{
    struct priority_class *last = &member->priority_classes.items[0];

    for (size_t i = 1; i < member->priority_classes.count; i++) {
        struct priority_class *item = &member->priority_classes.items[i];

        last = strcmp(item->name, last->name) > 0 ? item : last;
    }
    return last;
}

/* Keeps the first classes by name, whatever the order of the pods. */
static void
add_class(struct member_builder *member, const struct priority_class *class_)
{
    if (member->priority_classes.count < CLASSES_MAX) {
        vec_add(&member->priority_classes, *class_);
        return;
    }
    struct priority_class *last = last_class(member);

    if (strcmp(class_->name, last->name) < 0) {
        *last = *class_;
    }
}

void
pod_note_class(struct member_builder *member, const struct pod *pod)
{
    struct priority_class *known = NULL;

    for (size_t i = 0; i < member->priority_classes.count && known == NULL; i++) {
        struct priority_class *item = &member->priority_classes.items[i];

        known = item->name == pod->priority_class ? item : NULL;
    }
    if (known != NULL) {
        known->priority = pod->priority < known->priority ? pod->priority : known->priority;
        known->preempts = known->preempts && !pod->never_preempts;
    } else if (!str_is_empty(pod->priority_class)) {
        add_class(member, &(struct priority_class){pod->priority_class, pod->priority,
                                                   !pod->never_preempts});
    }
}
