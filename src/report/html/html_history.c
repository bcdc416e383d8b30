/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the history of runs: the timeline, and each run with its writes and the command that takes
 * it back. The page of a plan has the timeline, with a line for each run.
 */
#include "html_history.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/view/history_lines.h"
#include "report/view/view.h"

#define RUNS_WHOLE_MAX 12 /* runs whose writes are shown at once */

struct history_section {
    struct html *html;
    struct arena *arena; /* of one run */
    const struct history_report *of;
    uint32_t left; /* writes that the page may still list */
    bool is_open;
};

/* --- a run --- */

static void
write_fact(const struct history_section *section, const char *class, const char *label,
           const char *text)
{
    if (!str_is_empty(text)) {
        html_print(section->html, "<dt>%s</dt><dd class=\"%s\">%s</dd>\n", label, class, text);
    }
}

static void
write_facts(const struct history_section *section, const struct record *record)
{
    html_print(section->html, "<dl class=\"lines\">\n");
    write_fact(section, "plain", "undoes", record_undoes_text(section->arena, record));
    for (uint32_t i = 0; i < record->n_down; i++) {
        write_fact(section, "bad", i == 0 ? "down" : "",
                   recorded_down_text(section->arena, &record->down[i]));
    }
    write_fact(section, "plain", "configuration", record_origin_text(section->arena, record));
    write_fact(section, "plain", "record", record->id);
    html_print(section->html, "</dl>\n");
}

static void
write_command(struct html *html, const char *command)
{
    if (!str_is_empty(command)) {
        html_print(html, "<p>Take it back: <code class=\"command\">%s</code></p>\n", command);
    }
}

static void
write_item(const struct history_section *section, const struct history_run *run,
           const struct history_item *item)
{
    const struct record_item *write = item->item;
    struct html *html = section->html;
    char when[TIMESTAMP_TEXT_MAX];

    html_print(html, "<li><b>%s</b> <span class=\"%s\">%s</span>\n<ul>",
               recorded_workload_text(section->arena, write),
               record_item_is_written(write) ? "plain" : "warn",
               recorded_write_text(section->arena, write));
    for (uint32_t i = 0; i < write->n_reasons; i++) {
        html_print(html, "<li><b class=\"why\">why</b> %s</li>",
                   recorded_reason_text(section->arena, &write->reasons[i]));
    }
    if (!str_is_empty(write->message)) {
        html_print(html, "<li class=\"warn\">%s</li>", write->message);
    }
    if (item->undone_by != NULL) {
        html_print(html, "<li class=\"good\">undone at %s, by %s</li>",
                   timestamp_format_seconds(item->undone_by->written, when), item->undone_by->id);
    }
    html_print(html, "</ul>\n");
    write_command(html, item_take_back(section->arena, section->of, run, item));
    html_print(html, "</li>\n");
}

static const char *
class_of(const struct history_run *run)
{
    return run->record->replicas.homeless > 0 ? "bad"
           : run->n_written < run->n_items    ? "warn"
                                              : "good";
}

static void
write_summary(const struct history_section *section, const struct history_run *run)
{
    const struct record *record = run->record;
    struct html *html = section->html;
    char when[TIMESTAMP_TEXT_MAX];

    html_print(html, "<summary><b class=\"pill %s\">%s</b> <b>%s</b> ", class_of(run),
               record->command, timestamp_format_seconds(record->written, when));
    html_print(html, "<span>%s</span> <small>%s</small></summary>\n",
               run_replicas_text(section->arena, run), run_written_text(section->arena, run));
}

static void
write_run(struct history_section *section, const struct history_run *run)
{
    struct html *html = section->html;
    const uint32_t shown = run->n_items < section->left ? run->n_items : section->left;

    html_print(html, "<details class=\"entry\" id=\"");
    html_run_id(html, run->record);
    html_print(html, section->is_open ? "\" open>" : "\">");
    write_summary(section, run);
    write_facts(section, run->record);
    html_print(html, shown > 0 ? "<ul class=\"notes\">\n" : "");
    for (uint32_t i = 0; i < shown; i++) {
        write_item(section, run, &run->items[i]);
    }
    html_print(html, shown > 0 ? "</ul>\n" : "");
    if (shown < run->n_items) {
        html_print(
            html, "<p class=\"warn\">... and %s: use --limit 0 or -o json</p>\n",
            counted(section->arena, run->n_items - shown, "more workload", "more workloads"));
    }
    write_command(html, run_take_back(section->arena, section->of, run));
    html_print(html, "</details>\n");
    section->left -= shown;
    arena_reset(section->arena);
}

static void
write_runs(struct history_section *section)
{
    const struct history *history = section->of->history;
    struct html *html = section->html;

    html_section_begin(html, "runs", "Runs");
    for (uint32_t i = 0; i < history->n_runs; i++) {
        if (i == HTML_RUNS_OPEN_MAX) {
            html_print(html, "<details class=\"others\"><summary>%s</summary>\n",
                       counted(section->arena, (int64_t)history->n_runs - i, "earlier run",
                               "earlier runs"));
        }
        write_run(section, &history->runs[i]);
    }
    html_print(html, history->n_runs > HTML_RUNS_OPEN_MAX ? "</details>\n" : "");
    html_section_end(html);
}

/* --- the page --- */

void
history_html(FILE *stream, const struct history_report *report,
             const struct report_options *options)
{
    const bool has_runs = report->history->n_runs > 0;
    struct arena *arena = arena_new();
    struct html html;
    struct history_section section = {
        .html = &html,
        .arena = arena,
        .of = report,
        .left = options->limit > 0 ? options->limit : UINT32_MAX,
        .is_open = report->history->n_runs <= RUNS_WHOLE_MAX,
    };

    html_init(&html, stream);
    html_page_begin(&html, "History - Ballast", "History");
    html_navigation_begin(&html);
    html_navigation_link(&html, "timeline", "Timeline");
    if (has_runs) {
        html_navigation_link(&html, "runs", "Runs");
    }
    html_navigation_end(&html);
    html_section_begin(&html, "timeline", "Timeline");
    html_print(&html, "<p class=\"strong\">%s</p>\n", history_text_title(arena, report));
    html_timeline(&html, arena, report->history);
    html_section_end(&html);
    arena_reset(arena);
    if (has_runs) {
        write_runs(&section);
    }
    html_page_end(&html);
    html_release(&html);
    arena_free(arena);
}

/* --- the section of another page --- */

bool
has_history(const struct report_view *view)
{
    return view->report->history != NULL && view->report->history->history->n_runs > 0;
}

static void
write_line(struct html *html, struct arena *arena, const struct history_run *run)
{
    const struct record *record = run->record;
    char when[TIMESTAMP_TEXT_MAX];

    html_print(html, "<li id=\"");
    html_run_id(html, record);
    html_print(html, "\"><b class=\"pill %s\">%s</b> <b>%s</b> ", class_of(run), record->command,
               timestamp_format_seconds(record->written, when));
    html_print(html, "%s <small>%s</small></li>\n", run_replicas_text(arena, run),
               run_written_text(arena, run));
}

void
html_history(struct html *html, const struct report_view *view)
{
    const struct history_report *of = view->report->history;
    const uint32_t count = of->history->n_runs;
    const uint32_t shown = count < HTML_RUNS_OPEN_MAX ? count : HTML_RUNS_OPEN_MAX;

    html_section_begin(html, "history", "History");
    html_timeline(html, view->arena, of->history);
    html_print(html, "<details class=\"numbers\"%s><summary>%s</summary>\n<ul class=\"notes\">\n",
               count <= RUNS_WHOLE_MAX ? " open" : "", counted(view->arena, count, "run", "runs"));
    for (uint32_t i = 0; i < shown; i++) {
        write_line(html, view->arena, &of->history->runs[i]);
    }
    html_print(html, "</ul>\n");
    if (shown < count) {
        html_print(html, "<p>... and %s</p>\n",
                   counted(view->arena, (int64_t)count - shown, "earlier run", "earlier runs"));
    }
    html_print(html,
               "</details>\n<p>What each run moved, and the command that takes it back: "
               "<code class=\"command\">ballast history%s</code></p>\n",
               of->flags);
    html_section_end(html);
}
