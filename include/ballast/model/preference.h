/* SPDX-License-Identifier: Apache-2.0
 *
 * The operator's wishes how to spread replicas: KubeFed's
 * ReplicaSchedulingPreference (scheduling.kubefed.io/v1alpha1), Karmada 0.8's
 * ReplicaSchedulingPolicy (policy.karmada.io/v1alpha1) and the configuration's
 * `preferences`.
 */
#ifndef BALLAST_MODEL_PREFERENCE_H
#define BALLAST_MODEL_PREFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/placement.h"
#include "ballast/model/workload_labels.h"

#define PREFERENCE_UNLIMITED INT64_MAX

struct preference_cluster {
    const char *name;                        /* "*": every cluster without its own entry */
    const struct cluster_affinity *affinity; /* instead of the name; NULL: the name counts */
    int64_t min_replicas;
    int64_t max_replicas; /* PREFERENCE_UNLIMITED when absent */
    int64_t weight;
    const char *where; /* in the configuration: "ballast.yaml:7:15"; NULL: from a manifest */
};

/* Places of the parts of a scope in the configuration: "ballast.yaml:7:15". */
struct preference_places {
    const char *selector;
    const char *const *namespaces, *const *names, *const *kinds, *const *api_versions; /* of each */
    const char *labels;
};

/* The bindings that a preference is for: every given part must match; an empty list means any. */
struct preference_scope {
    struct str_list namespaces; /* of the resource, as the next three */
    struct str_list names;
    struct str_list kinds;
    struct str_list api_versions;
    const struct label_selector *labels; /* of the workload over those of the binding; NULL: any */
    struct preference_places where;      /* NULL members: not given, or from a manifest */
};

struct preference {
    const char
        *origin; /* "configuration: preferences[0]" or "ReplicaSchedulingPreference ns/name" */
    const char *field; /* of the manifest: "spec.clusters"; NULL: configuration */
    struct preference_scope scope;
    bool rebalance;
    int64_t total_replicas; /* KubeFed's; -1: absent; a binding's spec.replicas count instead */
    const struct preference_cluster *clusters;
    uint32_t n_clusters;
    bool is_sorted; /* all clusters have names, unique and sorted */
};

struct preference_list {
    const struct preference *items;
    uint32_t count;
    const uint32_t *by_scope; /* by preference_list_index(); NULL: not indexed */
    unsigned patterns;        /* combinations of given parts that occur in scopes, a bit each */
};

struct binding;
struct cluster;
struct fleet;
struct object_reference;
struct arena;
struct policy;

/* Indexes a list of manifests. Their scopes name at most one namespace, name, kind and API version
 * each, and no labels. The index is in `arena`. */
void preference_list_index(struct arena *arena, struct preference_list *list);
/* Returns the first preference for the workload in an indexed list; NULL if there is none. */
const struct preference *preference_list_find(const struct preference_list *list,
                                              const struct object_reference *resource);

/* Returns the first preference whose scope has the binding: from the configuration, else from the
 * fleet's manifests. NULL if there is none, or if preference_is_unknown(). */
const struct preference *preference_for(const struct policy *policy, const struct fleet *fleet,
                                        const struct binding *binding);
/* True if the configuration's preference for the binding is unknown: the first possible one selects
 * by unknown labels of the workload. */
bool preference_is_unknown(const struct policy *policy, const struct fleet *fleet,
                           const struct binding *binding);
/* Matches the binding against the scope, regardless of other preferences. */
enum label_match preference_scope_match(const struct preference_scope *scope,
                                        const struct fleet *fleet, const struct binding *binding);
/* Returns the entry for the cluster: the first that names it or whose affinity selects it, else the
 * entry "*"; NULL if there is none. */
const struct preference_cluster *preference_cluster_for(const struct preference *preference,
                                                        const struct cluster *cluster);

#endif
