/* SPDX-License-Identifier: Apache-2.0
 *
 * The way to a member cluster's own API server: what its Cluster says, and the
 * Secret that the control plane itself goes there with (karmada
 * pkg/util/membercluster_client.go, kubefed
 * pkg/controller/util/cluster_util.go).
 */
#ifndef BALLAST_KUBE_KUBE_MEMBER_H
#define BALLAST_KUBE_KUBE_MEMBER_H

#include "ballast/kube/kube_config.h"
#include "ballast/model/selector.h"

/* Of a Cluster's or a KubeFedCluster's spec; "" for what it does not say. */
struct kube_member {
    const char *name;
    const char *kind;         /* of the object that says so, for messages */
    const char *api_endpoint; /* a URL, or host:port: then with https */
    const char *secret_namespace, *secret_name;
    const char *proxy_url;
    struct label_list proxy_header; /* several values of one between commas */
    bool insecure_skip_tls_verify;
    const char *ca_bundle; /* base64 of PEM, "": the system's authorities; NULL: in the Secret */
    struct str_list disabled_validations; /* "*", "SubjectName", "ValidityPeriod" */
};

/* Why whatever is there need not prove that it is that member, in words of the object's; NULL: it
 * has to, by a certificate. In clear text it cannot, whatever this says. */
const char *kube_member_weakness(const struct kube_member *member);

/* `secret` is the text of the Secret as the API server gives it: data.token, and data.caBundle
 * where TLS is verified and the object has no CA of its own. The token is the control plane's,
 * which may do everything: whom `ours` impersonates is impersonated in the member, too. NULL with
 * err (which holds no secret) when something is missing or not known.
 */
struct kube_config *kube_config_of_member(const struct kube_member *member, const char *secret,
                                          size_t length, const struct kube_config *ours,
                                          struct error *err);

#endif
