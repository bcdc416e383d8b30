/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes work.karmada.io/v1alpha2 ResourceBinding and ClusterResourceBinding. A fleet has up to a
 * hundred thousand: the decoder keeps only the fields that a decision needs, and equal parts once.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_text.h"
#include "decoders.h"
#include "kinds/builder/builder.h"

#define ANNOTATION_PREFIX "ballast.io/"

static const struct binding EMPTY_BINDING = {
    .name = "",
    .namespace_ = "",
    .resource_version = "",
    .policy_name = "",
    .resource = {.api_version = "", .kind = "", .namespace_ = "", .name = ""},
    .deletion_timestamp = TIME_NONE,
    .scheduler_name = "",
    .reschedule_triggered_at = TIME_NONE,
    .last_scheduled_time = TIME_NONE,
};

/* Keeps only Ballast's own annotations. Target: struct binding. */
static bool
convert_annotations(struct decoder *decoder, const struct field *field, const struct value *value,
                    void *target)
{
    struct binding *binding = target;
    struct label *kept = NULL;
    uint32_t count = 0;

    (void)field;
    if (value_type(value) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", value);
    }
    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        size_t before = decoder_push_name(decoder, it.key);

        if (value_type(it.value) != VALUE_STRING) {
            return decode_fail_type(decoder, "string", it.value);
        }
        if (str_eq(it.key, ANNOTATION_APPLIED_PLACEMENT)) {
            decode_applied_placement(decoder, value_string(it.value), value_string_length(it.value),
                                     binding);
        } else if (strncmp(it.key, ANNOTATION_PREFIX, strlen(ANNOTATION_PREFIX)) == 0) {
            if (kept == NULL) {
                kept = ARENA_ARRAY(decoder->arena, struct label, value_count(value));
            }
            if (str_eq(it.key, ANNOTATION_LAST_MOVE)) {
                binding->last_move =
                    decode_last_move(decoder, value_string(it.value), value_string_length(it.value),
                                     &binding->last_move_problem);
            } else if (str_eq(it.key, ANNOTATION_PLACED_FOR)) {
                binding->placed_for = decode_placed_for(decoder, value_string(it.value),
                                                        value_string_length(it.value));
            }
            kept[count].key = intern_cstr(decoder->strings, it.key);
            kept[count++].value = builder_keep_text(builder_of(decoder), value_string(it.value),
                                                    value_string_length(it.value));
        }
        decoder_pop(decoder, before);
    }
    if (count > 0) {
        labels_sort(kept, count);
        binding->annotations = (struct label_list){.items = kept, .count = count, .present = true};
    }
    return true;
}

/* Texts, or texts that hold an object. FIELD_MOST bounds the length of a text. */
static const struct field annotations_table[] = {
    KEPT(ANNOTATION_POLICY_NAMESPACE, AS_TEXT(0, TEXT_NAME)),
    KEPT(ANNOTATION_POLICY_NAME, AS_TEXT(0, TEXT_NAME)),
    KEPT(ANNOTATION_CLUSTER_POLICY_NAME, AS_TEXT(0, TEXT_NAME)),
    KEPT(ANNOTATION_APPLIED_PLACEMENT, AS_OBJECT(0, placement_table)),
    KEPT(ANNOTATION_PLACED_FOR, AS_OBJECT(0, placed_for_table)),
    KEPT_LAST_MOVE,
    KEPT_RESCHEDULE_PARTS,
    FIELD_END,
};

const struct field binding_metadata_table[] = {
    FIELD("namespace", convert_string, struct binding, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_text, struct binding, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("uid", convert_uid, struct binding, uid, AS_TEXT(0, TEXT_UID)),
    FIELD("resourceVersion", convert_text, struct binding, resource_version,
          AS_TEXT(0, TEXT_NUMBER)),
    FIELD("generation", convert_int64, struct binding, generation, AS_INT64(0)),
    FIELD("deletionTimestamp", convert_time, struct binding, deletion_timestamp, AS_TIME(0)),
    FIELD("labels", convert_binding_labels, struct binding, labels, AS_LABELS(0)),
    PART("annotations", convert_annotations, .form = PRUNE_ANNOTATIONS, .table = annotations_table),
    KEPT("creationTimestamp", AS_TIME(0)),
    FIELD_END,
};

static const struct field target_table[] = {
    FIELD("name", convert_string, struct target, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("replicas", convert_count32, struct target, replicas, AS_INT32(0)),
    FIELD_REST_KEPT, /* an unknown member is written back unchanged */
};

/* Returns a target's members that Ballast does not know, as a JSON object; NULL: none. */
static const char *
unknown_members(struct decoder *decoder, const struct value *target)
{
    struct buf *text = &builder_of(decoder)->text;
    size_t known = (value_get(target, "name") != NULL ? 1u : 0u) +
                   (value_get(target, "replicas") != NULL ? 1u : 0u);

    if (value_count(target) == known) {
        return NULL;
    }
    buf_clear(text);
    for (struct value_iterator it = VALUE_ITERATOR(target); value_each(&it);) {
        if (!str_eq(it.key, "name") && !str_eq(it.key, "replicas")) {
            buf_append_char(text, text->length == 0 ? '{' : ',');
            text_write_string(it.key, strlen(it.key), text);
            buf_append_char(text, ':');
            value_write_json(it.value, false, text);
        }
    }
    buf_append_char(text, '}');
    return intern(decoder->strings, text->data, text->length);
}

static bool
is_ascending(const struct named_index *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (names[i].index != i) {
            return false;
        }
    }
    return true;
}

static void
set_index(struct decoder *decoder, const struct named_index *names, struct target_list *list)
{
    list->is_sorted = is_ascending(names, list->count);
    if (list->is_sorted || list->count < NAME_INDEX_MIN) {
        return;
    }
    uint32_t *by_name = ARENA_ARRAY(decoder->arena, uint32_t, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        by_name[i] = names[i].index;
    }
    list->by_name = by_name;
}

/* Refuses a cluster listed twice: it would count twice in a sum and once in a division. */
static bool
index_targets(struct decoder *decoder, struct target_list *list)
{
    struct named_index *names =
        ARENA_ARRAY(builder_of(decoder)->scratch, struct named_index, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        names[i] = (struct named_index){list->items[i].name, i};
    }
    qsort(names, list->count, sizeof(*names), named_index_cmp);
    for (uint32_t i = 1; i < list->count; i++) {
        if (str_eq(names[i].name, names[i - 1].name)) {
            decoder_push_index(decoder, names[i].index);
            decoder_push_name(decoder, "name");
            return decode_fail(decoder, "\"%s\" is already entry %u of the list", names[i].name,
                               names[i - 1].index);
        }
    }
    set_index(decoder, names, list);
    return true;
}

/* Target: struct binding_draft. */
static bool
convert_targets(struct decoder *decoder, const struct field *field, const struct value *value,
                void *target)
{
    struct binding_draft *draft = target;
    struct target_list *list = &draft->binding.clusters;
    const char **extras = NULL;
    uint32_t count = pin_uint32(value_count(value));

    (void)field;
    if (value_type(value) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", value);
    }
    struct target *targets = ARENA_ARRAY(decoder->arena, struct target, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct value *item = value_at(value, i);
        size_t before = decoder_push_index(decoder, i);

        if (!decode_object(decoder, target_table, item, &targets[i])) {
            return false;
        }
        targets[i].cluster = CLUSTER_NONE;
        const char *extra = unknown_members(decoder, item);

        if (extra != NULL) {
            extras = extras != NULL ? extras : ARENA_ARRAY(decoder->arena, const char *, count);
            extras[i] = extra;
        }
        decoder_pop(decoder, before);
    }
    draft->rare.target_extras = extras;
    *list = (struct target_list){.items = targets, .count = count};
    return index_targets(decoder, list);
}

static const struct field task_table[] = {
    FIELD("fromCluster", convert_string, struct graceful_eviction_task, from_cluster,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("reason", convert_string, struct graceful_eviction_task, reason, AS_TEXT(0, TEXT_WORD)),
    FIELD("producer", convert_string, struct graceful_eviction_task, producer,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("purgeMode", convert_string, struct graceful_eviction_task, purge_mode,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("creationTimestamp", convert_time, struct graceful_eviction_task, creation, AS_TIME(0)),
    /* written back unchanged */
    KEPT("replicas", AS_INT32(0)),
    KEPT("message", AS_TEXT(0, TEXT_MESSAGE)),
    KEPT("gracePeriodSeconds", AS_INT32(0)),
    KEPT("suppressDeletion", AS_BOOL(0)),
    KEPT("preservedLabelState", AS_LABELS(0)),
    KEPT("clustersBeforeFailover", AS_TEXTS(0, TEXT_NAME)),
    FIELD_END,
};

/* Target: struct binding_draft. */
static bool
convert_tasks(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    struct buf *text = &builder_of(decoder)->text;
    struct rare_members *rare = &((struct binding_draft *)target)->rare;
    uint32_t count = pin_uint32(value_count(value));

    (void)field;
    if (value_type(value) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", value);
    }
    struct graceful_eviction_task *tasks =
        ARENA_ARRAY(decoder->arena, struct graceful_eviction_task, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct value *item = value_at(value, i);
        size_t before = decoder_push_index(decoder, i);

        if (!decode_object(decoder, task_table, item, &tasks[i])) {
            return false;
        }
        buf_clear(text);
        value_write_json(item, false, text);
        tasks[i].message = "";
        tasks[i].json = builder_keep_text(builder_of(decoder), text->data, text->length);
        decoder_pop(decoder, before);
    }
    rare->eviction_tasks = tasks;
    rare->n_eviction_tasks = count;
    rare->tasks_by_cluster = name_index_new(decoder->arena, tasks, sizeof(*tasks), count);
    return true;
}

static const struct field resource_table[] = {
    FIELD("apiVersion", convert_string, struct binding, resource.api_version,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_API)),
    FIELD("kind", convert_string, struct binding, resource.kind,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_KIND)),
    FIELD("namespace", convert_string, struct binding, resource.namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_text, struct binding, resource.name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("uid", convert_uid, struct binding, resource.uid, AS_TEXT(0, TEXT_UID)),
    /* v1alpha1 has these two here; Karmada's ConvertBindingSpecToHub moves them into spec */
    FIELD("replicas", convert_count32, struct binding, replicas, AS_INT32(0)),
    FIELD("replicaResourceRequirements", convert_requests, struct binding, requirements,
          AS_AMOUNTS(0)),
    FIELD_END,
};

const struct field decode_component_table[] = {
    FIELD("name", convert_string, struct component, name, AS_TEXT(0, TEXT_NAME)),
    FIELD("replicas", convert_count32, struct component, replicas, AS_INT32(0)),
    FIELD("replicaRequirements", convert_requirements, struct component, requirements,
          .flags = FIELD_RECURS, AS_OBJECT(0, requirements_table)),
    FIELD_END,
};

static const struct field suspended_clusters_table[] = {
    FIELD("clusterNames", convert_sorted_names, struct binding_draft, rare.dispatch_suspended_to,
          .flags = OF_CLUSTERS, AS_TEXTS(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field suspension_table[] = {
    FIELD("scheduling", convert_bool, struct binding_draft, rare.suspend_scheduling, AS_BOOL(0)),
    FIELD("dispatching", convert_bool, struct binding_draft, rare.suspend_dispatching, AS_BOOL(0)),
    PART("dispatchingOnClusters", convert_struct, AS_OBJECT(0, suspended_clusters_table)),
    FIELD_END,
};

static const struct field required_by_table[] = {
    FIELD("namespace", convert_string, struct required_by, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct required_by, name, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field priority_table[] = {
    FIELD("priority", convert_int32, struct binding_draft, rare.schedule_priority, AS_INT32(0)),
    FIELD_END,
};

static bool
convert_overwrites(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    (void)decoder;
    (void)field;
    *(bool *)target = value_type(value) == VALUE_STRING && str_eq(value_string(value), "Overwrite");
    return true;
}

static const struct field groups_table[] = {
    FIELD("affinityGroup", convert_string, struct binding_draft, rare.affinity_group,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("antiAffinityGroup", convert_string, struct binding_draft, rare.anti_affinity_group,
          AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field spec_table[] = {
    PART("resource", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, resource_table)),
    FIELD("replicas", convert_count32, struct binding, replicas, AS_INT32(0)),
    FIELD("replicaRequirements", convert_requirements, struct binding, requirements,
          .flags = FIELD_RECURS, AS_OBJECT(0, requirements_table)),
    FIELD("placement", convert_placement, struct binding, placement, .flags = FIELD_RECURS,
          AS_OBJECT(0, placement_table)),
    FIELD("components", convert_list, struct binding_draft, rare.components, .flags = OF_RULES,
          .item_size = sizeof(struct component), AS_OBJECTS(0, decode_component_table)),
    PART("clusters", convert_targets, .flags = OF_CLUSTERS, AS_OBJECTS(0, target_table)),
    PART("gracefulEvictionTasks", convert_tasks, .flags = OF_CLUSTERS | FIELD_WHOLE,
         AS_OBJECTS(0, task_table)),
    FIELD("schedulerName", convert_string, struct binding, scheduler_name,
          AS_TEXT(0, TEXT_SCHEDULER)),
    FIELD("rescheduleTriggeredAt", convert_time, struct binding, reschedule_triggered_at,
          AS_TIME(0)),
    FIELD("schedulePriority", convert_presence, struct binding_draft, rare.has_schedule_priority),
    PART("schedulePriority", convert_struct, AS_OBJECT(0, priority_table)),
    FIELD("preserveResourcesOnDeletion", convert_bool, struct binding_draft,
          rare.preserves_resources, AS_BOOL(0)),
    FIELD("conflictResolution", convert_overwrites, struct binding, overwrites,
          AS_TEXT(0, TEXT_WORD)),
    PART("suspension", convert_struct, AS_OBJECT(0, suspension_table)),
    PART("failover", convert_struct, AS_OBJECT(0, failover_table)),
    PART("workloadAffinityGroups", convert_struct, AS_OBJECT(0, groups_table)),
    FIELD("requiredBy", convert_list, struct binding_draft, rare.required_by,
          .item_size = sizeof(struct required_by), AS_OBJECTS(0, required_by_table)),
    FIELD_END,
};

CHECK_LIST(struct rare_members, components, n_components);
CHECK_LIST(struct rare_members, required_by, n_required_by);

static bool
convert_health(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    enum health health = HEALTH_UNKNOWN;

    (void)field;
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "string", value);
    }
    if (str_eq(value_string(value), "Healthy")) {
        health = HEALTH_HEALTHY;
    } else if (str_eq(value_string(value), "Unhealthy")) {
        health = HEALTH_UNHEALTHY;
    }
    *(uint8_t *)target = (uint8_t)health;
    return true;
}

static const struct field aggregated_table[] = {
    FIELD("clusterName", convert_string, struct aggregated_status, cluster_name,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("applied", convert_bool, struct aggregated_status, applied, AS_BOOL(0)),
    FIELD("appliedMessage", convert_text, struct aggregated_status, applied_message,
          AS_TEXT(0, TEXT_MESSAGE)),
    FIELD("health", convert_health, struct aggregated_status, health, AS_TEXT(0, TEXT_WORD)),
    FIELD("status", convert_presence, struct aggregated_status, has_status),
    PART("status", convert_if_object, .form = PRUNE_TOLD_STATUS, .table = told_status_table),
    FIELD_END,
};

/* Target: struct binding_draft. */
static bool
convert_aggregated(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    struct binding_draft *draft = target;
    struct binding *binding = &draft->binding;
    uint32_t count = pin_uint32(value_count(value));

    (void)field;
    if (value_type(value) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", value);
    }
    struct aggregated_status *items = ARENA_ARRAY(decoder->arena, struct aggregated_status, count);

    for (uint32_t i = 0; i < count; i++) {
        size_t before = decoder_push_index(decoder, i);

        items[i] = (struct aggregated_status){
            .replicas = -1, .ready_replicas = -1, .updated_replicas = -1};
        if (!decode_object(decoder, aggregated_table, value_at(value, i), &items[i])) {
            return false;
        }
        decoder_pop(decoder, before);
    }
    binding->aggregated = items;
    binding->n_aggregated = count;
    binding->status_by_cluster = name_index_new(decoder->arena, items, sizeof(*items), count);
    decode_preserved_states(decoder, value, &draft->rare);
    return true;
}

static const struct field status_table[] = {
    FIELD("lastScheduledTime", convert_time, struct binding, last_scheduled_time, AS_TIME(0)),
    KEPT("schedulerObservedGeneration", AS_INT64(0)),
    FIELD("schedulerObservingAffinityName", convert_string, struct binding_draft,
          rare.observing_affinity_name, AS_TEXT(0, TEXT_NAME)),
    PART("aggregatedStatus", convert_aggregated, .flags = OF_CLUSTERS,
         AS_OBJECTS(0, aggregated_table)),
    FIELD_END,
};

const struct field binding_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, binding_metadata_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, status_table)),
    FIELD_END,
};

/* The count in a set's entry has no meaning for a set. It is kept like an unknown member: in the
 * entry, and in the record of a run that removes the entry. */
static const char *
extra_of_set(struct arena *arena, int32_t replicas, const char *extra)
{
    const char *rest = extra != NULL ? extra + 1 : "}";

    if (replicas == 0) {
        return extra != NULL ? extra : "{}";
    }
    return arena_printf(arena, "{\"replicas\":%d%s%s", replicas, *rest == '}' ? "" : ",", rest);
}

/* Plans and reports count pods, and spec.clusters of a set does not have their number. Casts const
 * away: the targets are the decoder's own memory. */
static void
count_set(struct decoder *decoder, struct binding_draft *draft)
{
    struct binding *binding = &draft->binding;
    struct rare_members *rare = &draft->rare;
    const char *const *told = rare->target_extras;
    const char **extras;
    struct target *targets = (struct target *)binding->clusters.items;
    int32_t *written;
    int64_t pods = 0;

    if (!binding_is_set(binding)) {
        return;
    }
    for (uint32_t i = 0; i < rare->n_components; i++) {
        pods += rare->components[i].replicas;
    }
    rare->set_pods = pin_int32(pods);
    written = ARENA_ARRAY(decoder->arena, int32_t, binding->clusters.count);
    extras = ARENA_ARRAY(decoder->arena, const char *, binding->clusters.count);
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        written[i] = targets[i].replicas;
        extras[i] =
            extra_of_set(decoder->arena, targets[i].replicas, told != NULL ? told[i] : NULL);
        targets[i].replicas = rare->set_pods;
    }
    rare->written = written;
    rare->target_extras = extras;
}

void
binding_init(struct binding *binding, enum binding_kind kind)
{
    *binding = EMPTY_BINDING;
    binding->kind = kind;
}

static const char *
policy_name(struct decoder *decoder, const struct value *binding)
{
    const struct value *metadata = value_get(binding, "metadata");
    const struct value *annotations = value_find(metadata, "annotations", VALUE_OBJECT);
    struct buf *text = &builder_of(decoder)->text;

    if (annotations == NULL) {
        return "";
    }
    const char *name = value_text(annotations, ANNOTATION_POLICY_NAME);
    const char *namespace_ = value_text(annotations, ANNOTATION_POLICY_NAMESPACE);

    if (str_is_empty(name) || str_is_empty(namespace_)) {
        return intern_cstr(decoder->strings,
                           value_text(annotations, ANNOTATION_CLUSTER_POLICY_NAME));
    }
    buf_clear(text);
    buf_printf(text, "%s/%s", namespace_, name);
    return intern_cstr(decoder->strings, buf_text(text));
}

static bool
has_suspension(const struct rare_members *rare)
{
    return rare->suspend_scheduling || rare->suspend_dispatching ||
           rare->dispatch_suspended_to.count > 0;
}

/* Hardly any binding has rare members. */
static const struct rare_members *
keep_rare(struct decoder *decoder, const struct rare_members *rare)
{
    bool is_plain = rare->n_eviction_tasks == 0 && !rare->has_schedule_priority &&
                    rare->failover_application == NULL && rare->failover_cluster == NULL &&
                    rare->n_required_by == 0 && !has_suspension(rare) &&
                    str_is_empty(rare->affinity_group) && str_is_empty(rare->anti_affinity_group) &&
                    str_is_empty(rare->observing_affinity_name) && rare->target_extras == NULL &&
                    rare->n_components == 0 && rare->reschedule_parts == NULL &&
                    !rare->preserves_resources;

    return is_plain ? NULL : arena_memdup(decoder->arena, rare, sizeof(*rare));
}

bool
binding_decode(struct decoder *decoder, const struct value *value, enum binding_kind kind,
               struct binding *ret)
{
    struct binding_draft draft;

    binding_init(&draft.binding, kind);
    draft.rare = *binding_rare(&draft.binding);
    draft.binding.rare = &draft.rare;
    if (!decode_object(decoder, binding_table, value, &draft)) {
        return false;
    }
    count_set(decoder, &draft);
    draft.rare.reschedule_parts = decode_reschedule_parts(decoder, &draft.binding.annotations);
    *ret = draft.binding;
    ret->rare = keep_rare(decoder, &draft.rare);
    ret->policy_name = policy_name(decoder, value);
    return true;
}
