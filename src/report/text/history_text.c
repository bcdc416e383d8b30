/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the history of runs for people: a paragraph for each run, the latest first.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "report/view/history_lines.h"
#include "text_reports.h"

struct history_page {
    struct arena *arena;
    const struct printer *printer;
    const struct history_report *of;
    const struct report_options *options;
};

static void
print_fact(const struct history_page *page, enum ink ink, const char *label, const char *text)
{
    if (!str_is_empty(text)) {
        print_line(page->printer, ink, "  %-14s %s", label, text);
    }
}

static void
print_item(const struct history_page *page, const struct history_run *run,
           const struct history_item *item)
{
    const struct record_item *write = item->item;
    const char *take_back = item_take_back(page->arena, page->of, run, item);
    char when[TIMESTAMP_TEXT_MAX];

    print_line(page->printer, record_item_is_written(write) ? INK_BOLD : INK_YELLOW, "  %s: %s",
               recorded_workload_text(page->arena, write), recorded_write_text(page->arena, write));
    for (uint32_t i = 0; i < write->n_reasons; i++) {
        print_line(page->printer, INK_NONE, "    %-12s %s", "why",
                   recorded_reason_text(page->arena, &write->reasons[i]));
    }
    if (!str_is_empty(write->message)) {
        print_line(page->printer, INK_YELLOW, "    %-12s %s", "write", write->message);
    }
    if (item->undone_by != NULL) {
        print_line(page->printer, INK_GREEN, "    %-12s at %s, by %s", "undone",
                   timestamp_format_seconds(item->undone_by->written, when), item->undone_by->id);
    } else if (!str_is_empty(take_back)) {
        print_line(page->printer, INK_NONE, "    %-12s %s", "take back", take_back);
    }
}

static void
print_run(const struct history_page *page, const struct history_run *run)
{
    const struct record *record = run->record;
    const uint32_t limit = page->options->limit;
    const uint32_t shown = limit > 0 && run->n_items > limit ? limit : run->n_items;
    char when[TIMESTAMP_TEXT_MAX];

    print_line(page->printer, INK_NONE, "%s", "");
    print_line(page->printer, INK_BOLD, "%s %s %s: %s",
               timestamp_format_seconds(record->written, when), record->command, record->id,
               run_written_text(page->arena, run));
    print_fact(page, INK_NONE, "outcome", run_replicas_text(page->arena, run));
    print_fact(page, INK_NONE, "undoes", record_undoes_text(page->arena, record));
    for (uint32_t i = 0; i < record->n_down; i++) {
        print_fact(page, INK_RED, i == 0 ? "down" : "",
                   recorded_down_text(page->arena, &record->down[i]));
    }
    print_fact(page, INK_NONE, "configuration", record_origin_text(page->arena, record));
    for (uint32_t i = 0; i < shown; i++) {
        print_item(page, run, &run->items[i]);
    }
    if (shown < run->n_items) {
        print_line(page->printer, INK_DIM, "  ... and %s (--limit 0 lists all)",
                   counted(page->arena, run->n_items - shown, "more workload", "more workloads"));
    }
    print_fact(page, INK_NONE, "take back", run_take_back(page->arena, page->of, run));
}

void
history_text(FILE *stream, const struct history_report *report,
             const struct report_options *options)
{
    const struct printer printer = {
        .stream = stream, .colour = options->colour, .width = options->text_width};
    struct arena *arena = arena_new();
    const struct history_page page = {arena, &printer, report, options};

    print_line(&printer, INK_BOLD, "%s", history_text_title(arena, report));
    for (uint32_t i = 0; i < report->history->n_runs; i++) {
        print_run(&page, &report->history->runs[i]);
    }
    arena_free(arena);
}

void
print_runs_of(const struct explain_page *page)
{
    const struct history *history = page->history;

    for (uint32_t i = 0; history != NULL && i < history->n_runs; i++) {
        const struct history_run *run = &history->runs[i];
        const struct history_item *item = &run->items[0];
        char when[TIMESTAMP_TEXT_MAX];

        print_line(page->printer, INK_NONE, "  %s  %s %s: %s %s%s%s",
                   timestamp_format_seconds(run->record->written, when), run->record->command,
                   run->record->id, item->item->action,
                   recorded_split_text(page->arena, item->item),
                   item->undone_by != NULL ? ", undone by " : "",
                   item->undone_by != NULL ? item->undone_by->id : "");
        if (run->n_written > 0 && item->undone_by == NULL) {
            print_line(page->printer, INK_NONE, "    take back: %s",
                       undo_command(page->arena, run->record, item->item, page->undo_flags));
        }
    }
}
