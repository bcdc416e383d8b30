/* SPDX-License-Identifier: Apache-2.0
 *
 * What a KubeFed host says beside clusters and bindings: how its control plane
 * is set up, and of each federated object what a binding of Karmada has no
 * member for.
 */
#ifndef BALLAST_MODEL_FEDERATION_H
#define BALLAST_MODEL_FEDERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/cluster.h"
#include "ballast/model/selector.h"

#define KUBEFED_NAMESPACE "kube-federation-system" /* of the control plane, where nobody says */

/* spec.placement of a federated object. Without a list of clusters its selector selects them, and
 * without either none is. */
struct federated_placement {
    struct str_list clusters;              /* sorted, each once; `present` where it is not null */
    const struct label_selector *selector; /* NULL: absent */
};

bool federated_placement_selects(const struct federated_placement *placement,
                                 const struct cluster *cluster);

struct federation;
/* "KubeFedCluster"; "Cluster" of NULL, which is no KubeFed host. */
const char *federation_cluster_kind(const struct federation *federation);

/* The placement of a namespace bounds what is in it. */
struct federated_namespace {
    const char *name;
    const struct federated_placement *placement;
};

/* A kind that is federated, as its FederatedTypeConfig says. */
struct federated_type {
    const char *kind; /* "FederatedDeployment" */
    const char *api_version;
    const char *plural;
    const char *target_api_version, *target_kind; /* in members */
    const char *off; /* why it is not propagated, in words; NULL: it is */
};

/* Of the fleet; NULL in a fleet that is not KubeFed's. */
struct federation {
    const char *namespace_; /* of the control plane */
    bool has_config;        /* its KubeFedConfig is known; else the next three are the defaults */
    bool is_namespaced;     /* it federates what is in that namespace alone */
    bool schedules;         /* the feature SchedulerPreferences: KubeFed's own scheduler is on */
    int64_t probe_period;   /* nanoseconds between two probes of a cluster */
    const struct federated_type *types;
    uint32_t n_types;
    const struct federated_namespace *namespaces; /* sorted by name */
    uint32_t n_namespaces;
};

/* NULL when there is none of that name. */
const struct federated_placement *federation_namespace(const struct federation *federation,
                                                       const char *name);
/* NULL: there is no FederatedTypeConfig of that kind. */
const struct federated_type *federation_type(const struct federation *federation, const char *kind);

/* What the KubeFed controller did not get done in a cluster: an entry of status.clusters. */
struct propagation_failure {
    const char *cluster_name;
    const char *status; /* "CreationFailed" */
};

/* Of a binding that is a federated object with its ReplicaSchedulingPreference. */
struct federated {
    const struct federated_placement *placement; /* its own */
    const struct federated_placement
        *namespace_;                /* of its namespace; NULL: it is bounded by none */
    bool lacks_namespace;           /* that is not federated: nothing of it is propagated */
    const char *off;                /* why its kind is not propagated, in words; NULL: it is */
    bool has_preference;            /* there is one; without one nobody says how to divide it */
    const char *preference_problem; /* why one that is there cannot be read; NULL: none is */
    const char *preference_version; /* its resourceVersion, "" */
    uint32_t preference_source;     /* as struct binding.source */
    bool intersects;                /* intersectWithClusterSelector */
    bool retains_replicas;          /* spec.retainReplicas */
    int64_t propagated_at;          /* when its clusters were last told what it says now; TIME_NONE:
                                       not known, or it says more by now */
    const struct propagation_failure *failures; /* sorted by cluster */
    uint32_t n_failures;
};

/* NULL: what was last told of the cluster is well, or nothing was. */
const struct propagation_failure *federated_failure(const struct federated *federated,
                                                    const char *cluster);

/* Something went wrong; not only that the cluster is not ready, which the cluster says itself. */
bool propagation_is_failure(const struct propagation_failure *failure);
/* The cluster did not do what it was told: nothing was wrong with the object. */
bool propagation_is_refusal(const struct propagation_failure *failure);

#endif
