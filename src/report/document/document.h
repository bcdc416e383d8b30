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

/* RFC 3339; null for TIME_NONE. */
void emit_time(struct emitter *out, const char *key, int64_t nanos);

/* Nothing for "". */
void emit_text(struct emitter *out, const char *key, const char *text);
/* As Kubernetes writes a quantity. */
void emit_amount(struct emitter *out, const char *key, struct quantity amount);
/* "Ready", "Lost", "NotReady", "Settling" */
const char *document_standing(enum cluster_standing standing);

/* "resource": which workload. */
void emit_resource(struct emitter *out, const struct object_reference *resource);
/* Clusters and their replicas. */
void emit_targets(struct emitter *out, const char *key, const struct target_list *targets);
/* "reasons" */
void emit_reasons(struct emitter *out, const struct reason *reasons, uint32_t count);

/* "source": which fleet. */
void emit_source(struct emitter *out, const struct report *report);
/* "mode" and "dryRun": none, client or server, as kubectl has it. */
void emit_manner(struct emitter *out, const struct report_view *view);
/* "members": what was seen of them. */
void emit_members(struct emitter *out, const struct report *report);
/* Those of "problems" that are members not seen, and how many they are. */
void emit_unseen_problems(struct emitter *out, const struct report_view *view);
uint32_t unseen_problems(const struct report *report);
/* "items": the bindings that are shown, each with its decision. */
void emit_items(struct emitter *out, const struct report_view *view);
/* "problems": what was left out, and members not seen. */
void emit_problems(struct emitter *out, const struct report_view *view);

/* --- document.c --- */

void report_document(FILE *stream, const struct report_view *view);

/* --- explain_document.c --- */

void explain_document(FILE *stream, const struct explanations *explanations,
                      const struct report_options *options);

/* --- simulate_document.c --- */

void simulation_document(FILE *stream, const struct simulation_view *view);

#endif
