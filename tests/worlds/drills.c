/* SPDX-License-Identifier: Apache-2.0
 *
 * What drills are made of.
 */
#include "drills.h"

#include <stdio.h>

json_t *
drill_cluster(struct gen *gen, int number, int cpu, int used)
{
    struct gen_cluster *own = &gen->clusters[number - 1];

    gen->n_clusters = number > gen->n_clusters ? number : gen->n_clusters;
    snprintf(own->name, sizeof(own->name), "m%d", number);
    json_t *cluster =
        pack("{s:s,s:s,s:{s:s,s:s}}", "apiVersion", "cluster.karmada.io/v1alpha1", "kind",
             "Cluster", "metadata", "name", own->name, "resourceVersion", "1");

    put(cluster, "status.conditions",
        pack("[{s:s,s:s,s:s,s:o}]", "type", "Ready", "status", "True", "reason", "ClusterReady",
             "lastTransitionTime", ago(gen, 500000)));
    put(cluster, "status.apiEnablements",
        pack("[{s:s,s:[{s:s},{s:s}]},{s:s,s:[{s:s}]}]", "groupVersion", "apps/v1", "resources",
             "kind", "Deployment", "kind", "StatefulSet", "groupVersion", "batch/v1", "resources",
             "kind", "Job"));
    put(cluster, "status.resourceSummary",
        pack("{s:{s:i,s:s,s:i},s:{s:i,s:s,s:i}}", "allocatable", "cpu", cpu, "memory", "900Gi",
             "pods", 200, "allocated", "cpu", used, "memory", "0", "pods", used));
    add_object(gen, cluster);
    return cluster;
}

void
drill_lose(struct gen *gen, json_t *cluster, int64_t since, const char *reason)
{
    put(cluster, "status.conditions",
        pack("[{s:s,s:s,s:s,s:o}]", "type", "Ready", "status",
             percent(gen, 50) ? "False" : "Unknown", "reason", reason, "lastTransitionTime",
             ago(gen, since)));
}

void
drill_node(struct gen *gen, int number, int index, int cpu)
{
    char name[32];

    snprintf(name, sizeof(name), "m%d-node-%d", number, index);
    json_t *node = member_object(gen, number - 1, "v1", "Node", "", name);

    put_key(node, "metadata.labels", "kubernetes.io/hostname", json_string(name));
    put(node, "status.allocatable",
        pack("{s:i,s:s,s:i}", "cpu", cpu, "memory", "90Gi", "pods", 99));
    add_object(gen, node);
}

json_t *
drill_names(int first, int second)
{
    json_t *names = json_array();

    json_array_append_new(names, json_sprintf("m%d", first));
    json_array_append_new(names, json_sprintf("m%d", second));
    return names;
}

/* By room, in few clusters, or by weights that are the same for all. */
static json_t *
some_division(struct gen *gen)
{
    int die = below(gen, 100);

    if (die < 25) {
        return pack("{s:s,s:s}", "replicaSchedulingType", "Divided", "replicaDivisionPreference",
                    "Aggregated");
    }
    json_t *division = pack("{s:s,s:s}", "replicaSchedulingType", "Divided",
                            "replicaDivisionPreference", "Weighted");

    put(division, "weightPreference",
        die < 75 ? pack("{s:s}", "dynamicWeight", "AvailableReplicas")
                 : pack("{s:[{s:{},s:i}]}", "staticWeightList", "targetCluster", "weight", 1));
    return division;
}

json_t *
drill_binding(struct gen *gen, const char *namespace_, const char *name, const char *kind,
              json_t *only)
{
    json_t *binding =
        pack("{s:s,s:s,s:{s:s,s:s,s:s,s:i,s:{s:s}},s:{s:{s:s,s:s,s:s,s:s},s:i,s:[]},s:{s:o,s:[]}}",
             "apiVersion", "work.karmada.io/v1alpha2", "kind", "ResourceBinding", "metadata",
             "namespace", namespace_, "name", name, "resourceVersion", "7", "generation", 2,
             "labels", "propagationpolicy.karmada.io/permanent-id", name, "spec", "resource",
             "apiVersion", is(kind, "Job") ? "batch/v1" : "apps/v1", "kind", kind, "namespace",
             namespace_, "name", name, "replicas", 0, "clusters", "status", "lastScheduledTime",
             ago(gen, 900000), "aggregatedStatus");

    put(binding, "spec.replicaRequirements.resourceRequest.cpu", json_string("1"));
    put(binding, "spec.placement.clusterAffinity.clusterNames", only);
    put(binding, "spec.placement.replicaScheduling", some_division(gen));
    char *applied = json_dumps(at(binding, "spec.placement"), JSON_COMPACT);

    put_key(binding, "metadata.annotations", "policy.karmada.io/applied-placement",
            json_string(applied));
    free(applied);
    add_object(gen, binding);
    gen->n_bindings++;
    return binding;
}

void
drill_assign(json_t *binding, int number, int replicas, int ready)
{
    json_t *cluster = json_sprintf("m%d", number);
    int64_t before = integer_at(binding, "spec.replicas", 0);

    put(binding, "spec.replicas", json_integer(before + replicas));
    json_array_append_new(at(binding, "spec.clusters"),
                          pack("{s:O,s:i}", "name", cluster, "replicas", replicas));
    json_t *said = pack("{s:o,s:b}", "clusterName", cluster, "applied", 1);

    if (is(text_at(binding, "spec.resource.kind"), "Job")) { /* it counts no replicas */
        put(said, "status.active", json_integer(ready));
    } else {
        put(said, "status", pack("{s:i,s:i}", "replicas", replicas, "readyReplicas", ready));
    }
    json_array_append_new(at(binding, "status.aggregatedStatus"), said);
}

static json_t *
owner_of(const char *api_version, const char *kind, const char *name, const char *uid)
{
    return pack("[{s:s,s:s,s:s,s:s,s:b}]", "apiVersion", api_version, "kind", kind, "name", name,
                "uid", uid, "controller", 1);
}

json_t *
drill_workload(struct gen *gen, const json_t *binding, int number, int wanted, int64_t made)
{
    const json_t *resource = at(binding, "spec.resource");
    const char *kind = text_at(resource, "kind"), *name = text_at(resource, "name");
    const char *namespace_ = text_at(resource, "namespace");
    json_t *workload =
        member_object(gen, number - 1, text_at(resource, "apiVersion"), kind, namespace_, name);
    json_t *template = pack("{s:{s:{s:s}},s:{s:[{s:s,s:s}]}}", "metadata", "labels", "app", name,
                            "spec", "containers", "name", "c", "image", "i:1");

    put(workload, "metadata.uid", json_sprintf("u-%s", name));
    put(workload, "metadata.generation", json_integer(1));
    put(workload, "metadata.creationTimestamp", ago(gen, made));
    put_key(workload, "metadata.labels", "karmada.io/managed", json_string("true"));
    put(workload, is(kind, "Job") ? "spec.parallelism" : "spec.replicas", json_integer(wanted));
    put(workload, "spec.selector.matchLabels.app", json_string(name));
    put(workload, "spec.template", json_deep_copy(template));
    put(workload, "status.observedGeneration", json_integer(1));
    add_object(gen, workload);
    if (is(kind, "Deployment")) {
        char set_name[64];

        snprintf(set_name, sizeof(set_name), "%s-rs", name);
        json_t *set = member_object(gen, number - 1, "apps/v1", "ReplicaSet", namespace_, set_name);

        put(set, "metadata.uid", json_sprintf("u-%s", set_name));
        put(set, "metadata.labels.app", json_string(name));
        put(set, "metadata.creationTimestamp", ago(gen, made));
        put(set, "metadata.ownerReferences",
            owner_of("apps/v1", "Deployment", name, text_at(workload, "metadata.uid")));
        put(set, "spec.template", json_deep_copy(template));
        add_object(gen, set);
    }
    json_decref(template);
    return workload;
}

static json_t *
pod_status(struct gen *gen, const struct drill_pods *pods)
{
    static const char *const waits[] = {[POD_READY] = "",
                                        [POD_STUCK] = "",
                                        [POD_HANGS] = "ContainerCreating",
                                        [POD_UNREADY] = "",
                                        [POD_CRASHES] = "CrashLoopBackOff",
                                        [POD_PULLS] = "ImagePullBackOff"};
    bool ready = pods->state == POD_READY;

    if (pods->state == POD_STUCK) {
        return pack("{s:s,s:[{s:s,s:s,s:s,s:o}]}", "phase", "Pending", "conditions", "type",
                    "PodScheduled", "status", "False", "reason", "Unschedulable",
                    "lastTransitionTime", ago(gen, pods->since));
    }
    json_t *container = pack("{s:s,s:b,s:i}", "name", "c", "ready", (int)ready, "restartCount", 0);

    if (*waits[pods->state] != '\0') {
        put(container, "state.waiting.reason", json_string(waits[pods->state]));
    }
    return pack("{s:s,s:[{s:s,s:s,s:o},{s:s,s:s,s:o}],s:[o]}", "phase",
                pods->state == POD_HANGS || pods->state == POD_PULLS ? "Pending" : "Running",
                "conditions", "type", "PodScheduled", "status", "True", "lastTransitionTime",
                ago(gen, pods->made), "type", "Ready", "status", ready ? "True" : "False",
                "lastTransitionTime", ago(gen, pods->since), "containerStatuses", container);
}

void
drill_pods(struct gen *gen, const json_t *binding, const struct drill_pods *pods)
{
    const json_t *resource = at(binding, "spec.resource");
    const char *kind = text_at(resource, "kind"), *name = text_at(resource, "name");
    bool by_set = is(kind, "Deployment");

    for (int i = pods->first; i < pods->first + pods->count; i++) {
        char controller[64], pod_name[80], uid[80];

        snprintf(controller, sizeof(controller), "%s%s", name, by_set ? "-rs" : "");
        snprintf(pod_name, sizeof(pod_name), "%s-%d", controller, i);
        snprintf(uid, sizeof(uid), "u-%s", controller);
        json_t *pod = member_object(gen, pods->number - 1, "v1", "Pod",
                                    text_at(resource, "namespace"), pod_name);

        put(pod, "metadata.uid", json_sprintf("u-%s-m%d", pod_name, pods->number));
        put(pod, "metadata.labels.app", json_string(name));
        put(pod, "metadata.creationTimestamp", ago(gen, pods->made));
        put(pod, "metadata.ownerReferences",
            owner_of(by_set ? "apps/v1" : text_at(resource, "apiVersion"),
                     by_set ? "ReplicaSet" : kind, controller, uid));
        put(pod, "spec",
            pack("{s:[{s:s,s:{s:{s:s}}}]}", "containers", "name", "c", "resources", "requests",
                 "cpu", "1"));
        if (pods->state != POD_STUCK) {
            put(pod, "spec.nodeName", json_sprintf("m%d-node-0", pods->number));
        }
        put(pod, "status", pod_status(gen, pods));
        add_object(gen, pod);
    }
}

static void
expect(struct gen *gen, const char *binding, const char *why, json_t *rest)
{
    put(rest, "binding", json_string(binding));
    put(rest, "why", json_string(why));
    json_array_append_new(gen->expected, rest);
}

void
drill_expect(struct gen *gen, const char *binding, const char *why, json_t *clusters)
{
    expect(gen, binding, why, pack("{s:o}", "clusters", clusters));
}

void
drill_expect_more(struct gen *gen, const char *binding, const char *why, int number, int than)
{
    json_t *rest = json_object();

    put(rest, "more", json_sprintf("m%d", number));
    put(rest, "than", json_integer(than));
    expect(gen, binding, why, rest);
}

void
drill_expect_finding(struct gen *gen, const char *binding, const char *type, bool is_told)
{
    expect(gen, binding, is_told ? "it is to be found" : "it is not so",
           pack("{s:s,s:b}", "finding", type, "told", (int)is_told));
}

void
drill_generate(struct gen *gen, struct world *world)
{
    static void (*const drills[])(struct gen *) = {
        drill_phantom,   drill_ordinals,  drill_barren, drill_failing, drill_record,
        drill_agent,     drill_cooldown,  drill_guard,  drill_taint,   drill_copies,
        drill_federated, drill_karmada08, drill_costly, drill_spread};

    gen->n_clusters = gen->n_bindings = 0;
    gen->expected = json_array();
    gen->config =
        pack("{s:s,s:s}", "apiVersion", "ballast.io/v1alpha1", "kind", "BallastConfiguration");
    int drill = below(gen, (int)(sizeof(drills) / sizeof(drills[0])));

    drills[drill](gen);
    *world = (struct world){.objects = gen->objects,
                            .config = gen->config,
                            .expected = gen->expected,
                            .is_kubefed = drills[drill] == drill_federated,
                            .as_karmada08 = drills[drill] == drill_karmada08};
}
