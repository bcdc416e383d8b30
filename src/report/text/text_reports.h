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

/* Prints a table of the clusters that change, the most changed first, and sums up the rest. With
 * bars it does so for every plan, else for a large one. */
void print_cluster_table(const struct printer *printer, const struct report_view *view);

/* --- diff.c --- */

/* Writes the report of a plan, a run or an undo, each binding with its changes and reasons. */
void report_diff(FILE *stream, const struct report_view *view);

/* --- explain_text.c --- */

/* Writes explanations for a terminal. */
void explain_text(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);
/* Prints all of one explanation but the answer at its head. `clusters` prints the part that is
 * about clusters. */
void print_explanation(const struct explain_page *page,
                       void (*clusters)(const struct explain_page *page));

/* --- heading.c --- */

/* Prints what every report begins with: what is done, to which fleet, and what was seen of it. */
void print_heading(const struct printer *printer, const struct report_view *view);
/* Prints where the fleet was read from, and what was seen of its members. */
void print_sources(const struct printer *printer, const struct report_view *view);
/* Returns what the report is of, a constant: "Plan", "Run" or "Undo". */
const char *kind_text(const struct report_view *view);
/* Prints what every report ends with: what was written, the record, and whether all was seen. */
void print_ending(const struct printer *printer, const struct report_view *view);

/* --- limit.c --- */

/* Puts the entries to list first, and returns how many they are: entries of one binding up to
 * --limit, and some entries that stand for many. All, where the limit is 0. */
uint32_t limit_entries(const struct report_view *view, struct entries *entries);
/* Returns a text that sums up the entries behind the first `listed`, in the view's memory. NULL
 * where all are listed. */
const char *limited_text(const struct report_view *view, const struct entries *entries,
                         uint32_t listed);
/* Prints limited_text as a line, where there is one. */
void print_limited(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);

/* --- namespace_table.c --- */

/* Prints, for a large plan, a table of the namespaces in which something changes or is held back,
 * and sums up those beyond a number. */
void print_namespace_table(const struct printer *printer, const struct report_view *view);

/* --- nodes.c --- */

/* Prints a line for each cluster with nodes that are not ready and have replicas on them. */
void print_nodes(const struct printer *printer, const struct report_view *view);

/* --- simulate_drain.c --- */

/* Prints the steps that drain clusters, and what stays there. Nothing where none is drained. */
void print_drain(const struct printer *printer, const struct simulation_view *view);

/* --- simulate_survival.c --- */

/* Prints what one loss takes away, and what of it finds no home. */
void print_loss(const struct printer *printer, const struct simulation_view *view,
                const struct loss *loss);
/* Prints what each cluster or failure domain leaves homeless that is lost by itself, the worst
 * first. The simulation has a survival. */
void print_survival(const struct printer *printer, const struct simulation_view *view);

/* --- simulate_text.c --- */

/* Writes the report of a simulation for a terminal. */
void simulation_text(FILE *stream, const struct simulation_view *view);
/* Prints which fleet is simulated, when, and what is assumed. */
void print_simulation_heading(const struct printer *printer, const struct simulation_view *view);
/* Prints whether the simulation passes, where it was asked to (--max-homeless). */
void print_simulation_verdict(const struct printer *printer, const struct simulation_view *view);

/* --- table.c --- */

/* Appends what a binding changes: "member1 13->4, member2 +9, 3 more". Nothing where it does not
 * change. */
void write_changes(const struct report_view *view, const struct row *row, struct buf *out);
/* Writes the report of a plan, a run or an undo as a table, a line for each binding. */
void report_table(FILE *stream, const struct report_view *view);

/* --- report_totals.c --- */

/* Prints the lines before the bindings, in diff and table alike: the heading and the totals. */
void print_totals(const struct printer *printer, const struct report_view *view);
/* Prints the line behind the bindings, in diff and table alike: how many of them did what. */
void print_summary(const struct printer *printer, const struct report_view *view);
/* Prints the totals again behind a diff that is longer than a screen, and how to see less or all of
 * it. */
void print_closing(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);

#endif
