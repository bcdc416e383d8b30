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
    int64_t max_homeless; /* more than this fails the simulation */
};

/* Returns the number of homeless replicas: the simulation's, or the worst loss's if that is
 * larger. */
int64_t simulation_homeless(const struct simulation_report *simulated);
/* True if the survival has no loss, because no cluster names its group. */
bool simulation_proves_nothing(const struct simulation_report *simulated);
/* True if homeless replicas exceed max_homeless, or the simulation proves nothing. False without
 * has_max_homeless. */
bool simulation_fails(const struct simulation_report *simulated);

/* Writes a simulation as HTML, JSON or YAML, else as text. False with err if the stream fails or a
 * signal stops it. */
bool simulation_write(FILE *stream, const struct simulation_report *simulated,
                      const struct report_options *options, struct error *err);

#endif
