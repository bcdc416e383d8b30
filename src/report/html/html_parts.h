/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the page of a plan or run.
 */
#ifndef BALLAST_REPORT_HTML_PARTS_H
#define BALLAST_REPORT_HTML_PARTS_H

#include "html.h"
#include "report/view/tally.h"
#include "report/view/view.h"

/* A tile with one number. Zero is grey. */
struct html_tile {
    const char *label, *title; /* the title is the tooltip */
    int64_t number;
    const char *class; /* "bad", "warn", or "good" */
};

/* Writes a row of tiles. */
void html_tiles(struct html *html, struct arena *arena, const struct html_tile *tiles,
                size_t count);
/* Writes the sums, and the head of the text reports. */
void html_summary(struct html *html, const struct report_view *view);
/* Writes all clusters: standing, replicas and capacity, before and after. */
void html_clusters(struct html *html, const struct report_view *view);
/* True if more flows between clusters than FLOWS_FEW take place. */
bool has_flows(const struct report_view *view);
/* Writes the flows of replicas between clusters. */
void html_flows(struct html *html, const struct report_view *view);
/* True if a namespace has changed or held-back bindings. */
bool has_namespaces(const struct report_view *view);
/* Writes the sums by namespace. */
void html_namespaces(struct html *html, const struct report_view *view);
/* True if the report shows bindings. */
bool has_decisions(const struct report_view *view);
/* Writes the listed decisions, with their reasons. */
void html_decisions(struct html *html, const struct report_view *view);
/* html_history.c: true if the report has a history of runs. */
bool has_history(const struct report_view *view);
/* html_history.c: writes the timeline of runs, with a line for each. */
void html_history(struct html *html, const struct report_view *view);
/* True if the report has unseen members, notices or skipped objects. */
bool has_notes(const struct report_view *view);
/* Writes unseen members, notices and skipped objects. */
void html_notes(struct html *html, const struct report_view *view);

#endif
