/* SPDX-License-Identifier: Apache-2.0
 *
 * A world's objects as the API server would give them.
 */
#include <stdio.h>

#include "world.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"

#define RESCHEDULED "2026-02-28T00:00:00Z" /* later than the last scheduling */
#define JUST_NOW "2026-03-01T11:55:00Z"    /* what a member does not show is on its way */

static const char *
minutes_ago(int minutes, char buffer[TIMESTAMP_TEXT_MAX])
{
    return timestamp_format((WORLD_NOW - 60 * (int64_t)minutes) * NANOS_PER_SECOND, buffer);
}

static void
end_object(struct buf *out)
{
    buf_append(out, "", 1);
}

static void
write_taints(const struct world_cluster *cluster, struct buf *out)
{
    char when[TIMESTAMP_TEXT_MAX];

    if (cluster->taint != TAINT_NONE) {
        buf_printf(out, ",\"taints\":[{\"key\":\"%s\",\"effect\":\"%s\",\"timeAdded\":\"%s\"}]",
                   cluster->karmadas ? "cluster.karmada.io/not-ready" : "k",
                   cluster->taint == TAINT_NO_EXECUTE ? "NoExecute" : "NoSchedule",
                   minutes_ago(30, when));
    }
}

static void
write_summary(const struct world *world, int index, struct buf *out)
{
    const struct world_cluster *cluster = &world->clusters[index];

    buf_printf(out,
               ",\"resourceSummary\":{\"allocatable\":{\"cpu\":\"%dm\",\"pods\":\"%d\"},"
               "\"allocated\":{\"cpu\":\"%lldm\",\"pods\":\"%d\"},"
               "\"allocating\":{\"cpu\":\"%lldm\",\"pods\":\"%d\"}}",
               cluster->cpu, WORLD_POD_SLOTS * (cluster->n_nodes > 0 ? cluster->n_nodes : 1),
               (long long)world_taken_cpu(world, index, false) + cluster->used,
               world_taken_pods(world, index, false),
               (long long)world_taken_cpu(world, index, true),
               world_taken_pods(world, index, true));
}

static void
write_cluster(const struct world *world, int index, struct buf *out)
{
    static const char *const statuses[] = {"Unknown", "False", "True"};
    const struct world_cluster *cluster = &world->clusters[index];
    char when[TIMESTAMP_TEXT_MAX];

    buf_printf(out,
               "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\","
               "\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"1\"",
               cluster->name);
    if (cluster->deleting) {
        buf_printf(out, ",\"deletionTimestamp\":\"%s\"", minutes_ago(30, when));
    }
    buf_append_str(out, "},\"spec\":{\"syncMode\":\"Push\"");
    if (cluster->region > 0) {
        buf_printf(out, ",\"region\":\"r%d\"", cluster->region);
    }
    write_taints(cluster, out);
    buf_printf(out,
               "},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"%s\",%s"
               "\"lastTransitionTime\":\"%s\"}]",
               statuses[cluster->ready + 1],
               /* what is lost is, whatever was seen of its pods */
               cluster->ready == 0 ? "\"reason\":\"ClusterNotReachable\"," : "",
               minutes_ago(cluster->ready_minutes, when));
    if (cluster->has_api) {
        buf_append_str(out, ",\"apiEnablements\":[{\"groupVersion\":\"apps/v1\",\"resources\":["
                            "{\"kind\":\"Deployment\",\"name\":\"deployments\"}]}]");
    }
    if (cluster->has_summary) {
        write_summary(world, index, out);
    }
    buf_append_str(out, "}}");
    end_object(out);
}

static void
write_names(const struct world *world, unsigned mask, struct buf *out)
{
    const char *comma = "";

    for (int i = 0; i < world->n_clusters; i++) {
        if ((mask >> i & 1) != 0) {
            buf_printf(out, "%s\"%s\"", comma, world->clusters[i].name);
            comma = ",";
        }
    }
}

static void
write_spread(const struct world_binding *binding, struct buf *out)
{
    if (binding->spread_min == 0 && binding->region_min == 0) {
        return;
    }
    buf_append_str(out, "\"spreadConstraints\":[");
    if (binding->spread_min > 0) {
        buf_printf(out, "{\"spreadByField\":\"cluster\",\"minGroups\":%d,\"maxGroups\":%d}",
                   binding->spread_min, binding->spread_max);
    }
    if (binding->region_min > 0) {
        buf_printf(out, "%s{\"spreadByField\":\"region\",\"minGroups\":%d,\"maxGroups\":%d}",
                   binding->spread_min > 0 ? "," : "", binding->region_min, binding->region_max);
    }
    buf_append_str(out, "],");
}

static void
write_strategy(const struct world *world, const struct world_binding *binding, struct buf *out)
{
    const char *comma = "";

    buf_append_str(out, "\"replicaScheduling\":");
    if (binding->strategy == STRATEGY_DUPLICATED) {
        buf_append_str(out, "{\"replicaSchedulingType\":\"Duplicated\"}");
        return;
    }
    buf_append_str(out, "{\"replicaSchedulingType\":\"Divided\",\"replicaDivisionPreference\":");
    if (binding->strategy == STRATEGY_AGGREGATED) {
        buf_append_str(out, "\"Aggregated\"}");
        return;
    }
    buf_append_str(out, "\"Weighted\",\"weightPreference\":{");
    if (binding->strategy == STRATEGY_DYNAMIC_WEIGHT) {
        buf_append_str(out, "\"dynamicWeight\":\"AvailableReplicas\"}}");
        return;
    }
    buf_append_str(out, "\"staticWeightList\":[");
    for (int i = 0; i < world->n_clusters; i++) {
        if (binding->weights[i] > 0) {
            buf_printf(out, "%s{\"targetCluster\":{\"clusterNames\":[\"%s\"]},\"weight\":%d}",
                       comma, world->clusters[i].name, binding->weights[i]);
            comma = ",";
        }
    }
    buf_append_str(out, "]}}");
}

static void
write_placement(const struct world *world, const struct world_binding *binding, struct buf *out)
{
    buf_append_str(out, "\"placement\":{");
    if (binding->affinity != 0) {
        buf_append_str(out, "\"clusterAffinity\":{\"clusterNames\":[");
        write_names(world, binding->affinity, out);
        buf_append_str(out, "]},");
    }
    if (binding->tolerates) {
        buf_append_str(out, "\"clusterTolerations\":[{\"key\":\"k\",\"operator\":\"Exists\"},"
                            "{\"key\":\"cluster.karmada.io/not-ready\",\"operator\":\"Exists\"}],");
    }
    write_spread(binding, out);
    write_strategy(world, binding, out);
    buf_append_str(out, "}");
}

static const char *
target_name(const struct world *world, int index)
{
    return index < world->n_clusters ? world->clusters[index].name : "ghost";
}

static void
write_targets(const struct world *world, const struct world_binding *binding, struct buf *out)
{
    const char *comma = "";

    buf_append_str(out, ",\"clusters\":[");
    for (int i = 0; i <= world->n_clusters; i++) {
        if (binding->assigned[i]) {
            buf_printf(out, "%s{\"name\":\"%s\",\"replicas\":%d}", comma, target_name(world, i),
                       binding->split[i]);
            comma = ",";
        }
    }
    buf_append_str(out, "]");
}

static void
write_aggregated(const struct world *world, const struct world_binding *binding, struct buf *out)
{
    const char *comma = "";

    buf_append_str(out, "\"aggregatedStatus\":[");
    for (int i = 0; i <= world->n_clusters; i++) {
        const struct world_pods none = {0};
        const struct world_pods *pods = i < world->n_clusters ? &binding->pods[i] : &none;

        if (!binding->reported[i]) {
            continue;
        }
        buf_printf(out, "%s{\"clusterName\":\"%s\",\"applied\":true,\"status\":{\"replicas\":%d",
                   comma, target_name(world, i), pods->ready + pods->stuck + pods->failed);
        if (pods->ready > 0) {
            buf_printf(out, ",\"readyReplicas\":%d", pods->ready);
        }
        buf_append_str(out, "}}");
        comma = ",";
    }
    buf_append_str(out, "]");
}

static void
write_binding_spec(const struct world *world, const struct world_binding *binding, struct buf *out)
{
    buf_printf(out,
               "\"spec\":{\"resource\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
               "\"namespace\":\"n\",\"name\":\"%s\",\"uid\":\"%s\"},\"replicas\":%d,",
               binding->name, binding->name, binding->replicas);
    if (binding->cpu > 0) {
        buf_printf(out, "\"replicaRequirements\":{\"resourceRequest\":{\"cpu\":\"%dm\"}},",
                   binding->cpu);
    }
    write_placement(world, binding, out);
    write_targets(world, binding, out);
    buf_printf(out, ",\"schedulePriority\":{\"priority\":%d}", binding->priority);
    if (binding->suspended) {
        buf_append_str(out, ",\"suspension\":{\"scheduling\":true}");
    }
    if (binding->near != 0 || binding->apart != 0) {
        buf_append_str(out, ",\"workloadAffinityGroups\":{");
        if (binding->near != 0) {
            buf_printf(out, "\"affinityGroup\":\"near=%d\"", binding->near);
        }
        if (binding->apart != 0) {
            buf_printf(out, "%s\"antiAffinityGroup\":\"apart=%d\"", binding->near != 0 ? "," : "",
                       binding->apart);
        }
        buf_append_str(out, "}");
    }
    if (binding->asks_failover) {
        buf_append_str(out, ",\"failover\":{\"application\":{\"decisionConditions\":{"
                            "\"tolerationSeconds\":300},\"purgeMode\":\"Directly\"}}");
    }
    if (binding->fresh) {
        buf_append_str(out, ",\"rescheduleTriggeredAt\":\"" RESCHEDULED "\"");
    }
    buf_append_str(out, ",\"gracefulEvictionTasks\":[");
    for (int i = 0, n = 0; i < world->n_clusters; i++) {
        if ((binding->evicting >> i & 1) != 0) {
            buf_printf(out, "%s{\"fromCluster\":\"%s\",\"reason\":\"r\",\"producer\":\"p\"}",
                       n++ > 0 ? "," : "", world->clusters[i].name);
        }
    }
    buf_append_str(out, "]}");
}

/* In the quotes of a JSON string. */
static void
write_escaped(const char *text, struct buf *out)
{
    for (; *text != '\0'; text++) {
        buf_printf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
}

static void
write_binding(const struct world *world, const struct world_binding *binding, struct buf *out)
{
    const char *mark = binding->partly ? "\"" ANNOTATION_RESCHEDULED_FOR
                                         "\":\"" RESCHEDULED RESCHEDULED_PARTLY "\","
                                       : "\"" ANNOTATION_RESCHEDULED_FOR "\":\"" RESCHEDULED "\",";
    struct buf placement;

    buf_init(&placement, 1 << 16);
    write_placement(world, binding, &placement);
    buf_printf(out,
               "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
               "\"metadata\":{\"name\":\"%s-deployment\",\"namespace\":\"n\","
               "\"resourceVersion\":\"1\",\"labels\":{"
               "\"propagationpolicy.karmada.io/permanent-id\":\"p\"},\"annotations\":{%s"
               "\"" ANNOTATION_PLACED_AT "\":\"" JUST_NOW "\","
               "\"policy.karmada.io/applied-placement\":\"",
               binding->name, binding->rescheduled ? mark : "");
    write_escaped(buf_text(&placement) + sizeof("\"placement\":") - 1, out);
    if (binding->last_move[0] != '\0') {
        buf_append_str(out, "\",\"" ANNOTATION_LAST_MOVE "\":\"");
        write_escaped(binding->last_move, out);
    }
    buf_append_str(out, "\"}},");
    buf_release(&placement);
    write_binding_spec(world, binding, out);
    buf_append_str(out, ",\"status\":{\"lastScheduledTime\":\"2026-02-01T00:00:00Z\",");
    write_aggregated(world, binding, out);
    buf_append_str(out, "}}");
    end_object(out);
}

/* Member objects say which member they are of. */
static void
begin_member_object(const struct world_cluster *cluster, const char *api_version, const char *kind,
                    const char *name, const char *suffix, struct buf *out)
{
    buf_printf(out,
               "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s%s\","
               "\"annotations\":{\"resource.karmada.io/cached-from-cluster\":\"%s\"}",
               api_version, kind, name, suffix, cluster->name);
}

static void
write_template(const struct world_binding *binding, bool hash, struct buf *out)
{
    buf_printf(out,
               "\"template\":{\"metadata\":{\"labels\":{\"app\":\"%s\"%s}},\"spec\":{"
               "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}",
               binding->name, hash ? ",\"pod-template-hash\":\"h\"" : "");
}

static void
write_workload(const struct world_cluster *cluster, const struct world_binding *binding,
               const struct world_pods *pods, struct buf *out)
{
    begin_member_object(cluster, "apps/v1", "Deployment", binding->name, "", out);
    buf_printf(out,
               ",\"namespace\":\"n\",\"uid\":\"u-%s\"},\"spec\":{\"replicas\":%d,"
               "\"selector\":{\"matchLabels\":{\"app\":\"%s\"}},",
               binding->name, pods->ready + pods->stuck + pods->failed, binding->name);
    write_template(binding, false, out);
    buf_printf(out, "},\"status\":{\"readyReplicas\":%d}}", pods->ready);
    end_object(out);
    begin_member_object(cluster, "apps/v1", "ReplicaSet", binding->name, "-h", out);
    buf_printf(out,
               ",\"namespace\":\"n\",\"uid\":\"u-%s-h\",\"labels\":{\"app\":\"%s\","
               "\"pod-template-hash\":\"h\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
               "\"kind\":\"Deployment\",\"name\":\"%s\",\"uid\":\"u-%s\",\"controller\":true}]},"
               "\"spec\":{",
               binding->name, binding->name, binding->name, binding->name);
    write_template(binding, true, out);
    buf_append_str(out, "}}");
    end_object(out);
}

enum pod_state { POD_READY, POD_FAILED, POD_STUCK };

static void
write_pod_status(enum pod_state state, const char *when, struct buf *out)
{
    if (state == POD_STUCK) {
        buf_printf(out,
                   "\"status\":{\"phase\":\"Pending\",\"conditions\":[{\"type\":\"PodScheduled\","
                   "\"status\":\"False\",\"reason\":\"Unschedulable\","
                   "\"lastTransitionTime\":\"%s\"}]}}",
                   when);
        return;
    }
    buf_printf(out,
               "\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"PodScheduled\","
               "\"status\":\"True\"},{\"type\":\"Ready\",\"status\":\"%s\","
               "\"lastTransitionTime\":\"%s\"}],\"containerStatuses\":[{\"name\":\"c\","
               "\"restartCount\":9,\"ready\":%s%s}]}}",
               state == POD_READY ? "True" : "False", when, state == POD_READY ? "true" : "false",
               state == POD_READY ? ""
                                  : ",\"state\":{\"waiting\":{\"reason\":\"CrashLoopBackOff\"}}");
}

static int
node_of(const struct world_cluster *cluster, int number)
{
    return cluster->n_nodes > 0 ? number % cluster->n_nodes : 0;
}

int
world_pods_on_node(const struct world_cluster *cluster, const struct world_pods *pods, int node)
{
    int count = 0;

    for (int number = 0; number < pods->ready + pods->failed; number++) {
        count += node_of(cluster, number) == node ? 1 : 0;
    }
    return count;
}

static void
write_pod(const struct world_cluster *cluster, const struct world_binding *binding, int number,
          enum pod_state state, int minutes, struct buf *out)
{
    char suffix[24];
    char when[TIMESTAMP_TEXT_MAX];

    snprintf(suffix, sizeof(suffix), "-h-%d", number);
    minutes_ago(minutes, when);
    begin_member_object(cluster, "v1", "Pod", binding->name, suffix, out);
    buf_printf(out,
               ",\"namespace\":\"n\",\"creationTimestamp\":\"%s\",\"labels\":{\"app\":\"%s\","
               "\"pod-template-hash\":\"h\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
               "\"kind\":\"ReplicaSet\",\"name\":\"%s-h\",\"uid\":\"u-%s-h\",\"controller\":true}]"
               "},\"spec\":{",
               when, binding->name, binding->name, binding->name);
    if (state != POD_STUCK) {
        buf_printf(out, "\"nodeName\":\"%s-node-%d\",", cluster->name, node_of(cluster, number));
    }
    buf_printf(out,
               "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%dm\"}}}]},",
               binding->cpu);
    write_pod_status(state, when, out);
    end_object(out);
}

static void
write_pods(const struct world_cluster *cluster, const struct world_binding *binding,
           const struct world_pods *pods, struct buf *out)
{
    int number = 0;

    for (int i = 0; i < pods->ready; i++) {
        write_pod(cluster, binding, number++, POD_READY, 120, out);
    }
    for (int i = 0; i < pods->failed; i++) {
        write_pod(cluster, binding, number++, POD_FAILED, pods->minutes, out);
    }
    for (int i = 0; i < pods->stuck; i++) {
        write_pod(cluster, binding, number++, POD_STUCK, pods->minutes, out);
    }
}

static void
write_nodes(const struct world_cluster *cluster, struct buf *out)
{
    for (int i = 0; i < cluster->n_nodes; i++) {
        char suffix[24];

        snprintf(suffix, sizeof(suffix), "-node-%d", i);
        begin_member_object(cluster, "v1", "Node", cluster->name, suffix, out);
        buf_printf(out, "},\"status\":{\"allocatable\":{\"cpu\":\"%dm\",\"pods\":\"%d\"}}}",
                   cluster->node_cpu, WORLD_POD_SLOTS);
        end_object(out);
        begin_member_object(cluster, "v1", "Pod", "local", suffix, out);
        buf_printf(out,
                   ",\"namespace\":\"local\"},\"spec\":{\"nodeName\":\"%s%s\",\"containers\":[{"
                   "\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%dm\"}}}]},"
                   "\"status\":{\"phase\":\"Running\"}}",
                   cluster->name, suffix, cluster->node_used);
        end_object(out);
    }
}

static void
write_quota(const struct world *world, struct buf *out)
{
    bool first = true;

    buf_append_str(out, "{\"apiVersion\":\"policy.karmada.io/v1alpha1\",\"kind\":"
                        "\"FederatedResourceQuota\",\"metadata\":{\"namespace\":\"n\",\"name\":"
                        "\"q\"},\"spec\":{\"overall\":{");
    if (world->quota >= 0) {
        buf_printf(out, "\"cpu\":\"%dm\"", world->quota);
    }
    buf_append_str(out, "},\"staticAssignments\":[");
    for (int c = 0; c < world->n_clusters; c++) {
        if (world->quota_in[c] >= 0) {
            buf_printf(out, "%s{\"clusterName\":\"%s\",\"hard\":{\"requests.cpu\":\"%dm\"}}",
                       first ? "" : ",", world->clusters[c].name, world->quota_in[c]);
            first = false;
        }
    }
    buf_append_str(out, "]}}");
    end_object(out);
}

void
world_write(const struct world *world, struct buf *out)
{
    if (world_has_quota(world)) {
        write_quota(world, out);
    }
    for (int c = 0; c < world->n_clusters; c++) {
        const struct world_cluster *cluster = &world->clusters[c];

        write_cluster(world, c, out);
        world_write_estimator(world, c, out);
        if (!cluster->seen) {
            continue;
        }
        write_nodes(cluster, out);
        for (int b = 0; b < world->n_bindings; b++) {
            const struct world_pods *pods = &world->bindings[b].pods[c];

            /* what is in flight is there already, without pods */
            if (pods->ready + pods->stuck + pods->failed > 0 || world->bindings[b].split[c] > 0) {
                write_workload(cluster, &world->bindings[b], pods, out);
                write_pods(cluster, &world->bindings[b], pods, out);
            }
        }
    }
    for (int b = 0; b < world->n_bindings; b++) {
        write_binding(world, &world->bindings[b], out);
    }
}
