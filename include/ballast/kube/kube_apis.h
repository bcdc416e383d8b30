/* SPDX-License-Identifier: Apache-2.0
 *
 * What a server is: which collections it has, by its discovery document (one
 * question in place of one for each kind that may not be there), and how it
 * answers lists, by its version.
 */
#ifndef BALLAST_KUBE_KUBE_APIS_H
#define BALLAST_KUBE_KUBE_APIS_H

#include "ballast/kube/kube_client.h"

/* Questions under way, and their answers. */
struct kube_apis;

/* Asks each once; whoever is not told is none the wiser. */
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

/* Whether lists are to be asked for out of the cache (kube_list_options.from_cache): a server
 * before Kubernetes 1.34 reads every page of a list from etcd. Later ones answer pages of the
 * newest state from their cache. False, too, where the version is unknown. Waits likewise. */
bool kube_apis_pages_are_dear(struct kube_apis *apis);

#endif
