/* SPDX-License-Identifier: Apache-2.0
 *
 * The facts about a KubeFed host beside clusters and bindings: the setup of its
 * control plane, and members of federated objects that no binding of Karmada has.
 */
#ifndef BALLAST_MODEL_FEDERATION_H
#define BALLAST_MODEL_FEDERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/cluster.h"
#include "ballast/model/selector.h"

#define KUBEFED_NAMESPACE "kube-federation-system" /* default namespace of the control plane */

/* spec.placement of a federated object. The selector counts only without a list of clusters. */
struct federated_placement {
    struct str_list clusters;              /* sorted, unique; `present` unless null */
    const struct label_selector *selector; /* NULL: absent, selects no cluster */
};

/* True if the placement selects the cluster. */
bool federated_placement_selects(const struct federated_placement *placement,
                                 const struct cluster *cluster);

struct federation;
/* Returns the kind of the fleet's clusters: "KubeFedCluster"; "Cluster" for NULL (no KubeFed). */
const char *federation_cluster_kind(const struct federation *federation);

/* A federated namespace. Its placement bounds the clusters of the objects in it. */
struct federated_namespace {
    const char *name;
    const struct federated_placement *placement;
};

/* A federated kind, from its FederatedTypeConfig. */
struct federated_type {
    const char *kind; /* "FederatedDeployment" */
    const char *api_version;
    const char *plural;
    const char *target_api_version, *target_kind; /* in members */
    const char *off;                              /* why the kind is not propagated; NULL: it is */
};

/* Setup of a KubeFed host. NULL in a fleet without KubeFed. */
struct federation {
    const char *namespace_; /* of the control plane */
    bool has_config;        /* its KubeFedConfig is known; else the next three are defaults */
    bool is_namespaced;     /* it federates only objects of that namespace */
    bool schedules;         /* feature SchedulerPreferences: KubeFed's own scheduler is on */
    int64_t probe_period;   /* nanoseconds between two probes of a cluster */
    const struct federated_type *types;
    uint32_t n_types;
    const struct federated_namespace *namespaces; /* sorted by name */
    uint32_t n_namespaces;
};

/* Returns the placement of a federated namespace; NULL if the namespace is not federated. */
const struct federated_placement *federation_namespace(const struct federation *federation,
                                                       const char *name);
/* Returns the type with that federated kind; NULL if no FederatedTypeConfig has it. */
const struct federated_type *federation_type(const struct federation *federation, const char *kind);

/* A propagation that the KubeFed controller did not finish: an entry of status.clusters. */
struct propagation_failure {
    const char *cluster_name;
    const char *status; /* "CreationFailed" */
};

/* Members of a binding that is a federated object with its ReplicaSchedulingPreference. */
struct federated {
    const struct federated_placement *placement;  /* its own */
    const struct federated_placement *namespace_; /* placement of its namespace; NULL: no bound */
    bool lacks_namespace;           /* the namespace is not federated: nothing is propagated */
    const char *off;                /* why the kind is not propagated; NULL: it is */
    bool has_preference;            /* false: no preference divides the replicas */
    const char *preference_problem; /* why the preference is unreadable; NULL: readable or absent */
    const char *preference_version; /* resourceVersion of the preference, "" */
    uint32_t preference_source;     /* as struct binding.source */
    bool intersects;                /* intersectWithClusterSelector */
    bool retains_replicas;          /* spec.retainReplicas */
    int64_t propagated_at; /* when KubeFed last wrote the present object to its clusters; TIME_NONE:
                              unknown, or the object changed since */
    const struct propagation_failure *failures; /* sorted by cluster */
    uint32_t n_failures;
};

/* Returns the unfinished last propagation in the cluster; NULL if there is none. */
const struct propagation_failure *federated_failure(const struct federated *federated,
                                                    const char *cluster);

/* True for every status but ClusterNotReady, which the cluster's own conditions show. */
bool propagation_is_failure(const struct propagation_failure *failure);
/* True if the cluster did not carry out a creation, an update or a retrieval. */
bool propagation_is_refusal(const struct propagation_failure *failure);

#endif
