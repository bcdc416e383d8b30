/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the summary of a page: tiles, and all lines of the text report's totals.
 */
#include "html_lines.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

static void
write_tile(struct html *html, const struct report_view *view, const char *label, int64_t number,
           const char *class)
{
    html_print(html, "<li class=\"%s\"><b>%s</b> %s</li>\n", number > 0 ? class : "none",
               number_text(view->arena, number), label);
}

static void
write_tiles(struct html *html, const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;
    const struct changes changes = report_changes(view->report);
    const bool is_dry = view->options->dry_run;

    html_print(html, "<ul class=\"tiles\">\n");
    write_tile(html, view, is_dry ? "bindings to change" : "bindings changed", changes.bindings,
               "good");
    write_tile(html, view, is_dry ? "replicas to move" : "replicas moved", changes.moved, "good");
    write_tile(html, view, is_dry ? "replicas to add" : "replicas added", changes.added, "good");
    write_tile(html, view, "replicas homeless", view->replicas->homeless, "warn");
    write_tile(html, view, "bindings blocked", totals->blocked, "warn");
    write_tile(html, view, "bindings deferred", totals->by_action[ACTION_DEFERRED], "warn");
    html_print(html, "</ul>\n");
}

void
html_summary(struct html *html, const struct report_view *view)
{
    struct html_lines lines = {.html = html};
    const struct printer printer = {
        .stream = html->stream, .take = html_take_line, .context = &lines};

    html_section_begin(html, "summary", "Summary");
    write_tiles(html, view);
    print_totals(&printer, view);
    print_ending(&printer, view);
    html_lines_end(&lines);
    html_section_end(html);
}
