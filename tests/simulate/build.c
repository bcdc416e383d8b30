/* SPDX-License-Identifier: Apache-2.0
 *
 * Making fleets from a seed.
 */
#include "build.h"

#include <stdio.h>

#include "member.h"

#define SLOW_SECONDS 190  /* an agent that lags behind by more than a cycle now and then */
#define CREATE_SECONDS 20 /* from one new binding to the next: the members keep up */

const struct build build_usual = {
    .clusters = 6,
    .nodes = 5,
    .node_cpu = 8000,
    .workloads = 24,
    .fill_percent = 60,
    .aggregated = 35,
    .duplicated = 8,
    .weighed = 12,
    .max_cpu = 2000,
};

static void
build_cluster(struct sim *sim, const struct build *build, int index)
{
    struct sim_cluster *cluster = &sim->clusters[index];

    /* names out of order, so that name order and index order are not the same thing */
    snprintf(cluster->name, sizeof(cluster->name), "%c-%d", "kqbxehtc"[index], index);
    cluster->region = index / 2;
    cluster->pull = index % 3 == 2;
    cluster->ready = true;
    cluster->since = SIM_START - 86400;
    cluster->contact = sim->now;
    cluster->lag = random_percent(&sim->random, 25) ? SLOW_SECONDS : TICK;
    cluster->document = NULL;
    for (int n = 0; n < build->nodes; n++) {
        member_add_node(cluster, build->node_cpu);
    }
}

static enum replica_strategy
draw_strategy(struct random *random, const struct build *build)
{
    int draw = random_below(random, 100);

    if (draw < build->aggregated) {
        return STRATEGY_AGGREGATED;
    }
    draw -= build->aggregated;
    if (draw < build->duplicated) {
        return STRATEGY_DUPLICATED;
    }
    return draw - build->duplicated < build->weighed ? STRATEGY_STATIC_WEIGHT
                                                     : STRATEGY_DYNAMIC_WEIGHT;
}

static int
draw_cpu(struct random *random, int most)
{
    static const int sizes[] = {250, 500, 500, 1000, 1000, 2000, 3000};
    int cpu = sizes[random_below(random, 7)];

    return cpu < most ? cpu : most;
}

static void
build_workload(struct sim *sim, const struct build *build, int index)
{
    struct sim_workload *workload = &sim->workloads[index];
    struct random *random = &sim->random;

    snprintf(workload->name, sizeof(workload->name), "%s-%d",
             (const char *[]){"web", "api", "job", "etl"}[random_below(random, 4)], index);
    snprintf(workload->namespace_, sizeof(workload->namespace_), "n%d", random_below(random, 3));
    workload->cpu = draw_cpu(random, build->max_cpu);
    workload->replicas = 2 + random_below(random, 12);
    workload->strategy = draw_strategy(random, build);
    workload->priority = random_percent(random, 15) ? 1 + random_below(random, 2) : 0;
    if (workload->strategy == STRATEGY_DUPLICATED) {
        workload->replicas = 1 + random_below(random, 2);
        workload->affinity = 3u << random_below(random, build->clusters - 1);
    } else if (random_percent(random, 25)) { /* some three neighbours of a ring */
        unsigned ring = 7u << random_below(random, build->clusters);

        workload->affinity = (ring | ring >> build->clusters) & ((1u << build->clusters) - 1);
    }
    for (int c = 0; c < build->clusters; c++) {
        workload->weights[c] = 1 + random_below(random, 3);
    }
}

void
build_fleet(struct sim *sim, const struct build *build, struct script *script)
{
    int64_t rest =
        (int64_t)build->clusters * build->nodes * build->node_cpu / 100 * build->fill_percent;

    sim->n_clusters = build->clusters;
    for (int c = 0; c < build->clusters; c++) {
        build_cluster(sim, build, c);
    }
    while (sim->n_workloads < build->workloads && rest > 0) {
        int index = sim->n_workloads++;
        const struct sim_workload *workload = &sim->workloads[index];

        build_workload(sim, build, index);
        rest -= (int64_t)workload->replicas * workload->cpu;
        script_add(script, index * CREATE_SECONDS - WARM_UP,
                   (struct event){.type = EVENT_CREATE, .workload = index});
    }
}
