/* SPDX-License-Identifier: Apache-2.0
 *
 * Fleets to begin with.
 */
#ifndef BALLAST_SIMULATE_BUILD_H
#define BALLAST_SIMULATE_BUILD_H

#include "script.h"

struct build {
    int clusters;
    int nodes; /* of each */
    int node_cpu;
    int workloads;                       /* at most */
    int fill_percent;                    /* of all nodes, by workloads */
    int aggregated, duplicated, weighed; /* percent of workloads; the others: dynamic weight */
    int max_cpu;                         /* of a replica */
};

extern const struct build build_usual;

/* Clusters, nodes and workloads; their bindings come one after another in the warm-up. */
void build_fleet(struct sim *sim, const struct build *build, struct script *script);

#endif
