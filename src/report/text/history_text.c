/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the history of runs for people: a paragraph for each run, the latest first.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
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

/* Returns "3 of 4 workloads written, 1 undone since". */
static const char *
sum_text(const struct history_page *page, const struct history_run *run)
{
    struct arena *arena = page->arena;
    const char *of = run->n_written == run->n_items
                         ? ""
                         : arena_printf(arena, "%s of ", number_text(arena, run->n_written));
    const char *undone =
        run->n_undone == 0 ? ""
        : run->n_undone == run->n_written
            ? ", undone since"
            : arena_printf(arena, ", %s undone since", number_text(arena, run->n_undone));

    return arena_printf(arena, "%s%s written%s", of,
                        counted(arena, run->n_items, "workload", "workloads"), undone);
}

static void
print_recorded_down(const struct history_page *page, const struct record *record)
{
    for (uint32_t i = 0; i < record->n_down; i++) {
        const struct record_reason *down = &record->down[i];

        print_fact(page, INK_RED, i == 0 ? "down" : "",
                   str_is_empty(down->message)
                       ? down->cluster
                       : arena_printf(page->arena, "%s: %s", down->cluster, down->message));
    }
}

/* Returns "/etc/ballast/ballast.yaml; user ops, context prod, host ballast-29". */
static const char *
origin_text(const struct history_page *page, const struct record *record)
{
    const char *const parts[][2] = {{"user", record->user},
                                    {"context", record->context},
                                    {"host", record->host},
                                    {"fleet", record->path}};
    const char *text =
        str_is_empty(record->configuration) ? "defaults and flags" : record->configuration;
    const char *joint = "; ";

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!str_is_empty(parts[i][1])) {
            text = arena_printf(page->arena, "%s%s%s %s", text, joint, parts[i][0], parts[i][1]);
            joint = ", ";
        }
    }
    return text;
}

static const char *
undoes_text(const struct history_page *page, const struct record *record)
{
    const char *text = "";

    for (uint32_t i = 0; i < record->undoes.count; i++) {
        text =
            arena_printf(page->arena, "%s%s%s", text, i > 0 ? ", " : "", record->undoes.items[i]);
    }
    return text;
}

static void
print_item(const struct history_page *page, const struct history_run *run,
           const struct history_item *item)
{
    const struct record_item *write = item->item;
    const bool is_written = record_item_is_written(write);
    char when[TIMESTAMP_TEXT_MAX];

    print_line(page->printer, is_written ? INK_BOLD : INK_YELLOW, "  %s%s%s (%s): %s %s%s%s",
               write->namespace_, str_is_empty(write->namespace_) ? "" : "/", write->resource.name,
               write->resource.kind, write->action, recorded_split_text(page->arena, write),
               is_written ? "" : "; not written: ", is_written ? "" : write->status);
    for (uint32_t i = 0; i < write->n_reasons; i++) {
        const struct record_reason *reason = &write->reasons[i];

        print_line(page->printer, INK_NONE, "    %-12s %s%s%s: %s", "why", reason->code,
                   str_is_empty(reason->cluster) ? "" : " ", reason->cluster, reason->message);
    }
    if (!str_is_empty(write->message)) {
        print_line(page->printer, INK_YELLOW, "    %-12s %s", "write", write->message);
    }
    if (item->undone_by != NULL) {
        print_line(page->printer, INK_GREEN, "    %-12s at %s, by %s", "undone",
                   timestamp_format_seconds(item->undone_by->written, when), item->undone_by->id);
    } else if (is_written && !str_is_empty(page->of->workload)) {
        print_line(page->printer, INK_NONE, "    %-12s %s", "take back",
                   undo_command(page->arena, run->record, write, page->of->flags));
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
               sum_text(page, run));
    print_fact(page, INK_NONE, "undoes", undoes_text(page, record));
    print_recorded_down(page, record);
    print_fact(page, INK_NONE, "configuration", origin_text(page, record));
    for (uint32_t i = 0; i < shown; i++) {
        print_item(page, run, &run->items[i]);
    }
    if (shown < run->n_items) {
        print_line(page->printer, INK_DIM, "  ... and %s (--limit 0 lists all)",
                   counted(page->arena, run->n_items - shown, "more workload", "more workloads"));
    }
    if (str_is_empty(page->of->workload) && run->n_undone < run->n_written) {
        print_fact(page, INK_NONE, "take back",
                   undo_command(page->arena, record, NULL, page->of->flags));
    }
}

static void
print_head(const struct history_page *page)
{
    const struct history_report *of = page->of;
    const char *about = str_is_empty(of->workload)
                            ? ""
                            : arena_printf(page->arena, " that wrote to %s", of->workload);
    const char *since = "";
    char when[TIMESTAMP_TEXT_MAX];

    if (of->since != TIME_NONE) {
        since = arena_printf(page->arena, " since %s", timestamp_format_seconds(of->since, when));
    }
    print_line(page->printer, INK_BOLD, "%s%s%s, by the records in %s",
               of->history->n_runs == 0 ? "No runs"
                                        : counted(page->arena, of->history->n_runs, "run", "runs"),
               about, since, of->place);
}

void
history_text(FILE *stream, const struct history_report *report,
             const struct report_options *options)
{
    const struct printer printer = {
        .stream = stream, .colour = options->colour, .width = options->text_width};
    struct arena *arena = arena_new();
    const struct history_page page = {arena, &printer, report, options};

    print_head(&page);
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
