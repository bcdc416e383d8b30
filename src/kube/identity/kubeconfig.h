/* SPDX-License-Identifier: Apache-2.0
 *
 * Kubeconfig files: reading, merging as client-go's ClientConfigLoadingRules do
 * (the first file that has an entry or a current-context wins, the whole entry
 * is taken), and picking out of them what one context means.
 */
#ifndef BALLAST_KUBE_KUBECONFIG_H
#define BALLAST_KUBE_KUBECONFIG_H

#include "ballast/format/value.h"
#include "ballast/kube/kube_config.h"

struct kubeconfig_file {
    char *path;
    char *directory; /* relative paths in it start here */
    struct document *document;
};

struct kubeconfig {
    struct kubeconfig_file *files;
    size_t n_files;
};

void kubeconfig_release(struct kubeconfig *kubeconfig); /* wipes */
/* One more file, which counts less than those before. */
bool kubeconfig_add(struct kubeconfig *kubeconfig, const char *path, const char *text,
                    size_t length, struct error *err);

enum kubeconfig_section { KUBECONFIG_CONTEXT, KUBECONFIG_CLUSTER, KUBECONFIG_USER };

/* The entry of that name, e.g. its "cluster" object; NULL when there is none. *ret_file is whose.
 */
const struct value *kubeconfig_find(const struct kubeconfig *kubeconfig,
                                    enum kubeconfig_section section, const char *name,
                                    const struct kubeconfig_file **ret_file);

/* A member of that type; *ret is NULL when it is absent or null. */
bool kubeconfig_get(const struct value *object, const char *name, enum value_type type,
                    const struct value **ret, struct error *err);
/* A string member, "" when absent or null. */
bool kubeconfig_text(const struct value *object, const char *name, const char **ret,
                     struct error *err);

/* Fills cluster, user and namespace of a context (NULL: current-context) into a zeroed config. */
bool kubeconfig_resolve(const struct kubeconfig *kubeconfig, const char *context,
                        struct kube_config *config, struct error *err);

/* The names of all contexts, each once, in the order of the files. */
void kubeconfig_each_context(const struct kubeconfig *kubeconfig,
                             void (*found)(void *context, const char *name), void *context);

/* What can be wrong with a config from any source: contradictions, unreadable files, texts that
 * cannot be sent. Normalizes `server`. */
bool kube_config_check(struct kube_config *config, struct error *err);

#endif
