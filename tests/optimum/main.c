/* SPDX-License-Identifier: Apache-2.0
 *
 * optimum [FLEETS [SEED [FLOOR [SECONDS [EACH]]]]]: how much of what could be placed plans of tight
 * random fleets place. The most is that of an integer programme, made of the planner's own filters
 * and of its ledger before the first take, in which nobody gets less than the plan gives; cbc, a
 * program of its own, solves it in so many SECONDS a fleet. Where it does not, and with 0 SECONDS
 * (as it is by default), the bound is that of the relaxation, which is some thousandths above the
 * most: a plan looks worse by it than it is, never better. FLOOR and EACH: in 1/1000, of that; the
 * status is 1 where all fleets together are under the one, or any under the other, where more is
 * moved than places so many, and wherever a programme has no solution, for then the plan breaks it.
 *
 * optimum --fleet SEED: prints that fleet, for `ballast plan --fleet FILE`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "programme.h"
#include "tight.h"

#include "ballast/base/timestamp.h"
#include "ballast/plan/ledger.h"

#define TEXT_MAX ((size_t)1 << 26)
#define MOVES_MAX 1.02        /* of the fewest that place so many */
#define RELAXATION_SECONDS 60 /* it takes some milliseconds */

struct sums {
    struct programme_counts counts;
    int64_t most;
    int n_fleets, n_exact, n_unsolved, n_under_99, n_under_97, n_tight;
    double worst;
    uint64_t worst_seed;
};

/* Plans the fleet, and writes the programme to the file. */
static bool
write_case(uint64_t seed, const char *file, bool whole, struct programme_counts *ret)
{
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    struct policy policy;
    struct buf programme;

    buf_init(&programme, TEXT_MAX);
    struct fleet *fleet = tight_fleet(&(struct tight_size){.seed = seed}, &err);

    if (fleet == NULL) {
        (void)fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, err.message);
        exit(2);
    }
    policy_init(&policy);
    policy.now = TIGHT_NOW * NANOS_PER_SECOND;
    const struct diagnosis *diagnosis = diagnose(arena, fleet, &policy);
    const struct plan *plan =
        plan_fleet(arena, fleet, diagnosis, &policy, ledger_new(arena, fleet, diagnosis, &policy),
                   budget_new(arena, fleet, diagnosis, &policy.limits));
    const struct planned planned = {fleet, diagnosis, &policy, plan,
                                    ledger_new(arena, fleet, diagnosis, &policy)};

    programme_write(arena, &planned, whole, &programme, ret);
    FILE *out = fopen(file, "we");
    bool fine = out != NULL && fputs(buf_text(&programme), out) >= 0;

    fine = out != NULL && fclose(out) == 0 && fine;
    buf_release(&programme);
    fleet_free(fleet);
    arena_free(arena);
    return fine;
}

static double
ratio(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 1;
}

static void
add_case(uint64_t seed, const struct programme_counts *counts, int64_t most, bool exact,
         struct sums *sums)
{
    double share = ratio(counts->placed, most);

    printf("seed %llu: %lld lost, %lld placed of at most %lld%s: %.4f\n", (unsigned long long)seed,
           (long long)counts->lost, (long long)counts->placed, (long long)most,
           exact ? "" : " (relaxed)", share);
    sums->n_fleets++;
    sums->n_exact += exact ? 1 : 0;
    sums->n_tight += counts->n_unplaced > 0 ? 1 : 0;
    sums->n_under_99 += share < 0.99 ? 1 : 0;
    sums->n_under_97 += share < 0.97 ? 1 : 0;
    sums->most += most;
    sums->counts.lost += counts->lost;
    sums->counts.placed += counts->placed;
    sums->counts.moved += counts->moved;
    if (share < sums->worst) {
        sums->worst = share;
        sums->worst_seed = seed;
    }
}

/* What is at most placed, in whole replicas or by the relaxation. */
static enum solution_state
solve_case(uint64_t seed, const char *directory, int seconds, struct programme_counts *counts,
           int64_t *ret_most)
{
    char file[4096];

    (void)snprintf(file, sizeof(file), "%s/programme.lp", directory);
    if (!write_case(seed, file, seconds > 0, counts)) {
        perror(file);
        exit(2);
    }
    enum solution_state state =
        programme_solve(directory, file, seconds > 0 ? seconds : RELAXATION_SECONDS, ret_most);

    (void)unlink(file);
    if (state == NO_SOLVER) {
        (void)fprintf(stderr, "optimum: cbc cannot be run (Debian: coinor-cbc)\n");
        exit(2);
    }
    return state;
}

static bool
run_case(uint64_t seed, const char *directory, int seconds, struct sums *sums)
{
    struct programme_counts counts;
    int64_t most = 0;
    enum solution_state state = NOT_SOLVED;
    bool exact = false;

    if (seconds > 0) {
        state = solve_case(seed, directory, seconds, &counts, &most);
        exact = state == SOLVED;
    }
    if (state == NOT_SOLVED) {
        state = solve_case(seed, directory, 0, &counts, &most);
    }
    if (state == SOLVED) {
        add_case(seed, &counts, most, exact, sums);
        return true;
    }
    printf("seed %llu: %s\n", (unsigned long long)seed,
           state == INFEASIBLE ? "the plan gives more than there is room for"
                               : "cbc did not even solve the relaxation");
    sums->n_unsolved++;
    return false;
}

static void
print_sums(const struct sums *sums)
{
    printf("%d fleets, %d of them tight; the most is exact for %d, and for the others that of the "
           "relaxation; %d without (in none of the sums)\n",
           sums->n_fleets, sums->n_tight, sums->n_exact, sums->n_unsolved);
    printf("placed / most: %lld / %lld: %.4f, at worst %.4f (seed %llu); under 0.99: %d, under "
           "0.97: %d fleets\n",
           (long long)sums->counts.placed, (long long)sums->most,
           ratio(sums->counts.placed, sums->most), sums->worst,
           (unsigned long long)sums->worst_seed, sums->n_under_99, sums->n_under_97);
    printf("moves / fewest that place so many: %lld / %lld: %.4f\n", (long long)sums->counts.moved,
           (long long)sums->counts.placed, ratio(sums->counts.moved, sums->counts.placed));
}

static bool
is_fine(const struct sums *sums, double floor, double each)
{
    return sums->n_fleets > 0 && ratio(sums->counts.placed, sums->most) >= floor &&
           sums->worst >= each && ratio(sums->counts.moved, sums->counts.placed) <= MOVES_MAX;
}

static void
print_fleet(uint64_t seed)
{
    struct buf text;

    buf_init(&text, TEXT_MAX);
    tight_write(&(struct tight_size){.seed = seed}, &text);
    (void)fputs(buf_text(&text), stdout);
    buf_release(&text);
}

int
main(int argc, char **argv)
{
    char directory[] = "/tmp/ballast-optimum-XXXXXX";
    struct sums sums = {.worst = 1};
    bool fine = true;

    if (argc == 3 && strcmp(argv[1], "--fleet") == 0) {
        print_fleet(strtoull(argv[2], NULL, 10));
        return 0;
    }
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 50;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    double floor = argc > 3 ? strtod(argv[3], NULL) / 1000 : 0;
    int seconds = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 0;
    double each = argc > 5 ? strtod(argv[5], NULL) / 1000 : 0;

    if (mkdtemp(directory) == NULL) {
        perror(directory);
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    for (long i = 0; i < count; i++) {
        fine = run_case(seed + (uint64_t)i, directory, seconds, &sums) && fine;
    }
    (void)rmdir(directory);
    print_sums(&sums);
    return fine && is_fine(&sums, floor, each) ? 0 : 1;
}
