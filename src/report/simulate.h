/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a simulation's report.
 */
#ifndef BALLAST_REPORT_SIMULATE_H
#define BALLAST_REPORT_SIMULATE_H

#include "ballast/report/simulate_report.h"
#include "printer.h"

/* A simulation on its way to a stream. */
struct simulation_view {
    const struct simulation_report *simulated;
    const struct report_view *view; /* of its plan */
};

/* simulate_text.c, simulate_document.c */
void simulation_text(FILE *stream, const struct simulation_view *view);
void simulation_document(FILE *stream, const struct simulation_view *view);

/* Which fleet, when, what was assumed. */
void print_simulation_heading(const struct printer *printer, const struct simulation_view *view);
/* Whether it passes, where that was asked. */
void print_simulation_verdict(const struct printer *printer, const struct simulation_view *view);

/* simulate_survival.c: what finds no home of one loss, and each loss of a certificate. */
void print_loss(const struct printer *printer, const struct simulation_view *view,
                const struct loss *loss);
void print_survival(const struct printer *printer, const struct simulation_view *view);

/* simulate_drain.c */
void print_drain(const struct printer *printer, const struct simulation_view *view);

/* "NAMESPACE/NAME" of a binding's workload, fit for a terminal. */
const char *workload_text(struct arena *arena, const struct binding *binding);

#endif
