/* SPDX-License-Identifier: Apache-2.0
 *
 * What reading and writing a KubeFed host have in common, private to this room.
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
    const char *config; /* the FederatedTypeConfig that says that it is propagated; NULL: none */
};

struct kubefed_host {
    struct kube_client *client;
    struct kubefed_host_options options;
    struct arena *arena; /* of one reading */
    bool is_namespaced;  /* it federates its own namespace alone */
    VEC_OF(struct host_type) types;
    VEC_OF(struct member_address) members;
    struct map *namespaces; /* with federated workloads; keys in the arena */
    struct kube_statistics member_requests;
    struct kube_statistics of_halves; /* of what is ended although the run is stopped */
};

/* The text of a member, as long as the reading lives. */
const char *host_keep(struct kubefed_host *host, const struct value *object, const char *key);

/* Of a KubeFedCluster: where its member is. */
void host_note_member(struct kubefed_host *host, const struct value *cluster);
/* Of a FederatedTypeConfig: a kind to be listed. */
void host_note_type(struct kubefed_host *host, const struct value *config);
/* NULL: it is none of ours. */
const struct host_type *host_find_type(const struct kubefed_host *host, const char *kind);

/* The back end's write and read_again. */
void kubefed_host_write(void *context, struct write_request *writes, uint32_t count,
                        const atomic_bool *stop);
const struct binding *kubefed_host_read_again(void *context, struct fleet *fleet,
                                              const struct binding *binding, struct error *err);

#endif
