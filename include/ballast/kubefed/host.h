/* SPDX-License-Identifier: Apache-2.0
 *
 * A live KubeFed host: Ballast reads a fleet from its API server, and from the members directly,
 * with the Secrets that KubeFed has for them. A write is two merge patches: first the record of a
 * move into the ReplicaSchedulingPreference, then the split into the federated object. So every
 * move has a record.
 *
 * If the host cannot be read, the run fails. If a part of a member cannot be read, the part stays
 * unknown, and the report names it.
 */
#ifndef BALLAST_KUBEFED_HOST_H
#define BALLAST_KUBEFED_HOST_H

#include "ballast/backend/backend.h"
#include "ballast/base/progress.h"
#include "ballast/kinds/decode.h"
#include "ballast/kube/kube_client.h"
#include "ballast/members/members.h"

struct kubefed_host;

struct kubefed_host_options {
    struct clock clock;
    const char *namespace_;         /* of the control plane; "": KUBEFED_NAMESPACE */
    uint32_t page_size;             /* objects of one page of a list */
    uint32_t concurrency;           /* writes in flight */
    struct members_options members; /* always reached directly, with Secrets of `namespace_` alone;
                                       `qps` 0: as fast as KubeFed asks */
    bool keeps_pods;                /* as in struct fleet_expectation */
    bool server_dry_run;            /* the server checks every write, and stores none */
    const struct member_port *port; /* as in struct control_plane_options, like `observes` */
    const struct member_choice *observes;
    const struct fleet_tap *tap; /* gets all objects that are read; NULL: none */
    struct progress progress;    /* shows the progress of reading and writing */
};

/* Returns a host behind `client`, to be freed with kubefed_host_free. The client and the texts of
 * the options stay the caller's, and outlive it. */
struct kubefed_host *kubefed_host_new(struct kube_client *client,
                                      const struct kubefed_host_options *options);
/* Frees a host. NULL is fine. */
void kubefed_host_free(struct kubefed_host *host);

/* Returns the host as a backend, which lives as long as `host`. Reading fails with NOT_FOUND if the
 * server has no KubeFedConfig in that namespace: it is no KubeFed host. */
struct backend kubefed_host_backend(struct kubefed_host *host);

/* Returns the statistics of all requests so far, to the host and to members. */
struct kube_statistics kubefed_host_statistics(const struct kubefed_host *host);
/* Returns the statistics of all requests so far that looked into members. */
struct kube_statistics kubefed_host_member_statistics(const struct kubefed_host *host);

#endif
