/* SPDX-License-Identifier: Apache-2.0
 *
 * The generator. Of a hundred clusters about two are lost; of the bindings two
 * in a hundred were scaled and one has a reschedule asked for; with pods, three
 * in a hundred have stuck replicas.
 */
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "synthetic_workload.h"

#define TARGETS_MAX 5
#define PLACEMENTS 40 /* different ones in a fleet: policies are shared */
#define REPLICAS_MAX 8

struct generator {
    const struct synthetic *fleet;
    uint64_t state;
};

struct split {
    uint32_t count;
    uint32_t clusters[TARGETS_MAX];
    uint32_t replicas[TARGETS_MAX];
    uint32_t wanted;
};

static uint32_t
below(struct generator *generator, uint32_t bound)
{
    generator->state ^= generator->state >> 12;
    generator->state ^= generator->state << 25;
    generator->state ^= generator->state >> 27;
    uint64_t random = (generator->state * UINT64_C(2685821657736338717)) >> 33;

    return bound > 0 ? (uint32_t)random % bound : 0;
}

/* The same numbers for a binding in every file that speaks of it. */
static void
generator_seek(struct generator *generator, uint32_t binding)
{
    generator->state = (generator->fleet->seed + 1) * UINT64_C(0x9E3779B97F4A7C15) ^
                       (binding + 1) * UINT64_C(0xBF58476D1CE4E5B9);
    below(generator, 2);
    below(generator, 2);
}

bool
synthetic_is_lost(const struct synthetic *fleet, uint32_t cluster)
{
    return fleet->clusters < 50 ? cluster == 3 && !fleet->pods : cluster % 50 == 7;
}

/* With its metadata still open. */
static void
begin_metadata(const char *api_version, const char *kind, FILE *file)
{
    fprintf(file,
            "{\"apiVersion\":\"%s\",\"kind\":\"%sList\",\"metadata\":{\"resourceVersion\":"
            "\"8812345\"",
            api_version, kind);
}

static void
begin_list(const char *api_version, const char *kind, FILE *file)
{
    begin_metadata(api_version, kind, file);
    fprintf(file, "},\"items\":[");
}

FILE *
synthetic_open_list(const char *directory, const char *name, const char *api_version,
                    const char *kind)
{
    char path[2048];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    file = fopen(path, "w");
    if (file != NULL) {
        begin_list(api_version, kind, file);
    }
    return file;
}

bool
synthetic_close_list(FILE *file)
{
    fprintf(file, "]}\n");
    bool fine = ferror(file) == 0;

    return fclose(file) == 0 && fine;
}

static void
write_api_enablements(FILE *file)
{
    static const char *const groups[] = {"apps/v1",
                                         "batch/v1",
                                         "v1",
                                         "networking.k8s.io/v1",
                                         "rbac.authorization.k8s.io/v1",
                                         "policy/v1",
                                         "storage.k8s.io/v1",
                                         "autoscaling/v2"};
    static const char *const kinds[] = {"Deployment", "StatefulSet", "Job", "Service",
                                        "DaemonSet",  "Ingress",     "Role"};

    fprintf(file, "\"apiEnablements\":[");
    for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
        fprintf(file, "%s{\"groupVersion\":\"%s\",\"resources\":[", g > 0 ? "," : "", groups[g]);
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            fprintf(file, "%s{\"kind\":\"%s\",\"name\":\"things%zu\"}", k > 0 ? "," : "", kinds[k],
                    k);
        }
        fprintf(file, "]}");
    }
    fprintf(file, "],");
}

static void
write_cluster(struct generator *generator, uint32_t index, FILE *file)
{
    const struct synthetic *fleet = generator->fleet;
    bool lost = synthetic_is_lost(fleet, index);
    uint32_t cpus = 200 + fleet->bindings / fleet->clusters * 10;

    fprintf(file,
            "%s{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{"
            "\"name\":\"member-%04u\",\"uid\":\"c0ffee00-0000-4000-8000-%012u\","
            "\"resourceVersion\":\"%u\",\"labels\":{\"tier\":\"t%u\"}},\"spec\":{\"syncMode\":"
            "\"Push\",\"provider\":\"p%u\",\"region\":\"r%u\",\"zones\":[\"r%u-a\",\"r%u-b\"]},"
            "\"status\":{",
            index > 0 ? "," : "", index, index, 1000 + index, index % 3, index % 4, index % 7,
            index % 7, index % 7);
    write_api_enablements(file);
    fprintf(file,
            "\"conditions\":[{\"type\":\"Ready\",\"status\":\"%s\",\"reason\":\"%s\","
            "\"message\":\"cluster is checked\",\"lastTransitionTime\":\"2026-03-01T10:00:00Z\"}],"
            "\"kubernetesVersion\":\"v1.34.1\",\"nodeSummary\":{\"readyNum\":40,\"totalNum\":40},"
            "\"resourceSummary\":{\"allocatable\":{\"cpu\":\"%u\",\"memory\":\"%uGi\",\"pods\":"
            "\"%u\"},\"allocated\":{\"cpu\":\"%u\",\"memory\":\"%uGi\",\"pods\":\"%u\"}}}}",
            lost ? "False" : "True", lost ? "ClusterNotReachable" : "ClusterReady", cpus, cpus * 4,
            cpus * 8, cpus / 3 + below(generator, cpus / 4), cpus, cpus);
}

void
synthetic_write_clusters(const struct synthetic *fleet, FILE *file)
{
    struct generator generator = {.fleet = fleet};

    generator_seek(&generator, 0);
    begin_list("cluster.karmada.io/v1alpha1", "Cluster", file);
    for (uint32_t i = 0; i < fleet->clusters; i++) {
        write_cluster(&generator, i, file);
    }
    fprintf(file, "]}\n");
}

/* One of PLACEMENTS placements, as the text of a JSON object. */
static void
format_placement(const struct synthetic *fleet, uint32_t policy, char *text, size_t size)
{
    static const char *const strategies[] = {
        "{\"replicaDivisionPreference\":\"Weighted\",\"replicaSchedulingType\":\"Divided\","
        "\"weightPreference\":{\"dynamicWeight\":\"AvailableReplicas\"}}",
        "{\"replicaDivisionPreference\":\"Aggregated\",\"replicaSchedulingType\":\"Divided\"}",
        "{\"replicaDivisionPreference\":\"Weighted\",\"replicaSchedulingType\":\"Divided\","
        "\"weightPreference\":{\"staticWeightList\":[{\"targetCluster\":{\"labelSelector\":{"
        "\"matchLabels\":{\"tier\":\"t0\"}}},\"weight\":2},{\"targetCluster\":{\"labelSelector\":{"
        "\"matchLabels\":{\"tier\":\"t1\"}}},\"weight\":1}]}}",
        "{\"replicaSchedulingType\":\"Duplicated\"}",
    };
    bool narrow = policy % 5 == 4 && fleet->clusters > 20;

    snprintf(text, size,
             "{\"clusterAffinity\":{\"labelSelector\":{\"matchExpressions\":[{\"key\":\"tier\","
             "\"operator\":\"NotIn\",\"values\":[\"%s\"]}]}},\"clusterTolerations\":[{\"key\":"
             "\"cluster.karmada.io/not-ready\",\"operator\":\"Exists\",\"effect\":\"NoExecute\","
             "\"tolerationSeconds\":300}],%s\"replicaScheduling\":%s}",
             narrow ? "t2" : "t9",
             policy % 8 == 7
                 ? "\"spreadConstraints\":[{\"spreadByField\":\"cluster\",\"minGroups\":2,"
                   "\"maxGroups\":4}],"
                 : "",
             strategies[policy % 4]);
}

static void
choose_split(struct generator *generator, uint32_t policy, struct split *split)
{
    uint32_t clusters = generator->fleet->clusters;
    uint32_t first = below(generator, clusters);
    bool duplicated = policy % 4 == 3;
    uint32_t most = generator->fleet->replicas > 0 ? generator->fleet->replicas : REPLICAS_MAX;

    memset(split, 0, sizeof(*split));
    split->count = 2 + below(generator, TARGETS_MAX - 2);
    split->wanted = 0;
    for (uint32_t i = 0; i < split->count; i++) {
        split->clusters[i] = (first + i * (clusters / TARGETS_MAX)) % clusters;
        split->replicas[i] = duplicated && i > 0 ? split->replicas[0] : 1 + below(generator, most);
        split->wanted += split->replicas[i];
    }
    if (duplicated) {
        split->wanted = split->replicas[0];
    } else if (below(generator, 100) < 2) {
        split->wanted += 1 + below(generator, 4);
    }
}

static void
write_escaped(const char *text, FILE *file)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            fputc('\\', file);
        }
        fputc(*c, file);
    }
}

/* Who set which member, as API servers tell it in what they answer. */
static void
write_managed_fields(uint32_t index, FILE *file)
{
    static const char condition[] =
        "{\".\":{},\"f:lastTransitionTime\":{},\"f:message\":{},\"f:reason\":{},\"f:status\":{},"
        "\"f:type\":{}}";

    fprintf(
        file,
        "\"managedFields\":[{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"fieldsType\":"
        "\"FieldsV1\",\"fieldsV1\":{\"f:metadata\":{\"f:annotations\":{\".\":{},"
        "\"f:propagationpolicy.karmada.io/name\":{},\"f:propagationpolicy.karmada.io/"
        "namespace\":{}},\"f:finalizers\":{\".\":{},\"v:\\\"karmada.io/binding-controller"
        "\\\"\":{},\"v:\\\"karmada.io/binding-dependencies-distributor\\\"\":{}},\"f:labels\":"
        "{\".\":{},\"f:propagationpolicy.karmada.io/permanent-id\":{},"
        "\"f:resourcebinding.karmada.io/permanent-id\":{},\"f:app.kubernetes.io/part-of\":{}},"
        "\"f:ownerReferences\":{\".\":{},\"k:{\\\"uid\\\":\\\"d0d0d0d0-0000-4000-8000-%012u\\\"}"
        "\":{}}},\"f:spec\":{\".\":{},\"f:conflictResolution\":{},\"f:placement\":{\".\":{},"
        "\"f:clusterAffinity\":{\".\":{},\"f:labelSelector\":{}},\"f:clusterTolerations\":{},"
        "\"f:replicaScheduling\":{\".\":{},\"f:replicaDivisionPreference\":{},"
        "\"f:replicaSchedulingType\":{},\"f:weightPreference\":{\".\":{},\"f:dynamicWeight\":"
        "{}}}},\"f:replicaRequirements\":{\".\":{},\"f:resourceRequest\":{\".\":{},\"f:cpu\":"
        "{},\"f:memory\":{}}},\"f:replicas\":{},\"f:resource\":{\".\":{},\"f:apiVersion\":{},"
        "\"f:kind\":{},\"f:name\":{},\"f:namespace\":{},\"f:resourceVersion\":{},\"f:uid\":{}},"
        "\"f:schedulerName\":{}}},\"manager\":\"karmada-controller-manager\",\"operation\":"
        "\"Update\",\"time\":\"2026-02-01T08:00:00Z\"},",
        index);
    fprintf(file,
            "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"
            "{\"f:metadata\":{\"f:annotations\":{\"f:policy.karmada.io/applied-placement\":{}}},"
            "\"f:spec\":{\"f:clusters\":{}}},\"manager\":\"karmada-scheduler\",\"operation\":"
            "\"Update\",\"time\":\"2026-02-20T08:00:00Z\"},{\"apiVersion\":"
            "\"work.karmada.io/v1alpha2\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:status\":{"
            "\".\":{},\"f:aggregatedStatus\":{},\"f:conditions\":{\".\":{},\"k:{\\\"type\\\":"
            "\\\"FullyApplied\\\"}\":%s,\"k:{\\\"type\\\":\\\"Scheduled\\\"}\":%s},"
            "\"f:lastScheduledTime\":{},\"f:schedulerObservedGeneration\":{}}},\"manager\":"
            "\"karmada-controller-manager\",\"operation\":\"Update\",\"subresource\":\"status\","
            "\"time\":\"2026-02-20T08:00:01Z\"}],",
            condition, condition);
}

static void
write_metadata(uint32_t index, uint32_t policy, const char *placement, FILE *file)
{
    fprintf(file,
            "%s{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
            "\"metadata\":{\"name\":\"service-%06u-deployment\",\"namespace\":\"team-%03u\","
            "\"uid\":\"b1d1b1d1-0000-4000-8000-%012u\",\"resourceVersion\":\"%u\",\"generation\":4,"
            "\"creationTimestamp\":\"2026-02-01T08:00:00Z\",\"finalizers\":["
            "\"karmada.io/binding-controller\",\"karmada.io/binding-dependencies-distributor\"],"
            "\"labels\":{\"propagationpolicy.karmada.io/permanent-id\":"
            "\"59de4770-c97c-4615-9f8c-%012u\",\"resourcebinding.karmada.io/permanent-id\":"
            "\"2827ad2f-2024-4d3c-b244-%012u\",\"app.kubernetes.io/part-of\":\"shop\"},"
            "\"annotations\":{\"propagationpolicy.karmada.io/name\":\"policy-%02u\","
            "\"propagationpolicy.karmada.io/namespace\":\"team-%03u\","
            "\"policy.karmada.io/applied-placement\":\"",
            index > 0 ? "," : "", index, index % SYNTHETIC_NAMESPACES, index, 2000000 + index,
            policy, index, policy, index % SYNTHETIC_NAMESPACES);
    write_escaped(placement, file);
    fprintf(file, "\"},");
    write_managed_fields(index, file);
    fprintf(file,
            "\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
            "\"name\":\"service-%06u\",\"uid\":\"d0d0d0d0-0000-4000-8000-%012u\","
            "\"controller\":true,\"blockOwnerDeletion\":true}]}",
            index, index);
}

static void
write_spec(uint32_t index, bool reschedule, const struct split *split, const char *placement,
           FILE *file)
{
    fprintf(file,
            ",\"spec\":{\"conflictResolution\":\"Abort\",\"resource\":{\"apiVersion\":\"apps/v1\","
            "\"kind\":\"Deployment\",\"namespace\":\"team-%03u\",\"name\":\"service-%06u\","
            "\"uid\":\"d0d0d0d0-0000-4000-8000-%012u\",\"resourceVersion\":\"%u\"},"
            "\"replicas\":%u,\"replicaRequirements\":{\"resourceRequest\":{\"cpu\":\"%u00m\","
            "\"memory\":\"%uMi\"}},\"schedulerName\":\"default-scheduler\",\"placement\":%s,",
            index % SYNTHETIC_NAMESPACES, index, index, 1500000 + index, split->wanted,
            1 + index % 8, 128u << index % 4, placement);
    if (reschedule) {
        fprintf(file, "\"rescheduleTriggeredAt\":\"2026-03-01T11:00:00Z\",");
    }
    fprintf(file, "\"clusters\":[");
    for (uint32_t i = 0; i < split->count; i++) {
        fprintf(file, "%s{\"name\":\"member-%04u\",\"replicas\":%u}", i > 0 ? "," : "",
                split->clusters[i], split->replicas[i]);
    }
    fprintf(file, "]}");
}

static void
write_status(const struct split *split, uint32_t stuck, FILE *file)
{
    fprintf(file, ",\"status\":{\"schedulerObservedGeneration\":4,\"lastScheduledTime\":"
                  "\"2026-02-20T08:00:00Z\",\"conditions\":[{\"type\":\"Scheduled\",\"status\":"
                  "\"True\",\"reason\":\"Success\",\"message\":\"Binding has been scheduled "
                  "successfully.\",\"lastTransitionTime\":\"2026-02-20T08:00:00Z\"},{\"type\":"
                  "\"FullyApplied\",\"status\":\"True\",\"reason\":\"FullyAppliedSuccess\","
                  "\"message\":\"All works have been successfully applied\","
                  "\"lastTransitionTime\":\"2026-02-20T08:00:01Z\"}],\"aggregatedStatus\":[");
    for (uint32_t i = 0; i < split->count; i++) {
        uint32_t ready = split->replicas[i] - (i == 0 ? stuck : 0);

        fprintf(file,
                "%s{\"clusterName\":\"member-%04u\",\"applied\":true,\"health\":\"%s\","
                "\"status\":{\"generation\":4,\"observedGeneration\":4,"
                "\"resourceTemplateGeneration\":4,\"replicas\":%u,\"updatedReplicas\":%u,"
                "\"readyReplicas\":%u,\"availableReplicas\":%u}}",
                i > 0 ? "," : "", split->clusters[i],
                ready < split->replicas[i] ? "Unhealthy" : "Healthy", split->replicas[i],
                split->replicas[i], ready, ready);
    }
    fprintf(file, "]}}");
}

/* How many replicas of a binding are stuck in its first cluster; moves the generator on. */
static uint32_t
choose_binding(struct generator *generator, uint32_t index, uint32_t *ret_policy,
               struct split *ret_split)
{
    uint32_t stuck;

    generator_seek(generator, index);
    *ret_policy = below(generator, PLACEMENTS);
    choose_split(generator, *ret_policy, ret_split);
    stuck = below(generator, 100) < 3 ? 1 + below(generator, ret_split->replicas[0]) : 0;
    return generator->fleet->pods ? stuck : 0;
}

void
synthetic_write_bindings(const struct synthetic *fleet, FILE *file)
{
    struct generator generator = {.fleet = fleet};

    begin_list("work.karmada.io/v1alpha2", "ResourceBinding", file);
    for (uint32_t i = 0; i < fleet->bindings; i++) {
        char placement[2048];
        struct split split;
        uint32_t policy;
        uint32_t stuck = choose_binding(&generator, i, &policy, &split);

        format_placement(fleet, policy, placement, sizeof(placement));
        write_metadata(i, policy, placement, file);
        write_spec(i, below(&generator, 100) == 0, &split, placement, file);
        write_status(&split, stuck, file);
    }
    fprintf(file, "]}\n");
}

static void
write_templates(const struct synthetic *fleet, FILE *file)
{
    fprintf(file, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (uint32_t i = 0; fleet->is_tied && i < fleet->bindings; i++) {
        synthetic_write_template(i, file);
    }
    fprintf(file, "]}\n");
}

/* --- members --- */

struct synthetic_targets
synthetic_targets_find(const struct synthetic *fleet)
{
    struct generator generator = {.fleet = fleet};
    struct synthetic_targets ret = {.begin = calloc(fleet->clusters + 2, sizeof(*ret.begin))};
    struct split split;
    uint32_t policy;

    /* counted one place further on, so that what begins a cluster's is filled to its end */
    for (uint32_t i = 0; ret.begin != NULL && i < fleet->bindings; i++) {
        choose_binding(&generator, i, &policy, &split);
        for (uint32_t t = 0; t < split.count; t++) {
            ret.begin[split.clusters[t] + 2]++;
        }
    }
    for (uint32_t i = 2; ret.begin != NULL && i < fleet->clusters + 2; i++) {
        ret.begin[i] += ret.begin[i - 1];
    }
    ret.all =
        ret.begin != NULL ? calloc(ret.begin[fleet->clusters + 1] + 1, sizeof(*ret.all)) : NULL;
    for (uint32_t i = 0; ret.all != NULL && i < fleet->bindings; i++) {
        uint32_t stuck = choose_binding(&generator, i, &policy, &split);

        for (uint32_t t = 0; t < split.count; t++) {
            ret.all[ret.begin[split.clusters[t] + 1]++] =
                (struct synthetic_target){i, split.replicas[t], t == 0 ? stuck : 0};
        }
    }
    return ret;
}

void
synthetic_targets_free(struct synthetic_targets *targets)
{
    free(targets->all);
    free(targets->begin);
}

static const struct {
    const char *file, *api_version, *kind;
    /* NULL: it is nothing of bindings */
    void (*write)(const struct synthetic *fleet, const struct synthetic_target *target, FILE *file);
} lists[N_SYNTHETIC_LISTS] = {
    [SYNTHETIC_DEPLOYMENTS] = {"deployments.json", "apps/v1", "Deployment",
                               synthetic_write_deployment},
    [SYNTHETIC_NODES] = {"nodes.json", "v1", "Node", NULL},
    [SYNTHETIC_PODS] = {"pods.json", "v1", "Pod", synthetic_write_pods},
    [SYNTHETIC_REPLICA_SETS] = {"replicasets.json", "apps/v1", "ReplicaSet",
                                synthetic_write_replica_set},
};

const char *
synthetic_list_file(enum synthetic_list list)
{
    return lists[list].file;
}

bool
synthetic_has_list(const struct synthetic *fleet, enum synthetic_list list)
{
    return lists[list].write != NULL || fleet->nodes > 0;
}

void
synthetic_begin_page(enum synthetic_list list, FILE *file)
{
    begin_metadata(lists[list].api_version, lists[list].kind, file);
}

void
synthetic_write_list(const struct synthetic *fleet, const struct synthetic_targets *targets,
                     uint32_t cluster, enum synthetic_list list, FILE *file)
{
    uint32_t begin = targets->begin[cluster], end = targets->begin[cluster + 1];

    begin_list(lists[list].api_version, lists[list].kind, file);
    if (lists[list].write == NULL) {
        for (uint32_t i = 0; i < fleet->nodes; i++) {
            fputs(i > 0 ? "," : "", file);
            synthetic_write_node(i, file);
        }
        end = begin;
    }
    for (uint32_t i = begin; i < end; i++) {
        fputs(i > begin ? "," : "", file);
        lists[list].write(fleet, &targets->all[i], file);
    }
    if (list == SYNTHETIC_PODS && end > begin) {
        synthetic_write_latest(fleet, file);
    }
    fprintf(file, "]}\n");
}

/* --- files --- */

static bool
close_file(FILE *file)
{
    bool fine = ferror(file) == 0;

    return fclose(file) == 0 && fine;
}

static bool
write_member(const struct synthetic *fleet, const struct synthetic_targets *targets,
             uint32_t cluster, const char *directory)
{
    bool fine = true;

    for (enum synthetic_list list = 0; fine && list < N_SYNTHETIC_LISTS; list++) {
        char path[2048];

        if (!synthetic_has_list(fleet, list)) {
            continue;
        }
        snprintf(path, sizeof(path), "%s/%s", directory, lists[list].file);
        FILE *file = fopen(path, "w");

        fine = file != NULL;
        if (fine) {
            synthetic_write_list(fleet, targets, cluster, list, file);
            fine = close_file(file);
        }
    }
    return fine;
}

static bool
write_members(const struct synthetic *fleet, const char *directory)
{
    struct synthetic_targets targets = synthetic_targets_find(fleet);
    char path[1024];
    bool fine;

    snprintf(path, sizeof(path), "%s/members", directory);
    fine = targets.all != NULL && mkdir(path, 0777) == 0;
    for (uint32_t i = 0; fine && i < fleet->clusters; i++) {
        snprintf(path, sizeof(path), "%s/members/member-%04u", directory, i);
        fine = mkdir(path, 0777) == 0 && write_member(fleet, &targets, i, path);
    }
    synthetic_targets_free(&targets);
    return fine;
}

bool
synthetic_write(const struct synthetic *fleet, const char *directory)
{
    static const struct {
        const char *name;
        void (*write)(const struct synthetic *fleet, FILE *file);
    } files[] = {
        {"clusters.json", synthetic_write_clusters},
        {"resourcebindings.json", synthetic_write_bindings},
        {"workloadtemplates.json", write_templates},
    };
    char path[1024];

    snprintf(path, sizeof(path), "%s/control-plane", directory);
    bool fine = mkdir(path, 0777) == 0;

    for (size_t i = 0; fine && i < sizeof(files) / sizeof(files[0]); i++) {
        snprintf(path, sizeof(path), "%s/control-plane/%s", directory, files[i].name);
        FILE *file = fopen(path, "w");

        fine = file != NULL;
        if (fine) {
            files[i].write(fleet, file);
            fine = close_file(file);
        }
    }
    return fine && (!fleet->pods || write_members(fleet, directory));
}
