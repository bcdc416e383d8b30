/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reports of explanations share.
 */
#ifndef BALLAST_REPORT_EXPLAIN_PAGE_H
#define BALLAST_REPORT_EXPLAIN_PAGE_H

#include "ballast/report/explain_report.h"
#include "printer.h"

/* One explanation being printed. */
struct explain_page {
    struct arena *arena;
    const struct printer *printer;
    const struct explanation *of;
    const struct report *report;
    const struct report_options *options;
};

void explain_document(FILE *stream, const struct explanations *explanations,
                      const struct report_options *options);
void explain_html(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);
void explain_text(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);

/* All of one explanation but the answer, which stands at its head; `clusters` writes the part that
 * is about them. */
void print_explanation(const struct explain_page *page,
                       void (*clusters)(const struct explain_page *page));
/* Every cluster in a table, and below it why some get no more. */
void print_explained_clusters(const struct explain_page *page);

/* All of them: what it has or gets first, then what it may come back to, then what has room. */
const struct explained_cluster *const *explained_in_order(const struct explain_page *page);
/* What is to be said of one below the table; "": nothing. */
const char *explained_note(const struct explain_page *page,
                           const struct explained_cluster *cluster);

/* Cells of that table; in `arena`, or not to be freed. */
/* "any", "8", "-" of what is gone */
const char *explained_room_text(struct arena *arena, const struct explained_cluster *cluster);
/* What is short, else whose word the room is; "+": each resource alone leaves room for more. */
const char *explained_bound_text(struct arena *arena, const struct explained_cluster *cluster);
/* Nodes with room for one, of all. */
const char *explained_nodes_text(struct arena *arena, const struct explained_cluster *cluster);
/* The filter, or what else keeps it from more; "passed". */
const char *explained_verdict_text(const struct explained_cluster *cluster);

#endif
