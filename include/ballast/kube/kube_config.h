/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes how to reach an API server and who asks: in-cluster, or kubeconfig files merged as
 * client-go merges them. Secrets (tokens, keys, passwords) live only here: no function prints them,
 * errors never hold them, and freeing wipes them.
 */
#ifndef BALLAST_KUBE_KUBE_CONFIG_H
#define BALLAST_KUBE_KUBE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/error.h"
#include "ballast/base/secret.h"

/* users[].user.exec */
struct kube_exec;

/* The current credentials, from the token file or the exec plugin. */
struct kube_identity;

struct kube_config {
    /* the cluster */
    char *server; /* "https://host:port[/path]" without a trailing slash */
    struct secret ca;
    char *ca_file;
    bool insecure_skip_tls_verify;
    bool skip_subject_name, skip_validity_period; /* turns off only this check of the certificate */
    char *tls_server_name;                        /* NULL: the server's host */
    char *proxy_url;                              /* NULL: no proxy; the environment is not read */
    char **proxy_headers; /* "Name: value", for the proxy only; wiped when freed */
    size_t n_proxy_headers;

    /* the user */
    struct secret token;
    char *token_file; /* read again, as it may rotate */
    struct secret client_certificate;
    struct secret client_key;
    char *client_certificate_file;
    char *client_key_file;
    char *username;
    struct secret password;
    struct kube_exec *exec;         /* NULL: none */
    struct kube_identity *identity; /* shared by the clients; NULL: each client has its own */

    /* impersonation */
    char *as;
    char *as_uid;
    char **as_groups;
    size_t n_as_groups;
    char **as_extra; /* header lines: "Impersonate-Extra-scopes: view" */
    size_t n_as_extra;

    char *namespace_; /* of the context or the service account; "default" if neither has one */
    char *origin;     /* for messages: "in-cluster", "context prod of /home/me/.kube/config" */

    /* For the report: names of the control plane and the user, no secrets. kube_config_load sets
     * them, and the config owns them; NULL in the config of a member. */
    char *context; /* the kubeconfig's context; "" in-cluster */
    char *user; /* the kubeconfig's user; "" if the context has none. In-cluster: "NAMESPACE/NAME"
                   of the token, else "service account". If `as` is set, the server sees that user
                   instead */
    char *contexts; /* all contexts: "dev, prod (current), test"; NULL in-cluster */
};

struct kube_config_options {
    const char *kubeconfig; /* --kubeconfig; NULL: not given */
    const char *context;    /* --context; NULL: current-context */
    /* Reads the environment ($KUBECONFIG, $HOME, $KUBERNETES_SERVICE_HOST). Tests replace it. */
    const char *(*getenv)(const char *name);
    const char *service_account_dir; /* NULL: /var/run/secrets/kubernetes.io/serviceaccount */
};

/* Loads the configuration, to be freed with kube_config_free, from the first of: --kubeconfig, the
 * pod's service account (not with --context), $KUBECONFIG, ~/.kube/config. NULL with CONFIG. */
struct kube_config *kube_config_load(const struct kube_config_options *options, struct error *err);
void kube_config_free(struct kube_config *config); /* NULL is fine; wipes */

/* Calls `found` once with the name of each context in --kubeconfig, else $KUBECONFIG, else
 * ~/.kube/config. options->context does not matter. A name lives only during the call. False with
 * err if a file cannot be read, after the contexts of the files before it. */
bool kube_config_contexts(const struct kube_config_options *options,
                          void (*found)(void *context, const char *name), void *context,
                          struct error *err);

#endif
