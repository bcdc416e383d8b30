/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads kubeconfig files and merges them like client-go's ClientConfigLoadingRules: the first file
 * with an entry or a current-context wins, entries are not merged.
 */
#ifndef BALLAST_KUBE_KUBECONFIG_H
#define BALLAST_KUBE_KUBECONFIG_H

#include "ballast/format/value.h"
#include "ballast/kube/kube_config.h"

struct kubeconfig_file {
    char *path;
    char *directory; /* where relative paths in it start */
    struct document *document;
};

struct kubeconfig {
    struct kubeconfig_file *files;
    size_t n_files;
};

void kubeconfig_release(struct kubeconfig *kubeconfig); /* Wipes and frees the files. */
/* Adds a file, which counts less than the files before it. False with CONFIG. */
bool kubeconfig_add(struct kubeconfig *kubeconfig, const char *path, const char *text,
                    size_t length, struct error *err);

enum kubeconfig_section { KUBECONFIG_CONTEXT, KUBECONFIG_CLUSTER, KUBECONFIG_USER };

/* Returns the member of an entry, for example its "cluster" object; NULL if there is none. Sets
 * *ret_file to the file with the entry; NULL: no file has it. */
const struct value *kubeconfig_find(const struct kubeconfig *kubeconfig,
                                    enum kubeconfig_section section, const char *name,
                                    const struct kubeconfig_file **ret_file);

/* Gets a member of an object, NULL if absent or null. False with CONFIG if it has another type. */
bool kubeconfig_get(const struct value *object, const char *name, enum value_type type,
                    const struct value **ret, struct error *err);
/* Gets a string member, "" if absent or null. False with CONFIG if it is no string. */
bool kubeconfig_text(const struct value *object, const char *name, const char **ret,
                     struct error *err);

/* Fills cluster, user and namespace of a context (NULL: current-context) into a zeroed config.
 * False with CONFIG. */
bool kubeconfig_resolve(const struct kubeconfig *kubeconfig, const char *context,
                        struct kube_config *config, struct error *err);

/* Calls `found` once with the name of each context, in the order of the files. */
void kubeconfig_each_context(const struct kubeconfig *kubeconfig,
                             void (*found)(void *context, const char *name), void *context);

/* Checks a config from any source for contradictions, unreadable files and texts that cannot be
 * sent. Removes slashes from the end of `server`. False with CONFIG. */
bool kube_config_check(struct kube_config *config, struct error *err);

#endif
