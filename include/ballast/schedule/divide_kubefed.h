/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed's replica planner (kubefed pkg/controller/util/planner), which takes
 * minimum, maximum, weight, what runs and what fits. Pure, 64-bit.
 */
#ifndef BALLAST_SCHEDULE_DIVIDE_KUBEFED_H
#define BALLAST_SCHEDULE_DIVIDE_KUBEFED_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/arena.h"

#define REBALANCE_UNKNOWN INT64_MIN /* no current count; unlimited capacity */

struct rebalance_cluster {
    const char *name;
    bool takes_part; /* has a preference, its own or "*" */
    int64_t min_replicas;
    int64_t max_replicas; /* PREFERENCE_UNLIMITED */
    int64_t weight;
    int64_t current;   /* REBALANCE_UNKNOWN: unknown */
    int64_t capacity;  /* REBALANCE_UNKNOWN: unlimited */
    int64_t plan;      /* out */
    int64_t overflow;  /* out */
    bool has_overflow; /* out */
};

/* Plans as KubeFed's replica planner. `key` is "namespace/name": with the cluster name it decides
 * ties (FNV-1). `clusters` may have any order and keep it. */
void rebalance_plan(struct arena *scratch, struct rebalance_cluster *clusters, uint32_t count,
                    int64_t total_replicas, bool rebalance, const char *key);

#endif
