/* SPDX-License-Identifier: Apache-2.0
 *
 * Room after what is in flight.
 */
#include "room.h"

#include <string.h>

static bool
takes(const struct sim_node *node, int cpu)
{
    return node->present && !node->cordoned && node->cpu - node->used >= cpu &&
           node->pods < POD_SLOTS;
}

static int
in_flight(struct sim *sim, int cluster, int workload)
{
    int missing =
        sim->workloads[workload].split[cluster] - sim_deployment(sim, cluster, workload)->count;

    return missing > 0 ? missing : 0;
}

static int64_t
cpu_in_flight(struct sim *sim, int cluster)
{
    int64_t sum = 0;

    for (int w = 0; w < sim->n_workloads; w++) {
        sum += (int64_t)in_flight(sim, cluster, w) * sim->workloads[w].cpu;
    }
    return sum;
}

int64_t
room_in_all(struct sim *sim, int cluster)
{
    const struct sim_cluster *there = &sim->clusters[cluster];
    int64_t sum = 0;

    for (int n = 0; n < there->n_nodes; n++) {
        sum += takes(&there->nodes[n], 1) ? there->nodes[n].cpu - there->nodes[n].used : 0;
    }
    sum -= cpu_in_flight(sim, cluster);
    return sum > 0 ? sum : 0;
}

/* The node that takes it with the least (tight) or the most left; NOBODY when none does. */
static int
pick(const struct sim_node *nodes, int count, int cpu, bool tight)
{
    int best = NOBODY;

    for (int n = 0; n < count; n++) {
        int left = nodes[n].cpu - nodes[n].used;

        if (takes(&nodes[n], cpu) &&
            (best == NOBODY || (left < nodes[best].cpu - nodes[best].used) == tight)) {
            best = n;
        }
    }
    return best;
}

static bool
fits_after(struct sim *sim, int cluster, int cpu, bool tight)
{
    struct sim_node nodes[SIM_NODES];
    int count = sim->clusters[cluster].n_nodes;

    memcpy(nodes, sim->clusters[cluster].nodes, sizeof(nodes));
    for (int w = 0; w < sim->n_workloads; w++) {
        int wanted = sim->workloads[w].cpu;

        for (int i = in_flight(sim, cluster, w); i > 0; i--) {
            int node = pick(nodes, count, wanted, tight);

            if (node == NOBODY) {
                return false; /* it is overcommitted already */
            }
            nodes[node].used += wanted;
            nodes[node].pods++;
        }
    }
    return pick(nodes, count, cpu, tight) != NOBODY;
}

bool
room_for_one(struct sim *sim, int cluster, int cpu)
{
    const struct sim_cluster *there = &sim->clusters[cluster];
    int64_t by_summary =
        (int64_t)there->cpu - there->used - there->asked - cpu_in_flight(sim, cluster);

    return by_summary >= cpu && fits_after(sim, cluster, cpu, true) &&
           fits_after(sim, cluster, cpu, false);
}
