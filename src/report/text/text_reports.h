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

/* Prints a table of the clusters that change most, and sums up others. Without bars, only large
 * plans get it. */
void print_cluster_table(const struct printer *printer, const struct report_view *view);

/* --- diff.c --- */

/* Writes the report of a plan, a run or an undo as a diff, with the reasons of each binding. */
void report_diff(FILE *stream, const struct report_view *view);

/* Prints only the hunks of a diff. */
void print_diff_bindings(const struct printer *printer, const struct report_view *view);

/* --- down_text.c --- */

/* Prints which replicas do not run, in the first lines of a report. */
void print_down(const struct printer *printer, const struct report_view *view);

/* --- explain_cluster.c --- */

/* Prints the standing of a cluster, its replicas and its capacity, and what a run changes there. */
void explain_cluster_text(const struct printer *printer, const struct explanations *explanations,
                          const struct report_view *view, uint32_t cluster);

/* --- explain_text.c --- */

/* Writes explanations for a terminal. */
void explain_text(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);
/* Prints the inputs of explanations: those of a report, or of the loss that was simulated first. */
void print_explained_inputs(const struct printer *printer, const struct explanations *explanations,
                            const struct report_view *view);
/* Prints an explanation except its answer. `clusters` prints the part about clusters. */
void print_explanation(const struct explain_page *page,
                       void (*clusters)(const struct explain_page *page));

/* --- heading.c --- */

/* Prints the file of the configuration, and whether lost clusters are failed over. */
void print_configuration(const struct printer *printer, const struct report_view *view);
/* Prints the inputs of a report: time and mode, the fleet, the seen members, the configuration. */
void print_heading(const struct printer *printer, const struct report_view *view);
/* Prints the origin of the fleet, and the seen members. */
void print_sources(const struct printer *printer, const struct report_view *view);
/* Returns the kind of a report, a constant: "Plan", "Run" or "Undo". */
const char *kind_text(const struct report_view *view);
/* Prints the end of a report: writes, the record, and a warning about unseen members. */
void print_ending(const struct printer *printer, const struct report_view *view);

/* --- history_text.c --- */

/* Writes the history of runs for a terminal. */
void history_text(FILE *stream, const struct history_report *report,
                  const struct report_options *options);
/* Prints the runs that wrote to the explained workload, if records are known. */
void print_runs_of(const struct explain_page *page);

/* --- limit.c --- */

/* Moves the entries to list to the front, and returns their number: up to --limit single bindings,
 * and some folded entries. Limit 0 lists all entries. */
uint32_t limit_entries(const struct report_view *view, struct entries *entries);
/* Returns a summary of the entries after the first `listed`, in the view's memory, or NULL. */
const char *limited_text(const struct report_view *view, const struct entries *entries,
                         uint32_t listed);
/* Prints limited_text, if any. */
void print_limited(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);

/* --- namespace_table.c --- */

/* Prints a table of the changed and held-back namespaces of a large plan, and sums up namespaces
 * beyond a limit. */
void print_namespace_table(const struct printer *printer, const struct report_view *view);

/* --- next.c --- */

/* Prints the commands that help next, if any. */
void print_next_steps(const struct printer *printer, const struct report_view *view);
/* Prints the command that explains the first homeless workload of a simulated loss, if any. */
void print_simulation_next(const struct printer *printer, const struct simulation_view *view);

/* --- nodes.c --- */

/* Prints a line for each cluster with replicas on unready nodes. */
void print_nodes(const struct printer *printer, const struct report_view *view);

/* --- simulate_drain.c --- */

/* Prints the steps of a drain, and replicas that stay. Prints nothing without drained clusters. */
void print_drain(const struct printer *printer, const struct simulation_view *view);

/* --- simulate_survival.c --- */

/* Prints the replicas in a loss, and the homeless ones among them. */
void print_loss(const struct printer *printer, const struct simulation_view *view,
                const struct loss *loss);
/* Prints the workloads of homeless or staying replicas as a table; with --limit=0 all of them. */
void print_victims(const struct printer *printer, const struct simulation_view *view,
                   const char *title, const struct homeless *items, uint32_t count);
/* Returns in parentheses how many replicas the clusters of a fate have today, in the view's memory.
 * "": as many as `replicas`. Today's repairs may bring replicas there, or take some away. */
const char *today_text(const struct simulation_view *view, enum cluster_fate fate,
                       int64_t replicas);
/* Returns how many of `count` entries a list shows: at most `most`, and with --limit=0 all. */
uint32_t shown_of(const struct simulation_view *view, uint32_t count, uint32_t most);
/* Prints the homeless replicas of each separate loss, the worst first. Needs a survival. */
void print_survival(const struct printer *printer, const struct simulation_view *view);

/* --- simulate_text.c --- */

/* Writes the report of a simulation as text, or with the bindings of a diff or table. */
void simulation_text(FILE *stream, const struct simulation_view *view);
/* Prints the simulated fleet, the time, the changes, today's repairs and the assumptions. */
void print_simulation_inputs(const struct printer *printer, const struct simulation_view *view);
/* Prints the verdict, the lines of print_simulation_inputs(), and the command that helps next. */
void print_simulation_heading(const struct printer *printer, const struct simulation_view *view);
/* Prints a table of what a run would change today, also without the simulated changes. */
void print_repairs(const struct printer *printer, const struct simulation_view *view);
/* True if a run makes the same change today. */
bool is_same_repair(const struct simulation_view *view, uint32_t binding,
                    const struct decision *decision);

/* --- table.c --- */

/* Appends a binding's changes: "member1 13->4, member2 +9, 3 more"; nothing if it does not
 * change. */
void write_changes(const struct report_view *view, const struct row *row, struct buf *out);
/* Writes the report of a plan, a run or an undo as a table, with a line for each binding. */
void report_table(FILE *stream, const struct report_view *view);
/* Prints only the lines of a table. */
void print_table_bindings(const struct printer *printer, const struct report_view *view);

/* --- report_totals.c --- */

/* Prints the heading and the totals, before the bindings of a diff or table. */
void print_totals(const struct printer *printer, const struct report_view *view);
/* Prints the number of unlisted bindings after a long diff, and the flags for other lengths. */
void print_closing(const struct printer *printer, const struct report_view *view,
                   const struct entries *entries, uint32_t listed);

#endif
