/* SPDX-License-Identifier: Apache-2.0
 *
 * A small fleet behind a fake API server: clusters m1 and m2, bindings
 * shop/web-0, shop/web-1, ... of two replicas each in m1.
 */
#ifndef BALLAST_LIVE_FLEET_H
#define BALLAST_LIVE_FLEET_H

#include "fake_api.h"

#define CLUSTER_API_PATH "/apis/cluster.karmada.io/v1alpha1"
#define CLUSTERS_PATH CLUSTER_API_PATH "/clusters"
#define BINDINGS_PATH "/apis/work.karmada.io/v1alpha2/resourcebindings"
#define CLUSTER_BINDINGS_PATH "/apis/work.karmada.io/v1alpha2/clusterresourcebindings"
#define SHOP_BINDINGS_PATH "/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings"
#define LEASES_PATH "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases"

/* A server with the fleet in it; `assigned` of the three wanted replicas are in m1. */
struct fake_api *live_fleet(unsigned n_bindings, unsigned assigned);

#define EVENTS "/api/v1/namespaces/shop/events"

/* Its bindings have two of three wanted replicas, a ReplicaMismatch each; members are there, and
 * Events are taken. */
struct fake_api *unwell_fleet(unsigned n_bindings);

/* The path of a list in a member: MEMBER("m1", "api/v1/pods"). */
#define MEMBER(name, path) CLUSTERS_PATH "/" name "/proxy/" path

/* All lists of m1 and m2: a node each, and nothing on it. */
void live_members(struct fake_api *api);
/* Besides, a cluster of which nobody uses anything, with lists like theirs. */
void live_one_more_member(struct fake_api *api, const char *name);

/* A client of it. */
struct kube_client *live_client(const struct fake_api *api, struct kube_config *config);

#endif
