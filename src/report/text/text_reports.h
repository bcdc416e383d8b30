/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports for a terminal.
 */
#ifndef BALLAST_REPORT_TEXT_REPORTS_H
#define BALLAST_REPORT_TEXT_REPORTS_H

#include "ballast/base/text.h"
#include "ballast/report/explain_report.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include <stdio.h>

/* --- cluster_table.c --- */

/* Of a large plan, what it comes to in each cluster and namespace. */
void print_cluster_table(const struct printer *printer, const struct report_view *view);

/* --- diff.c --- */

/* One report each. */
void report_diff(FILE *stream, const struct report_view *view);

/* --- explain_text.c --- */

void explain_text(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);
/* All of one explanation but the answer, which stands at its head; `clusters` writes the part that
 * is about them. */
void print_explanation(const struct explain_page *page,
                       void (*clusters)(const struct explain_page *page));

/* --- heading.c --- */

/* What every report begins with: which fleet, what is done to it, what was seen. */
void print_heading(const struct printer *printer, const struct report_view *view);
/* The part of it that says where the fleet was read from, and what was seen of its members. */
void print_sources(const struct printer *printer, const struct report_view *view);
/* "Plan", "Run" or "Undo" */
const char *kind_text(const struct report_view *view);
/* What every report ends with: what was written, and whether all was seen. */
void print_ending(const struct printer *printer, const struct report_view *view);

/* --- limit.c --- */

/* Puts those that the limit lets through first, and returns how many they are: what stands for
 * itself as far as the limit goes, and some of what stands for many. */
uint32_t limit_entries(const struct report_view *view, struct entries *entries);
/* What sums up the rest, in the view's memory; NULL where all are listed. */
const char *limited_text(const struct report_view *view, const struct entries *entries,
                         uint32_t listed);
/* The same as a line. */
void print_limited(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);

/* --- namespace_table.c --- */

void print_namespace_table(const struct printer *printer, const struct report_view *view);

/* --- nodes.c --- */

/* Of each cluster, what is not ready of its nodes, where replicas are on these. */
void print_nodes(const struct printer *printer, const struct report_view *view);

/* --- simulate_drain.c --- */

void print_drain(const struct printer *printer, const struct simulation_view *view);

/* --- simulate_survival.c --- */

/* What finds no home of one loss, and each loss of a certificate. */
void print_loss(const struct printer *printer, const struct simulation_view *view,
                const struct loss *loss);
void print_survival(const struct printer *printer, const struct simulation_view *view);

/* --- simulate_text.c --- */

/* simulate_text.c, simulate_document.c */
void simulation_text(FILE *stream, const struct simulation_view *view);
/* Which fleet, when, what was assumed. */
void print_simulation_heading(const struct printer *printer, const struct simulation_view *view);
/* Whether it passes, where that was asked. */
void print_simulation_verdict(const struct printer *printer, const struct simulation_view *view);

/* --- table.c --- */

/* Appends "member1 13->4, member2 +9, 3 more" of a binding that changes. */
void write_changes(const struct report_view *view, const struct row *row, struct buf *out);
void report_table(FILE *stream, const struct report_view *view);

/* --- report_totals.c --- */

/* The lines before and behind the bindings, the same for diff and table. */
void print_totals(const struct printer *printer, const struct report_view *view);
void print_summary(const struct printer *printer, const struct report_view *view);
/* Of a diff that is longer than a screen, the totals again, and how to see less of it or all. */
void print_closing(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);

#endif
