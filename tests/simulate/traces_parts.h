/* SPDX-License-Identifier: Apache-2.0
 *
 * What traces are written with.
 */
#ifndef BALLAST_SIMULATE_TRACES_PARTS_H
#define BALLAST_SIMULATE_TRACES_PARTS_H

#include "script.h"

#define MINUTE 60

#define AT_CLUSTER(type_, cluster_)                                                                \
    (struct event)                                                                                 \
    {                                                                                              \
        .type = (type_), .cluster = (cluster_)                                                     \
    }
#define AT_CLUSTER_BY(type_, cluster_, amount_)                                                    \
    (struct event)                                                                                 \
    {                                                                                              \
        .type = (type_), .cluster = (cluster_), .amount = (amount_)                                \
    }
#define NODES(cluster_, count_, cpu_)                                                              \
    (struct event)                                                                                 \
    {                                                                                              \
        .type = EVENT_ADD_NODES, .cluster = (cluster_), .amount = (count_), .cpu = (cpu_)          \
    }
#define OF_WORKLOAD(type_, workload_, amount_)                                                     \
    (struct event)                                                                                 \
    {                                                                                              \
        .type = (type_), .workload = (workload_), .amount = (amount_)                              \
    }
#define IN_CLUSTER(type_, workload_, cluster_)                                                     \
    (struct event)                                                                                 \
    {                                                                                              \
        .type = (type_), .workload = (workload_), .cluster = (cluster_)                            \
    }

/* The trouble is there then, whatever happens later. */
static inline void
settle_from(struct script *script, int seconds)
{
    script->trouble = SIM_START + WARM_UP + seconds;
}

static inline void
end_after(struct script *script, int seconds)
{
    script->end = SIM_START + WARM_UP + seconds;
}

static inline int
any_cluster(struct sim *sim)
{
    return random_below(&sim->random, sim->n_clusters);
}

static inline int
any_workload(struct sim *sim)
{
    return random_below(&sim->random, sim->n_workloads);
}

void trace_black_hole(struct sim *sim, struct script *script);
void trace_held_back(struct sim *sim, struct script *script);
void trace_incidents(struct sim *sim, struct script *script);

#endif
