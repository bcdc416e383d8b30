/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of a KubeFed host until all of them are there: only together they show the replicas
 * in each cluster. Private to this room.
 */
#ifndef BALLAST_KINDS_FEDERATION_BUILDER_H
#define BALLAST_KINDS_FEDERATION_BUILDER_H

#include "ballast/base/vec.h"
#include "ballast/model/federation.h"
#include "ballast/model/fleet.h"
#include "ballast/model/object_location_set.h"

struct kubefed_config {
    const char *namespace_, *name;
    const char *scope;
    bool schedules;
    int64_t period;
};

struct type_names {
    const char *group, *version, *kind, *plural;
};
struct type_config {
    const char *namespace_, *name;
    const char *propagation;
    int64_t deletion_timestamp;
    struct type_names federated, target;
};

struct kubefed_cluster {
    const char *namespace_;
    struct cluster cluster;
};

/* The replicas that a federated object's overrides give to a cluster. */
struct replicas_override {
    const char *cluster_name;
    int32_t replicas;
};

/* FederatedDeployment or FederatedReplicaSet. */
struct federated_object {
    struct binding binding; /* metadata, and the template's requirements */
    const struct federated_placement *placement;
    const struct replicas_override *overrides; /* sorted by cluster */
    uint32_t n_overrides;
    struct str_list whole; /* clusters in which an override of all of spec sets the replicas, too */
    int32_t template_replicas;
    bool has_template_replicas, retains_replicas;
    struct label_list template_labels; /* of the workload */
    const struct propagation_failure *failures;
    uint32_t n_failures;
    int64_t observed_generation; /* of the status */
    int64_t propagated_at;       /* TIME_NONE: unknown */
};

/* The parts of a ReplicaSchedulingPreference that make a federated object a binding. */
struct federated_preference {
    struct binding carrier; /* metadata, and Ballast's own annotations */
    const char *target_kind;
    int32_t total_replicas;
    bool intersects;
};

/* A ReplicaSchedulingPreference that exists and cannot be read. */
struct unread_preference {
    const char *namespace_, *name;
    const char *problem;
};

struct federation_builder {
    VEC_OF(struct kubefed_config) configs;
    VEC_OF(struct type_config) types;
    VEC_OF(struct kubefed_cluster) clusters;
    VEC_OF(struct federated_namespace) namespaces;
    VEC_OF(struct federated_object) objects;
    VEC_OF(struct federated_preference) preferences;
    VEC_OF(struct unread_preference) unread;
    struct object_location_set cluster_places, namespace_places, object_places;
};

/* Frees the lists, but not `federation`, nor the fleet's memory that the items point to. */
void federation_builder_release(struct federation_builder *federation);

#endif
