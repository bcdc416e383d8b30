/* SPDX-License-Identifier: Apache-2.0
 *
 * How an operator wants replicas spread: KubeFed's ReplicaSchedulingPreference
 * (scheduling.kubefed.io/v1alpha1), Karmada 0.8's ReplicaSchedulingPolicy
 * (policy.karmada.io/v1alpha1) and the configuration's `preferences`.
 */
#ifndef BALLAST_MODEL_PREFERENCE_H
#define BALLAST_MODEL_PREFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/placement.h"
#include "ballast/model/workload_labels.h"

#define PREFERENCE_UNLIMITED INT64_MAX

struct preference_cluster {
    const char *name;                        /* "*": every cluster without an entry of its own */
    const struct cluster_affinity *affinity; /* instead of a name (ReplicaSchedulingPolicy); NULL */
    int64_t min_replicas;
    int64_t max_replicas; /* PREFERENCE_UNLIMITED when absent */
    int64_t weight;
    const char *where; /* in the configuration: "ballast.yaml:7:15"; NULL: it is not of that */
};

/* Where the parts of a scope stand in the configuration: "ballast.yaml:7:15". */
struct preference_places {
    const char *selector;
    const char *const *namespaces, *const *names, *const *kinds, *const *api_versions; /* of each */
    const char *labels;
};

/* Which bindings it is for: every given part must match; an empty list is any. */
struct preference_scope {
    struct str_list namespaces; /* of the resource, as are the next three */
    struct str_list names;
    struct str_list kinds;
    struct str_list api_versions;
    const struct label_selector *labels; /* of the workload over those of the binding; NULL: any */
    struct preference_places where;      /* NULL in it: not given, or not of the configuration */
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
struct arena;
struct policy;

/* Makes a list of manifests ready to be searched; the index is in `arena`. */
void preference_list_index(struct arena *arena, struct preference_list *list);
/* The first preference for a workload, in a list that is indexed; NULL: there is none. */
const struct preference *preference_list_find(const struct preference_list *list,
                                              const struct object_reference *resource);

/* The preference for a binding: the first one whose scope it is in, of the configuration before
 * those of the fleet's manifests. NULL when there is none, and where it is not known whether one
 * is for it: what comes after that one would hold in its place. */
const struct preference *preference_for(const struct policy *policy, const struct fleet *fleet,
                                        const struct binding *binding);
/* That is not known: a selector asks for labels of the workload, and these are not known. */
bool preference_is_unknown(const struct policy *policy, const struct fleet *fleet,
                           const struct binding *binding);
/* Whether a scope takes a binding, whatever other preferences there are. */
enum label_match preference_scope_match(const struct preference_scope *scope,
                                        const struct fleet *fleet, const struct binding *binding);
/* The entry for a cluster: the first that names it or whose affinity selects it, else "*"; NULL
 * when there is none. */
const struct preference_cluster *preference_cluster_for(const struct preference *preference,
                                                        const struct cluster *cluster);

#endif
