/* SPDX-License-Identifier: Apache-2.0
 *
 * Tight fleets, planned with the second look and without, in turn.
 */
#include "packing.h"

#include <float.h>
#include <stdio.h>

#include "../optimum/tight.h"
#include "measure.h"

#include "ballast/diagnose/diagnose.h"
#include "ballast/plan/trace.h"

#define ROUNDS 5 /* of each, the quickest counts: others keep the machine busy */

/* CPU seconds. */
struct planning_times {
    double plan, /* alone */
        whole;   /* from the fleet: with its diagnosis and the ledger */
};

struct packing_sums {
    struct planning_times first, both;
    int64_t left_first, left_both; /* replicas that find no place */
    int64_t at_most;               /* of them any plan could place, with nobody worse off */
    double worst;                  /* ratio of one fleet */
};

/* The quicker of these and those. */
static void
plan_timed(const struct fleet *fleet, const struct policy *policy, bool only_first_pass,
           struct planning_times *least, struct plan *ret)
{
    struct arena *arena = arena_new();
    const double begin = cpu_seconds();
    const struct diagnosis *diagnosis = diagnose(arena, fleet, policy);
    const struct plan_inputs inputs = {
        .fleet = fleet,
        .diagnosis = diagnosis,
        .policy = policy,
        .ledger = ledger_new(arena, fleet, diagnosis, policy),
        .run_accounts = run_accounts_new(arena, fleet, diagnosis, &policy->limits),
        .only_first_pass = only_first_pass,
    };
    const double start = cpu_seconds();

    *ret = *plan_fleet_traced(arena, &inputs, NULL);
    const double end = cpu_seconds();

    arena_free(arena);
    least->plan = end - start < least->plan ? end - start : least->plan;
    least->whole = end - begin < least->whole ? end - begin : least->whole;
}

static void
add_times(struct planning_times *sum, const struct planning_times *times)
{
    sum->plan += times->plan;
    sum->whole += times->whole;
}

static bool
add_fleet(const struct tight_size *size, struct packing_sums *sums)
{
    struct error err = ERROR_INIT;
    struct fleet *fleet = tight_fleet(size, &err);
    struct planning_times first = {DBL_MAX, DBL_MAX}, both = {DBL_MAX, DBL_MAX};
    struct plan plan_first, plan_both;
    struct policy policy;

    if (fleet == NULL) {
        fprintf(stderr, "bench: %s\n", err.message);
        return false;
    }
    policy_init(&policy);
    policy.now = TIGHT_NOW * NANOS_PER_SECOND;
    for (int i = 0; i < ROUNDS; i++) {
        plan_timed(fleet, &policy, true, &first, &plan_first);
        plan_timed(fleet, &policy, false, &both, &plan_both);
    }
    add_times(&sums->first, &first);
    add_times(&sums->both, &both);
    sums->worst = both.plan / first.plan > sums->worst ? both.plan / first.plan : sums->worst;
    sums->left_first += plan_first.totals.replicas_unplaced;
    sums->left_both += plan_both.totals.replicas_unplaced;
    sums->at_most += plan_both.rest.at_most;
    fleet_free(fleet);
    return true;
}

bool
bench_packing(void)
{
    static const struct {
        const char *what;
        struct tight_size size;
        int fleets;
    } rows[] = {
        {"10 to 14 clusters, 40 to 300 bindings", {.seed = 1}, 50},
        {"30 clusters, 1,000 bindings", {.seed = 1, .clusters = 30, .bindings = 1000}, 5},
        {"60 clusters, 2,000 bindings", {.seed = 1, .clusters = 60, .bindings = 2000}, 5},
    };

    printf("\n%-38s %7s %9s %9s %6s %6s %6s %10s %10s %8s\n", "second look", "fleets", "first ms",
           "both ms", "ratio", "worst", "whole", "left first", "left both", "at most");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct packing_sums sums = {.worst = 0};
        struct tight_size size = rows[i].size;

        for (int n = 0; n < rows[i].fleets; n++, size.seed++) {
            if (!add_fleet(&size, &sums)) {
                return false;
            }
        }
        printf("%-38s %7d %9.2f %9.2f %6.2f %6.2f %6.2f %10lld %10lld %8lld\n", rows[i].what,
               rows[i].fleets, sums.first.plan * 1e3 / rows[i].fleets,
               sums.both.plan * 1e3 / rows[i].fleets, sums.both.plan / sums.first.plan, sums.worst,
               sums.both.whole / sums.first.whole, (long long)sums.left_first,
               (long long)sums.left_both, (long long)sums.at_most);
        fflush(stdout);
    }
    return true;
}
