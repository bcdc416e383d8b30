/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the history of runs as JSON or YAML.
 */
#include "document.h"

#include "ballast/base/str.h"
#include "report/view/history_lines.h"

static void
emit_recorded_reasons(struct emitter *out, const char *key, const struct record_reason *reasons,
                      uint32_t count)
{
    emit_list(out, key);
    for (uint32_t i = 0; i < count; i++) {
        emit_object(out, NULL);
        emit_text(out, "code", reasons[i].code);
        emit_text(out, "cluster", reasons[i].cluster);
        emit_string(out, "message", reasons[i].message);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_undone(struct emitter *out, const struct record *undone_by)
{
    if (undone_by != NULL) {
        emit_object(out, "undone");
        emit_string(out, "record", undone_by->id);
        emit_time(out, "time", undone_by->written);
        emit_end(out);
    }
}

static void
emit_item(struct emitter *out, const struct history_run *run, const struct history_item *item,
          const char *flags, struct arena *arena)
{
    const struct record_item *write = item->item;

    emit_object(out, NULL);
    emit_string(out, "kind", binding_kind_name(write->kind));
    emit_text(out, "namespace", write->namespace_);
    emit_string(out, "name", write->name);
    emit_resource(out, &write->resource);
    emit_string(out, "action", write->action);
    emit_string(out, "status", write->status);
    emit_text(out, "message", write->message);
    emit_targets(out, "before", &write->before);
    emit_targets(out, "after", &write->after);
    emit_recorded_reasons(out, "reasons", write->reasons, write->n_reasons);
    emit_undone(out, item->undone_by);
    if (record_item_is_written(write) && item->undone_by == NULL) {
        emit_string(out, "takeBack", undo_command(arena, run->record, write, flags));
    }
    emit_end(out);
}

static void
emit_head(struct emitter *out, const struct history_run *run)
{
    const struct record *record = run->record;
    const struct run_sums sums = run_sums_of(run);

    emit_string(out, "record", record->id);
    emit_string(out, "command", record->command);
    emit_string(out, "version", record->version);
    emit_time(out, "time", record->time);
    emit_time(out, "written", record->written);
    emit_object(out, "source");
    emit_string(out, "platform", record->platform);
    emit_text(out, "path", record->path);
    emit_text(out, "server", record->server);
    emit_text(out, "context", record->context);
    emit_text(out, "user", record->user);
    emit_text(out, "host", record->host);
    emit_end(out);
    emit_text(out, "configuration", record->configuration);
    emit_recorded_reasons(out, "down", record->down, record->n_down);
    emit_list(out, "undoes");
    for (uint32_t i = 0; i < record->undoes.count; i++) {
        emit_string(out, NULL, record->undoes.items[i]);
    }
    emit_end(out);
    emit_object(out, "summary");
    emit_integer(out, "workloads", run->n_items);
    emit_integer(out, "written", run->n_written);
    emit_integer(out, "undone", run->n_undone);
    emit_integer(out, "replicasMoved", sums.moved);
    emit_integer(out, "replicasAdded", sums.added);
    if (record->replicas.is_known) {
        emit_integer(out, "replicasWanted", record->replicas.wanted);
        emit_integer(out, "replicasDown", record->replicas.down);
        emit_integer(out, "replicasHomeless", record->replicas.homeless);
    }
    emit_end(out);
}

void
emit_history_runs(struct emitter *out, const char *key, const struct history *history,
                  const char *flags)
{
    struct arena *arena = arena_new();

    emit_list(out, key);
    for (uint32_t i = 0; i < history->n_runs; i++) {
        const struct history_run *run = &history->runs[i];

        emit_object(out, NULL);
        emit_head(out, run);
        if (run->n_undone < run->n_written) {
            emit_string(out, "takeBack", undo_command(arena, run->record, NULL, flags));
        }
        emit_list(out, "items");
        for (uint32_t k = 0; k < run->n_items; k++) {
            emit_item(out, run, &run->items[k], flags, arena);
        }
        emit_end(out);
        emit_end(out);
        arena_reset(arena);
    }
    emit_end(out);
    arena_free(arena);
}

void
history_document(FILE *stream, const struct history_report *report,
                 const struct report_options *options)
{
    struct emitter out;

    emitter_begin(&out, stream, options->format == REPORT_YAML ? EMIT_YAML : EMIT_JSON);
    emit_object(&out, NULL);
    emit_string(&out, "apiVersion", DOCUMENT_API_VERSION);
    emit_string(&out, "kind", "History");
    emit_string(&out, "records", report->place);
    emit_time(&out, "since", report->since);
    emit_text(&out, "workload", report->workload);
    emit_history_runs(&out, "runs", report->history, report->flags);
    emit_end(&out);
}
