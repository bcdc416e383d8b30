/* SPDX-License-Identifier: Apache-2.0
 *
 * What an API server refused (401, 403), in the words of `kubectl auth can-i`.
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
    const char *verb;                        /* of RBAC: "list"; static */
    char resource[2 * KUBE_ACCESS_PART_MAX]; /* "clusters.cluster.karmada.io", or with a name
                                                "leases.coordination.k8s.io/x" */
    char namespace_[KUBE_ACCESS_PART_MAX];   /* "": of the cluster */
};

/* Of an error that is `server`'s answer to a request. false: it is none such. */
bool refused_access_read(const struct error *err, const char *server, struct refused_access *ret);

/* kubectl as it asks the same server: "kubectl --context x". A NULL `kubeconfig` or one that is ""
 * was not given. */
void kubectl_command(const struct kube_config *config, const char *kubeconfig, struct buf *out);
/* What kubectl is asked with, to see the same: "kubectl --context x auth can-i list ...". */
void refused_access_command(const struct refused_access *access, const struct kube_config *config,
                            const char *kubeconfig, struct buf *out);

/* What the server did not accept: "the token of user "x"". false: there was nothing to accept. */
bool refused_credential(const struct kube_config *config, struct buf *out);

#endif
