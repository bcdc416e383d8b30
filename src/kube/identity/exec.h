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
    struct kube_exec_variable *env; /* on top of our own environment */
    size_t n_env;
    char *install_hint; /* "" when none */
    bool provide_cluster_info;
    char *cluster_config; /* JSON of the cluster's extension for plugins; NULL: none */
};

/* From users[].user.exec. `directory` is that of the kubeconfig. */
struct kube_exec *kube_exec_from(const struct value *value, const char *directory,
                                 struct error *err);
void kube_exec_free(struct kube_exec *exec); /* NULL is fine */

/* What a plugin answered. */
struct kube_credential {
    struct secret token;
    struct secret certificate;
    struct secret key;
    int64_t expires; /* TIME_NONE: when the server refuses it */
};
void kube_credential_release(struct kube_credential *credential);

#define EXEC_TIMEOUT (60 * NANOS_PER_SECOND) /* where nothing else is in a hurry */

struct kube_exec_limits {
    int64_t timeout; /* nanoseconds */
    const atomic_bool *stop;
};

/* Runs config->exec. Its stderr is ours, so that it can say what is wrong; stdin is empty. */
bool kube_exec_run(const struct kube_config *config, const struct kube_exec_limits *limits,
                   struct kube_credential *ret, struct error *err);

/* The parts, for tests: what the plugin is told in KUBERNETES_EXEC_INFO, and its answer. */
void kube_exec_info(const struct kube_config *config, struct buf *out);
bool kube_credential_decode(const char *api_version, const char *text, size_t length,
                            struct kube_credential *ret, struct error *err);

#endif
