/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces of what real incidents are made of.
 */
#include "build.h"
#include "traces_parts.h"

/* A cluster that is ready by all signs fails whatever starts there, in some seeds what runs there
 * as well, while replicas look for a place. */
void
trace_black_hole(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.duplicated = build.weighed = 0;
    build.aggregated = 70; /* most have no other cluster that shows whose fault it is */
    build.fill_percent = 45;
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim), other = (cluster + 1) % sim->n_clusters;

    script_add(script, 10 * MINUTE,
               AT_CLUSTER_BY(EVENT_POISON, cluster, random_below(&sim->random, 2)));
    for (int i = 0; i < 8; i++) {
        script_add(script, (11 + i) * MINUTE, OF_WORKLOAD(EVENT_SCALE, any_workload(sim), 150));
    }
    script_add(script, 12 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, other, 3));
    script_add(script, 13 * MINUTE, AT_CLUSTER(EVENT_DOWN, (cluster + 2) % sim->n_clusters));
    script_add(script, 50 * MINUTE, AT_CLUSTER(EVENT_UP, (cluster + 2) % sim->n_clusters));
    script_add(script, 28 * MINUTE, AT_CLUSTER(EVENT_DOWN, (cluster + 3) % sim->n_clusters));
    script_add(script, 120 * MINUTE, AT_CLUSTER(EVENT_UP, (cluster + 3) % sim->n_clusters));
    script_add(script, 150 * MINUTE, AT_CLUSTER(EVENT_CURE, cluster));
    end_after(script, 240 * MINUTE);
}

/* Its members' autoscalers hold fewer or more, a cluster refuses it or its pods, it is a Job that
 * ends, or its pods have a sidecar. */
static void
hold_back(struct sim *sim, struct script *script, int at, int workload)
{
    static const enum event_type refusals[] = {EVENT_DENY, EVENT_STARVE};
    struct sim_workload *subject = &sim->workloads[workload];
    int draw = random_below(&sim->random, 5);

    if (draw == 0) {
        script_add(script, at,
                   OF_WORKLOAD(EVENT_AUTOSCALE, workload, 20 + 30 * random_below(&sim->random, 4)));
    } else if (draw < 3) {
        script_add(script, at, OF_WORKLOAD(refusals[draw - 1], workload, 0));
        script_add(script, at + MINUTE, OF_WORKLOAD(EVENT_SCALE, workload, 180));
        script_add(script, 170 * MINUTE, OF_WORKLOAD(EVENT_ADMIT, workload, 0));
    } else if (draw == 3 && subject->kind == SIM_DEPLOYMENT) {
        subject->sidecar = 250 * (1 + random_below(&sim->random, 4));
    } else if (draw == 4 && subject->strategy != STRATEGY_DUPLICATED) {
        subject->kind = SIM_JOB;
        script_add(script, at, OF_WORKLOAD(EVENT_FINISH, workload, 0));
    }
}

/* What one cluster is assigned does not come, or not as its template says. The others must have the
 * room. */
void
trace_held_back(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.duplicated = 0;
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim), there = (cluster + 1) % sim->n_clusters;

    script_add(script, -WARM_UP, NODES(there, 10, build.node_cpu));
    for (int w = 0; w < sim->n_workloads; w += 2) {
        sim->workloads[w].affinity = 1u << there;
        hold_back(sim, script, (2 + w) * MINUTE, w);
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        script_add(script, 38 * MINUTE, AT_CLUSTER_BY(EVENT_FILL, c, c == there ? 4000 : 0));
    }
    script_add(script, 40 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, cluster, 4));
    for (int w = 1; w < sim->n_workloads; w += 4) {
        script_add(script, (60 + w) * MINUTE, OF_WORKLOAD(EVENT_SCALE, w, 160));
    }
    script_add(script, 110 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, any_cluster(sim), 2));
    end_after(script, 240 * MINUTE);
}

static void
draw_kinds(struct sim *sim)
{
    static const enum sim_kind kinds[] = {SIM_DEPLOYMENT, SIM_DEPLOYMENT, SIM_STATEFUL_SET, SIM_JOB,
                                          SIM_ENGINE};

    for (int w = 0; w < sim->n_workloads; w++) {
        if (sim->workloads[w].strategy != STRATEGY_DUPLICATED) {
            sim->workloads[w].kind = kinds[random_below(&sim->random, 5)];
        }
    }
}

/* All of it: a cluster is lost for an hour and comes back, another one fails all, a third fills up,
 * one workload crashes wherever it runs. */
void
trace_incidents(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.clusters = 4 + random_below(&sim->random, 4);
    build.fill_percent = 40 + random_below(&sim->random, 30);
    build_fleet(sim, &build, script);
    draw_kinds(sim);
    int cluster = any_cluster(sim), bad = (cluster + 1) % sim->n_clusters;
    int full = (cluster + 2) % sim->n_clusters;
    int lost_at = (15 + random_below(&sim->random, 40)) * MINUTE;

    for (int i = 0; i < 8; i++) {
        hold_back(sim, script, (5 + random_below(&sim->random, 90)) * MINUTE, any_workload(sim));
    }
    script_add(script, lost_at, AT_CLUSTER(EVENT_DOWN, cluster));
    script_add(script, lost_at + 60 * MINUTE, AT_CLUSTER(EVENT_UP, cluster));
    if (random_percent(&sim->random, 60)) {
        script_add(script, (10 + random_below(&sim->random, 60)) * MINUTE,
                   AT_CLUSTER_BY(EVENT_POISON, bad, random_below(&sim->random, 2)));
        script_add(script, 150 * MINUTE, AT_CLUSTER(EVENT_CURE, bad));
    }
    script_add(script, 20 * MINUTE, AT_CLUSTER(EVENT_FILL, full));
    script_add(script, 30 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, full, 2));
    script_add(script, 160 * MINUTE, AT_CLUSTER_BY(EVENT_EMPTY, full, 60));
    script_add(script, 25 * MINUTE, OF_WORKLOAD(EVENT_CRASH, any_workload(sim), 0));
    end_after(script, 270 * MINUTE);
}
