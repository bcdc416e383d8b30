/* SPDX-License-Identifier: Apache-2.0
 *
 * The clusters in which somebody else sets a workload's replicas, so that Ballast
 * can give it none there: closed clusters. Many workloads may share a group of
 * claims: the group has one bit per cluster, worked out once.
 */
#ifndef BALLAST_MODEL_CLOSED_CLUSTERS_H
#define BALLAST_MODEL_CLOSED_CLUSTERS_H

#include "ballast/model/replica_owner.h"

/* A claim on the replicas, and the clusters where it counts. */
struct closing_claim {
    const struct replica_owner *claim;
    const uint64_t *bits; /* by cluster; NULL: `cluster` alone */
    uint32_t cluster;
};

/* Claims on the same workloads. */
struct closing_group {
    const struct closing_claim *claims; /* in the order of the fleet's list */
    uint32_t n_claims;
    const uint64_t *bits;  /* by cluster: some claim counts there; NULL: in no cluster */
    const uint32_t *first; /* by cluster with its bit set: index of its first claim; NULL: few
                              claims, searched one by one */
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

/* True if the cluster is closed. `closed` NULL: no cluster is closed. */
bool closed_clusters_has(const struct closed_clusters *closed, uint32_t cluster);
/* Returns the claim that closes the cluster: an override, else a claim on one named workload, else
 * another claim. NULL if the cluster is open. */
const struct replica_owner *closed_clusters_claim(const struct closed_clusters *closed,
                                                  uint32_t cluster);

#endif
