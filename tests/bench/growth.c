/* SPDX-License-Identifier: Apache-2.0
 *
 * The bindings come out of a pipe (pipes.h), so that a million of them are nowhere as text. What a
 * fleet costs is the least of a few runs, and of a small one of more: it is over in milliseconds.
 */
#include "growth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "child.h"
#include "pipes.h"

#define RUNS 3
#define RUNS_OF_SMALL 9
#define SMALL 10000 /* bindings at most */
#define LEAST 1000u /* bindings */
#define STEP 10u
#define SIZES_MAX 4 /* to a million */
#define PATH_SIZE 512

/* What is read of the fleet is told by the pipe. */
static bool
measure_piped(const struct synthetic *fleet, const char *directory, struct measurement *ret)
{
    struct pipes pipes = {.fleet = fleet, .directory = directory, .shard = {0, 1}};
    bool fine = pipes_open(&pipes) && in_child(measure_ballast, directory, ret);
    const struct pipes_read read = pipes_close(&pipes);

    ret->input_mb = read.bytes / MEGABYTE;
    return fine && read.bytes > 0;
}

static bool
make_directory(const struct synthetic *fleet, char *directory)
{
    char path[PATH_SIZE];
    bool fine = mkdtemp(directory) != NULL;

    snprintf(path, sizeof(path), "%s/control-plane", directory);
    fine = fine && mkdir(path, 0777) == 0;
    snprintf(path, sizeof(path), "%s/control-plane/clusters.json", directory);
    FILE *file = fine ? fopen(path, "w") : NULL;

    if (file != NULL) {
        synthetic_write_clusters(fleet, file);
    }
    return file != NULL && fclose(file) == 0;
}

static void
keep_least(double *least, double value)
{
    *least = value < *least ? value : *least;
}

static bool
measure_runs(const struct synthetic *fleet, struct measurement *ret)
{
    char directory[] = "/tmp/ballast-bench-XXXXXX";
    const int runs = fleet->bindings > SMALL ? RUNS : RUNS_OF_SMALL;
    bool fine = make_directory(fleet, directory) && measure_piped(fleet, directory, ret);

    for (int i = 1; fine && i < runs; i++) {
        struct measurement m = {.input_mb = 0};

        fine = measure_piped(fleet, directory, &m);
        keep_least(&ret->read_s, m.read_s);
        keep_least(&ret->diagnose_s, m.diagnose_s);
        keep_least(&ret->cold_s, m.cold_s);
        keep_least(&ret->ledger_s, m.ledger_s);
        keep_least(&ret->plan_s, m.plan_s);
        keep_least(&ret->peak_rss_mb, m.peak_rss_mb);
    }
    remove_directory(directory);
    return fine;
}

static void
print_exponent(double small, double large, double steps)
{
    if (small > 0 && large > 0) {
        printf(" %6.2f", log(large / small) / log(steps));
    } else { /* instructions that nobody counts */
        printf(" %6s", "-");
    }
}

static void
print_growth(const struct measurement *from, const struct measurement *to, uint32_t bindings,
             double steps, const char *what)
{
    const double both[][2] = {
        {from->read_s, to->read_s},          {from->diagnose_s, to->diagnose_s},
        {from->diagnose_n, to->diagnose_n},  {from->cold_s, to->cold_s},
        {from->ledger_s, to->ledger_s},      {from->ledger_n, to->ledger_n},
        {from->plan_s, to->plan_s},          {from->plan_n, to->plan_n},
        {from->peak_rss_mb, to->peak_rss_mb}};

    printf("%-28s", what);
    for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
        print_exponent(both[i][0], both[i][1], steps);
    }
    printf(" %9.3f %9.3f %9.3f %8.1f\n", to->diagnose_s * 1e6 / bindings,
           to->ledger_s * 1e6 / bindings, to->plan_s * 1e6 / bindings, to->peak_rss_mb);
    fflush(stdout);
}

/* From each smaller fleet to the largest. */
static bool
grow_bindings(uint32_t bindings)
{
    struct measurement sizes[SIZES_MAX];
    uint32_t n_sizes = 0;

    for (uint32_t of = LEAST; of <= bindings && n_sizes < SIZES_MAX; of *= STEP) {
        const struct synthetic fleet = {.seed = 1, .bindings = of, .clusters = 10};

        if (!measure_runs(&fleet, &sizes[n_sizes++])) {
            return false;
        }
    }
    for (uint32_t i = 0, of = LEAST; i + 1 < n_sizes; i++, of *= STEP) {
        double steps = pow(STEP, n_sizes - 1 - i);
        uint32_t largest = of * (uint32_t)steps;
        char what[64];

        snprintf(what, sizeof(what), "%u to %u bindings", of, largest);
        print_growth(&sizes[i], &sizes[n_sizes - 1], largest, steps, what);
    }
    return true;
}

bool
bench_growth(uint32_t bindings)
{
    const struct synthetic few = {.seed = 1, .bindings = 10000, .clusters = 10};
    const struct synthetic many = {.seed = 1, .bindings = 10000, .clusters = 1000};
    struct measurement from, to;

    printf("\n%-28s %6s %6s %6s %6s %6s %6s %6s %6s %6s %9s %9s %9s %8s\n", "exponents of growth",
           "read", "diag", "instr.", "cold", "ledger", "instr.", "plan", "instr.", "memory",
           "diag us/b", "ledg us/b", "plan us/b", "peak RSS");
    if (!grow_bindings(bindings) || !measure_runs(&few, &from) || !measure_runs(&many, &to)) {
        return false;
    }
    print_growth(&from, &to, many.bindings, 100, "10 to 1000 clusters");
    return true;
}
