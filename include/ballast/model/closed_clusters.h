/* SPDX-License-Identifier: Apache-2.0
 *
 * The clusters in which somebody else would set a workload's replicas, so that
 * it can be given none there. Many workloads may share a group of claims: what
 * the group says of each cluster is worked out once, a bit each.
 */
#ifndef BALLAST_MODEL_CLOSED_CLUSTERS_H
#define BALLAST_MODEL_CLOSED_CLUSTERS_H

#include "ballast/model/replica_owner.h"

/* A claim, and where it counts. */
struct closing_claim {
    const struct replica_owner *claim;
    const uint64_t *bits; /* by cluster; NULL: `cluster` alone */
    uint32_t cluster;
};

/* Claims on the same workloads. */
struct closing_group {
    const struct closing_claim *claims; /* in the order of the fleet's list */
    uint32_t n_claims;
    const uint64_t *bits;  /* by cluster: some claim counts there; NULL: nowhere */
    const uint32_t *first; /* by cluster, where a bit is set: index into claims; NULL where there
                              are few, which are gone through */
};

struct closed_clusters {
    const struct closing_group *const *groups;
    uint32_t n_groups;
};

static inline bool
cluster_bit(const uint64_t *bits, uint32_t cluster)
{
    return (bits[cluster / 64] >> (cluster % 64) & 1) != 0;
}

/* NULL `closed`: no cluster is. */
bool closed_clusters_has(const struct closed_clusters *closed, uint32_t cluster);
/* The first claim that closes a cluster; NULL: it is open. */
const struct replica_owner *closed_clusters_claim(const struct closed_clusters *closed,
                                                  uint32_t cluster);

#endif
