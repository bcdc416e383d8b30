/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks an API server once, by its discovery document, which collections it serves and how it reads
 * lists.
 */
#ifndef BALLAST_KUBE_KUBE_APIS_H
#define BALLAST_KUBE_KUBE_APIS_H

#include "ballast/kube/kube_client.h"

/* A discovery request and its response. */
struct kube_apis;

/* Queues the request for the discovery document, to be freed with kube_apis_free. `client` outlives
 * it. If the request fails, kube_apis_find returns UNKNOWN. */
struct kube_apis *kube_apis_ask(struct kube_client *client);
void kube_apis_free(struct kube_apis *apis); /* NULL is fine */

enum kube_served {
    KUBE_SERVED_UNKNOWN, /* no response covers the collection */
    KUBE_SERVED,
    KUBE_NOT_SERVED,
};

/* Returns whether the server serves a collection; waits for the response. UNKNOWN after a failure,
 * for stale versions and for the core group. A server before Kubernetes 1.26 lists no resources:
 * every collection of a version that it serves is UNKNOWN. */
enum kube_served kube_apis_find(struct kube_apis *apis, const char *api_version,
                                const char *plural);

/* True if lists should come from the watch cache (kube_list_options.from_cache), because the server
 * reads every page from etcd. Kubernetes before 1.34 does so; later versions answer pages of the
 * newest state from their cache. An API of 1.34 identifies these; a server with that API turned off
 * counts as older. False if the server does not answer. Waits for the response. */
bool kube_apis_pages_are_dear(struct kube_apis *apis);

#endif
