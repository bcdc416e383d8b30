/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the RBAC verb, resource and names of a request.
 */
#ifndef BALLAST_KUBE_KUBE_ACCESS_H
#define BALLAST_KUBE_KUBE_ACCESS_H

#include <stdbool.h>

#define KUBE_ACCESS_PART_MAX 256

struct kube_access {
    const char *verb;                      /* "list"; static */
    char resource[KUBE_ACCESS_PART_MAX];   /* "clusters.cluster.karmada.io", "pods" */
    char name[KUBE_ACCESS_PART_MAX];       /* "": no single object */
    char namespace_[KUBE_ACCESS_PART_MAX]; /* "": cluster scope */
};

/* Fills *ret with the verb and object that RBAC checks for a request. `method` is HTTP's; `path`
 * follows the server's URL. False if the path names no resource, or the method is unknown. */
bool kube_access_read(const char *method, const char *path, struct kube_access *ret);

#endif
