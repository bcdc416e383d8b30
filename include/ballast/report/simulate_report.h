/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulation found, for people and for programs.
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
    int64_t max_homeless; /* more than that fails */
};

/* The most replicas without a home: of the simulation, and of any loss of the survival. */
int64_t simulation_homeless(const struct simulation_report *simulated);
/* It was asked for the loss of each group of clusters, and no cluster says which one is its own. */
bool simulation_proves_nothing(const struct simulation_report *simulated);
/* As a gate: more are homeless than may be, or it proves nothing. */
bool simulation_fails(const struct simulation_report *simulated);

/* As text, or, where the options' format is one for programs, as JSON or YAML. false with err when
 * the stream fails. */
bool simulation_write(FILE *stream, const struct simulation_report *simulated,
                      const struct report_options *options, struct error *err);

#endif
