/* SPDX-License-Identifier: Apache-2.0
 *
 * Room after what is in flight.
 */
#include "room.h"

#include <string.h>

/* thresholds.inFlight, and the time that a member may lag behind */
#define IN_FLIGHT_SECONDS (600 + 240)

static bool
takes(const struct sim_node *node, int cpu)
{
    return node->present && !node->cordoned && node->cpu - node->used >= cpu &&
           node->pods < POD_SLOTS;
}

/* At most (or at least) so many pods of it may still come there. */
static int
in_flight(struct sim *sim, int cluster, int workload, bool at_most)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int64_t refused = subject->refused > subject->placed ? subject->refused : subject->placed;
    /* by estimators alone nobody knows what a member itself wants */
    bool is_fresh = at_most && sim->now - refused <= IN_FLIGHT_SECONDS;
    bool is_refused = ((subject->denied_by | subject->starved_in) >> cluster & 1) != 0;
    int assigned = subject->split[cluster], asked = sim_wanted_in(sim, cluster, workload);
    int wanted = is_fresh || asked > assigned ? assigned : asked;
    int missing = wanted - sim_deployment(sim, cluster, workload)->count;

    return missing > 0 && (is_fresh || !is_refused) ? missing : 0;
}

static int64_t
cpu_in_flight(struct sim *sim, int cluster, bool at_most)
{
    int64_t sum = 0;

    for (int w = 0; w < sim->n_workloads; w++) {
        const struct sim_workload *workload = &sim->workloads[w];
        int cpu = workload->cpu + (at_most ? workload->sidecar : 0);

        sum += (int64_t)in_flight(sim, cluster, w, at_most) * cpu;
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
    sum -= cpu_in_flight(sim, cluster, false);
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
        int wanted = sim->workloads[w].cpu + sim->workloads[w].sidecar;

        for (int i = in_flight(sim, cluster, w, true); i > 0; i--) {
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
        (int64_t)there->cpu - there->used - there->asked - cpu_in_flight(sim, cluster, true);

    return by_summary >= cpu && fits_after(sim, cluster, cpu, true) &&
           fits_after(sim, cluster, cpu, false);
}
