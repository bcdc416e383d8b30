/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists come out of pipes as they are read (pipes.h): what a shard and the planner
 * cost is what the system says of their processes. The shard that has the most
 * members is the one that is shown, and reads pods as API servers answer them. The
 * others only have to leave a summary, which is the same where pods come without
 * managedFields: half the bytes. Then the planner begins as if all shards began
 * with it on machines of their own: each summary comes when its shard would have
 * it, by the time of the largest one and by how many pods it has to read.
 */
#include "shards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrivals.h"
#include "child.h"
#include "measure.h"
#include "pipes.h"
#include "program.h"

#define SHARDS ARRIVALS_MAX
#define BINDINGS 1000000
#define CLUSTERS 1000
#define CLUSTERS_LEAST 50
#define PATH_SIZE 512
#define MEMORY "--memory-limit=64Gi" /* none: what it takes is to be seen */
#define CYCLE "--cycle=1"
#define NOW "--now=2026-03-01T12:00:00Z"

struct place {
    char directory[64], summaries[PATH_SIZE];
    char fleet_flag[PATH_SIZE], summaries_flag[PATH_SIZE];
};

static bool
make_directory(const struct place *place, const char *name)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof(path), "%s/%s", place->directory, name);
    return mkdir(path, 0777) == 0;
}

static bool
place_make(struct place *place, const struct synthetic *fleet)
{
    char path[PATH_SIZE];

    snprintf(place->directory, sizeof(place->directory), "/tmp/ballast-bench-XXXXXX");
    if (mkdtemp(place->directory) == NULL || !make_directory(place, "fleet") ||
        !make_directory(place, "fleet/control-plane") || !make_directory(place, "fleet/members")) {
        return false;
    }
    snprintf(place->summaries, sizeof(place->summaries), "%s/summaries", place->directory);
    snprintf(place->fleet_flag, sizeof(place->fleet_flag), "--fleet=%s/fleet", place->directory);
    snprintf(place->summaries_flag, sizeof(place->summaries_flag), "--summaries=%s/summaries",
             place->directory);
    snprintf(path, sizeof(path), "%s/fleet/control-plane/clusters.json", place->directory);
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        return false;
    }
    synthetic_write_clusters(fleet, file);
    return fclose(file) == 0;
}

/* Runs the program while its lists are written. */
static bool
run_fed(const struct place *place, struct pipes *pipes, struct program_run *run,
        struct pipes_read *ret)
{
    char directory[PATH_SIZE];

    snprintf(directory, sizeof(directory), "%s/fleet", place->directory);
    pipes->directory = directory;
    bool fine = pipes_open(pipes) && program_run(run);

    *ret = pipes_close(pipes);
    pipes->directory = NULL;
    if (!fine || run->status != 0 || ret->bytes <= 0) {
        fprintf(stderr, "bench: ballast %s ended with %d\n", run->arguments[0], run->status);
        return false;
    }
    return true;
}

static void
print_row(const char *what, const struct program_run *run, double bytes, double summary_mb)
{
    double cpu = program_cpu_seconds(run), input_mb = bytes / MEGABYTE;

    printf("%-22s %9.1f %8.2f %8.2f %8.1f %8.1f %10.2f\n", what, input_mb, cpu, run->wall_s,
           input_mb / cpu, program_peak_mb(run), summary_mb);
    fflush(stdout);
}

static double
file_mb(const struct place *place, struct shard shard)
{
    char path[PATH_SIZE * 2];
    struct stat info;

    snprintf(path, sizeof(path), "%s/%u-of-%u.summary", place->summaries, (unsigned)shard.index,
             (unsigned)shard.count);
    return stat(path, &info) == 0 ? (double)info.st_size / MEGABYTE : 0;
}

static bool
is_of_shard(uint32_t cluster, uint32_t index)
{
    char name[32];

    snprintf(name, sizeof(name), "member-%04u", (unsigned)cluster);
    return shard_of(name, SHARDS) == index;
}

static uint32_t
count_members(const struct synthetic *fleet, uint32_t index)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->clusters; i++) {
        count += is_of_shard(i, index) ? 1 : 0;
    }
    return count;
}

static uint32_t
largest_shard(const struct synthetic *fleet)
{
    uint32_t largest = 1;

    for (uint32_t i = 2; i <= SHARDS; i++) {
        if (count_members(fleet, i) > count_members(fleet, largest)) {
            largest = i;
        }
    }
    return largest;
}

/* What the largest one costs, which is the first of `count` that run; *ret_mb: what their summaries
 * take. */
static bool
run_shards(const struct place *place, const struct synthetic *fleet,
           const struct synthetic_targets *targets, uint32_t count, struct program_run *ret_largest,
           double *ret_mb)
{
    const uint32_t largest = largest_shard(fleet);

    *ret_mb = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = (largest - 1 + n) % SHARDS + 1;
        struct synthetic shown = *fleet;
        struct pipes pipes = {.fleet = &shown, .targets = targets, .shard = {i, SHARDS}};
        char flag[32], what[64];
        struct pipes_read read;
        struct program_run run = {.arguments = {"observe", place->fleet_flag, place->summaries_flag,
                                                flag, CYCLE, "--deadline=0", MEMORY},
                                  .is_heard = true};

        snprintf(flag, sizeof(flag), "--shard=%u/%u", i, SHARDS);
        shown.is_lean = i != largest;
        bool fine = run_fed(place, &pipes, &run, &read);

        *ret_mb += file_mb(place, pipes.shard);
        if (i == largest) {
            *ret_largest = run;
            snprintf(what, sizeof(what), "a shard of %u members", count_members(fleet, i));
            print_row(what, &run, read.bytes, file_mb(place, pipes.shard));
        }
        if (!fine) {
            return false;
        }
    }
    return true;
}

/* Of so many targets. */
static uint32_t
count_pods(const struct synthetic_targets *targets, uint32_t begin, uint32_t end)
{
    uint32_t count = 0;

    for (uint32_t i = begin; i < end; i++) {
        count += targets->all[i].replicas;
    }
    return count;
}

static uint32_t
count_pods_of_shard(const struct synthetic *fleet, const struct synthetic_targets *targets,
                    uint32_t index)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->clusters; i++) {
        count += is_of_shard(i, index)
                     ? count_pods(targets, targets->begin[i], targets->begin[i + 1])
                     : 0;
    }
    return count;
}

/* When the summaries would be there if all shards began at once. */
static struct arrivals
arrivals_of(const struct place *place, const struct synthetic *fleet,
            const struct synthetic_targets *targets, const struct program_run *largest)
{
    struct arrivals arrivals = {.directory = place->summaries, .count = SHARDS};
    double most = count_pods_of_shard(fleet, targets, largest_shard(fleet));

    for (uint32_t i = 1; i <= SHARDS; i++) {
        struct arrival *arrival = &arrivals.items[i - 1];

        snprintf(arrival->name, sizeof(arrival->name), "%u-of-%u.summary", (unsigned)i, SHARDS);
        arrival->due_s =
            largest->wall_s * count_pods_of_shard(fleet, targets, i) / (most > 0 ? most : 1);
    }
    return arrivals;
}

/* *ret_apart_s: of its time what passes until it has the bindings. */
static bool
run_planner(const struct place *place, const struct synthetic *fleet, struct arrivals *arrivals,
            double summaries_mb, struct program_run *ret, double *ret_apart_s)
{
    struct pipes pipes = {.fleet = fleet, .shard = {0, SHARDS}};
    struct pipes_read read;

    *ret = (struct program_run){.arguments = {"plan", place->fleet_flag, place->summaries_flag,
                                              "--shard=0/16", CYCLE, NOW, "--summaries-max-age=0",
                                              MEMORY, "--output=json", "--deadline=0"},
                                .is_heard = true};

    if (!arrivals_begin(arrivals)) {
        return false;
    }
    bool fine = run_fed(place, &pipes, ret, &read);

    if (!arrivals_end(arrivals) || !fine) {
        return false;
    }
    print_row("the one that plans", ret, read.bytes, summaries_mb);
    *ret_apart_s = read.over_s - ret->begin_s;
    return true;
}

static void
print_cycle(const struct arrivals *arrivals, const struct program_run *planner, double apart_s)
{
    printf("%-22s %9s %8s %8.2f  (bindings at %.2f, the last summary at %.2f)\n", "the cycle", "",
           "", planner->wall_s, apart_s, arrivals->items[arrivals->count - 1].due_s);
}

bool
bench_shards(uint32_t part, bool largest_alone)
{
    const struct synthetic fleet = {
        .seed = 1,
        .bindings = BINDINGS / part,
        .clusters = CLUSTERS / part > CLUSTERS_LEAST ? CLUSTERS / part : CLUSTERS_LEAST,
        .pods = true,
        .replicas = 6,
        .nodes = 300,
    };
    struct synthetic_targets targets = synthetic_targets_find(&fleet);
    struct place place = {.directory = ""};
    struct program_run shard = {.status = -1}, planner;
    double summaries_mb, apart_s;
    bool fine = targets.all != NULL && place_make(&place, &fleet);

    if (fine) {
        printf("\n%u clusters, %u bindings, %u pods\n%-22s %9s %8s %8s %8s %8s %10s\n",
               fleet.clusters, fleet.bindings,
               count_pods(&targets, 0, targets.begin[fleet.clusters]), "16 shards", "MB read",
               "CPU s", "wall s", "MB/s", "peak RSS", "summary MB");
    }
    fine = fine &&
           run_shards(&place, &fleet, &targets, largest_alone ? 1 : SHARDS, &shard, &summaries_mb);
    if (fine && !largest_alone) {
        struct arrivals arrivals = arrivals_of(&place, &fleet, &targets, &shard);

        fine = run_planner(&place, &fleet, &arrivals, summaries_mb, &planner, &apart_s);
        if (fine) {
            print_cycle(&arrivals, &planner, apart_s);
        }
    }
    remove_directory(place.directory);
    synthetic_targets_free(&targets);
    return fine;
}

/* --- one member in slices --- */

#define SLICES 4u
#define HUGE "member-0000"
#define HUGE_BINDINGS 99000 /* of ten clusters: some 100,000 pods in each */

static bool
observe_slice(const struct place *place, const struct synthetic *fleet,
              const struct synthetic_targets *targets, struct shard shard, struct program_run *ret,
              struct pipes_read *ret_read)
{
    struct pipes pipes = {.fleet = fleet, .targets = targets, .shard = {1, 1}, .alone = HUGE};
    char flag[32], slices[64];

    snprintf(flag, sizeof(flag), "--shard=%u/%u", (unsigned)shard.index, (unsigned)shard.count);
    snprintf(slices, sizeof(slices), "--slice-members=" HUGE "=%u", (unsigned)shard.count);
    *ret = (struct program_run){.arguments = {"observe", place->fleet_flag, place->summaries_flag,
                                              flag, slices, "--deadline=0", MEMORY},
                                .is_heard = true};
    return run_fed(place, &pipes, ret, ret_read);
}

/* A shard for each slice: the one that takes most is shown. */
static bool
run_slices(const struct place *place, const struct synthetic *fleet,
           const struct synthetic_targets *targets, uint32_t count)
{
    struct program_run largest = {.status = -1}, run;
    struct pipes_read read = {.bytes = 0};
    double summary_mb = 0, most = 0;
    char what[64];

    for (uint32_t i = 1; i <= count; i++) {
        const struct shard shard = {i, count};

        if (!observe_slice(place, fleet, targets, shard, &run, &read)) {
            return false;
        }
        summary_mb += file_mb(place, shard);
        if (program_cpu_seconds(&run) > most) {
            most = program_cpu_seconds(&run);
            largest = run;
        }
    }
    snprintf(what, sizeof(what), count == 1 ? "the whole member" : "the largest of %u slices",
             count);
    print_row(what, &largest, read.bytes, summary_mb / count);
    return true;
}

bool
bench_slices(void)
{
    const struct synthetic fleet = {.seed = 1,
                                    .bindings = HUGE_BINDINGS,
                                    .clusters = 10,
                                    .pods = true,
                                    .replicas = 6,
                                    .nodes = 1000};
    struct synthetic_targets targets = synthetic_targets_find(&fleet);
    struct place place = {.directory = ""};
    bool fine = targets.all != NULL && place_make(&place, &fleet);

    if (fine) {
        printf("\na member of %u pods\n%-22s %9s %8s %8s %8s %8s %10s\n",
               count_pods(&targets, 0, targets.begin[1]), "1 and 4 shards", "MB read", "CPU s",
               "wall s", "MB/s", "peak RSS", "summary MB");
    }
    for (uint32_t count = 1; fine && count <= SLICES; count *= SLICES) {
        fine = run_slices(&place, &fleet, &targets, count);
    }
    remove_directory(place.directory);
    synthetic_targets_free(&targets);
    return fine;
}
