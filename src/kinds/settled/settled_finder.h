/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the settled Deployments of a member: those with only their current ReplicaSet, older
 * ReplicaSets without pods, and settled pods. Private to the folding of members.
 */
#ifndef BALLAST_KINDS_SETTLED_FINDER_H
#define BALLAST_KINDS_SETTLED_FINDER_H

#include "kinds/builder/builder.h"
#include "kinds/prune/pod_groups.h"

struct found_workload {
    const struct workload *workload;
    const struct replica_set *current; /* NULL: none yet */
    const struct pod_group *pods;      /* NULL: none */
    bool is_out;                       /* another object leads to it */
};

/* The most nodes and pods of one settled workload. */
#define SETTLED_PLACES_MAX 10000u
#define SETTLED_PODS_MAX (UINT32_C(1) << 20)

struct settled_finder;

/* Returns a finder over the objects taken of a member, and the groups of its settled pods. Both
 * outlive the finder and stay unchanged. */
struct settled_finder *settled_finder_new(const struct member_builder *member,
                                          const struct pod_group *groups, uint32_t n_groups);
/* Frees a finder. NULL is fine. */
void settled_finder_free(struct settled_finder *finder);
/* Returns the Deployment of that name; NULL: there is none, or it is not settled. */
const struct found_workload *settled_finder_workload(struct settled_finder *finder,
                                                     const char *namespace_, const char *name);
/* Returns the Deployment that owns the ReplicaSet of that name; NULL: there is none, or it is not
 * settled. */
const struct found_workload *settled_finder_set(struct settled_finder *finder,
                                                const char *namespace_, const char *name);
/* True if the pods are those of a settled Deployment. */
bool settled_finder_has(struct settled_finder *finder, const struct pod_group *pods);
/* Removes a Deployment from the settled ones: it is written by itself. */
void settled_finder_leave_out(struct settled_finder *finder, const char *namespace_,
                              const char *name);

extern const struct field settled_workloads_table[];

#endif
