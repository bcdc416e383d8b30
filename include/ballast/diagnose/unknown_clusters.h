/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds names of clusters that do not exist in preferences, weights and affinities: a typing error,
 * or a removed cluster. No replica can go there.
 */
#ifndef BALLAST_DIAGNOSE_UNKNOWN_CLUSTERS_H
#define BALLAST_DIAGNOSE_UNKNOWN_CLUSTERS_H

#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"

struct unknown_cluster {
    const char *who;   /* "configuration: preferences[0]", "the static weight list" */
    const char *about; /* where the name stands: "ballast.yaml:7:15", "ReplicaSchedulingPreference
                          shop/web"; NULL: in the binding */
    const char *field; /* the field of `about`; NULL: `about` names it */
    const char *cluster;
};

/* Takes one unknown name. The names come in the order in which they are written. */
typedef void unknown_cluster_taker(void *context, const struct unknown_cluster *unknown);

/* Calls `take` for each unknown cluster that a preference names. */
void preference_unknown_clusters(const struct fleet *fleet, const struct preference *preference,
                                 unknown_cluster_taker *take, void *context);
/* Calls `take` for each unknown cluster in the affinities of a placement. With `weights`, includes
 * its static weight list, which divides if there is no preference. */
void placement_unknown_clusters(const struct fleet *fleet, const struct placement *placement,
                                bool weights, unknown_cluster_taker *take, void *context);
/* Calls `take` for each unknown cluster that a binding's preference or placement names. */
void binding_unknown_clusters(const struct policy *policy, const struct fleet *fleet,
                              const struct binding *binding, unknown_cluster_taker *take,
                              void *context);

/* Returns ": did you mean member1?", or "" if no cluster has a similar name. In `arena`. */
const char *cluster_hint(struct arena *arena, const struct fleet *fleet, const char *name);

#endif
