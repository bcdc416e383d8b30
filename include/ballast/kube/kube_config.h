/* SPDX-License-Identifier: Apache-2.0
 *
 * How to reach an API server and who we are: in-cluster, or kubeconfig files
 * merged as client-go merges them. Secrets (tokens, keys, passwords) live only
 * here: no function prints them, errors never hold them, and the memory is
 * wiped when it is freed.
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

/* Who we are at the moment: the last word of the token file or the exec plugin. */
struct kube_identity;

struct kube_config {
    /* the cluster */
    char *server; /* "https://host:port[/path]" without a trailing slash */
    struct secret ca;
    char *ca_file;
    bool insecure_skip_tls_verify;
    bool skip_subject_name, skip_validity_period; /* all else of its certificate is verified */
    char *tls_server_name;                        /* NULL: the server's host */
    char *proxy_url;                              /* NULL: none; not taken from the environment */
    char **proxy_headers; /* "Name: value", for the proxy alone; wiped when freed */
    size_t n_proxy_headers;

    /* the user */
    struct secret token;
    char *token_file; /* read again when it may have rotated */
    struct secret client_certificate;
    struct secret client_key;
    char *client_certificate_file;
    char *client_key_file;
    char *username;
    struct secret password;
    struct kube_exec *exec;         /* NULL: none */
    struct kube_identity *identity; /* shared by the clients; NULL: each has its own */

    /* impersonation */
    char *as;
    char *as_uid;
    char **as_groups;
    size_t n_as_groups;
    char **as_extra; /* header lines: "Impersonate-Extra-scopes: view" */
    size_t n_as_extra;

    char *namespace_; /* of the context, or of the service account; "default" when none */
    char *origin;     /* for messages: "in-cluster", "context prod of /home/me/.kube/config" */

    /* For the report: which control plane this is, and as whom we come. Owned by the config, and
     * names only, no secrets. Both are set by kube_config_load, and NULL in a config of a member.
     */
    char *context;  /* the kubeconfig's context; "" in-cluster */
    char *user;     /* the kubeconfig's user, "" where the context names none; in-cluster
                       "NAMESPACE/NAME" of the service account as its token says, else "service
                       account". Where `as` is set, the server takes us for that one instead */
    char *contexts; /* what else could be chosen: "dev, prod (current), test"; NULL in-cluster */
};

struct kube_config_options {
    const char *kubeconfig; /* --kubeconfig; NULL: not given */
    const char *context;    /* --context; NULL: current-context */
    /* The environment: $KUBECONFIG, $HOME, $KUBERNETES_SERVICE_HOST, ...; a port, so that tests
     * need not touch the process's own. */
    const char *(*getenv)(const char *name);
    const char *service_account_dir; /* NULL: /var/run/secrets/kubernetes.io/serviceaccount */
};

/* --kubeconfig, else in-cluster, else $KUBECONFIG, else ~/.kube/config. */
struct kube_config *kube_config_load(const struct kube_config_options *options, struct error *err);
void kube_config_free(struct kube_config *config); /* NULL is fine; wipes */

/* The contexts of the kubeconfigs that kube_config_load would look into, each once and whatever
 * --context says: `found` is told each name, which lives only during the call. False where one of
 * them cannot be read. */
bool kube_config_contexts(const struct kube_config_options *options,
                          void (*found)(void *context, const char *name), void *context,
                          struct error *err);

#endif
