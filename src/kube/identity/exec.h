/* SPDX-License-Identifier: Apache-2.0
 *
 * users[].user.exec: a program that prints an ExecCredential of
 * client.authentication.k8s.io/v1 or v1beta1.
 */
#ifndef BALLAST_KUBE_EXEC_H
#define BALLAST_KUBE_EXEC_H

#include <stdatomic.h>

#include "ballast/base/timestamp.h"
#include "ballast/format/value.h"
#include "ballast/kube/kube_config.h"

struct kube_exec_variable {
    char *name;
    char *value; /* may be a secret */
};

struct kube_exec {
    char *api_version; /* "client.authentication.k8s.io/v1" */
    char *command;     /* with a slash: a path; else looked up in $PATH */
    char **args;
    size_t n_args;
    struct kube_exec_variable *env; /* added to Ballast's own environment */
    size_t n_env;
    char *install_hint; /* "" when none */
    bool provide_cluster_info;
    char *cluster_config; /* JSON of the cluster's extension for plugins; NULL: none */
};

/* Reads users[].user.exec of a kubeconfig in `directory`, to be freed with kube_exec_free. NULL
 * with CONFIG. */
struct kube_exec *kube_exec_from(const struct value *value, const char *directory,
                                 struct error *err);
/* Wipes arguments and variables, and frees the description of a plugin. NULL is fine. */
void kube_exec_free(struct kube_exec *exec);

/* The output of a plugin. */
struct kube_credential {
    struct secret token;
    struct secret certificate;
    struct secret key;
    int64_t expires; /* nanoseconds since the epoch; TIME_NONE: good until the server refuses it */
};
/* Wipes and frees the secrets of a credential. */
void kube_credential_release(struct kube_credential *credential);

#define EXEC_TIMEOUT (60 * NANOS_PER_SECOND) /* of a plugin's run, unless a deadline is nearer */

struct kube_exec_limits {
    int64_t timeout; /* nanoseconds */
    const atomic_bool *stop;
};

/* Runs config->exec and reads its output into *ret, to be released with kube_credential_release.
 * The plugin writes messages to Ballast's stderr and reads an empty stdin. False with err. */
bool kube_exec_run(const struct kube_config *config, const struct kube_exec_limits *limits,
                   struct kube_credential *ret, struct error *err);

/* Appends the value of KUBERNETES_EXEC_INFO, which tells config->exec about the cluster. */
void kube_exec_info(const struct kube_config *config, struct buf *out);
/* Reads the output of a plugin of `api_version` into *ret, to be released with
 * kube_credential_release. False with CONFIG; the message does not quote the output. */
bool kube_credential_decode(const char *api_version, const char *text, size_t length,
                            struct kube_credential *ret, struct error *err);

#endif
