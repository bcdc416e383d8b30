/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of `ballast plan --scheduler=kubefed` for vectors of KubeFed's: a host
 * with one federated Deployment and its preference, and what its members show.
 */
#ifndef BALLAST_CONFORM_FEDERATED_H
#define BALLAST_CONFORM_FEDERATED_H

#include "ballast/base/vec.h"
#include "conform_program.h"

struct conform_host {
    struct conform *run;
    const char *namespace_, *name; /* of the Deployment */
    VEC_OF(struct conform_object) objects;
    VEC_OF(const char *) members; /* that were looked at */
};

/* With its FederatedNamespace and FederatedTypeConfig. */
void conform_host_init(struct conform_host *host, struct conform *run, const char *namespace_,
                       const char *name);
void conform_host_release(struct conform_host *host);

/* All of its Deployments and pods are known: those that are added. */
void conform_host_cluster(struct conform_host *host, const char *name, bool is_ready);
/* JSON texts; "{}": all clusters alike. */
void conform_host_preference(struct conform_host *host, int64_t total, const char *rebalance,
                             const char *clusters);
/* An object of a member, JSON. */
void conform_host_add(struct conform_host *host, const char *member, const char *json);

/* What a member has of it: it selects pods by app=x. */
void conform_host_deployment(struct conform_host *host, const char *member, int64_t replicas,
                             int64_t ready);

/* So that KubeFed counts so many replicas there, and takes no more to fit; REBALANCE_UNKNOWN: any
 * number does. Conditions are counted: one pod with many stands for many pods. */
void conform_host_state(struct conform_host *host, const char *member, int64_t current,
                        int64_t capacity);

/* The host's fleet, which the caller frees; NULL with err. */
struct fleet *conform_host_fleet(const struct conform_host *host, struct error *err);

#endif
