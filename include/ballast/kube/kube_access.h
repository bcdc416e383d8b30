/* SPDX-License-Identifier: Apache-2.0
 *
 * What a request asks for, in the words of RBAC.
 */
#ifndef BALLAST_KUBE_KUBE_ACCESS_H
#define BALLAST_KUBE_KUBE_ACCESS_H

#include <stdbool.h>

#define KUBE_ACCESS_PART_MAX 256

struct kube_access {
    const char *verb;                      /* "list"; static */
    char resource[KUBE_ACCESS_PART_MAX];   /* "clusters.cluster.karmada.io", "pods" */
    char name[KUBE_ACCESS_PART_MAX];       /* "": of no object */
    char namespace_[KUBE_ACCESS_PART_MAX]; /* "": of the cluster */
};

/* Finds what RBAC checks for a request: `method` is HTTP's, `path` is below the server's URL.
 * false: the request is about no resource. */
bool kube_access_read(const char *method, const char *path, struct kube_access *ret);

#endif
