/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the page of a plan or run.
 */
#ifndef BALLAST_REPORT_HTML_PARTS_H
#define BALLAST_REPORT_HTML_PARTS_H

#include "html.h"
#include "report/view/tally.h"
#include "report/view/view.h"

/* Writes the sums, and the head of the text reports. */
void html_summary(struct html *html, const struct report_view *view);
/* Writes all clusters: standing, replicas and capacity, before and after. */
void html_clusters(struct html *html, const struct report_view *view);
/* Writes a cell with a cluster's replicas: numbers, and bars of which `most` fill the width. */
void html_replicas_cell(struct html *html, struct arena *arena, const struct cluster_tally *cluster,
                        int64_t most);
/* Writes the flows of replicas between clusters. */
void html_flows(struct html *html, const struct report_view *view);
/* Writes the sums by namespace. */
void html_namespaces(struct html *html, const struct report_view *view);
/* Writes the listed decisions, with their reasons. */
void html_decisions(struct html *html, const struct report_view *view);
/* Writes unseen members, notices and skipped objects. */
void html_notes(struct html *html, const struct report_view *view);

#endif
