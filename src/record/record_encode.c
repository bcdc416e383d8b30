/* SPDX-License-Identifier: Apache-2.0
 *
 * A record as JSON: the head, and a line for each write, so that grep finds one.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"
#include "ballast/record/record.h"

static void
write_text(struct buf *out, const char *text)
{
    text_write_string(text, strlen(text), out);
}

/* Writes `,"key":"text"`, unless the text is empty. */
static void
write_member(struct buf *out, const char *key, const char *text)
{
    if (text[0] != '\0') {
        buf_printf(out, ",\"%s\":", key);
        write_text(out, text);
    }
}

static void
write_time(struct buf *out, const char *key, int64_t nanos)
{
    char text[TIMESTAMP_TEXT_MAX];

    buf_printf(out, ",\"%s\":\"%s\"", key, timestamp_format(nanos, text));
}

static void
write_targets(struct buf *out, const char *key, const struct target_list *list,
              const char *const *extras)
{
    buf_printf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct target *target = &list->items[i];

        buf_append_str(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        write_text(out, target->name);
        buf_printf(out, ",\"replicas\":%d", target->replicas);
        if (extras != NULL && extras[i] != NULL) {
            buf_append_str(out, ",\"extra\":");
            buf_append_str(out, extras[i]);
        }
        buf_append_char(out, '}');
    }
    buf_append_char(out, ']');
}

static void
write_tasks(struct buf *out, const struct record_item *item)
{
    for (uint32_t i = 0; i < item->n_tasks; i++) {
        buf_append_str(out, i == 0 ? ",\"evictionTasks\":[" : ",");
        buf_append_str(out, "{\"fromCluster\":");
        write_text(out, item->tasks[i].from_cluster);
        write_member(out, "reason", item->tasks[i].reason);
        buf_append_char(out, '}');
    }
    buf_append_str(out, item->n_tasks > 0 ? "]" : "");
}

static void
write_annotations(struct buf *out, const struct record_item *item)
{
    for (uint32_t i = 0; i < item->n_annotations; i++) {
        buf_append_str(out, i == 0 ? ",\"annotations\":{" : ",");
        write_text(out, item->annotations[i].key);
        buf_append_char(out, ':');
        write_text(out, item->annotations[i].value);
    }
    buf_append_str(out, item->n_annotations > 0 ? "}" : "");
}

static void
write_reasons(struct buf *out, const char *key, const struct record_reason *reasons, uint32_t count)
{
    if (count == 0) {
        return;
    }
    buf_printf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        buf_append_str(out, i == 0 ? "{\"message\":" : ",{\"message\":");
        write_text(out, reasons[i].message);
        write_member(out, "code", reasons[i].code);
        write_member(out, "cluster", reasons[i].cluster);
        buf_append_char(out, '}');
    }
    buf_append_char(out, ']');
}

static void
write_item(struct buf *out, const struct record_item *item)
{
    buf_append_str(out, "{\"kind\":");
    write_text(out, binding_kind_name(item->kind));
    write_member(out, "namespace", item->namespace_);
    write_member(out, "name", item->name);
    write_member(out, "uid", item->uid);
    buf_append_str(out, ",\"resource\":{\"apiVersion\":");
    write_text(out, item->resource.api_version);
    write_member(out, "kind", item->resource.kind);
    write_member(out, "name", item->resource.name);
    buf_printf(out, "},\"replicas\":%d", item->replicas);
    write_member(out, "action", item->action);
    write_member(out, "status", item->status);
    write_member(out, "message", item->message);
    write_member(out, "resourceVersionBefore", item->version_before);
    write_member(out, "resourceVersionAfter", item->version_after);
    write_targets(out, "before", &item->before, item->extras_before);
    write_targets(out, "after", &item->after, item->extras_after);
    write_tasks(out, item);
    write_annotations(out, item);
    write_reasons(out, "reasons", item->reasons, item->n_reasons);
    buf_append_char(out, '}');
}

static void
write_source(struct buf *out, const struct record *record)
{
    buf_append_str(out, ",\n \"source\":{\"platform\":");
    write_text(out, record->platform);
    write_member(out, "path", record->path);
    write_member(out, "server", record->server);
    write_member(out, "context", record->context);
    write_member(out, "user", record->user);
    write_member(out, "host", record->host);
    buf_append_char(out, '}');
}

void
record_encode(const struct record *record, struct buf *out)
{
    buf_append_str(out, "{\"apiVersion\":\"" RECORD_API_VERSION "\",\"kind\":\"" RECORD_KIND "\"");
    write_member(out, "id", record->id);
    write_member(out, "command", record->command);
    write_member(out, "version", record->version);
    write_time(out, "time", record->time);
    write_time(out, "written", record->written);
    buf_append_str(out, record->stood_in ? ",\"stoodIn\":true" : "");
    write_source(out, record);
    write_member(out, "configuration", record->configuration);
    write_reasons(out, "down", record->down, record->n_down);
    if (record->replicas.is_known) {
        buf_printf(out, ",\"replicas\":{\"wanted\":%lld,\"down\":%lld,\"homeless\":%lld}",
                   (long long)record->replicas.wanted, (long long)record->replicas.down,
                   (long long)record->replicas.homeless);
    }
    for (uint32_t i = 0; i < record->undoes.count; i++) {
        buf_append_str(out, i == 0 ? ",\n \"undoes\":[" : ",");
        write_text(out, record->undoes.items[i]);
    }
    buf_append_str(out, record->undoes.count > 0 ? "]" : "");
    buf_append_str(out, ",\n \"items\":[");
    for (uint32_t i = 0; i < record->n_items; i++) {
        buf_append_str(out, i == 0 ? "\n" : ",\n");
        write_item(out, &record->items[i]);
    }
    buf_append_str(out, record->n_items > 0 ? "\n]}\n" : "]}\n");
}
