/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the result of a simulation, for people and for programs.
 */
#ifndef BALLAST_REPORT_SIMULATE_REPORT_H
#define BALLAST_REPORT_SIMULATE_REPORT_H

#include "ballast/report/report.h"
#include "ballast/simulate/simulate.h"

struct simulation_report {
    const struct change_list *changes;
    const struct simulation *simulation;
    const struct survival *survival; /* NULL: not asked for */
    struct report report;            /* of the changed fleet and its plan */
    bool has_max_homeless;
    int64_t max_homeless; /* the simulation fails with more */
};

/* Returns the most homeless replicas: of the simulation, or of the worst loss in the survival. */
int64_t simulation_homeless(const struct simulation_report *simulated);
/* True if each group of clusters was to be lost in turn, but no cluster names its group. */
bool simulation_proves_nothing(const struct simulation_report *simulated);
/* True if more replicas are homeless than max_homeless allows, or if the simulation proves nothing;
 * false without has_max_homeless. */
bool simulation_fails(const struct simulation_report *simulated);

/* Writes the result as text, or, if the options' format is HTML, JSON or YAML, as that. False with
 * err when the stream fails, or when a signal stopped it. */
bool simulation_write(FILE *stream, const struct simulation_report *simulated,
                      const struct report_options *options, struct error *err);

#endif
