/* SPDX-License-Identifier: Apache-2.0
 *
 * The traces. Times count from when policies begin to run.
 */
#include "traces.h"

#include "build.h"
#include "traces_parts.h"

#include "ballast/base/str.h"

#define BEFORE_ALL (-WARM_UP)

static void
full_cluster(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.duplicated = 0; /* those have nowhere to go */
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim);

    script_add(script, 9 * MINUTE, AT_CLUSTER(EVENT_FILL, cluster));
    script_add(script, 10 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, cluster, 2));
    end_after(script, 120 * MINUTE);
}

/* One large cluster holds all; it loses its nodes but one. The others are small: each has room for
 * one or two of those that are stuck, together for all. */
static void
thundering_herd(struct sim *sim, struct script *script)
{
    struct build build = {
        .clusters = 8, .nodes = 1, .node_cpu = 8000, .fill_percent = 100, .max_cpu = 1000};

    build.workloads = 10 + random_below(&sim->random, 4);
    build.aggregated = 100;
    build_fleet(sim, &build, script);
    for (int w = 0; w < sim->n_workloads; w++) {
        sim->workloads[w].cpu = 1000;
        sim->workloads[w].replicas = 3 + random_below(&sim->random, 2);
        sim->workloads[w].affinity = 0;
    }
    script_add(script, BEFORE_ALL, NODES(0, 5, 8000));
    for (int c = 1; c < sim->n_clusters; c++) {
        script_add(script, 8 * MINUTE, AT_CLUSTER_BY(EVENT_FILL, c, c == 1 ? 7000 : 6000));
    }
    script_add(script, 10 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, 0, 5));
    end_after(script, 150 * MINUTE);
}

static void
lost_region(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.duplicated = 0;
    build.fill_percent = 50;
    build_fleet(sim, &build, script);
    int region = random_below(&sim->random, sim->n_clusters / 2);

    for (int c = 2 * region; c < 2 * region + 2; c++) {
        script_add(script, 15 * MINUTE, AT_CLUSTER(EVENT_DOWN, c));
        script_add(script, 120 * MINUTE, AT_CLUSTER(EVENT_UP, c));
    }
    settle_from(script, 15 * MINUTE);
    end_after(script, 210 * MINUTE);
}

/* All but one run on, out of reach: it is the control plane that is cut off. */
static void
cut_off(struct sim *sim, struct script *script)
{
    build_fleet(sim, &build_usual, script);
    int cluster = any_cluster(sim);

    for (int c = 0; c < sim->n_clusters; c++) {
        if (c != cluster) {
            script_add(script, 15 * MINUTE + 10 * c, AT_CLUSTER(EVENT_CUT_OFF, c));
            script_add(script, 55 * MINUTE + 40 * c, AT_CLUSTER(EVENT_REACH, c));
        }
    }
    end_after(script, 120 * MINUTE);
}

static void
flapping_cluster(struct sim *sim, struct script *script)
{
    build_fleet(sim, &build_usual, script);
    int cluster = any_cluster(sim);
    int at = 10 * MINUTE;

    while (at < 70 * MINUTE) {
        script_add(script, at, AT_CLUSTER(EVENT_CUT_OFF, cluster));
        at += 30 + 6 * random_below(&sim->random, 35);
        script_add(script, at, AT_CLUSTER(EVENT_REACH, cluster));
        at += 30 + 6 * random_below(&sim->random, 40);
    }
    script_add(script, 80 * MINUTE, AT_CLUSTER(EVENT_CUT_OFF, cluster));
    script_add(script, 88 * MINUTE, AT_CLUSTER(EVENT_REACH, cluster));
    end_after(script, 180 * MINUTE);
}

/* Room in the sum that is room on no node. */
static void
fragmented(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.node_cpu = 4000;
    build.nodes = 9;
    build.max_cpu = 3000;
    build.duplicated = 0;
    build.fill_percent = 50;
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim), other = (cluster + 1) % sim->n_clusters;

    for (int w = 0; w < sim->n_workloads; w += 2) {
        sim->workloads[w].cpu = 3000;
        sim->workloads[w].replicas = 1 + sim->workloads[w].replicas / 3;
    }
    for (int c = 0; c < sim->n_clusters; c++) {
        script_add(script, 9 * MINUTE, AT_CLUSTER_BY(EVENT_FILL, c, 12000));
    }
    script_add(script, 9 * MINUTE + 30, NODES(other, 4, 16000));
    script_add(script, 10 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, cluster, 3));
    end_after(script, 180 * MINUTE);
}

/* Pods that no node takes although there is room, for on each runs one from which they keep apart:
 * the nodes do not show it, their pods and the template of the workload do. */
static void
hidden_reason(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.duplicated = 0;
    build_fleet(sim, &build, script);
    for (int i = 0; i < 6; i++) {
        int workload = any_workload(sim);
        int count = 1 + random_below(&sim->random, sim->n_clusters);

        sim->workloads[workload].keeps_apart = true;
        for (int c = 0; c < count; c++) {
            script_add(script, (5 + i) * MINUTE,
                       IN_CLUSTER(EVENT_REFUSE, workload, any_cluster(sim)));
        }
        script_add(script, (12 + i) * MINUTE, OF_WORKLOAD(EVENT_SCALE, workload, 150));
    }
    script_add(script, 20 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, any_cluster(sim), 2));
    end_after(script, 360 * MINUTE);
}

/* Some can run in one cluster alone, which is full for three hours; nothing shows which. By then
 * they have been everywhere else in vain. */
static void
late_room(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.duplicated = build.weighed = 0;
    build.fill_percent = 50;
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim);

    script_add(script, 8 * MINUTE, AT_CLUSTER(EVENT_FILL, cluster));
    for (int w = 0; w < 4; w++) {
        sim->workloads[w].affinity = 0;
        for (int c = 0; c < sim->n_clusters; c++) {
            if (c != cluster) {
                script_add(script, 9 * MINUTE, IN_CLUSTER(EVENT_REFUSE, w, c));
            }
        }
        script_add(script, (10 + w) * MINUTE, OF_WORKLOAD(EVENT_SCALE, w, 140));
    }
    script_add(script, 180 * MINUTE, NODES(cluster, 3, build.node_cpu));
    end_after(script, 640 * MINUTE);
}

static void
scale_storm(struct sim *sim, struct script *script)
{
    build_fleet(sim, &build_usual, script);
    for (int at = 5 * MINUTE; at < 90 * MINUTE; at += 90) {
        int percent = 30 + random_below(&sim->random, 130);

        script_add(script, at, OF_WORKLOAD(EVENT_SCALE, any_workload(sim), percent));
    }
    end_after(script, 180 * MINUTE);
}

static void
node_churn(struct sim *sim, struct script *script)
{
    build_fleet(sim, &build_usual, script);
    for (int at = 5 * MINUTE; at < 90 * MINUTE; at += 4 * MINUTE) {
        int cluster = any_cluster(sim);
        int later = (6 + random_below(&sim->random, 20)) * MINUTE;

        script_add(script, at, AT_CLUSTER(EVENT_CORDON, cluster));
        script_add(script, at + 3 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, cluster, 1));
        script_add(script, at + later, NODES(cluster, 1, build_usual.node_cpu));
    }
    end_after(script, 210 * MINUTE);
}

static void
crash_loop(struct sim *sim, struct script *script)
{
    build_fleet(sim, &build_usual, script);
    for (int i = 0; i < 3; i++) {
        int workload = any_workload(sim);

        script_add(script, (10 + i) * MINUTE, OF_WORKLOAD(EVENT_CRASH, workload, 0));
        script_add(script, (100 + i) * MINUTE, OF_WORKLOAD(EVENT_HEAL, workload, 0));
    }
    for (int i = 0; i < 5; i++) {
        int workload = any_workload(sim), cluster = any_cluster(sim);

        script_add(script, (15 + i) * MINUTE, IN_CLUSTER(EVENT_BREAK, workload, cluster));
        script_add(script, (130 + i) * MINUTE, IN_CLUSTER(EVENT_REPAIR, workload, cluster));
    }
    end_after(script, 210 * MINUTE);
}

static void
no_room_then_room(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.duplicated = 0;
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim), other = (cluster + 1) % sim->n_clusters;

    for (int c = 0; c < sim->n_clusters; c++) {
        script_add(script, 8 * MINUTE, AT_CLUSTER(EVENT_FILL, c));
    }
    script_add(script, 10 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, cluster, 2));
    script_add(script, 75 * MINUTE, NODES(other, 3, build_usual.node_cpu));
    end_after(script, 180 * MINUTE);
}

static void
two_writers(struct sim *sim, struct script *script)
{
    full_cluster(sim, script);
    sim->conflict_percent = 40;
    sim->doubt_percent = 20;
    for (int at = 12 * MINUTE; at < 80 * MINUTE; at += 3 * MINUTE) {
        int workload = any_workload(sim);

        script_add(script, at,
                   random_percent(&sim->random, 60)
                       ? OF_WORKLOAD(EVENT_MEDDLE, workload, 0)
                       : OF_WORKLOAD(EVENT_SCALE, workload, 70 + random_below(&sim->random, 60)));
    }
}

/* Two clusters are to be left, and come back; some may stay for a while, some for ever. */
static void
maintenance(struct sim *sim, struct script *script)
{
    static const int patience[] = {0, 600, 2400, NOBODY};
    struct build build = build_usual;

    build.duplicated = 0;
    build.fill_percent = 45;
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim), other = (cluster + 2) % sim->n_clusters;

    for (int w = 0; w < sim->n_workloads; w++) {
        sim->workloads[w].tolerates = patience[random_below(&sim->random, 4)];
    }
    script_add(script, 10 * MINUTE, AT_CLUSTER(EVENT_TAINT, cluster));
    script_add(script, 95 * MINUTE, AT_CLUSTER(EVENT_UNTAINT, cluster));
    script_add(script, 40 * MINUTE, AT_CLUSTER(EVENT_TAINT, other));
    script_add(script, 45 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, any_cluster(sim), 2));
    script_add(script, 130 * MINUTE, AT_CLUSTER(EVENT_UNTAINT, other));
    end_after(script, 210 * MINUTE);
}

/* A second tier of clusters takes what the first has no room for; then nodes of the first go, and
 * come back. What runs in the second stays there all the time. */
static void
overflow_tiers(struct sim *sim, struct script *script)
{
    struct build build = build_usual;
    unsigned first = 1u << (build.clusters / 2);

    build.duplicated = build.weighed = 0;
    build.fill_percent = 50;
    build_fleet(sim, &build, script);
    for (int w = 0; w < sim->n_workloads; w++) {
        sim->workloads[w].affinity = first - 1;
        sim->workloads[w].overflow = ((1u << sim->n_clusters) - 1) & ~(first - 1);
    }
    for (int i = 0; i < 8; i++) {
        script_add(script, (10 + i) * MINUTE, OF_WORKLOAD(EVENT_SCALE, any_workload(sim), 160));
    }
    script_add(script, 25 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, 0, 2));
    script_add(script, 50 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, 1, 1));
    script_add(script, 80 * MINUTE, NODES(0, 3, build.node_cpu));
    script_add(script, 110 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, 2, 2));
    end_after(script, 200 * MINUTE);
}

/* karmada-scheduler is away for two hours: who is scaled, lost or to be placed anew in them is
 * nobody else's business. */
static void
no_scheduler(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.fill_percent = 45;
    build_fleet(sim, &build, script);
    int cluster = any_cluster(sim), other = (cluster + 3) % sim->n_clusters;

    script_add(script, 3 * MINUTE, (struct event){.type = EVENT_STOP});
    script_add(script, 6 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, other, 2));
    script_add(script, 15 * MINUTE, AT_CLUSTER(EVENT_DOWN, cluster));
    script_add(script, 85 * MINUTE, AT_CLUSTER(EVENT_UP, cluster));
    for (int c = 0; c < sim->n_clusters; c++) { /* what is stuck from then on stays where it is */
        script_add(script, 38 * MINUTE, AT_CLUSTER(EVENT_FILL, c));
        script_add(script, 105 * MINUTE, AT_CLUSTER_BY(EVENT_EMPTY, c, 60));
    }
    script_add(script, 40 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, (cluster + 1) % 6, 2));
    script_add(script, 42 * MINUTE, AT_CLUSTER_BY(EVENT_REMOVE_NODES, (cluster + 2) % 6, 2));
    for (int at = 8 * MINUTE; at < 100 * MINUTE; at += 3 * MINUTE) {
        int workload = any_workload(sim);

        script_add(script, at,
                   random_percent(&sim->random, 25)
                       ? OF_WORKLOAD(EVENT_RESCHEDULE, workload, 0)
                       : OF_WORKLOAD(EVENT_SCALE, workload, 40 + random_below(&sim->random, 100)));
    }
    script_add(script, 120 * MINUTE, (struct event){.type = EVENT_START});
    end_after(script, 200 * MINUTE);
}

/* All but two are out of reach, and just then everything is to be placed anew. */
static void
reschedule_cut_off(struct sim *sim, struct script *script)
{
    build_fleet(sim, &build_usual, script);
    int first = any_cluster(sim);

    script_add(script, 10 * MINUTE, (struct event){.type = EVENT_STOP});
    for (int i = 0; i < sim->n_clusters - 2; i++) {
        int cluster = (first + i) % sim->n_clusters;

        script_add(script, 15 * MINUTE + 10 * i, AT_CLUSTER(EVENT_CUT_OFF, cluster));
        script_add(script, 55 * MINUTE + 40 * i, AT_CLUSTER(EVENT_REACH, cluster));
    }
    for (int w = 0; w < sim->n_workloads; w += 2) {
        script_add(script, (14 + w) * MINUTE, OF_WORKLOAD(EVENT_RESCHEDULE, w, 0));
    }
    script_add(script, 90 * MINUTE, (struct event){.type = EVENT_START});
    end_after(script, 150 * MINUTE);
}

/* One thing after another, of every kind. */
static void
add_trouble(struct sim *sim, struct script *script, int at)
{
    int cluster = any_cluster(sim), workload = any_workload(sim);
    int later = at + (3 + random_below(&sim->random, 40)) * MINUTE;

    switch (random_below(&sim->random, 8)) {
    case 0:
        script_add(script, at, AT_CLUSTER(EVENT_DOWN, cluster));
        script_add(script, later, AT_CLUSTER(EVENT_UP, cluster));
        break;
    case 1:
        script_add(script, at, AT_CLUSTER(EVENT_CUT_OFF, cluster));
        script_add(script, at + 2 * MINUTE, AT_CLUSTER(EVENT_REACH, cluster));
        break;
    case 2:
        script_add(script, at, AT_CLUSTER_BY(EVENT_REMOVE_NODES, cluster, 1));
        script_add(script, later, NODES(cluster, 1, build_usual.node_cpu));
        break;
    case 3:
        script_add(script, at, AT_CLUSTER(EVENT_FILL, cluster));
        script_add(script, later, AT_CLUSTER_BY(EVENT_EMPTY, cluster, 60));
        break;
    case 4:
        script_add(script, at, OF_WORKLOAD(EVENT_CRASH, workload, 0));
        script_add(script, later, OF_WORKLOAD(EVENT_HEAL, workload, 0));
        break;
    case 5:
        script_add(script, at, IN_CLUSTER(EVENT_BREAK, workload, cluster));
        script_add(script, later, IN_CLUSTER(EVENT_REPAIR, workload, cluster));
        break;
    case 6:
        script_add(script, at, OF_WORKLOAD(EVENT_MEDDLE, workload, 0));
        break;
    default:
        script_add(script, at,
                   OF_WORKLOAD(EVENT_SCALE, workload, 50 + random_below(&sim->random, 110)));
    }
}

static void
mix(struct sim *sim, struct script *script)
{
    struct build build = build_usual;

    build.clusters = 4 + random_below(&sim->random, 4);
    build.nodes = 3 + random_below(&sim->random, 4);
    build.fill_percent = 40 + random_below(&sim->random, 35);
    build_fleet(sim, &build, script);
    sim->conflict_percent = random_below(&sim->random, 15);
    sim->doubt_percent = random_below(&sim->random, 5);
    for (int at = 5 * MINUTE; at < 150 * MINUTE;
         at += (1 + random_below(&sim->random, 8)) * MINUTE) {
        add_trouble(sim, script, at);
    }
    end_after(script, 270 * MINUTE);
}

const struct trace traces[] = {
    {"full-cluster", "one cluster fills up and loses nodes, the others have room", full_cluster},
    {"thundering-herd", "many are stuck at once, little room in many places", thundering_herd},
    {"lost-region", "two clusters of a region are down for 105 minutes", lost_region},
    {"cut-off", "all clusters but one are out of reach for 40 minutes, and run on", cut_off},
    {"flapping-cluster", "a cluster is cut off and back, again and again", flapping_cluster},
    {"fragmented", "room in the sum that is room on no node", fragmented},
    {"hidden-reason", "pods that no node takes, for reasons that nodes do not show", hidden_reason},
    {"late-room", "the one cluster that could take them is full for three hours", late_room},
    {"scale-storm", "something is scaled every 90 seconds", scale_storm},
    {"node-churn", "nodes are cordoned, go and come", node_churn},
    {"crash-loop", "some crash everywhere, some in one cluster", crash_loop},
    {"no-room-then-room", "no room anywhere for an hour, then nodes come", no_room_then_room},
    {"two-writers", "a full cluster, and others write the same bindings", two_writers},
    {"maintenance", "two clusters are to be left; some tolerate it for a while", maintenance},
    {"overflow-tiers", "a second tier runs what the first has no room for", overflow_tiers},
    {"no-scheduler", "karmada-scheduler is away while much happens", no_scheduler},
    {"reschedule-cut-off", "most are out of reach, and all are to be placed anew",
     reschedule_cut_off},
    {"black-hole", "a cluster that looks ready fails all that starts there", trace_black_hole},
    {"held-back", "replicas that are assigned and never come", trace_held_back},
    {"incidents", "these troubles and a lost cluster, of workloads of every kind", trace_incidents},
    {"mix", "some of everything, in fleets of all sizes", mix},
    {0},
};

const struct trace *
trace_find(const char *name)
{
    for (const struct trace *trace = traces; trace->name != NULL; trace++) {
        if (str_eq(trace->name, name)) {
            return trace;
        }
    }
    return NULL;
}
