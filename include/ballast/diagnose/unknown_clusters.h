/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of clusters that do not exist, where a preference, a weight or an
 * affinity has them: a typing error, or a cluster that was removed. They give
 * no replicas to anybody, so whoever looks for room has to be told.
 */
#ifndef BALLAST_DIAGNOSE_UNKNOWN_CLUSTERS_H
#define BALLAST_DIAGNOSE_UNKNOWN_CLUSTERS_H

#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct unknown_cluster {
    const char *who;   /* "configuration: preferences[0]", "the static weight list" */
    const char *about; /* what it stands in: "ballast.yaml:7:15", "ReplicaSchedulingPreference
                          shop/web"; NULL: the binding */
    const char *field; /* where in that; NULL: `about` says it */
    const char *cluster;
};

/* Is told of each, in the order in which they are written. */
typedef void unknown_cluster_taker(void *context, const struct unknown_cluster *unknown);

void preference_unknown_clusters(const struct fleet *fleet, const struct preference *preference,
                                 unknown_cluster_taker *take, void *context);
/* With `weights` those of the static weight list, too: without a preference it is what divides. */
void placement_unknown_clusters(const struct fleet *fleet, const struct placement *placement,
                                bool weights, unknown_cluster_taker *take, void *context);
/* All that bound one binding. */
void binding_unknown_clusters(const struct policy *policy, const struct fleet *fleet,
                              const struct binding *binding, unknown_cluster_taker *take,
                              void *context);

/* ": did you mean member1?", or "". In `arena`. */
const char *cluster_hint(struct arena *arena, const struct fleet *fleet, const char *name);

#endif
