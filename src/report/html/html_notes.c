/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the sums by namespace, and the notes of a run.
 */
#include "ballast/base/str.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/view/tally.h"
#include "report/view/view.h"

#define NAMESPACES_SHOWN_MAX 2000
#define NAMESPACES_OPEN_MAX 12 /* a longer table is closed at first */
#define NOTES_SHOWN_MAX 1000   /* of each kind */

static void
write_more(struct html *html, uint32_t count, uint32_t shown, const char *what)
{
    if (count > shown) {
        html_print(html, "<p>... and %u more %s: -o json has all.</p>\n", count - shown, what);
    }
}

static uint32_t
at_most(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}

/* --- namespaces --- */

static const char *const columns[] = {
    "Workloads changed", "Replicas moved",     "Replicas added",
    "Workloads blocked", "Workloads deferred", "Replicas homeless",
};

static void
write_namespace(struct html *html, const struct report_view *view,
                const struct namespace_tally *sums)
{
    html_print(html, "<tr id=\"");
    html_id(html, "Namespace", "", sums->name);
    html_print(html, "\"><th scope=\"row\">%s</th>",
               str_is_empty(sums->name) ? "(in none)" : sums->name);
    const int64_t numbers[] = {sums->changed, sums->moved,    sums->added,
                               sums->blocked, sums->deferred, sums->homeless};

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        html_print(html, "<td class=\"number\" data-label=\"%s\">%s</td>", columns[i],
                   number_text(view->arena, numbers[i]));
    }
    html_print(html, "</tr>\n");
}

bool
has_namespaces(const struct report_view *view)
{
    uint32_t count;

    tally_namespaces(view, &count);
    return count > 0;
}

void
html_namespaces(struct html *html, const struct report_view *view)
{
    uint32_t count;
    const struct namespace_tally *sums = tally_namespaces(view, &count);
    const uint32_t shown = at_most(count, NAMESPACES_SHOWN_MAX);

    html_section_begin(html, "namespaces", "Namespaces");
    html_print(html,
               "<details class=\"numbers\"%s><summary>%s that change or are held back"
               "</summary>\n",
               count <= NAMESPACES_OPEN_MAX ? " open" : "",
               counted(view->arena, count, "namespace", "namespaces"));
    html_table_begin(html, "cards", "Namespaces that change or are held back");
    html_print(html, "<thead><tr><th scope=\"col\">Namespace</th>");
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        html_print(html, "<th scope=\"col\" class=\"number\">%s</th>", columns[i]);
    }
    html_print(html, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < shown && !view_is_stopped(view); i++) {
        write_namespace(html, view, &sums[i]);
    }
    html_table_end(html);
    html_print(html, "</details>\n");
    write_more(html, count, shown, "namespaces");
    html_section_end(html);
}

/* --- notes --- */

static void
write_unseen(struct html *html, const struct report_view *view)
{
    const struct report *report = view->report;
    const struct coverage *coverage = report->coverage;
    const uint32_t shown = at_most(coverage->n_unseen, NOTES_SHOWN_MAX);

    if (shown == 0) {
        return;
    }
    html_print(html, "<h3>Members that were not seen</h3>\n<ul class=\"notes\">\n");
    for (uint32_t i = 0; i < shown; i++) {
        const struct unseen_member *unseen = &coverage->unseen[i];

        html_print(html, "<li>");
        html_cluster_link(html, report->fleet->clusters[unseen->cluster].name);
        html_print(html, " <b class=\"%s\">%s%s</b>: %s: ", unseen->is_ready ? "bad" : "warn",
                   unseen->is_ready ? "not seen, although ready" : "not seen, not ready",
                   unseen->is_missed ? ", and it holds replicas in scope" : "", unseen->parts);
        html_print(html, "%s</li>\n", unseen->message);
    }
    html_print(html, "</ul>\n");
    write_more(html, coverage->n_unseen, shown, "members");
}

static void
write_notices(struct html *html, const struct notice_list *notices)
{
    const uint32_t shown = at_most(notices->count, NOTES_SHOWN_MAX);

    if (shown == 0) {
        return;
    }
    html_print(html, "<h3>Notices</h3>\n<ul class=\"notes\">\n");
    for (uint32_t i = 0; i < shown; i++) {
        html_print(html, "<li><b>%s</b>: %s</li>\n", notices->items[i].about,
                   notices->items[i].message);
    }
    html_print(html, "</ul>\n");
    write_more(html, notices->count, shown, "notices");
}

static void
write_problems(struct html *html, const struct fleet *fleet)
{
    const uint32_t shown = at_most(fleet->n_problems, NOTES_SHOWN_MAX);

    if (shown == 0) {
        return;
    }
    html_print(html, "<h3>Bad objects, which were left out</h3>\n<ul class=\"notes\">\n");
    for (uint32_t i = 0; i < shown; i++) {
        html_print(html, "<li><b class=\"bad\">%s</b>: %s</li>\n", fleet->problems[i].object,
                   fleet->problems[i].message);
    }
    html_print(html, "</ul>\n");
    write_more(html, fleet->n_problems, shown, "bad objects");
}

bool
has_notes(const struct report_view *view)
{
    const struct report *report = view->report;

    return report->coverage->n_unseen + report->notices.count + report->fleet->n_problems > 0;
}

void
html_notes(struct html *html, const struct report_view *view)
{
    const struct report *report = view->report;

    html_section_begin(html, "notes", "Notes");
    write_unseen(html, view);
    write_notices(html, &report->notices);
    write_problems(html, report->fleet);
    html_section_end(html);
}
