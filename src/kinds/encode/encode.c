/* SPDX-License-Identifier: Apache-2.0
 *
 * Encodes a change of a binding as a JSON merge patch. A merge patch replaces whole lists, so kept
 * entries are written again, unknown members included.
 */
#include "ballast/kinds/encode.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/format/value.h"
#include "ballast/format/value_text.h"

static void
write_text(const char *text, struct buf *out)
{
    text_write_string(text, strlen(text), out);
}

/* Newer versions of Karmada have the replicas of each component in an entry. */
static void
write_components(const struct binding *set, struct buf *out)
{
    const struct rare_members *rare = binding_rare(set);

    buf_append_str(out, "\"components\":[");
    for (uint32_t i = 0; i < rare->n_components; i++) {
        buf_append_str(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        write_text(rare->components[i].name, out);
        buf_printf(out, ",\"replicas\":%d}", rare->components[i].replicas);
    }
    buf_append_char(out, ']');
}

/* Writes a set's new entry like the first one, but with the wanted components. */
static void
write_extra_of_set(const struct binding *before, struct buf *out)
{
    const char *extra = before->clusters.count > 0 ? binding_target_extra(before, 0) : NULL;
    struct error err = ERROR_INIT;
    struct document *document =
        extra != NULL ? document_parse_json(extra, strlen(extra), 1, &err) : NULL;
    const struct value *root = document != NULL ? document_root(document) : NULL;

    for (struct value_iterator it = VALUE_ITERATOR(root); value_each(&it);) {
        buf_append_char(out, ',');
        if (str_eq(it.key, "components")) {
            write_components(before, out);
            continue;
        }
        write_text(it.key, out);
        buf_append_char(out, ':');
        value_write_json(it.value, false, out);
    }
    document_free(document);
}

/* A record may be older than a change that made one template of several components. */
static const char *
without_count(const char *extra)
{
    static const char count[] = "{\"replicas\":";

    if (strncmp(extra, count, strlen(count)) != 0) {
        return extra;
    }
    const char *end = extra + strcspn(extra, ",}");

    return *end == ',' ? end : "{}";
}

static void
write_target(const struct binding *before, const struct target *target, const char *extra,
             struct buf *out)
{
    int index = binding_find_target(before, target->name);
    bool is_new = extra == NULL && index < 0;

    extra = extra == NULL && index >= 0 ? binding_target_extra(before, (uint32_t)index) : extra;
    buf_append_str(out, "{\"name\":");
    write_text(target->name, out);
    if (!binding_is_set(before)) {
        extra = extra != NULL ? without_count(extra) : NULL;
        if (target->replicas != 0 || binding_is_workload(before)) {
            buf_printf(out, ",\"replicas\":%d", target->replicas);
        }
    }
    if (is_new && binding_is_set(before)) {
        write_extra_of_set(before, out);
    } else if (extra != NULL && extra[1] != '}') {
        buf_append_char(out, ',');
        buf_append(out, extra + 1, strlen(extra) - 2); /* without its braces */
    }
    buf_append_char(out, '}');
}

static void
write_annotations(const struct binding_change *change, struct buf *out)
{
    for (uint32_t i = 0; i < change->n_annotations; i++) {
        buf_append_char(out, i == 0 ? '{' : ',');
        write_text(change->annotations[i].key, out);
        buf_append_char(out, ':');
        if (change->annotations[i].value == NULL) {
            buf_append_str(out, "null");
        } else {
            write_text(change->annotations[i].value, out);
        }
    }
    buf_append_char(out, '}');
}

static void
write_metadata(const char *resource_version, const struct binding_change *change, struct buf *out)
{
    bool has_version = !str_is_empty(resource_version);

    buf_append_str(out, "{\"metadata\":{");
    if (has_version) {
        buf_append_str(out, "\"resourceVersion\":");
        write_text(resource_version, out);
    }
    if (change->n_annotations > 0) {
        buf_append_str(out, has_version ? ",\"annotations\":" : "\"annotations\":");
        write_annotations(change, out);
    }
    buf_append_char(out, '}');
}

void
encode_annotations_patch(const char *resource_version, const struct binding_change *change,
                         struct buf *out)
{
    write_metadata(resource_version, change, out);
    buf_append_char(out, '}');
}

static void
write_message(const char *message, struct buf *out)
{
    struct buf cut;

    buf_init(&cut, EVICTION_MESSAGE_MAX);
    text_append_cut(&cut, message, EVICTION_MESSAGE_MAX);
    buf_append_str(out, ",\"message\":");
    text_write_string(buf_text(&cut), cut.length, out);
    buf_release(&cut);
}

static void
write_preserved(const struct label_list *labels, struct buf *out)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        buf_append_str(out, i == 0 ? ",\"preservedLabelState\":{" : ",");
        write_text(labels->items[i].key, out);
        buf_append_char(out, ':');
        write_text(labels->items[i].value, out);
    }
    buf_append_str(out, labels->count > 0 ? "}" : "");
}

static void
write_clusters_before(const struct graceful_eviction_task *task, struct buf *out)
{
    for (uint32_t i = 0; i < task->n_clusters_before; i++) {
        buf_append_str(out, i == 0 ? ",\"clustersBeforeFailover\":[" : ",");
        write_text(task->clusters_before[i].name, out);
    }
    buf_append_str(out, task->n_clusters_before > 0 ? "]" : "");
}

/* Members are in the order of the API's type. */
static void
write_new_task(const struct graceful_eviction_task *task, struct buf *out)
{
    buf_append_str(out, "{\"fromCluster\":");
    write_text(task->from_cluster, out);
    buf_append_str(out, ",\"purgeMode\":");
    write_text(task->purge_mode, out);
    if (task->replicas > 0) {
        buf_printf(out, ",\"replicas\":%d", task->replicas);
    }
    buf_append_str(out, ",\"reason\":");
    write_text(task->reason, out);
    if (!str_is_empty(task->message)) {
        write_message(task->message, out);
    }
    buf_append_str(out, ",\"producer\":");
    write_text(task->producer, out);
    if (task->suppress_deletion) {
        buf_append_str(out, ",\"suppressDeletion\":true");
    } else if (task->grace_period_seconds > 0) {
        buf_printf(out, ",\"gracePeriodSeconds\":%d", task->grace_period_seconds);
    }
    write_preserved(&task->preserved, out);
    write_clusters_before(task, out);
    buf_append_char(out, '}');
}

static void
write_task(const struct graceful_eviction_task *task, struct buf *out)
{
    if (task->json != NULL) {
        buf_append_str(out, task->json);
    } else {
        write_new_task(task, out);
    }
}

/* Without tasks, the member is removed. */
static void
write_tasks(const struct binding *before, const struct binding_change *change, struct buf *out)
{
    uint32_t count = 0;

    buf_append_str(out, ",\"gracefulEvictionTasks\":");
    for (uint32_t i = 0; i < binding_rare(before)->n_eviction_tasks; i++) {
        if (change->tasks_taken_back == NULL || !change->tasks_taken_back[i]) {
            buf_append_char(out, count++ == 0 ? '[' : ',');
            write_task(&binding_rare(before)->eviction_tasks[i], out);
        }
    }
    for (uint32_t i = 0; i < change->n_new_tasks; i++) {
        buf_append_char(out, count++ == 0 ? '[' : ',');
        write_task(&change->new_tasks[i], out);
    }
    buf_append_str(out, count == 0 ? "null" : "]");
}

void
encode_binding_patch(const struct binding *before, const struct binding_change *change,
                     struct buf *out)
{
    if (change->only_annotates) {
        encode_annotations_patch(before->resource_version, change, out);
        return;
    }
    write_metadata(before->resource_version, change, out);
    buf_append_str(out, ",\"spec\":{\"clusters\":[");
    for (uint32_t i = 0; i < change->n_clusters; i++) {
        buf_append_str(out, i == 0 ? "" : ",");
        write_target(before, &change->clusters[i],
                     change->extras != NULL ? change->extras[i] : NULL, out);
    }
    buf_append_char(out, ']');
    if (change->n_new_tasks > 0 || change->tasks_taken_back != NULL) {
        write_tasks(before, change, out);
    }
    buf_append_str(out, "}}");
}
