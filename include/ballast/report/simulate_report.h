/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the result of a simulation, for people and for programs.
 */
#ifndef BALLAST_REPORT_SIMULATE_REPORT_H
#define BALLAST_REPORT_SIMULATE_REPORT_H

#include "ballast/report/report.h"
#include "ballast/simulate/simulate.h"

/* Whether the changes are safe. Text, documents, pages and the exit status all print this value. */
struct verdict {
    bool is_safe;        /* no loss or drain exceeds `allowed`, and something was tried */
    bool proves_nothing; /* the survival has no loss, because no cluster names its group */
    /* replicas that the changes leave without a place; those of today do not count */
    int64_t homeless;
    uint32_t homeless_workloads; /* 0 if nothing is lost or scaled */
    int64_t staying;             /* replicas that stay in drained clusters */
    uint32_t staying_workloads;
    const struct loss *worst; /* of the separate losses; NULL: none */
    uint32_t n_losses,
        n_fatal;           /* separate losses; those with more homeless replicas than allowed */
    int64_t most_homeless; /* `homeless`, or those of the worst loss if more */
    int64_t allowed;       /* --max-homeless; 0 if not given */
    /* one sentence without a full stop: "NOT SAFE: 23 replicas of 4 workloads would stay" */
    const char *text;
};

struct simulation_report {
    const struct change_list *changes;
    const struct simulation *simulation;
    const struct survival *survival; /* NULL: not asked for */
    struct report report;            /* of the changed fleet and its plan */
    bool has_max_homeless;
    int64_t max_homeless;   /* more than this is not safe */
    struct verdict verdict; /* set by simulation_judge */
};

/* Returns the verdict on a simulation, its text in `arena`. Everything else in `simulated` must be
 * set. */
struct verdict simulation_judge(struct arena *arena, const struct simulation_report *simulated);
/* True if a gate was asked for (has_max_homeless), and the simulation is not safe. */
bool simulation_fails(const struct simulation_report *simulated);

/* Writes a simulation in any format; each says that it is a simulation. False with err if the
 * stream fails or a signal stops it. */
bool simulation_write(FILE *stream, const struct simulation_report *simulated,
                      const struct report_options *options, struct error *err);

#endif
