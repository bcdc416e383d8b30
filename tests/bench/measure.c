/* SPDX-License-Identifier: Apache-2.0
 *
 * The measurements, each of one fleet.
 */
#include "measure.h"

#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "ballast/diagnose/diagnose.h"
#include "ballast/directory/fleet_directory.h"
#include "ballast/plan/plan.h"
#include "ballast/report/report.h"
#include "ballast/simulate/survival.h"
#include "instructions.h"

#define BEYOND_CACHES ((size_t)256 << 20) /* bytes: more than a processor's caches hold */
#define COLD_ROUNDS 3

double
wall_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double
cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double
peak_rss_mb(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024 / MEGABYTE;
}

/* Diagnosing with nothing of the fleet in the caches, the best of a few. A small fleet is still in
 * them when it has been read and a large one never is, so that only this tells whether the time
 * follows the number of bindings. */
static double
diagnose_cold(const struct fleet *fleet, const struct policy *policy)
{
    volatile unsigned char *junk = malloc(BEYOND_CACHES);
    double best = 0;

    for (int round = 0; junk != NULL && round < COLD_ROUNDS; round++) {
        struct arena *arena = arena_new();

        for (size_t i = 0; i < BEYOND_CACHES; i += 64) {
            junk[i] = (unsigned char)round;
        }
        double start = cpu_seconds();

        diagnose(arena, fleet, policy);
        double taken = cpu_seconds() - start;

        best = round == 0 || taken < best ? taken : best;
        arena_free(arena);
    }
    free((void *)junk);
    return best;
}

static ssize_t
count_bytes(void *context, const char *bytes, size_t length)
{
    double *count = context;

    (void)bytes;
    *count += (double)length;
    return (ssize_t)length;
}

/* Every decision, whether it changes something or not. */
static bool
measure_print(const struct report *report, struct measurement *ret)
{
    const struct report_options options = {.format = REPORT_JSON, .all = true, .dry_run = true};
    struct error err = ERROR_INIT;
    double written = 0;
    FILE *nowhere = fopencookie(&written, "w", (cookie_io_functions_t){.write = count_bytes});

    if (nowhere == NULL) {
        return false;
    }
    double start = cpu_seconds();
    bool fine = report_write(nowhere, report, &options, &err);

    fine = fclose(nowhere) == 0 && fine;
    ret->print_s = cpu_seconds() - start;
    ret->print_mb = written / MEGABYTE;
    return fine;
}

bool
measure_ballast(const char *directory, struct measurement *ret)
{
    struct error err = ERROR_INIT;
    struct policy policy;
    struct arena *arena = arena_new();
    double start = cpu_seconds();
    struct fleet_directory *source = fleet_directory_open(directory, &err);
    struct fleet *fleet = source != NULL ? fleet_directory_read(source, &err) : NULL;

    if (fleet == NULL || fleet->n_problems > 0) {
        fprintf(stderr, "bench: %s\n", fleet == NULL ? err.message : fleet->problems[0].message);
        return false;
    }
    ret->read_s = cpu_seconds() - start;
    ret->read_rss_mb = peak_rss_mb();
    policy_init(&policy);
    policy.now = BENCH_NOW;
    instructions_count();
    double counted = instructions();

    start = cpu_seconds();
    const struct diagnosis *diagnosis = diagnose(arena, fleet, &policy);

    ret->diagnose_s = cpu_seconds() - start;
    ret->diagnose_n = instructions() - counted;
    ret->diagnose_rss_mb = peak_rss_mb();
    counted = instructions();
    start = cpu_seconds();
    struct ledger *ledger = ledger_new(arena, fleet, diagnosis, &policy);

    ret->ledger_s = cpu_seconds() - start;
    ret->ledger_n = instructions() - counted;
    const struct plan *plan = plan_fleet(arena, fleet, diagnosis, &policy, ledger,
                                         run_accounts_new(arena, fleet, diagnosis, &policy.limits));

    ret->plan_s = cpu_seconds() - start;
    ret->plan_n = instructions() - counted;
    ret->peak_rss_mb = peak_rss_mb();
    ret->findings = diagnosis->n_findings;
    ret->changed = plan->totals.changed;
    ret->blocked = plan->totals.by_action[ACTION_BLOCKED];
    ret->cold_s = diagnose_cold(fleet, &policy);
    const struct fleet_origin origin = {.path = directory};
    const struct report report = {.fleet = fleet,
                                  .diagnosis = diagnosis,
                                  .coverage = coverage_of(arena, fleet, diagnosis, &policy),
                                  .origin = &origin,
                                  .policy = &policy,
                                  .plan = plan,
                                  .ledger = ledger};
    bool fine = measure_print(&report, ret);

    fleet_free(fleet);
    fleet_directory_close(source);
    arena_free(arena);
    return fine;
}

bool
measure_survival(const char *directory, struct measurement *ret)
{
    struct error err = ERROR_INIT;
    struct policy policy;
    struct arena *arena = arena_new();
    struct fleet_directory *source = fleet_directory_open(directory, &err);
    struct fleet *fleet = source != NULL ? fleet_directory_read(source, &err) : NULL;
    const struct workers workers = workers_threads(0);
    struct survival survival;

    if (fleet == NULL) {
        fprintf(stderr, "bench: %s\n", err.message);
        return false;
    }
    policy_init(&policy);
    policy.now = BENCH_NOW;
    policy = simulation_policy(&policy, true);
    double start = cpu_seconds(), wall = wall_seconds();
    bool fine = survival_of(arena, fleet, &policy, GUARD_BY_NONE, &workers, &survival);

    ret->survival_s = cpu_seconds() - start;
    ret->survival_wall_s = wall_seconds() - wall;
    ret->peak_rss_mb = peak_rss_mb();
    ret->changed = survival.n_losses;
    fleet_free(fleet);
    fleet_directory_close(source);
    arena_free(arena);
    return fine;
}

static int
parse_with_jansson(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)where;
    if (type != FTW_F || info->st_size == 0 || strstr(path, ".json") == NULL) {
        return 0;
    }
    json_error_t err;
    size_t length = (size_t)info->st_size;
    char *bytes = malloc(length);
    FILE *file = fopen(path, "r");
    bool is_read = bytes != NULL && file != NULL && fread(bytes, 1, length, file) == length;
    json_t *root = is_read ? json_loadb(bytes, length, 0, &err) : NULL;

    if (file != NULL) {
        fclose(file);
    }
    json_decref(root);
    free(bytes);
    return root != NULL ? 0 : 1;
}

bool
measure_jansson(const char *directory, struct measurement *ret)
{
    double start = cpu_seconds();

    if (nftw(directory, parse_with_jansson, 16, FTW_PHYS) != 0) {
        fprintf(stderr, "bench: jansson cannot parse %s\n", directory);
        return false;
    }
    ret->jansson_s = cpu_seconds() - start;
    ret->jansson_rss_mb = peak_rss_mb();
    return true;
}
