/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the status first, as tiles: what does not run, then what changes. The totals of the text
 * report follow.
 */
#include "html_lines.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

void
html_tiles(struct html *html, struct arena *arena, const struct html_tile *tiles, size_t count)
{
    html_print(html, "<ul class=\"tiles\">\n");
    for (size_t i = 0; i < count; i++) {
        html_print(html, "<li class=\"%s\" title=\"%s\"><b>%s</b> ",
                   tiles[i].number > 0 ? tiles[i].class : "none", tiles[i].title,
                   number_text(arena, tiles[i].number));
        html_print(html, "%s</li>\n", tiles[i].label);
    }
    html_print(html, "</ul>\n");
}

static void
write_down_tiles(struct html *html, const struct report_view *view)
{
    const struct down *down = &view->replicas->down;
    const struct html_tile tiles[] = {
        {"replicas not running", "wanted replicas that are not ready now", down->replicas, "bad"},
        {"replicas homeless", "replicas that run nowhere and get no place in this plan",
         view->replicas->homeless, "bad"},
        {"workloads down", "workloads with no ready replica", down->n_none_ready, "bad"},
    };

    html_tiles(html, view->arena, tiles, sizeof(tiles) / sizeof(tiles[0]));
}

static void
write_change_tiles(struct html *html, const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;
    const struct changes changes = report_changes(view->report);
    const bool is_dry = view->options->dry_run;
    const struct html_tile tiles[] = {
        {is_dry ? "workloads to change" : "workloads changed", "bindings with a new split",
         changes.bindings, "good"},
        {is_dry ? "replicas to move" : "replicas moved", "from one cluster to another",
         changes.moved, "good"},
        {is_dry ? "replicas to add" : "replicas added", "no cluster loses them", changes.added,
         "good"},
        {"workloads blocked", "something is wrong, and nothing can or may be done",
         totals->by_action[ACTION_BLOCKED], "warn"},
        {"workloads deferred", "a limit of this run leaves them to a later one",
         totals->by_action[ACTION_DEFERRED], "warn"},
    };

    html_tiles(html, view->arena, tiles, sizeof(tiles) / sizeof(tiles[0]));
}

void
html_summary(struct html *html, const struct report_view *view)
{
    struct html_lines lines = {.html = html};
    const struct printer printer = {
        .stream = html->stream, .take = html_take_line, .context = &lines};

    html_section_begin(html, "summary", "Status");
    write_down_tiles(html, view);
    write_change_tiles(html, view);
    print_totals(&printer, view);
    print_ending(&printer, view);
    html_lines_end(&lines);
    html_section_end(html);
}
