/* SPDX-License-Identifier: Apache-2.0
 *
 * A small KubeFed host behind a fake API server.
 */
#include "kubefed_fleet.h"

#include <stdio.h>

#include "ballast/base/timestamp.h"

static void
put_cluster(struct fake_api *api, const char *name)
{
    char path[256], json[1024], probed[TIMESTAMP_TEXT_MAX];
    struct clock clock = fake_api_clock();

    snprintf(path, sizeof(path), CLUSTERS "/%s", name);
    snprintf(json, sizeof(json),
             "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"" KFNS "\"},"
             "\"spec\":{\"apiEndpoint\":\"%s/%s\",\"secretRef\":{\"name\":\"m1\"}},"
             "\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
             "\"lastProbeTime\":\"%s\"}]}}",
             name, fake_api_url(api), name, timestamp_format(clock.wall(NULL), probed));
    fake_api_put(api, CLUSTERS, path, json);
}

static void
serve_member(struct fake_api *api)
{
    static const struct {
        const char *path, *api_version, *kind;
    } lists[] = {
        {"/m1/api/v1/nodes", "v1", "Node"},
        {"/m1/api/v1/pods", "v1", "Pod"},
        {"/m1/apis/apps/v1/deployments", "apps/v1", "Deployment"},
        {"/m1/apis/autoscaling/v2/horizontalpodautoscalers", "autoscaling/v2",
         "HorizontalPodAutoscaler"},
    };

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        fake_api_serve(api, lists[i].path, lists[i].api_version, lists[i].kind);
    }
    fake_api_put(api, lists[0].path, "/m1/api/v1/nodes/n",
                 "{\"metadata\":{\"name\":\"n\"},\"status\":{\"allocatable\":{\"cpu\":\"64\","
                 "\"memory\":\"256Gi\",\"pods\":\"100\"}}}");
    fake_api_put(api, "/api/v1/secrets", SECRET, "{\"data\":{\"token\":\"c2VzYW1l\"}}");
}

struct fake_api *
host_fleet(const char *scope)
{
    struct fake_api *api = fake_api_start();
    char config[256];

    snprintf(config, sizeof(config),
             "{\"apiVersion\":\"core.kubefed.io/v1beta1\",\"kind\":\"KubeFedConfig\",\"metadata\":"
             "{\"name\":\"kubefed\",\"namespace\":\"" KFNS "\"},\"spec\":{\"scope\":\"%s\"}}",
             scope);
    fake_api_put(api, CORE "/kubefedconfigs", CONFIG, config);
    fake_api_serve(api, TYPES, "core.kubefed.io/v1beta1", "FederatedTypeConfig");
    fake_api_serve(api, CLUSTERS, "core.kubefed.io/v1beta1", "KubeFedCluster");
    fake_api_serve(api, OBJECTS, "types.kubefed.io/v1beta1", "FederatedDeployment");
    fake_api_serve(api, NAMESPACES, "types.kubefed.io/v1beta1", "FederatedNamespace");
    fake_api_serve(api, RECORDS, "scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference");
    fake_api_put(
        api, TYPES, TYPES "/deployments.apps",
        "{\"metadata\":{\"name\":\"deployments.apps\",\"namespace\":\"" KFNS "\"},"
        "\"spec\":{\"propagation\":\"Enabled\",\"federatedType\":{\"group\":"
        "\"types.kubefed.io\",\"version\":\"v1beta1\",\"kind\":\"FederatedDeployment\"},"
        "\"targetType\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"}}}");
    put_cluster(api, "m1");
    put_cluster(api, "m2");
    serve_member(api);
    fake_api_put(api, NAMESPACES, FEDERATED "/namespaces/shop/federatednamespaces/shop",
                 "{\"metadata\":{\"name\":\"shop\",\"namespace\":\"shop\"},\"spec\":{\"placement\":"
                 "{\"clusters\":[{\"name\":\"m1\"},{\"name\":\"m2\"}]}}}");
    fake_api_put(api, OBJECTS, OBJECT,
                 "{\"apiVersion\":\"types.kubefed.io/v1beta1\",\"kind\":\"FederatedDeployment\","
                 "\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"template\":{"
                 "\"spec\":{\"replicas\":1}},\"placement\":{\"clusters\":[{\"name\":\"m1\"}]},"
                 "\"overrides\":[{\"clusterName\":\"m1\",\"clusterOverrides\":[{\"path\":"
                 "\"/spec/replicas\",\"value\":3},{\"path\":\"/x\",\"value\":null}]}]}}");
    fake_api_put(api, RECORDS, RECORD,
                 "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\",\"annotations\":{"
                 "\"ballast.io/a\":\"before\",\"other\":\"o\"}},\"spec\":{\"targetKind\":"
                 "\"FederatedDeployment\",\"totalReplicas\":4}}");
    return api;
}
