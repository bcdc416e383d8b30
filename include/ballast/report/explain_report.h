/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes explanations, for people (text, HTML) and for programs (JSON, YAML).
 */
#ifndef BALLAST_REPORT_EXPLAIN_REPORT_H
#define BALLAST_REPORT_EXPLAIN_REPORT_H

#include "ballast/explain/explain.h"
#include "ballast/record/history.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"

struct explanations {
    const struct report *report; /* of the explained plan */
    const struct explanation *const *items;
    const uint32_t *bindings; /* their indices in the fleet */
    uint32_t count;
    const struct simulation_report *simulated; /* the loss before the plan; NULL: none */
    const uint32_t *clusters; /* indices of explained clusters; only texts have them */
    uint32_t n_clusters;
    const struct history *const *histories; /* of each workload, by item; NULL: no records */
    const char *undo_flags;                 /* of commands that take a write back */
};

/* Writes explanations to `stream`. Uses these options: format (diff counts as text), colour,
 * widths, and `all`, which gives each cluster a line. False with err if the stream fails. */
bool report_write_explanations(FILE *stream, const struct explanations *explanations,
                               const struct report_options *options, struct error *err);

#endif
