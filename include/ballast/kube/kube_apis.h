/* SPDX-License-Identifier: Apache-2.0
 *
 * Which collections a server has, by its discovery document: one question in
 * place of one for each kind that may not be there.
 */
#ifndef BALLAST_KUBE_KUBE_APIS_H
#define BALLAST_KUBE_KUBE_APIS_H

#include "ballast/kube/kube_client.h"

/* A question under way, and its answer. */
struct kube_apis;

/* Asks once; whoever is not told is none the wiser. */
struct kube_apis *kube_apis_ask(struct kube_client *client);
void kube_apis_free(struct kube_apis *apis); /* NULL is fine */

enum kube_served {
    KUBE_SERVED_UNKNOWN, /* the server did not answer, or not about that */
    KUBE_SERVED,
    KUBE_NOT_SERVED,
};

/* Waits for the answer where it has not come. A server before Kubernetes 1.26 tells groups and
 * versions alone: what is in a version that it has is unknown. */
enum kube_served kube_apis_find(struct kube_apis *apis, const char *api_version,
                                const char *plural);

#endif
