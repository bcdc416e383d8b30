/* SPDX-License-Identifier: Apache-2.0
 *
 * How an operator wants replicas spread: KubeFed's ReplicaSchedulingPreference
 * (scheduling.kubefed.io/v1alpha1), Karmada 0.8's ReplicaSchedulingPolicy
 * (policy.karmada.io/v1alpha1) and the configuration's `preferences`.
 */
#ifndef BALLAST_PREFERENCE_H
#define BALLAST_PREFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/placement.h"

#define PREFERENCE_UNLIMITED INT64_MAX

struct preference_cluster {
    const char *name;                        /* "*": every cluster without an entry of its own */
    const struct cluster_affinity *affinity; /* instead of a name (ReplicaSchedulingPolicy); NULL */
    int64_t min_replicas;
    int64_t max_replicas; /* PREFERENCE_UNLIMITED when absent */
    int64_t weight;
    const char *where; /* in the configuration: "ballast.yaml:7:15"; NULL: it is not of that */
};

/* Which bindings it is for: every given part must match; an empty list is any. */
struct preference_scope {
    struct str_list namespaces;
    struct str_list names;               /* of the resource */
    struct str_list kinds;               /* of the resource */
    struct str_list api_versions;        /* of the resource */
    const struct label_selector *labels; /* of the binding; NULL: any */
};

struct preference {
    const char
        *origin; /* "configuration: preferences[0]" or "ReplicaSchedulingPreference ns/name" */
    const char *field; /* in a manifest, where its clusters stand: "spec.clusters"; NULL: it is of
                          the configuration */
    struct preference_scope scope;
    bool rebalance;
    int64_t total_replicas; /* KubeFed's, -1 when absent; of a binding its spec.replicas count */
    const struct preference_cluster *clusters;
    uint32_t n_clusters;
    bool is_sorted; /* all clusters are given by name, each once, in that order */
};

struct preference_list {
    const struct preference *items;
    uint32_t count;
    /* of manifests, whose scopes name at most one of each and no labels; NULL: not indexed */
    const uint32_t *by_scope;
    unsigned patterns; /* which parts of a scope are given, a bit for each way that occurs */
};

struct binding;
struct cluster;
struct fleet;
struct object_reference;
struct policy;

/* The first preference for a workload, in a list that is indexed; NULL: there is none. */
const struct preference *preference_list_find(const struct preference_list *list,
                                              const struct object_reference *resource);

/* The preference for a binding: the first one whose scope it is in, of the configuration before
 * those of the fleet's manifests. NULL when there is none. */
const struct preference *preference_for(const struct policy *policy, const struct fleet *fleet,
                                        const struct binding *binding);
/* The entry for a cluster: the first that names it or whose affinity selects it, else "*"; NULL
 * when there is none. */
const struct preference_cluster *preference_cluster_for(const struct preference *preference,
                                                        const struct cluster *cluster);

#endif
