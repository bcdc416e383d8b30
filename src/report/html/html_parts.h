/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the page of a plan or a run, a file each.
 */
#ifndef BALLAST_REPORT_HTML_PARTS_H
#define BALLAST_REPORT_HTML_PARTS_H

#include "html.h"
#include "report/view/tally.h"
#include "report/view/view.h"

/* What comes first: the sums, then the lines that every report for people begins with. */
void html_summary(struct html *html, const struct report_view *view);
/* Every cluster: how it stands, its replicas and its room, before and after. */
void html_clusters(struct html *html, const struct report_view *view);
/* The cell with the replicas of one cluster: bars, of which `most` fill the width, and numbers. */
void html_replicas_cell(struct html *html, struct arena *arena, const struct cluster_tally *cluster,
                        int64_t most);
/* From which cluster replicas go to which. */
void html_flows(struct html *html, const struct report_view *view);
/* Sums by namespace. */
void html_namespaces(struct html *html, const struct report_view *view);
/* Every decision that is listed, with its reasons. */
void html_decisions(struct html *html, const struct report_view *view);
/* Members that were not seen, notices, and objects that were left out: all of them. */
void html_notes(struct html *html, const struct report_view *view);

#endif
