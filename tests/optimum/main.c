/* SPDX-License-Identifier: Apache-2.0
 *
 * optimum [FLEETS [SEED [FLOOR [SECONDS [EACH [PLANNER]]]]]]: how much of what could be placed
 * plans of tight random fleets place: PLANNER's, "ballast" (by default), "first-pass" or "karmada".
 * The most is that of an integer programme, made of Ballast's own filters and of its ledger before
 * the first take, in which nobody gets less than the plan gives; cbc, a program of its own, solves
 * it in so many SECONDS a fleet. Where it does not, and with 0 SECONDS (as it is by default), the
 * bound is that of the relaxation, which is some thousandths above the most: a plan looks worse by
 * it than it is, never better. FLOOR and EACH: in 1/1000, of that; the status is 1 where all of
 * Ballast's plans together are under the one, or any under the other, where they move more than
 * places so many, and wherever a programme has no solution, for then the plan breaks it.
 *
 * optimum --fleet SEED: prints that fleet, for `ballast plan --fleet FILE`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "planner.h"
#include "programme.h"
#include "tight.h"

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

struct run {
    const char *directory;
    int seconds;
    enum planner planner;
};

static const char *const planner_names[] = {
    [PLANNER_BALLAST] = "ballast",
    [PLANNER_FIRST_PASS] = "first-pass",
    [PLANNER_KARMADA] = "karmada",
};

static enum planner
planner_from(const char *name)
{
    for (int i = 0; i <= PLANNER_KARMADA; i++) {
        if (strcmp(planner_names[i], name) == 0) {
            return (enum planner)i;
        }
    }
    (void)fprintf(stderr, "optimum: planner %s: want ballast, first-pass or karmada\n", name);
    exit(2);
}

/* Plans the fleet, and writes the programme to the file. */
static bool
write_case(uint64_t seed, enum planner planner, const char *file, bool whole,
           struct programme_counts *ret)
{
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    struct buf programme;
    struct planned *planned = planned_new(arena, seed, planner, &err);

    if (planned == NULL) {
        (void)fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, err.message);
        exit(2);
    }
    buf_init(&programme, TEXT_MAX);
    programme_write(arena, planned, whole, &programme, ret);
    FILE *out = fopen(file, "we");
    bool fine = out != NULL && fputs(buf_text(&programme), out) >= 0;

    fine = out != NULL && fclose(out) == 0 && fine;
    buf_release(&programme);
    planned_free(planned);
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
solve_case(uint64_t seed, const struct run *run, int seconds, struct programme_counts *counts,
           int64_t *ret_most)
{
    char file[4096];

    (void)snprintf(file, sizeof(file), "%s/programme.lp", run->directory);
    if (!write_case(seed, run->planner, file, seconds > 0, counts)) {
        perror(file);
        exit(2);
    }
    enum solution_state state =
        programme_solve(run->directory, file, seconds > 0 ? seconds : RELAXATION_SECONDS, ret_most);

    (void)unlink(file);
    if (state == NO_SOLVER) {
        (void)fprintf(stderr, "optimum: cbc cannot be run (Debian: coinor-cbc)\n");
        exit(2);
    }
    return state;
}

static bool
run_case(uint64_t seed, const struct run *run, struct sums *sums)
{
    struct programme_counts counts;
    int64_t most = 0;
    enum solution_state state = NOT_SOLVED;
    bool exact = false;

    if (run->seconds > 0) {
        state = solve_case(seed, run, run->seconds, &counts, &most);
        exact = state == SOLVED;
    }
    if (state == NOT_SOLVED) {
        state = solve_case(seed, run, 0, &counts, &most);
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
    double each = argc > 5 ? strtod(argv[5], NULL) / 1000 : 0;
    const struct run run = {
        .directory = directory,
        .seconds = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 0,
        .planner = argc > 6 ? planner_from(argv[6]) : PLANNER_BALLAST,
    };

    if (mkdtemp(directory) == NULL) {
        perror(directory);
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    for (long i = 0; i < count; i++) {
        fine = run_case(seed + (uint64_t)i, &run, &sums) && fine;
    }
    (void)rmdir(directory);
    print_sums(&sums);
    return fine && (run.planner != PLANNER_BALLAST || is_fine(&sums, floor, each)) ? 0 : 1;
}
