/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and functions that reading and writing a KubeFed host share. Private to this room.
 */
#ifndef BALLAST_KUBEFED_HOST_PARTS_H
#define BALLAST_KUBEFED_HOST_PARTS_H

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/kubefed/host.h"

#define PREFERENCES_API "scheduling.kubefed.io/v1alpha1"
#define PREFERENCES "replicaschedulingpreferences"

/* A federated kind, as its FederatedTypeConfig names its API. */
struct host_type {
    const char *kind;   /* "FederatedDeployment" */
    const char *api;    /* "types.kubefed.io/v1beta1" */
    const char *plural; /* "federateddeployments" */
    const char *config; /* the FederatedTypeConfig that propagates it; NULL: none */
};

struct kubefed_host {
    struct kube_client *client;
    struct kubefed_host_options options;
    struct arena *arena; /* of one reading */
    bool is_namespaced;  /* KubeFed federates only its own namespace */
    VEC_OF(struct host_type) types;
    VEC_OF(struct member_address) members;
    struct map *namespaces; /* with federated workloads; keys in the arena */
    struct kube_statistics member_requests;
    struct kube_statistics of_halves; /* of second halves of writes */
};

/* Returns a copy of a text member, which lives as long as the reading; "": absent. */
const char *host_keep(struct kubefed_host *host, const struct value *object, const char *key);

/* Notes where the member of a KubeFedCluster is, if the options want that member. */
void host_note_member(struct kubefed_host *host, const struct value *cluster);
/* Notes the federated kind of a FederatedTypeConfig, to be listed; a kind that Ballast cannot
 * handle is ignored. */
void host_note_type(struct kubefed_host *host, const struct value *config);
/* Returns a noted federated kind; NULL: there is none of that name. */
const struct host_type *host_find_type(const struct kubefed_host *host, const char *kind);

/* Carries out writes; the backend's `write`. Each write has its own outcome. */
void kubefed_host_write(void *context, struct write_request *writes, uint32_t count,
                        const atomic_bool *stop);
/* Reads one binding again; the backend's `read_again`. NULL with err. */
const struct binding *kubefed_host_read_again(void *context, struct fleet *fleet,
                                              const struct binding *binding, struct error *err);

#endif
