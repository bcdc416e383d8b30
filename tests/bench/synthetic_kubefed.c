/* SPDX-License-Identifier: Apache-2.0
 *
 * See synthetic_kubefed.h.
 */
#include "synthetic_kubefed.h"

#include <stdio.h>
#include <sys/stat.h>

#include "synthetic.h"

#define HOST "kube-federation-system"
#define NODE_CORES 4000

static bool
write_host(const char *directory)
{
    FILE *file = synthetic_open_list(directory, "types.json", "core.kubefed.io/v1beta1",
                                     "FederatedTypeConfig");

    if (file == NULL) {
        return false;
    }
    fprintf(file, "{\"metadata\":{\"name\":\"deployments.apps\",\"namespace\":\"" HOST
                  "\"},\"spec\":{\"propagation\":\"Enabled\",\"federatedType\":{\"group\":"
                  "\"types.kubefed.io\",\"version\":\"v1beta1\",\"kind\":\"FederatedDeployment\"},"
                  "\"targetType\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"}"
                  "}}");
    if (!synthetic_close_list(file)) {
        return false;
    }
    file = synthetic_open_list(directory, "namespaces.json", "types.kubefed.io/v1beta1",
                               "FederatedNamespace");
    if (file == NULL) {
        return false;
    }
    fprintf(file, "{\"metadata\":{\"name\":\"shop\",\"namespace\":\"shop\"},\"spec\":{"
                  "\"placement\":{\"clusterSelector\":{}}}}");
    return synthetic_close_list(file);
}

static bool
write_clusters(uint32_t count, const char *directory)
{
    FILE *file = synthetic_open_list(directory, "clusters.json", "core.kubefed.io/v1beta1",
                                     "KubeFedCluster");

    for (uint32_t i = 0; file != NULL && i < count; i++) {
        fprintf(file,
                "%s{\"metadata\":{\"name\":\"c%04u\",\"namespace\":\"" HOST
                "\"},\"spec\":{\"apiEndpoint\":\"https://c%04u.example\"},\"status\":{"
                "\"conditions\":[{\"type\":\"%s\",\"status\":\"True\",\"reason\":\"r\","
                "\"lastProbeTime\":\"2026-03-01T11:59:55Z\",\"lastTransitionTime\":"
                "\"2026-02-01T00:00:00Z\"}]}}",
                i > 0 ? "," : "", i, i, i == 0 ? "Offline" : "Ready");
    }
    return file != NULL && synthetic_close_list(file);
}

static void
write_object(uint32_t index, uint32_t clusters, FILE *file)
{
    fprintf(file,
            "%s{\"metadata\":{\"name\":\"app-%u\",\"namespace\":\"shop\",\"resourceVersion\":"
            "\"1\"},\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"app\":\"app-%u\"}},"
            "\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"app-%u\"}},\"template\":{"
            "\"metadata\":{\"labels\":{\"app\":\"app-%u\"}},\"spec\":{\"containers\":[{\"name\":"
            "\"main\",\"image\":\"registry.example/app-%u:1\",\"resources\":{\"requests\":{"
            "\"cpu\":\"100m\"}}}]}}}},\"placement\":{\"clusters\":[",
            index > 0 ? "," : "", index, index, index, index, index);
    for (uint32_t i = 0; i < clusters; i++) {
        fprintf(file, "%s{\"name\":\"c%04u\"}", i > 0 ? "," : "", i);
    }
    fprintf(file, "]},\"overrides\":[");
    for (uint32_t i = 0; i < clusters; i++) {
        fprintf(file,
                "%s{\"clusterName\":\"c%04u\",\"clusterOverrides\":[{\"path\":\"/spec/replicas\","
                "\"value\":1}]}",
                i > 0 ? "," : "", i);
    }
    fprintf(file, "]}}");
}

static bool
write_objects(const struct synthetic_kubefed *fleet, const char *directory)
{
    FILE *file = synthetic_open_list(directory, "federateddeployments.json",
                                     "types.kubefed.io/v1beta1", "FederatedDeployment");

    for (uint32_t i = 0; file != NULL && i < fleet->preferences; i++) {
        write_object(i, fleet->clusters, file);
    }
    if (file == NULL || !synthetic_close_list(file)) {
        return false;
    }
    file = synthetic_open_list(directory, "preferences.json", "scheduling.kubefed.io/v1alpha1",
                               "ReplicaSchedulingPreference");
    for (uint32_t i = 0; file != NULL && i < fleet->preferences; i++) {
        fprintf(file,
                "%s{\"metadata\":{\"name\":\"app-%u\",\"namespace\":\"shop\",\"resourceVersion\":"
                "\"1\"},\"spec\":{\"targetKind\":\"FederatedDeployment\",\"totalReplicas\":%u}}",
                i > 0 ? "," : "", i, fleet->clusters);
    }
    return file != NULL && synthetic_close_list(file);
}

static bool
write_member(uint32_t index, const char *directory)
{
    char path[1024];
    FILE *file;

    snprintf(path, sizeof(path), "%s/c%04u", directory, index);
    if (mkdir(path, 0777) != 0) {
        return false;
    }
    file = synthetic_open_list(path, "nodes.json", "v1", "Node");
    if (file == NULL) {
        return false;
    }
    fprintf(file,
            "{\"metadata\":{\"name\":\"n\"},\"status\":{\"allocatable\":{\"cpu\":\"%d\","
            "\"memory\":\"9Ti\",\"pods\":\"100000\"}}}",
            NODE_CORES);
    if (!synthetic_close_list(file)) {
        return false;
    }
    file = synthetic_open_list(path, "pods.json", "v1", "Pod");
    return file != NULL && synthetic_close_list(file);
}

bool
synthetic_kubefed_write(const struct synthetic_kubefed *fleet, const char *directory)
{
    char plane[512], members[512];
    bool fine;

    snprintf(plane, sizeof(plane), "%s/control-plane", directory);
    snprintf(members, sizeof(members), "%s/members", directory);
    fine = mkdir(plane, 0777) == 0 && mkdir(members, 0777) == 0 && write_host(plane) &&
           write_clusters(fleet->clusters, plane) && write_objects(fleet, plane);
    for (uint32_t i = 1; fine && i < fleet->clusters; i++) {
        fine = write_member(i, members);
    }
    return fine;
}
