/* SPDX-License-Identifier: Apache-2.0
 *
 * One large member: nodes of a few kinds, and running pods on them, ten of a
 * ReplicaSet, with the labels, conditions and containers that real ones have.
 */
#include "synthetic_member.h"

#include <sys/stat.h>

#include "synthetic.h"

#define PODS_PER_SET 10
#define NAMESPACES 200
#define ZONES 3
#define SIZES 4 /* of nodes; twice as many of pods */

static void
write_node(uint32_t index, FILE *file)
{
    uint32_t size = index % SIZES;
    uint32_t cpus = 16u << size;

    fprintf(file,
            "%s{\"metadata\":{\"name\":\"ip-10-%u-%u-%u.eu-west-1.compute.internal\",\"uid\":"
            "\"40de40de-0000-4000-8000-%012u\",\"resourceVersion\":\"%u\",\"labels\":{"
            "\"beta.kubernetes.io/arch\":\"amd64\",\"beta.kubernetes.io/instance-type\":"
            "\"m6i.%uxlarge\",\"beta.kubernetes.io/os\":\"linux\",\"eks.example.com/nodegroup\":"
            "\"general-%u\",\"failure-domain.beta.kubernetes.io/region\":\"eu-west-1\","
            "\"failure-domain.beta.kubernetes.io/zone\":\"eu-west-1%c\",\"kubernetes.io/arch\":"
            "\"amd64\",\"kubernetes.io/hostname\":\"ip-10-%u-%u-%u.eu-west-1.compute.internal\","
            "\"kubernetes.io/os\":\"linux\",\"node.kubernetes.io/instance-type\":"
            "\"m6i.%uxlarge\",\"topology.kubernetes.io/region\":\"eu-west-1\","
            "\"topology.kubernetes.io/zone\":\"eu-west-1%c\"}},\"spec\":{\"providerID\":"
            "\"aws:///eu-west-1%c/i-0%016u\"},\"status\":{\"allocatable\":{\"cpu\":\"%um\","
            "\"ephemeral-storage\":\"95491281146\",\"hugepages-1Gi\":\"0\",\"memory\":\"%uGi\","
            "\"pods\":\"110\"},\"capacity\":{\"cpu\":\"%u\",\"memory\":\"%uGi\",\"pods\":\"110\"},"
            "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"lastHeartbeatTime\":"
            "\"2026-03-01T11:59:00Z\",\"lastTransitionTime\":\"2026-02-01T08:00:00Z\",\"reason\":"
            "\"KubeletReady\",\"message\":\"kubelet is posting ready status\"}]}}",
            index > 0 ? "," : "", index >> 16, index >> 8 & 255, index & 255, index, 500000 + index,
            1u << size, size, 'a' + (int)(index % ZONES), index >> 16, index >> 8 & 255,
            index & 255, 1u << size, 'a' + (int)(index % ZONES), 'a' + (int)(index % ZONES), index,
            cpus * 1000 - 80, cpus * 4 - 2, cpus, cpus * 4);
}

static void
write_pod_metadata(uint32_t index, uint32_t set, FILE *file)
{
    fprintf(file,
            "%s{\"metadata\":{\"name\":\"service-%06u-5d8f9c7b6d-%05u\",\"generateName\":"
            "\"service-%06u-5d8f9c7b6d-\",\"namespace\":\"team-%03u\",\"uid\":"
            "\"9d0d9d0d-0000-4000-8000-%012u\",\"resourceVersion\":\"%u\",\"creationTimestamp\":"
            "\"2026-02-%02uT08:00:%02uZ\",\"labels\":{\"app.kubernetes.io/component\":\"server\","
            "\"app.kubernetes.io/instance\":\"service-%06u\",\"app.kubernetes.io/managed-by\":"
            "\"Helm\",\"app.kubernetes.io/name\":\"service-%06u\",\"app.kubernetes.io/part-of\":"
            "\"shop\",\"app.kubernetes.io/version\":\"1.%u.0\",\"pod-template-hash\":"
            "\"5d8f9c7b6d\",\"team\":\"team-%03u\"},\"ownerReferences\":[{\"apiVersion\":"
            "\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"service-%06u-5d8f9c7b6d\",\"uid\":"
            "\"5e75e75e-0000-4000-8000-%012u\",\"controller\":true,\"blockOwnerDeletion\":true}]}",
            index > 0 ? "," : "", set, index, set, set % NAMESPACES, index, 700000 + index,
            1 + set % 28, index % 60, set, set, set % 20, set % NAMESPACES, set, set);
}

static void
write_container(const char *name, uint32_t size, FILE *file)
{
    fprintf(file,
            "{\"name\":\"%s\",\"image\":\"registry.example/%s:1\",\"env\":[{\"name\":\"MODE\","
            "\"value\":\"production\"}],\"resources\":{\"limits\":{\"memory\":\"%uMi\"},"
            "\"requests\":{\"cpu\":\"%u0m\",\"memory\":\"%uMi\"}}}",
            name, name, 128u << size % 3, 1 + size, 64u << size % 3);
}

static void
write_pod_spec(const struct synthetic_member *member, uint32_t index, uint32_t set, FILE *file)
{
    uint32_t node = member->nodes > 0 ? (uint32_t)(((uint64_t)index * 2654435761u) % member->nodes)
                                      : index % 1000;

    fprintf(file, ",\"spec\":{\"containers\":[");
    write_container("main", set % (2 * SIZES), file);
    fprintf(file, ",");
    write_container("proxy", 0, file);
    fprintf(file,
            "],\"nodeName\":\"ip-10-%u-%u-%u.eu-west-1.compute.internal\",\"restartPolicy\":"
            "\"Always\",\"serviceAccountName\":\"default\",\"tolerations\":[{\"key\":"
            "\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\",\"effect\":\"NoExecute\","
            "\"tolerationSeconds\":300}]}",
            node >> 16, node >> 8 & 255, node & 255);
}

static void
write_pod_status(FILE *file)
{
    static const char *const conditions[] = {"PodReadyToStartContainers", "Initialized", "Ready",
                                             "ContainersReady", "PodScheduled"};
    static const char *const containers[] = {"main", "proxy"};

    fprintf(file, ",\"status\":{\"phase\":\"Running\",\"podIP\":\"10.1.2.3\",\"qosClass\":"
                  "\"Burstable\",\"conditions\":[");
    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        fprintf(file,
                "%s{\"type\":\"%s\",\"status\":\"True\",\"lastTransitionTime\":"
                "\"2026-03-01T09:00:00Z\"}",
                i > 0 ? "," : "", conditions[i]);
    }
    fprintf(file, "],\"containerStatuses\":[");
    for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++) {
        fprintf(file,
                "%s{\"name\":\"%s\",\"ready\":true,\"started\":true,\"restartCount\":0,\"image\":"
                "\"registry.example/%s:1\",\"state\":{\"running\":{\"startedAt\":"
                "\"2026-03-01T09:00:05Z\"}}}",
                i > 0 ? "," : "", containers[i], containers[i]);
    }
    fprintf(file, "]}}");
}

bool
synthetic_member_write(const struct synthetic_member *member, const char *directory)
{
    bool fine = mkdir(directory, 0777) == 0;
    FILE *nodes = fine ? synthetic_open_list(directory, "nodes.json", "v1", "Node") : NULL;
    FILE *pods = fine ? synthetic_open_list(directory, "pods.json", "v1", "Pod") : NULL;

    for (uint32_t i = 0; nodes != NULL && i < member->nodes; i++) {
        write_node(i, nodes);
    }
    for (uint32_t i = 0; pods != NULL && i < member->pods; i++) {
        write_pod_metadata(i, i / PODS_PER_SET, pods);
        write_pod_spec(member, i, i / PODS_PER_SET, pods);
        write_pod_status(pods);
    }
    fine = nodes != NULL && synthetic_close_list(nodes) && fine;
    return pods != NULL && synthetic_close_list(pods) && fine;
}
