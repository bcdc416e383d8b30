/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of documents for programs.
 */
#ifndef BALLAST_REPORT_DOCUMENT_H
#define BALLAST_REPORT_DOCUMENT_H

#include "ballast/report/explain_report.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"
#include "report/view/view.h"

#include "ballast/report/emitter.h"

#define DOCUMENT_API_VERSION "ballast.io/v1alpha1"

/* Writes a time in RFC 3339 with whole seconds, or null for TIME_NONE. */
void emit_time(struct emitter *out, const char *key, int64_t nanos);

/* Writes a text, or nothing for "". */
void emit_text(struct emitter *out, const char *key, const char *text);
/* Writes an amount as a Kubernetes quantity, without rounding. */
void emit_amount(struct emitter *out, const char *key, struct quantity amount);
/* Returns the word for a standing, a constant: "Ready", "Lost", "NotReady", ... */
const char *document_standing(enum cluster_standing standing);

/* Writes "resource": the workload. */
void emit_resource(struct emitter *out, const struct object_reference *resource);
/* Writes a list of clusters and their replicas. */
void emit_targets(struct emitter *out, const char *key, const struct target_list *targets);
/* Writes "reasons": a list of codes, clusters and messages. */
void emit_reasons(struct emitter *out, const struct reason *reasons, uint32_t count);

/* Writes "source": the origin of the fleet. */
void emit_source(struct emitter *out, const struct report *report);
/* Writes "mode" and "dryRun" (none, client or server, as in kubectl). */
void emit_manner(struct emitter *out, const struct report_view *view);
/* Writes "members": counts of asked and seen members, and the unseen ones. */
void emit_members(struct emitter *out, const struct report *report);
/* Writes "down": replicas that do not run, by state, priority, workload and reason. */
void emit_down(struct emitter *out, const struct report_view *view);
/* Writes "configuration": its file, if any, and whether lost clusters are failed over. */
void emit_configuration(struct emitter *out, const struct report_view *view);
/* Writes an item of "problems" for each ready member that was not seen. */
void emit_unseen_problems(struct emitter *out, const struct report_view *view);
/* Returns the number of items that emit_unseen_problems writes. */
uint32_t unseen_problems(const struct report *report);
/* Writes "items": the shown bindings with their decisions. */
void emit_items(struct emitter *out, const struct report_view *view);
/* Writes "problems": invalid objects, and ready members that were not seen. */
void emit_problems(struct emitter *out, const struct report_view *view);

/* --- document.c --- */

/* Writes the report of a plan, a run or an undo as JSON or YAML. */
void report_document(FILE *stream, const struct report_view *view);

/* --- explain_document.c --- */

/* Writes explanations as JSON or YAML. */
void explain_document(FILE *stream, const struct explanations *explanations,
                      const struct report_options *options);

/* --- history_document.c --- */

/* Writes the history of runs as JSON or YAML. */
void history_document(FILE *stream, const struct history_report *report,
                      const struct report_options *options);
/* Writes a list of runs with their writes, and the commands that take them back. */
void emit_history_runs(struct emitter *out, const char *key, const struct history *history,
                       const char *flags);

/* --- simulate_document.c --- */

/* Writes "changes": the changes that were simulated. */
void emit_simulated_changes(struct emitter *out, const struct simulation_report *simulated);
/* Writes the report of a simulation as JSON or YAML. */
void simulation_document(FILE *stream, const struct simulation_view *view);

#endif
