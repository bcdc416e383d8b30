/* SPDX-License-Identifier: Apache-2.0
 *
 * Scheduling as Karmada 0.8 did it (pkg/scheduler/core/generic_scheduler.go at
 * v0.8.0): static weights and aggregation with a proportional division, scaling
 * of what is bound, and failover by names alone (as of v0.8 and of v1.0). Pure.
 * Counts are computed in 64 bits where upstream's wrap at 32.
 *
 * Sets of clusters are lists of pointers in the order that matters upstream;
 * `bound` targets lead to theirs by target.cluster, an index into `clusters`.
 */
#ifndef BALLAST_SCHEDULE_KARMADA08_H
#define BALLAST_SCHEDULE_KARMADA08_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/model/binding.h"
#include "ballast/model/cluster.h"
#include "ballast/model/placement.h"

/* The workload, which 0.8 keeps in spec.resource. */
struct karmada08_workload {
    const char *api_version;
    const char *kind;
    int32_t replicas;
    const struct resource_list *request; /* of one replica; NULL: none */
};

struct karmada08_binding {
    const struct placement *placement;
    const struct karmada08_workload *workload;
    struct target_list bound; /* none: schedule from nothing */
};

struct karmada08_choice {
    const struct cluster *const *clusters;
    const bool *used; /* holds replicas; NULL: none does */
    uint32_t count;
};

struct karmada08_fleet {
    const struct cluster *clusters;
    uint32_t count;
};

/* True if an affinity matches a cluster as 0.8 reads it: by spec.zone instead of spec.zones. A
 * field selector without expressions matches nothing. NULL matches all. */
bool karmada08_affinity_matches(const struct cluster_affinity *affinity,
                                const struct cluster *cluster);

/* Divides replicas by the weight of the first rule that matches each cluster; all clusters have
 * weight 1 if no rule has any. Sets the replicas of each of the `count` clusters. */
void karmada08_divide_static(struct arena *scratch, const struct cluster *const *clusters,
                             uint32_t count, const struct static_weight_list *weights,
                             int32_t replicas, int32_t *ret_replicas);

/* Divides replicas over as few clusters as possible: used clusters first, then those with most
 * capacity. Without a request, all go to the first cluster. Sets the replicas of each cluster of
 * the choice. False with ERROR_LIMIT if capacity is missing. */
bool karmada08_divide_aggregated(struct arena *scratch, const struct karmada08_choice *choice,
                                 const struct resource_list *request, int32_t replicas,
                                 int32_t *ret_replicas, struct error *err);

/* Schedules a binding from nothing. If a spread constraint leaves a choice, which upstream makes at
 * random, takes the first clusters by name. Targets are in `arena`, in the order of the fleet.
 * False with err: no cluster fits, or capacity is missing. */
bool karmada08_schedule(struct arena *arena, const struct karmada08_fleet *fleet,
                        const struct karmada08_binding *binding, struct target_list *ret,
                        struct error *err);

/* Divides another number of replicas over the bound clusters, in `arena`. False with err. */
bool karmada08_scale(struct arena *arena, const struct karmada08_fleet *fleet,
                     const struct karmada08_binding *binding, struct target_list *ret,
                     struct error *err);

enum karmada08_version { KARMADA_V0_8, KARMADA_V1_0 };

/* Sorted names of clusters. The caller divides the replicas over the targets. */
struct karmada08_failover {
    struct str_list reserved;
    struct str_list candidates;
    struct str_list targets; /* absent: the binding stays as it is */
};

/* Chooses the targets of a binding after a failure, in `arena`: its bound clusters that are ready
 * (reserved), and the first other clusters that fit (candidates), one for each lost cluster. */
void karmada08_failover(struct arena *arena, const struct karmada08_fleet *fleet,
                        const struct karmada08_binding *binding, enum karmada08_version version,
                        struct karmada08_failover *ret);

#endif
