/* SPDX-License-Identifier: Apache-2.0
 *
 * A live KubeFed host: a fleet is read from its API server, and from the
 * members directly, with the Secrets that KubeFed has for them. A write is two
 * merge patches: the record of a move into the ReplicaSchedulingPreference
 * first, then the split into the federated object. So no move is without its
 * record.
 *
 * What cannot be read of the host is an error of the run. What cannot be read of
 * a member stays unknown, and is told.
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
    struct members_options members; /* its Secrets are those of `namespace_`, whatever `trust` says,
                                       and they are reached directly; without `qps` as fast as
                                       KubeFed itself asks them */
    bool keeps_pods;                /* as of struct fleet_expectation */
    bool server_dry_run;            /* the server checks every write, and stores none */
    const struct member_port *port; /* as of struct control_plane_options, and so is: */
    const struct member_choice *observes;
    const struct fleet_tap *tap; /* told what is read; NULL: nobody */
    struct progress progress;    /* told how far reading and writing are */
};

/* The client and the texts of the options stay the caller's, and must outlive it. */
struct kubefed_host *kubefed_host_new(struct kube_client *client,
                                      const struct kubefed_host_options *options);
void kubefed_host_free(struct kubefed_host *host); /* NULL is fine */

/* Valid while the host is. Reading is NOT_FOUND when what answers is no KubeFed host: it has no
 * KubeFedConfig in that namespace. */
struct backend kubefed_host_backend(struct kubefed_host *host);

/* Requests to it and to members so far; and of them, those to look into members. */
struct kube_statistics kubefed_host_statistics(const struct kubefed_host *host);
struct kube_statistics kubefed_host_member_statistics(const struct kubefed_host *host);

#endif
