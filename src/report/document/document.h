/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the report for programs.
 */
#ifndef BALLAST_REPORT_DOCUMENT_H
#define BALLAST_REPORT_DOCUMENT_H

#include "ballast/report/explain_report.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"
#include "report/view/view.h"

#include "ballast/report/emitter.h"

#define DOCUMENT_API_VERSION "ballast.io/v1alpha1"

/* Writes a time in RFC 3339, in whole seconds; null for TIME_NONE. */
void emit_time(struct emitter *out, const char *key, int64_t nanos);

/* Writes a text. Writes nothing for "". */
void emit_text(struct emitter *out, const char *key, const char *text);
/* Writes an amount as Kubernetes writes a quantity, to the last digit. */
void emit_amount(struct emitter *out, const char *key, struct quantity amount);
/* Returns how documents call a standing, a constant: "Ready", "Lost", "NotReady", ... */
const char *document_standing(enum cluster_standing standing);

/* Writes "resource": which workload. */
void emit_resource(struct emitter *out, const struct object_reference *resource);
/* Writes a list of clusters and their replicas. */
void emit_targets(struct emitter *out, const char *key, const struct target_list *targets);
/* Writes "reasons": a list of codes, clusters and messages. */
void emit_reasons(struct emitter *out, const struct reason *reasons, uint32_t count);

/* Writes "source": which fleet. */
void emit_source(struct emitter *out, const struct report *report);
/* Writes "mode" and "dryRun" (none, client or server, as kubectl has it). */
void emit_manner(struct emitter *out, const struct report_view *view);
/* Writes "members": how many were asked, how many were seen, and which were not. */
void emit_members(struct emitter *out, const struct report *report);
/* Writes an item of "problems" for each member that was not seen and counts as a problem. */
void emit_unseen_problems(struct emitter *out, const struct report_view *view);
/* Returns how many items emit_unseen_problems writes. */
uint32_t unseen_problems(const struct report *report);
/* Writes "items": the bindings that are shown, each with its decision. */
void emit_items(struct emitter *out, const struct report_view *view);
/* Writes "problems": bad objects, and members that were not seen. */
void emit_problems(struct emitter *out, const struct report_view *view);

/* --- document.c --- */

/* Writes the report of a plan, a run or an undo as JSON or YAML. */
void report_document(FILE *stream, const struct report_view *view);

/* --- explain_document.c --- */

/* Writes explanations as JSON or YAML. */
void explain_document(FILE *stream, const struct explanations *explanations,
                      const struct report_options *options);

/* --- simulate_document.c --- */

/* Writes the report of a simulation as JSON or YAML. */
void simulation_document(FILE *stream, const struct simulation_view *view);

#endif
