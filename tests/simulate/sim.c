/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a model, and telling of it.
 */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"

const struct sim_kind_names sim_kinds[N_SIM_KINDS] = {
    [SIM_DEPLOYMENT] = {"apps/v1", "Deployment"},
    [SIM_STATEFUL_SET] = {"apps/v1", "StatefulSet"},
    [SIM_JOB] = {"batch/v1", "Job"},
    [SIM_ENGINE] = {"example.com/v1", "Engine"},
};

struct sim *
sim_new(uint64_t seed, bool verbose)
{
    struct sim *sim = calloc(1, sizeof(*sim));

    if (sim == NULL) {
        out_of_memory();
    }
    sim->seed = seed;
    sim->random = random_from(seed);
    sim->writer = random_from(seed + 1000000007);
    sim->now = SIM_START;
    sim->verbose = verbose;
    measures_init(&sim->measures, sim->now);
    for (int c = 0; c < SIM_CLUSTERS; c++) {
        for (int w = 0; w < SIM_WORKLOADS; w++) {
            sim->clusters[c].deployments[w].replicas = NOBODY;
        }
    }
    return sim;
}

static void
free_cluster(struct sim_cluster *cluster)
{
    for (size_t i = 0; i < cluster->pods.count; i++) {
        document_free(cluster->pods.items[i].document);
    }
    vec_free(&cluster->pods);
    for (int n = 0; n < SIM_NODES; n++) {
        document_free(cluster->nodes[n].document);
    }
    for (int w = 0; w < SIM_WORKLOADS; w++) {
        document_free(cluster->deployments[w].document);
    }
    document_free(cluster->document);
    document_free(cluster->answers);
}

void
sim_free(struct sim *sim)
{
    for (int c = 0; c < SIM_CLUSTERS; c++) {
        free_cluster(&sim->clusters[c]);
    }
    for (int w = 0; w < SIM_WORKLOADS; w++) {
        document_free(sim->workloads[w].binding);
        document_free(sim->workloads[w].replica_set);
        document_free(sim->workloads[w].template_);
    }
    measures_release(&sim->measures);
    free(sim);
}

int
sim_find_cluster(const struct sim *sim, const char *name)
{
    for (int c = 0; c < sim->n_clusters; c++) {
        if (str_eq(sim->clusters[c].name, name)) {
            return c;
        }
    }
    return NOBODY;
}

int
sim_find_workload(const struct sim *sim, const char *name)
{
    for (int w = 0; w < sim->n_workloads; w++) {
        if (str_eq(sim->workloads[w].name, name)) {
            return w;
        }
    }
    return NOBODY;
}

void
sim_tell(const struct sim *sim, const char *format, ...)
{
    int64_t minutes = (sim->now - SIM_START) / 60;
    va_list args;

    if (!sim->verbose) {
        return;
    }
    printf("%3lld:%02lld:%02lld ", (long long)minutes / 60, (long long)minutes % 60,
           (long long)(sim->now - SIM_START) % 60);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

void
sim_show_split(const struct sim *sim, const int *split, struct buf *out)
{
    const char *space = "";

    for (int c = 0; c < sim->n_clusters; c++) {
        if (split[c] > 0) {
            buf_printf(out, "%s%s=%d", space, sim->clusters[c].name, split[c]);
            space = " ";
        }
    }
}
