/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects as text, and the documents made of them.
 */
#include "objects.h"

#include <inttypes.h>

#include "api.h"

#include "ballast/base/timestamp.h"

#define TEXT_MAX ((size_t)1 << 20)
#define RETAINS "\"resourcetemplate.karmada.io/retain-replicas\""

static const char *
time_text(int64_t seconds, char buffer[TIMESTAMP_TEXT_MAX])
{
    return timestamp_format(seconds * NANOS_PER_SECOND, buffer);
}

/* Parses and releases the text. */
static const struct value *
keep(struct document **slot, struct buf *text)
{
    document_free(*slot);
    *slot = parse_own(text);
    buf_release(text);
    return document_root(*slot);
}

/* --- the binding --- */

static void
write_names(const struct sim *sim, unsigned mask, struct buf *out)
{
    const char *comma = "";

    for (int i = 0; i < sim->n_clusters; i++) {
        if ((mask >> i & 1) != 0) {
            buf_printf(out, "%s\"%s\"", comma, sim->clusters[i].name);
            comma = ",";
        }
    }
}

static void
write_weights(const struct sim *sim, const struct sim_workload *workload, struct buf *out)
{
    const char *comma = "";

    buf_append_str(out, "\"Weighted\",\"weightPreference\":{");
    if (workload->strategy == STRATEGY_DYNAMIC_WEIGHT) {
        buf_append_str(out, "\"dynamicWeight\":\"AvailableReplicas\"}}");
        return;
    }
    buf_append_str(out, "\"staticWeightList\":[");
    for (int i = 0; i < sim->n_clusters; i++) {
        if (workload->weights[i] > 0) {
            buf_printf(out, "%s{\"targetCluster\":{\"clusterNames\":[\"%s\"]},\"weight\":%d}",
                       comma, sim->clusters[i].name, workload->weights[i]);
            comma = ",";
        }
    }
    buf_append_str(out, "]}}");
}

static void
write_affinity(const struct sim *sim, const struct sim_workload *workload, struct buf *out)
{
    bool has_tiers = workload->overflow != 0;

    buf_append_str(out, has_tiers ? "{\"clusterAffinities\":[{\"affinityName\":\"tiers\","
                                  : "{\"clusterAffinity\":{");
    buf_append_str(out, "\"clusterNames\":[");
    write_names(sim, workload->affinity != 0 ? workload->affinity : (1u << sim->n_clusters) - 1,
                out);
    if (has_tiers) {
        buf_append_str(out, "],\"overflowAffinities\":[{\"affinityName\":\"more\","
                            "\"clusterNames\":[");
        write_names(sim, workload->overflow, out);
        buf_append_str(out, "]}]}]");
        return;
    }
    buf_append_str(out, "]}");
}

static void
write_tolerations(const struct sim_workload *workload, struct buf *out)
{
    if (workload->tolerates == 0) {
        return;
    }
    buf_append_str(out, ",\"clusterTolerations\":[{\"key\":\"maintenance\","
                        "\"operator\":\"Exists\",\"effect\":\"NoExecute\"");
    if (workload->tolerates != NOBODY) {
        buf_printf(out, ",\"tolerationSeconds\":%d", workload->tolerates);
    }
    buf_append_str(out, "}]");
}

static void
write_placement(const struct sim *sim, const struct sim_workload *workload, struct buf *out)
{
    write_affinity(sim, workload, out);
    write_tolerations(workload, out);
    buf_append_str(out, ",\"replicaScheduling\":");
    if (workload->strategy == STRATEGY_DUPLICATED) {
        buf_append_str(out, "{\"replicaSchedulingType\":\"Duplicated\"}}");
        return;
    }
    buf_append_str(out, "{\"replicaSchedulingType\":\"Divided\",\"replicaDivisionPreference\":");
    if (workload->strategy == STRATEGY_AGGREGATED) {
        buf_append_str(out, "\"Aggregated\"}");
    } else {
        write_weights(sim, workload, out);
    }
    buf_append_char(out, '}');
}

static void
write_applied_placement(const struct sim *sim, const struct sim_workload *workload, struct buf *out)
{
    struct buf placement;

    buf_init(&placement, TEXT_MAX);
    write_placement(sim, workload, &placement);
    for (const char *c = buf_text(&placement); *c != '\0'; c++) {
        buf_printf(out, *c == '"' ? "\\%c" : "%c", *c);
    }
    buf_release(&placement);
}

void
objects_write_targets(const struct sim *sim, unsigned assigned, const int *split, struct buf *out)
{
    const char *comma = "";

    buf_append_char(out, '[');
    for (int i = 0; i < sim->n_clusters; i++) {
        if ((assigned >> i & 1) != 0) {
            buf_printf(out, "%s{\"name\":\"%s\",\"replicas\":%d}", comma, sim->clusters[i].name,
                       split[i]);
            comma = ",";
        }
    }
    buf_append_char(out, ']');
}

void
objects_write_binding(const struct sim *sim, const struct sim_workload *workload, int64_t version,
                      struct buf *out)
{
    char now[TIMESTAMP_TEXT_MAX];

    buf_printf(out,
               "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
               "\"metadata\":{\"name\":\"%s-deployment\",\"namespace\":\"%s\",\"uid\":\"b-%s\","
               "\"resourceVersion\":\"%" PRId64 "\",\"generation\":1,\"labels\":{"
               "\"propagationpolicy.karmada.io/permanent-id\":\"p-%s\"},\"annotations\":{"
               "\"policy.karmada.io/applied-placement\":\"",
               workload->name, workload->namespace_, workload->name, version, workload->name);
    write_applied_placement(sim, workload, out);
    buf_printf(out,
               "\"}},\"spec\":{\"resource\":{\"apiVersion\":\"%s\",\"kind\":\"%s\","
               "\"namespace\":\"%s\",\"name\":\"%s\",\"uid\":\"%s\"},\"replicas\":%d,"
               "\"replicaRequirements\":{\"resourceRequest\":{\"cpu\":\"%dm\"}},\"placement\":",
               sim_kinds[workload->kind].api_version, sim_kinds[workload->kind].kind,
               workload->namespace_, workload->name, workload->name, workload->replicas,
               workload->cpu);
    write_placement(sim, workload, out);
    if (workload->priority != 0) {
        buf_printf(out, ",\"schedulePriority\":{\"priority\":%d}", workload->priority);
    }
    buf_printf(out, "},\"status\":{\"lastScheduledTime\":\"%s\"}}", time_text(sim->now, now));
}

/* --- the Cluster --- */

static void
write_cluster(const struct sim *sim, const struct sim_cluster *cluster, struct buf *out)
{
    const char *status = cluster->ready ? "True" : cluster->pull ? "Unknown" : "False";
    char since[TIMESTAMP_TEXT_MAX], tainted[TIMESTAMP_TEXT_MAX];

    (void)sim;
    buf_printf(out,
               "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{"
               "\"name\":\"%s\",\"uid\":\"c-%s\",\"resourceVersion\":\"1\"},\"spec\":{"
               "\"syncMode\":\"%s\",\"region\":\"r%d\",\"taints\":[",
               cluster->name, cluster->name, cluster->pull ? "Pull" : "Push", cluster->region);
    time_text(cluster->since, since);
    if (!cluster->ready) {
        buf_printf(out,
                   "{\"key\":\"cluster.karmada.io/%s\",\"effect\":\"NoSchedule\","
                   "\"timeAdded\":\"%s\"}",
                   cluster->pull ? "unreachable" : "not-ready", since);
    }
    if (cluster->tainted != 0) {
        buf_printf(out, "%s{\"key\":\"maintenance\",\"effect\":\"NoExecute\",\"timeAdded\":\"%s\"}",
                   cluster->ready ? "" : ",", time_text(cluster->tainted, tainted));
    }
    buf_printf(out,
               "]},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"%s\","
               "\"reason\":\"%s\",\"lastTransitionTime\":\"%s\"}],\"apiEnablements\":[{"
               "\"groupVersion\":\"apps/v1\",\"resources\":[{\"kind\":\"Deployment\"},{"
               "\"kind\":\"StatefulSet\"}]},{\"groupVersion\":\"batch/v1\",\"resources\":[{"
               "\"kind\":\"Job\"}]},{\"groupVersion\":\"example.com/v1\",\"resources\":[{"
               "\"kind\":\"Engine\"}]}],",
               status, cluster->ready ? "ClusterReady" : "ClusterNotReachable", since);
    buf_printf(out,
               "\"resourceSummary\":{\"allocatable\":{\"cpu\":\"%dm\",\"pods\":\"%d\"},"
               "\"allocated\":{\"cpu\":\"%dm\",\"pods\":\"%d\"},"
               "\"allocating\":{\"cpu\":\"%dm\",\"pods\":\"%d\"}}}}",
               cluster->cpu, cluster->slots, cluster->used, cluster->taken, cluster->asked,
               cluster->waiting);
}

const struct value *
objects_cluster(const struct sim *sim, struct sim_cluster *cluster)
{
    struct buf text;

    if (cluster->document != NULL) {
        return document_root(cluster->document);
    }
    buf_init(&text, TEXT_MAX);
    write_cluster(sim, cluster, &text);
    return keep(&cluster->document, &text);
}

/* --- in a member --- */

const struct value *
objects_node(const struct sim_cluster *cluster, struct sim_node *node, int number)
{
    struct buf text;

    if (node->document != NULL) {
        return document_root(node->document);
    }
    buf_init(&text, TEXT_MAX);
    buf_printf(&text,
               "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s-node-%d\","
               "\"labels\":{\"kubernetes.io/hostname\":\"%s-node-%d\"}},"
               "\"spec\":{\"unschedulable\":%s},\"status\":{\"allocatable\":{\"cpu\":\"%dm\","
               "\"pods\":\"%d\"}}}",
               cluster->name, number, cluster->name, number, node->cordoned ? "true" : "false",
               node->cpu, POD_SLOTS);
    return keep(&node->document, &text);
}

static void
write_pod_affinity(const struct sim_workload *workload, struct buf *out)
{
    if (workload->keeps_apart) {
        buf_printf(out,
                   "\"affinity\":{\"podAntiAffinity\":{"
                   "\"requiredDuringSchedulingIgnoredDuringExecution\":[{\"topologyKey\":"
                   "\"kubernetes.io/hostname\",\"namespaces\":[\"local\"],\"labelSelector\":{"
                   "\"matchLabels\":{\"guards-from\":\"%s\"}}}]}},",
                   workload->name);
    }
}

static void
write_template(const struct sim_workload *workload, const char *hash, struct buf *out)
{
    buf_printf(out, "\"template\":{\"metadata\":{\"labels\":{\"app\":\"%s\"%s}},\"spec\":{",
               workload->name, hash);
    write_pod_affinity(workload, out);
    buf_printf(out,
               "\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{\"requests\":{"
               "\"cpu\":\"%dm\"}}}]}}",
               workload->cpu);
}

static void
write_pod_owner(const struct sim *sim, const struct sim_pod *pod, struct buf *out)
{
    if (pod->workload == NOBODY) {
        buf_printf(out, "\"name\":\"local-%d\",\"namespace\":\"local\"", pod->number);
        return;
    }
    const struct sim_workload *workload = &sim->workloads[pod->workload];
    const char *set = workload->kind == SIM_DEPLOYMENT ? "-h" : "";

    buf_printf(out,
               "\"name\":\"%s%s-%d\",\"namespace\":\"%s\",\"labels\":{\"app\":\"%s\","
               "\"pod-template-hash\":\"h\"},\"ownerReferences\":[{\"apiVersion\":\"%s\","
               "\"kind\":\"%s\",\"name\":\"%s%s\",\"uid\":\"u-%s%s\",\"controller\":true}]",
               workload->name, set, pod->number, workload->namespace_, workload->name,
               sim_kinds[workload->kind].api_version,
               *set != '\0' ? "ReplicaSet" : sim_kinds[workload->kind].kind, workload->name, set,
               workload->name, set);
}

static void
write_pod_status(const struct sim_pod *pod, struct buf *out)
{
    bool is_ready = pod->state == POD_READY;
    char since[TIMESTAMP_TEXT_MAX];

    time_text(pod->since, since);
    if (pod->state == POD_PENDING) {
        buf_printf(out,
                   "\"status\":{\"phase\":\"Pending\",\"conditions\":[{\"type\":\"PodScheduled\","
                   "\"status\":\"False\",\"reason\":\"Unschedulable\","
                   "\"lastTransitionTime\":\"%s\"}]}}",
                   since);
        return;
    }
    buf_printf(out,
               "\"status\":{\"phase\":\"%s\",\"conditions\":[{\"type\":\"PodScheduled\","
               "\"status\":\"True\"},{\"type\":\"Ready\",\"status\":\"%s\","
               "\"lastTransitionTime\":\"%s\"}],\"containerStatuses\":[{\"name\":\"c\","
               "\"restartCount\":%d,\"ready\":%s%s}]}}",
               pod->state == POD_STARTING ? "Pending" : "Running", is_ready ? "True" : "False",
               since, pod->state == POD_CRASHING ? 9 : 0, is_ready ? "true" : "false",
               pod->state == POD_CRASHING   ? ",\"state\":{\"waiting\":{\"reason\":"
                                              "\"CrashLoopBackOff\"}}"
               : pod->state == POD_STARTING ? ",\"state\":{\"waiting\":{\"reason\":"
                                              "\"ContainerCreating\"}}"
                                            : "");
}

const struct value *
objects_pod(const struct sim *sim, const struct sim_cluster *cluster, struct sim_pod *pod)
{
    char created[TIMESTAMP_TEXT_MAX];
    struct buf text;

    if (pod->document != NULL) {
        return document_root(pod->document);
    }
    buf_init(&text, TEXT_MAX);
    buf_append_str(&text, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{");
    write_pod_owner(sim, pod, &text);
    buf_printf(&text, ",\"creationTimestamp\":\"%s\"},\"spec\":{",
               time_text(pod->created, created));
    if (pod->node != NOBODY) {
        buf_printf(&text, "\"nodeName\":\"%s-node-%d\",", cluster->name, pod->node);
    }
    if (pod->workload != NOBODY) {
        write_pod_affinity(&sim->workloads[pod->workload], &text);
    }
    buf_printf(&text,
               "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%dm\"}}}]},",
               pod->cpu);
    write_pod_status(pod, &text);
    return keep(&pod->document, &text);
}

static void
write_condition(const struct sim_workload *workload, bool is_starved, struct buf *out)
{
    char since[TIMESTAMP_TEXT_MAX];

    if (workload->is_finished || is_starved) {
        buf_printf(out,
                   "\"conditions\":[{\"type\":\"%s\",\"status\":\"True\",\"reason\":\"%s\","
                   "\"lastTransitionTime\":\"%s\"}],",
                   workload->is_finished ? "Complete" : "ReplicaFailure",
                   workload->is_finished ? "" : "FailedCreate",
                   time_text(workload->refused, since));
    }
}

const struct value *
objects_deployment(struct sim *sim, struct sim_cluster *cluster, int workload)
{
    struct sim_deployment *deployment = &cluster->deployments[workload];
    const struct sim_workload *subject = &sim->workloads[workload];
    bool is_starved = (subject->starved_in >> (cluster - sim->clusters) & 1) != 0 &&
                      deployment->count < deployment->replicas;
    struct buf text;

    if (deployment->document != NULL && deployment->shown_replicas == deployment->replicas &&
        deployment->shown_ready == deployment->ready &&
        deployment->shown_finished == subject->is_finished &&
        deployment->shown_starved == is_starved) {
        return document_root(deployment->document);
    }
    buf_init(&text, TEXT_MAX);
    buf_printf(&text,
               "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\","
               "\"namespace\":\"%s\",\"uid\":\"u-%s\"%s},\"spec\":{\"%s\":%d,\"selector\":{"
               "\"matchLabels\":{\"app\":\"%s\"}},",
               sim_kinds[subject->kind].api_version, sim_kinds[subject->kind].kind, subject->name,
               subject->namespace_, subject->name,
               subject->autoscaled > 0 ? ",\"labels\":{" RETAINS ":\"true\"}" : "",
               subject->kind == SIM_JOB ? "parallelism" : "replicas", deployment->replicas,
               subject->name);
    write_template(subject, "", &text);
    buf_append_str(&text, "},\"status\":{");
    write_condition(subject, is_starved, &text);
    buf_printf(&text, "\"readyReplicas\":%d}}", deployment->ready);
    deployment->shown_replicas = deployment->replicas;
    deployment->shown_ready = deployment->ready;
    deployment->shown_finished = subject->is_finished;
    deployment->shown_starved = is_starved;
    return keep(&deployment->document, &text);
}

const struct value *
objects_replica_set(struct sim_workload *workload)
{
    struct buf text;

    if (workload->replica_set != NULL) {
        return document_root(workload->replica_set);
    }
    buf_init(&text, TEXT_MAX);
    buf_printf(&text,
               "{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"metadata\":{"
               "\"name\":\"%s-h\",\"namespace\":\"%s\",\"uid\":\"u-%s-h\",\"labels\":{"
               "\"app\":\"%s\",\"pod-template-hash\":\"h\"},\"ownerReferences\":[{"
               "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"%s\","
               "\"uid\":\"u-%s\",\"controller\":true}]},\"spec\":{",
               workload->name, workload->namespace_, workload->name, workload->name, workload->name,
               workload->name);
    write_template(workload, ",\"pod-template-hash\":\"h\"", &text);
    buf_append_str(&text, "}}");
    return keep(&workload->replica_set, &text);
}

const struct value *
objects_template(struct sim_workload *workload)
{
    struct buf text;

    if (workload->template_ != NULL) {
        return document_root(workload->template_);
    }
    buf_init(&text, TEXT_MAX);
    buf_printf(&text,
               "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"%s\","
               "\"namespace\":\"%s\",\"uid\":\"%s\"},\"spec\":{\"replicas\":%d,\"selector\":{"
               "\"matchLabels\":{\"app\":\"%s\"}},",
               workload->name, workload->namespace_, workload->name, workload->first_replicas,
               workload->name);
    write_template(workload, "", &text);
    buf_append_str(&text, "}}");
    return keep(&workload->template_, &text);
}

struct document *
objects_guard(const struct sim_cluster *cluster, int node, const struct sim_workload *workload)
{
    struct document *ret = NULL;
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_printf(
        &text,
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"guard-%s-%d\","
        "\"namespace\":\"local\",\"labels\":{\"guards-from\":\"%s\"}},\"spec\":{"
        "\"nodeName\":\"%s-node-%d\",\"containers\":[{\"name\":\"c\"}]},\"status\":{"
        "\"phase\":\"Running\",\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"True\"},{"
        "\"type\":\"Ready\",\"status\":\"True\"}]}}",
        workload->name, node, workload->name, cluster->name, node);
    (void)keep(&ret, &text);
    return ret;
}
