/* SPDX-License-Identifier: Apache-2.0
 *
 * A small fleet behind a fake API server.
 */
#include "live_fleet.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

#define CLUSTER(name)                                                                              \
    "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\","                        \
    "\"metadata\":{\"name\":\"" name "\"},\"spec\":{\"syncMode\":\"Push\"},\"status\":{"           \
    "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}],\"apiEnablements\":["               \
    "{\"groupVersion\":\"apps/v1\",\"resources\":[{\"kind\":\"Deployment\"}]}],"                   \
    "\"resourceSummary\":{\"allocatable\":{\"cpu\":\"64\",\"memory\":\"256Gi\",\"pods\":\"1000\"}" \
    "}"                                                                                            \
    "}}"

#define NODE                                                                                       \
    "{\"metadata\":{\"name\":\"node\"},\"status\":{\"allocatable\":{\"cpu\":\"64\","               \
    "\"memory\":\"256Gi\",\"pods\":\"100\"}}}"

struct fake_api *
live_fleet(unsigned n_bindings, unsigned assigned)
{
    struct fake_api *api = fake_api_start();

    fake_api_serve(api, CLUSTERS_PATH, "cluster.karmada.io/v1alpha1", "Cluster");
    fake_api_serve(api, BINDINGS_PATH, "work.karmada.io/v1alpha2", "ResourceBinding");
    fake_api_serve(api, CLUSTER_BINDINGS_PATH, "work.karmada.io/v1alpha2",
                   "ClusterResourceBinding");
    fake_api_serve(api, LEASES_PATH, "coordination.k8s.io/v1", "Lease");
    fake_api_put(api, CLUSTERS_PATH, CLUSTERS_PATH "/m1", CLUSTER("m1"));
    fake_api_put(api, CLUSTERS_PATH, CLUSTERS_PATH "/m2", CLUSTER("m2"));
    for (unsigned i = 0; i < n_bindings; i++) {
        char path[256], json[2048];

        snprintf(path, sizeof(path), SHOP_BINDINGS_PATH "/web-%u", i);
        snprintf(json, sizeof(json),
                 "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
                 "\"metadata\":{\"name\":\"web-%u\",\"namespace\":\"shop\",\"uid\":\"uid-%u\","
                 "\"labels\":{\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},"
                 "\"spec\":{\"resource\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
                 "\"namespace\":\"shop\",\"name\":\"web-%u\",\"uid\":\"deployment-%u\"},"
                 "\"replicas\":3,\"placement\":{\"replicaScheduling\":{"
                 "\"replicaSchedulingType\":\"Divided\",\"replicaDivisionPreference\":"
                 "\"Aggregated\"}},\"clusters\":[{\"name\":\"m1\",\"replicas\":%u,"
                 "\"ours\":true}]}}",
                 i, i, i, i, assigned);
        fake_api_put(api, BINDINGS_PATH, path, json);
    }
    return api;
}

static void
serve_member(struct fake_api *api, const char *name)
{
    static const struct {
        const char *path, *api_version, *kind;
    } lists[] = {
        {"api/v1/nodes", "v1", "Node"},
        {"api/v1/pods", "v1", "Pod"},
        {"apis/apps/v1/replicasets", "apps/v1", "ReplicaSet"},
        {"apis/apps/v1/deployments", "apps/v1", "Deployment"},
        {"apis/apps/v1/statefulsets", "apps/v1", "StatefulSet"},
        {"apis/batch/v1/jobs", "batch/v1", "Job"},
        {"apis/autoscaling/v2/horizontalpodautoscalers", "autoscaling/v2",
         "HorizontalPodAutoscaler"},
    };
    char path[256], node[64];

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        snprintf(path, sizeof(path), CLUSTERS_PATH "/%s/proxy/%s", name, lists[i].path);
        fake_api_serve(api, path, lists[i].api_version, lists[i].kind);
    }
    snprintf(path, sizeof(path), CLUSTERS_PATH "/%s/proxy/api/v1/nodes", name);
    snprintf(node, sizeof(node), "/%s-node", name);
    fake_api_put(api, path, node, NODE);
}

void
live_members(struct fake_api *api)
{
    serve_member(api, "m1");
    serve_member(api, "m2");
}

void
live_one_more_member(struct fake_api *api, const char *name)
{
    char path[256], cluster[1024];

    snprintf(path, sizeof(path), CLUSTERS_PATH "/%s", name);
    snprintf(cluster, sizeof(cluster), CLUSTER("%s"), name);
    fake_api_put(api, CLUSTERS_PATH, path, cluster);
    serve_member(api, name);
}

struct kube_client *
live_client(const struct fake_api *api, struct kube_config *config)
{
    struct kube_client_options options = fake_api_client_options();
    struct error err = ERROR_INIT;
    struct kube_client *client;

    memset(config, 0, sizeof(*config));
    config->server = (char *)(uintptr_t)fake_api_url(api);
    client = kube_client_new(config, &options, &err);
    CHECK_MSG(client != NULL, "no client: %s", err.message);
    return client;
}

struct fake_api *
unwell_fleet(unsigned n_bindings)
{
    struct fake_api *api = live_fleet(n_bindings, 2);

    live_members(api);
    fake_api_serve(api, EVENTS, "v1", "Event");
    return api;
}
