/* SPDX-License-Identifier: Apache-2.0
 *
 * As the slices of shards.c, but asked for page by page of an API server of ours
 * (api_server.h): which of its pages a slice's shard asks for is what it saves.
 */
#include "live_slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "api_server.h"
#include "child.h"
#include "measure.h"
#include "program.h"

#define SLICES 4u
#define HUGE "member-0000"
#define BINDINGS 99000 /* of ten clusters: some 100,000 pods in each */
#define PATH_SIZE 128

struct place {
    char directory[64], kubeconfig_flag[2 * PATH_SIZE], summaries_flag[2 * PATH_SIZE];
};

struct row {
    struct program_run run;
    double input_mb, summary_mb;
    unsigned requests;
};

static bool
place_make(struct place *place, const struct api_server *server)
{
    char path[PATH_SIZE];

    snprintf(place->directory, sizeof(place->directory), "/tmp/ballast-bench-XXXXXX");
    if (mkdtemp(place->directory) == NULL) {
        return false;
    }
    snprintf(path, sizeof(path), "%s/config", place->directory);
    snprintf(place->kubeconfig_flag, sizeof(place->kubeconfig_flag), "--kubeconfig=%s", path);
    snprintf(place->summaries_flag, sizeof(place->summaries_flag), "--summaries=%s/summaries",
             place->directory);
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        return false;
    }
    fprintf(file,
            "apiVersion: v1\nkind: Config\ncurrent-context: bench\n"
            "clusters: [{name: bench, cluster: {server: \"%s\"}}]\n"
            "contexts: [{name: bench, context: {cluster: bench, user: bench}}]\n"
            "users: [{name: bench, user: {}}]\n",
            server->url);
    return fclose(file) == 0;
}

static double
summary_mb(const struct place *place, unsigned index, unsigned count)
{
    char path[PATH_SIZE];
    struct stat info;

    snprintf(path, sizeof(path), "%s/summaries/%u-of-%u.summary", place->directory, index, count);
    return stat(path, &info) == 0 ? (double)info.st_size / MEGABYTE : 0;
}

static bool
observe(const struct place *place, struct api_server *server, unsigned index, unsigned count,
        struct row *ret)
{
    char shard[32], slices[64];

    snprintf(shard, sizeof(shard), "--shard=%u/%u", index, count);
    snprintf(slices, sizeof(slices), "--slice-members=" HUGE "=%u", count);
    ret->run = (struct program_run){
        .arguments = {"observe", place->kubeconfig_flag, place->summaries_flag, shard, slices,
                      "--deadline=0", "--member-timeout=10m", "--memory-limit=64Gi"},
        .is_heard = true};
    api_server_forget(server);
    bool fine = program_run(&ret->run) && ret->run.status == 0;

    ret->input_mb = (double)api_server_bytes(server) / MEGABYTE;
    ret->requests = (unsigned)api_server_requests(server);
    ret->summary_mb = summary_mb(place, index, count);
    if (!fine || ret->summary_mb <= 0) {
        fprintf(stderr, "bench: ballast observe ended with %d\n", ret->run.status);
    }
    return fine && ret->summary_mb > 0;
}

/* A shard for each slice: the one that takes most is shown. */
static bool
run_slices(const struct place *place, struct api_server *server, unsigned count)
{
    struct row largest = {.input_mb = 0}, row;
    char what[64];

    for (unsigned i = 1; i <= count; i++) {
        if (!observe(place, server, i, count, &row)) {
            return false;
        }
        if (i == 1 || program_peak_mb(&row.run) > program_peak_mb(&largest.run)) {
            largest = row;
        }
    }
    double cpu = program_cpu_seconds(&largest.run);

    snprintf(what, sizeof(what), count == 1 ? "the whole member" : "the largest of %u slices",
             count);
    printf("%-22s %9.1f %9u %8.2f %8.2f %8.1f %8.1f %10.2f\n", what, largest.input_mb,
           largest.requests, cpu, largest.run.wall_s, largest.input_mb / cpu,
           program_peak_mb(&largest.run), largest.summary_mb);
    fflush(stdout);
    return true;
}

bool
bench_live_slices(void)
{
    const struct synthetic fleet = {.seed = 1,
                                    .bindings = BINDINGS,
                                    .clusters = 10,
                                    .pods = true,
                                    .replicas = 6,
                                    .nodes = 1000};
    struct synthetic_targets targets = synthetic_targets_find(&fleet);
    struct api_server server = {.fleet = &fleet, .targets = &targets, .clusters = 1};
    struct place place = {.directory = ""};
    bool fine = targets.all != NULL && api_server_start(&server) && place_make(&place, &server);

    synthetic_targets_free(&targets); /* the server has its own */
    printf("\n%-22s %9s %9s %8s %8s %8s %8s %10s\n", "a live member", "MB read", "requests",
           "CPU s", "wall s", "MB/s", "peak RSS", "summary MB");
    for (unsigned count = 1; fine && count <= SLICES; count *= SLICES) {
        fine = run_slices(&place, &server, count);
    }
    api_server_stop(&server);
    remove_directory(place.directory);
    return fine;
}
