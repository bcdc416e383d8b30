/* SPDX-License-Identifier: Apache-2.0
 *
 * What one fleet in a directory costs, measured in this very process: its peak of
 * memory is its own only in a process that does nothing else.
 */
#ifndef BALLAST_BENCH_MEASURE_H
#define BALLAST_BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/timestamp.h"
#include "ballast/cycle/cycle.h"

#define BENCH_NOW (INT64_C(1772366400) * NANOS_PER_SECOND) /* 2026-03-01T12:00:00Z */
#define MEGABYTE 1e6

struct measurement {
    double input_mb;
    double read_s, diagnose_s, cold_s, ledger_s, plan_s, jansson_s; /* CPU seconds; the plan's with
                                                                    the ledger's */
    double diagnose_n, ledger_n, plan_n; /* instructions (instructions.h), likewise */
    double print_s, print_mb;            /* all decisions as JSON, to nowhere */
    double survival_s, survival_wall_s;
    double read_rss_mb, diagnose_rss_mb, peak_rss_mb, jansson_rss_mb;
    uint32_t findings, changed, blocked;
    uint32_t unseen;                     /* members */
    uint32_t asked;                      /* questions of a live plan */
    double asked_about, asked_mb;        /* bindings times clusters; what the questions take */
    double cpu_s;                        /* all of it */
    double phase_rss_mb[N_CYCLE_PHASES]; /* the peak of each by itself */
};

double wall_seconds(void); /* of a clock that only goes on */
double cpu_seconds(void);
double peak_rss_mb(void);

/* Each fills in its part; false when it could not, which is told. */
bool measure_ballast(const char *directory, struct measurement *ret);
/* Each cluster lost by itself, by as many workers as there are processors. */
bool measure_survival(const char *directory, struct measurement *ret);
/* The bare parse of the same files. */
bool measure_jansson(const char *directory, struct measurement *ret);

#endif
