/* SPDX-License-Identifier: Apache-2.0
 *
 * The program that was built beside this one, as a process.
 */
#ifndef BALLAST_BENCH_PROGRAM_H
#define BALLAST_BENCH_PROGRAM_H

#include <stdbool.h>
#include <sys/resource.h>

#define PROGRAM_ARGUMENTS_MAX 15

struct program_run {
    const char *arguments[PROGRAM_ARGUMENTS_MAX]; /* NULL behind the last, where there are fewer */
    bool is_heard; /* what it says on stderr is shown; what it prints goes to nowhere in any case */
    struct rusage used; /* out */
    double begin_s;     /* out: wall_seconds() then */
    double wall_s;      /* out */
    int status;         /* out, of its exit; -1: a signal ended it */
};

/* false: it could not be run. */
bool program_run(struct program_run *run);

double program_cpu_seconds(const struct program_run *run);
double program_peak_mb(const struct program_run *run);

#endif
