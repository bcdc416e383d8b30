/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing hostile fleets.
 */
#include "synthetic_hostile.h"

#include <stdio.h>
#include <sys/stat.h>

#include "synthetic.h"

#define NAMES_EACH 4096 /* of one binding's affinity */
#define QUOTA_BINDINGS 1000
#define QUOTA_CLUSTERS 50

/* FNV-1a has no key: each block has two forms that lead to one state, so n blocks make 2^n names of
 * one hash. */
static void
write_colliding_name(uint32_t number, FILE *file)
{
    static const char *const first[] = {"a0003hb0i43bba", "bo05o6w1ca4gyd"};
    static const char *const others[] = {"ba033hb0i43bba", "ej02o6w1ca4gyd"};

    for (int block = 0; block < 17; block++) {
        fprintf(file, "%s", (block == 0 ? first : others)[number >> block & 1]);
    }
}

static void
write_cluster(const char *name, uint32_t number, FILE *file)
{
    fprintf(file,
            "%s{\"metadata\":{\"name\":\"%s%u\"},\"spec\":{},\"status\":{\"conditions\":[{"
            "\"type\":\"Ready\",\"status\":\"True\",\"lastTransitionTime\":"
            "\"2026-01-01T00:00:00Z\"}],\"apiEnablements\":[{\"groupVersion\":\"apps/v1\","
            "\"resources\":[{\"kind\":\"Deployment\"}]}],\"resourceSummary\":{\"allocatable\":{"
            "\"cpu\":\"10k\",\"pods\":\"100k\"}}}}",
            number > 0 ? "," : "", name, number);
}

/* The beginning of a binding, up to its spec.clusters. */
static void
open_binding(uint32_t number, uint32_t replicas, FILE *file)
{
    fprintf(file,
            "%s{\"metadata\":{\"name\":\"b%u\",\"namespace\":\"tenant\",\"labels\":{"
            "\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},\"spec\":{\"resource\":{"
            "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"tenant\","
            "\"name\":\"b%u\"},\"replicas\":%u,\"replicaRequirements\":{\"resourceRequest\":{"
            "\"cpu\":\"1\"}},",
            number > 0 ? "," : "", number, number, replicas);
}

static const char divided[] =
    "\"replicaScheduling\":{\"replicaSchedulingType\":\"Divided\",\"replicaDivisionPreference\":"
    "\"Weighted\",\"weightPreference\":{\"dynamicWeight\":\"AvailableReplicas\"}}";

static void
write_names(uint32_t count, FILE *file)
{
    for (uint32_t from = 0; from < count; from += NAMES_EACH) {
        open_binding(from, 1, file);
        fprintf(file, "\"clusters\":[{\"name\":\"c0\",\"replicas\":1}],\"placement\":{"
                      "\"clusterAffinity\":{\"clusterNames\":[");
        for (uint32_t i = from; i < count && i < from + NAMES_EACH; i++) {
            fprintf(file, "%s\"", i > from ? "," : "");
            write_colliding_name(i, file);
            fprintf(file, "\"");
        }
        fprintf(file, "]}}}}");
    }
}

static void
write_targets(uint32_t count, FILE *file)
{
    open_binding(0, count + 5, file);
    fprintf(file, "\"placement\":{%s},\"clusters\":[", divided);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(file, "%s{\"name\":\"gone%u\",\"replicas\":1}", i > 0 ? "," : "", i);
    }
    fprintf(file, "],\"gracefulEvictionTasks\":[");
    for (uint32_t i = 0; i < count; i++) {
        fprintf(file, "%s{\"fromCluster\":\"gone%u\",\"reason\":\"x\",\"producer\":\"y\"}",
                i > 0 ? "," : "", count - i - 1);
    }
    fprintf(file, "]}}");
}

static void
write_quota_bindings(FILE *file)
{
    for (uint32_t i = 0; i < QUOTA_BINDINGS; i++) {
        open_binding(i, 4, file);
        fprintf(file, "\"placement\":{%s},\"clusters\":[{\"name\":\"c0\",\"replicas\":2}]}}",
                divided);
    }
}

static bool
write_quotas(uint32_t count, const char *directory)
{
    FILE *file = synthetic_open_list(directory, "federatedresourcequotas.json",
                                     "policy.karmada.io/v1alpha1", "FederatedResourceQuota");

    for (uint32_t i = 0; file != NULL && i < count; i++) {
        fprintf(file,
                "%s{\"metadata\":{\"name\":\"q%u\",\"namespace\":\"tenant\"},\"spec\":{"
                "\"overall\":{\"cpu\":\"100k\"},\"staticAssignments\":[",
                i > 0 ? "," : "", i);
        for (uint32_t c = 0; c < QUOTA_CLUSTERS; c++) {
            fprintf(file, "%s{\"clusterName\":\"c%u\",\"hard\":{\"cpu\":\"1k\"}}", c > 0 ? "," : "",
                    c);
        }
        fprintf(file, "]}}");
    }
    return file != NULL && synthetic_close_list(file);
}

static bool
write_bindings(const struct synthetic_hostile *fleet, const char *directory)
{
    FILE *file = synthetic_open_list(directory, "resourcebindings.json", "work.karmada.io/v1alpha2",
                                     "ResourceBinding");

    if (file == NULL) {
        return false;
    }
    switch (fleet->kind) {
    case HOSTILE_NAMES:
        write_names(fleet->size, file);
        break;
    case HOSTILE_TARGETS:
        write_targets(fleet->size, file);
        break;
    case HOSTILE_QUOTAS:
        write_quota_bindings(file);
        break;
    }
    return synthetic_close_list(file);
}

static bool
write_clusters(uint32_t count, const char *directory)
{
    FILE *file =
        synthetic_open_list(directory, "clusters.json", "cluster.karmada.io/v1alpha1", "Cluster");

    for (uint32_t i = 0; file != NULL && i < count; i++) {
        write_cluster("c", i, file);
    }
    return file != NULL && synthetic_close_list(file);
}

bool
synthetic_hostile_write(const struct synthetic_hostile *fleet, const char *directory)
{
    bool by_quotas = fleet->kind == HOSTILE_QUOTAS;
    char path[1024];

    snprintf(path, sizeof(path), "%s/control-plane", directory);
    return mkdir(path, 0777) == 0 && write_clusters(by_quotas ? QUOTA_CLUSTERS : 2, path) &&
           write_bindings(fleet, path) && (!by_quotas || write_quotas(fleet->size, path));
}
