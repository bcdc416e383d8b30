/* SPDX-License-Identifier: Apache-2.0
 *
 * A refusal of an API server (401, 403), in the words of `kubectl auth can-i`.
 */
#ifndef BALLAST_CLI_LIVE_ACCESS_H
#define BALLAST_CLI_LIVE_ACCESS_H

#include <stdbool.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/kube/kube_access.h"
#include "ballast/kube/kube_config.h"

struct refused_access {
    int status;                              /* 401 or 403 */
    const char *verb;                        /* RBAC verb, such as "list"; static */
    char resource[2 * KUBE_ACCESS_PART_MAX]; /* "clusters.cluster.karmada.io", or with a name
                                                "leases.coordination.k8s.io/x" */
    char namespace_[KUBE_ACCESS_PART_MAX];   /* "": cluster-scoped */
};

/* Fills *ret from the error of a request that `server` refused (401 or 403). False: the error is no
 * refusal, or its URL is unreadable. */
bool refused_access_read(const struct error *err, const char *server, struct refused_access *ret);

/* Appends the kubectl command for the server of `config`: "kubectl --context x". A `kubeconfig` of
 * NULL or "" is not given. */
void kubectl_command(const struct kube_config *config, const char *kubeconfig, struct buf *out);
/* Appends the kubectl command that shows the refusal: "kubectl --context x auth can-i list ...". */
void refused_access_command(const struct refused_access *access, const struct kube_config *config,
                            const char *kubeconfig, struct buf *out);

/* Appends words for the refused credential: "the token of user "x"". False: there was none. */
bool refused_credential(const struct kube_config *config, struct buf *out);

#endif
