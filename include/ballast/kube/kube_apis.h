/* SPDX-License-Identifier: Apache-2.0
 *
 * What a server is, by its discovery document: which collections it has (one
 * question in place of one for each kind that may not be there), and so how old
 * it is, which tells how it answers lists.
 */
#ifndef BALLAST_KUBE_KUBE_APIS_H
#define BALLAST_KUBE_KUBE_APIS_H

#include "ballast/kube/kube_client.h"

/* The question under way, and its answer. */
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

/* Whether lists are to be asked for out of the cache (kube_list_options.from_cache): a server
 * before Kubernetes 1.34 reads every page of a list from etcd. Later ones answer pages of the
 * newest state from their cache; they are known by the API that came with that version, and one
 * that has it turned off is taken for older. False, too, where the server does not tell. Waits
 * likewise. */
bool kube_apis_pages_are_dear(struct kube_apis *apis);

#endif
