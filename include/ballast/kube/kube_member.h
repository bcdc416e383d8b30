/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the configuration for a member cluster's own API server from its Cluster or KubeFedCluster
 * and the Secret that this object names. The control planes do so, too (karmada
 * pkg/util/membercluster_client.go, kubefed pkg/controller/util/cluster_util.go).
 */
#ifndef BALLAST_KUBE_KUBE_MEMBER_H
#define BALLAST_KUBE_KUBE_MEMBER_H

#include "ballast/kube/kube_config.h"
#include "ballast/model/selector.h"

/* Fields of a Cluster's or KubeFedCluster's spec; "" if not set. */
struct kube_member {
    const char *name;
    const char *kind;         /* of that object, for messages */
    const char *api_endpoint; /* URL, or host:port for https */
    const char *secret_namespace, *secret_name;
    const char *proxy_url;
    struct label_list proxy_header; /* several values of a header joined with commas */
    bool insecure_skip_tls_verify;
    const char *ca_bundle; /* base64 of PEM; "": the system's authorities; NULL: in the Secret */
    struct str_list disabled_validations; /* "*", "SubjectName", "ValidityPeriod" */
};

/* Returns the setting that lets another server pose as this member; NULL: a certificate has to
 * prove the identity. Does not judge a clear-text endpoint, which proves nothing. */
const char *kube_member_weakness(const struct kube_member *member);

/* Returns the configuration of a member, to be freed with kube_config_free. `secret` is the JSON of
 * the Secret: data.token, and data.caBundle if TLS is verified and the spec has no CA. The token is
 * the control plane's and may do everything, so the member gets the impersonation of `ours`. NULL
 * with err, which holds no secret, if a field is missing or unknown. */
struct kube_config *kube_config_of_member(const struct kube_member *member, const char *secret,
                                          size_t length, const struct kube_config *ours,
                                          struct error *err);

#endif
