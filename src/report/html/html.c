/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the report as a page for a browser.
 */
#include "html.h"

#include "ballast/base/timestamp.h"
#include "html_parts.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

void
report_html(FILE *stream, const struct report_view *view)
{
    static const char *const sections[][2] = {
        {"summary", "Summary"},
        {"clusters", "Clusters"},
        {"flows", "Flows"},
        {"namespaces", "Namespaces"},
        {"decisions", "Decisions"},
        {"notes", "Notes"},
        {NULL, NULL},
    };
    const struct fleet_origin *origin = view->report->origin;
    const char *kind = kind_text(view);
    char now[TIMESTAMP_TEXT_MAX];
    struct html html;

    html_init(&html, stream);
    html_page_begin(&html,
                    arena_printf(view->arena, "%s at %s: %s - Ballast", kind,
                                 timestamp_format_seconds(view->report->policy->now, now),
                                 origin->path != NULL ? origin->path : origin->server),
                    kind);
    html_navigation(&html, sections);
    html_summary(&html, view);
    html_clusters(&html, view);
    html_flows(&html, view);
    html_namespaces(&html, view);
    html_decisions(&html, view);
    html_notes(&html, view);
    html_page_end(&html);
    html_release(&html);
}
