/* SPDX-License-Identifier: Apache-2.0
 *
 * See synthetic_workload.h.
 */
#include "synthetic_workload.h"

#include "synthetic_pod.h"

#define NODES 40

static void
write_pod_template(uint32_t index, const char *hash, FILE *file)
{
    fprintf(file,
            "\"template\":{\"metadata\":{\"labels\":{\"app\":\"service-%06u\"%s}},\"spec\":{"
            "\"containers\":[{\"name\":\"main\",\"image\":\"registry.example/service:%u\","
            "\"resources\":{\"requests\":{\"cpu\":\"%u00m\"}}}],\"restartPolicy\":\"Always\"}}",
            index, hash, index % 50, 1 + index % 8);
}

void
synthetic_write_deployment(const struct synthetic *fleet, const struct synthetic_target *target,
                           FILE *file)
{
    uint32_t index = target->binding;

    (void)fleet;
    fprintf(file,
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":"
            "\"service-%06u\",\"namespace\":\"team-%03u\",\"uid\":\"w-%u\"},\"spec\":{\"replicas\":"
            "%u,\"selector\":{\"matchLabels\":{\"app\":\"service-%06u\"}},",
            index, index % SYNTHETIC_NAMESPACES, index, target->replicas, index);
    write_pod_template(index, "", file);
    fprintf(file, "},\"status\":{\"readyReplicas\":%u}}", target->replicas);
}

void
synthetic_write_replica_set(const struct synthetic *fleet, const struct synthetic_target *target,
                            FILE *file)
{
    uint32_t index = target->binding;

    (void)fleet;
    fprintf(file,
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"metadata\":{\"name\":"
            "\"service-%06u-5d8f\",\"namespace\":\"team-%03u\",\"uid\":\"s-%u\",\"labels\":{"
            "\"app\":\"service-%06u\",\"pod-template-hash\":\"5d8f\"},\"ownerReferences\":[{"
            "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"service-%06u\",\"uid\":"
            "\"w-%u\",\"controller\":true}]},\"spec\":{",
            index, index % SYNTHETIC_NAMESPACES, index, index, index, index);
    write_pod_template(index, ",\"pod-template-hash\":\"5d8f\"", file);
    fprintf(file, "}}");
}

void
synthetic_write_pod_of(const struct synthetic *fleet, const struct synthetic_target *target,
                       uint32_t number, FILE *file)
{
    uint32_t nodes = fleet->nodes > 0 ? fleet->nodes : NODES;
    const struct synthetic_pod pod = {.service = target->binding,
                                      .number = number,
                                      .node = (target->binding + number) % nodes,
                                      .is_stuck = number < target->stuck,
                                      .is_lean = fleet->is_lean};

    synthetic_write_pod(&pod, file);
}

void
synthetic_write_pods(const struct synthetic *fleet, const struct synthetic_target *target,
                     FILE *file)
{
    for (uint32_t i = 0; i < target->replicas; i++) {
        fputs(i > 0 ? "," : "", file);
        synthetic_write_pod_of(fleet, target, i, file);
    }
}

void
synthetic_write_node(uint32_t index, FILE *file)
{
    uint32_t cpus = 16u << index % 3;

    fprintf(file,
            "{\"metadata\":{\"name\":\"node-%u\",\"uid\":\"40de40de-0000-4000-8000-%012u\","
            "\"labels\":{\"kubernetes.io/arch\":\"amd64\",\"kubernetes.io/hostname\":\"node-%u\","
            "\"node.kubernetes.io/instance-type\":\"m6i.%u\",\"topology.kubernetes.io/zone\":"
            "\"zone-%u\"}},\"status\":{\"allocatable\":{\"cpu\":\"%u\",\"memory\":\"%uGi\","
            "\"pods\":\"110\"},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
            "\"lastTransitionTime\":\"2026-02-01T08:00:00Z\"}]}}",
            index, index, index, cpus, index % 2, cpus, cpus * 4);
}

void
synthetic_write_latest(const struct synthetic *fleet, FILE *file)
{
    for (uint32_t i = 0; i < fleet->latest; i++) {
        char there[48], awaited[48];

        snprintf(there, sizeof(there), "\"nodeName\":\"node-%u\",", i);
        snprintf(awaited, sizeof(awaited), ",\"nominatedNodeName\":\"node-%u\"", i);
        fprintf(
            file,
            ",{\"metadata\":{\"name\":\"latest-%u\",\"namespace\":\"team-000\",\"uid\":\"l-%u\","
            "\"creationTimestamp\":\"2026-03-01T11:59:50Z\",\"labels\":{\"app\":\"latest\"}},"
            "\"spec\":{%s\"priority\":1000,\"containers\":[{\"name\":\"main\",\"resources\":{"
            "\"requests\":{\"cpu\":\"1\"}}}]},\"status\":{\"phase\":\"Pending\"%s}}",
            i, i, fleet->is_awaited ? "" : there, fleet->is_awaited ? awaited : "");
    }
}

void
synthetic_write_template(uint32_t index, FILE *file)
{
    fprintf(
        file,
        "%s{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"WorkloadTemplate\",\"resource\":{"
        "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"},\"metadata\":{\"namespace\":"
        "\"team-%03u\",\"name\":\"service-%06u\"},\"spec\":{\"template\":{\"metadata\":{\"labels\":"
        "{\"app\":\"service-%06u\"}},\"spec\":{\"containers\":[{\"name\":\"main\",\"resources\":{"
        "\"requests\":{\"cpu\":\"%u00m\",\"memory\":\"%uMi\"}}}],\"affinity\":{\"podAntiAffinity\":"
        "{"
        "\"requiredDuringSchedulingIgnoredDuringExecution\":[{\"topologyKey\":"
        "\"kubernetes.io/"
        "hostname\",\"labelSelector\":{\"matchLabels\":{\"app\":\"service-%06u\"}}}]}"
        "},\"topologySpreadConstraints\":[{\"maxSkew\":1,\"topologyKey\":"
        "\"topology.kubernetes.io/"
        "zone\",\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{"
        "\"matchLabels\":{\"app\":\"service-%06u\"}}}]}}}}",
        index > 0 ? "," : "", index % SYNTHETIC_NAMESPACES, index, index, 1 + index % 8,
        128u << index % 4, index, index);
}
