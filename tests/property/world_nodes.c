/* SPDX-License-Identifier: Apache-2.0
 *
 * What is free on the nodes of a cluster.
 */
#include "world.h"

/* Of one node, in milli cpu or pods; what it holds beyond what it can is below 0. */
static int64_t
free_on_node(const struct world *world, int index, int node, bool pods)
{
    const struct world_cluster *cluster = &world->clusters[index];
    int64_t left = pods ? WORLD_POD_SLOTS : cluster->node_cpu - cluster->node_used;

    for (int b = 0; b < world->n_bindings; b++) {
        const struct world_binding *binding = &world->bindings[b];

        left -= (int64_t)(pods ? 1 : binding->cpu) *
                world_pods_on_node(cluster, &binding->pods[index], node);
    }
    return left;
}

int64_t
world_free_on_nodes(const struct world *world, int cluster)
{
    int64_t sum = 0;

    for (int n = 0; n < world->clusters[cluster].n_nodes; n++) {
        int64_t left = free_on_node(world, cluster, n, false);

        sum += left > 0 ? left : 0;
    }
    return sum;
}

bool
world_fits_a_node(const struct world *world, int index, int cpu)
{
    for (int n = 0; n < world->clusters[index].n_nodes; n++) {
        if (free_on_node(world, index, n, true) > 0 &&
            free_on_node(world, index, n, false) >= cpu) {
            return true;
        }
    }
    return false;
}
