/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the report as a page for a browser.
 */
#include "html.h"

#include "ballast/base/timestamp.h"
#include "html_parts.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

static bool
is_always(const struct report_view *view)
{
    (void)view;
    return true;
}

/* The sections of the page of a plan or run, in order. */
static const struct {
    const char *id, *title;
    bool (*is_there)(const struct report_view *view); /* false: the page leaves it out */
    void (*write)(struct html *html, const struct report_view *view);
} parts[] = {
    {"summary", "Status", is_always, html_summary},
    {"clusters", "Clusters", is_always, html_clusters},
    {"decisions", "Decisions", has_decisions, html_decisions},
    {"flows", "Flows", has_flows, html_flows},
    {"namespaces", "Namespaces", has_namespaces, html_namespaces},
    {"history", "History", has_history, html_history},
    {"notes", "Notes", has_notes, html_notes},
};

void
report_html(FILE *stream, const struct report_view *view)
{
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
    html_navigation_begin(&html);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].is_there(view)) {
            html_navigation_link(&html, parts[i].id, parts[i].title);
        }
    }
    html_navigation_end(&html);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].is_there(view)) {
            parts[i].write(&html, view);
        }
    }
    html_page_end(&html);
    html_release(&html);
}
