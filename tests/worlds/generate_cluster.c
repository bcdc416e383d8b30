/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters, their nodes, and what their estimators answered.
 */
#include "generate.h"

#include <stdio.h>

static json_t *
some_taint(struct gen *gen)
{
    json_t *taint =
        pack("{s:s,s:s}", "key",
             PICK(gen, "k1", "k1", "k1", "k1", "k2", "cluster.karmada.io/not-ready",
                  "cluster.karmada.io/unreachable", "cluster.karmada.io/cordoned"),
             "effect", PICK(gen, "NoSchedule", "NoExecute", "NoExecute", "PreferNoSchedule"));

    if (percent(gen, 40)) {
        put(taint, "value", json_string(PICK(gen, "v1", "v2")));
    }
    if (percent(gen, 85)) {
        put(taint, "timeAdded", some_time_ago(gen));
    }
    return taint;
}

static json_t *
ready_condition(struct gen *gen, const char *status, int64_t age)
{
    json_t *condition =
        pack("{s:s,s:s,s:s}", "type", "Ready", "status", status, "reason",
             is(status, "True") ? "ClusterReady" : PICK(gen, "ClusterNotReachable", "NotReady"));

    if (percent(gen, 95)) {
        put(condition, "lastTransitionTime", ago(gen, age));
    }
    if (percent(gen, 50)) {
        put(condition, "message", json_string(PICK(gen, "cluster is healthy", "no answer")));
    }
    return condition;
}

static json_t *
some_conditions(struct gen *gen, struct gen_cluster *cluster)
{
    json_t *conditions = json_array();

    if (percent(gen, 30)) {
        json_array_append_new(conditions, pack("{s:s,s:s}", "type", "CompleteAPIEnablements",
                                               "status", PICK(gen, "True", "False")));
    }
    cluster->ready = !chance(gen, THEME_LOST, 45, 10);
    if (cluster->ready) {
        json_array_append_new(conditions, ready_condition(gen, "True", between(gen, 700, 900000)));
    } else if (percent(gen, 90)) {
        static const int ages[] = {10, 59, 60, 61, 200, 299, 300, 301, 600, 1900, 7200};
        const char *status = PICK(gen, "True", "False", "False", "Unknown");

        json_array_append_new(conditions, ready_condition(gen, status, ages[below(gen, 11)]));
    }
    return conditions;
}

static json_t *
api_group(struct gen *gen, const char *group_version, const char *a, const char *b)
{
    json_t *resources = json_array();

    if (!chance(gen, THEME_ODD, 10, 2)) {
        json_array_append_new(resources, pack("{s:s}", "kind", a));
    }
    if (b != NULL && !chance(gen, THEME_ODD, 10, 2)) {
        json_array_append_new(resources, pack("{s:s}", "kind", b));
    }
    return pack("{s:s,s:o}", "groupVersion", group_version, "resources", resources);
}

static json_t *
api_enablements(struct gen *gen)
{
    json_t *groups = json_array();

    if (!chance(gen, THEME_ODD, 8, 1)) {
        json_array_append_new(groups, api_group(gen, "apps/v1", "Deployment", "StatefulSet"));
    }
    json_array_append_new(groups, api_group(gen, "batch/v1", "Job", NULL));
    if (!chance(gen, THEME_ODD, 20, 5)) {
        json_array_append_new(groups, api_group(gen, "example.io/v1", "Foo", "Bar"));
    }
    return groups;
}

static json_t *
amounts(struct gen *gen, int cpu, int memory, int pods)
{
    return pack("{s:o,s:o,s:o}", "cpu", cpu_quantity(gen, cpu), "memory",
                json_sprintf("%dGi", memory), "pods",
                percent(gen, 80) ? json_sprintf("%d", pods) : json_integer(pods));
}

static void
put_summary(struct gen *gen, json_t *cluster)
{
    bool full = chance(gen, THEME_FULL, 60, 10);
    int cpu = between(gen, 4, 16) * 500;
    int used = full ? cpu - between(gen, 0, 2) * 250 : between(gen, 0, 4) * 250;
    int pods = chance(gen, THEME_FULL, 30, 5) ? between(gen, 2, 8) : 110;

    put(cluster, "status.resourceSummary.allocatable", amounts(gen, cpu, 32, pods));
    put(cluster, "status.resourceSummary.allocated",
        amounts(gen, used, between(gen, 0, 16), between(gen, 0, 5)));
    if (percent(gen, 30)) {
        put(cluster, "status.resourceSummary.allocating",
            amounts(gen, between(gen, 0, 2) * 250, between(gen, 0, 2), between(gen, 0, 2)));
    }
    if (percent(gen, 10)) {
        put_key(cluster, "status.resourceSummary.allocatable", "example.com/gpu",
                json_integer(between(gen, 0, 4)));
    }
    if (chance(gen, THEME_SOURCES, 30, 5)) {
        put(cluster, "spec.resourceModels",
            pack("[{s:i,s:[{s:s,s:s,s:s}]},{s:i,s:[{s:s,s:s,s:s}]}]", "grade", 0, "ranges", "name",
                 PICK(gen, "cpu", "cpu", "memory"), "min", "0", "max", "1", "grade", 1, "ranges",
                 "name", "cpu", "min", "1", "max", PICK(gen, "2", "1000")));
        put(cluster, "status.resourceSummary.allocatableModelings",
            pack("[{s:i,s:i},{s:i,s:i}]", "grade", 0, "count", below(gen, 3), "grade", 1, "count",
                 below(gen, 4)));
    }
}

static void
put_place(struct gen *gen, json_t *cluster)
{
    if (percent(gen, 85)) {
        put(cluster, "spec.region", json_string(PICK(gen, "r1", "r2", "r3")));
    }
    if (percent(gen, 85)) {
        put(cluster, "spec.provider", json_string(PICK(gen, "p1", "p2")));
    }
    if (percent(gen, 70)) {
        put(cluster, "spec.zones",
            percent(gen, 70) ? pack("[s]", PICK(gen, "z1", "z2", "z3"))
                             : pack("[s,s]", "z1", "z2"));
    }
    if (percent(gen, 20)) {
        put(cluster, "spec.zone", json_string(PICK(gen, "z1", "z2")));
    }
    put(cluster, "spec.syncMode", json_string(PICK(gen, "Push", "Push", "Pull")));
    put(cluster, "metadata.labels.tier", json_string(PICK(gen, "gold", "silver")));
    if (percent(gen, 60)) {
        put(cluster, "metadata.labels.env", json_string(PICK(gen, "prod", "test")));
    }
}

/* How much of the member is seen. */
static void
choose_sight(struct gen *gen, struct gen_cluster *cluster)
{
    bool blind = chance(gen, THEME_SOURCES, 35, 10);

    cluster->sees_pods = !blind;
    cluster->sees_replica_sets = !blind && !chance(gen, THEME_SOURCES, 15, 2);
    cluster->sees_workloads = !blind && !chance(gen, THEME_SOURCES, 15, 2);
    cluster->sees_nodes = !blind && chance(gen, THEME_TIES, 90, 55);
    cluster->n_nodes = cluster->sees_nodes ? between(gen, 1, 3) : 0;
}

void
generate_cluster(struct gen *gen, int index)
{
    struct gen_cluster *cluster = &gen->clusters[index];
    json_t *object;

    choose_sight(gen, cluster);
    object = pack("{s:s,s:s,s:{s:s,s:s,s:s}}", "apiVersion", "cluster.karmada.io/v1alpha1", "kind",
                  "Cluster", "metadata", "name", cluster->name, "uid",
                  PICK(gen, "u-1", "u-2", "u-3"), "resourceVersion", PICK(gen, "1", "2"));
    put_place(gen, object);
    put(object, "status.conditions", some_conditions(gen, cluster));
    put(object, "status.apiEnablements", api_enablements(gen));
    if (percent(gen, 92)) {
        put_summary(gen, object);
    }
    if (chance(gen, THEME_LOST, 8, 2)) {
        put(object, "metadata.deletionTimestamp", some_time_ago(gen));
    }
    if (chance(gen, THEME_TAINTS, 45, 6)) {
        put(object, "spec.taints", pack("[o]", some_taint(gen)));
        if (percent(gen, 20)) {
            json_array_append_new(at(object, "spec.taints"), some_taint(gen));
        }
    }
    add_object(gen, object);
}

/* A pod of nobody's, which takes room on a node. */
static void
add_bystander(struct gen *gen, int cluster, int node, int cpu)
{
    char name[48], host[48];

    snprintf(name, sizeof(name), "local-%d", node);
    snprintf(host, sizeof(host), "%s-node-%d", gen->clusters[cluster].name, node);
    json_t *pod = member_object(gen, cluster, "v1", "Pod", "local", name);

    put(pod, "spec",
        pack("{s:s,s:[{s:s,s:{s:{s:o}}}]}", "nodeName", host, "containers", "name", "c",
             "resources", "requests", "cpu", cpu_quantity(gen, cpu)));
    put(pod, "status", pack("{s:s}", "phase", "Running"));
    add_object(gen, pod);
}

void
generate_nodes(struct gen *gen, int index)
{
    bool full = chance(gen, THEME_FULL, 60, 10);

    for (int i = 0; i < gen->clusters[index].n_nodes; i++) {
        char name[48];
        int cpu = between(gen, 2, 8) * 500;
        json_t *node;

        snprintf(name, sizeof(name), "%s-node-%d", gen->clusters[index].name, i);
        node = member_object(gen, index, "v1", "Node", "", name);
        put(node, "metadata.labels",
            pack("{s:s,s:s}", "kubernetes.io/hostname", name, "disk", PICK(gen, "ssd", "hdd")));
        int kind = below(gen, 100);

        if (kind < 97) { /* one that has just come does not tell */
            put(node, "status.allocatable", amounts(gen, cpu, 16, kind < 85 ? 110 : 4));
        }
        if (chance(gen, THEME_FULL, 20, 4)) {
            put(node, "spec.unschedulable", json_boolean(percent(gen, 80)));
        }
        if (chance(gen, THEME_FULL, 20, 4)) {
            json_t *taint = pack("{s:s,s:s,s:s}", "key", PICK(gen, "dedicated", "k1"), "effect",
                                 PICK(gen, "NoSchedule", "NoExecute", "PreferNoSchedule"), "value",
                                 PICK(gen, "v1", "v2"));

            if (percent(gen, 30)) {
                put(taint, "timeAdded", some_time_ago(gen));
            }
            put(node, "spec.taints", pack("[o]", taint));
        }
        add_object(gen, node);
        if (percent(gen, 70)) {
            add_bystander(gen, index, i,
                          full ? cpu - 250 * below(gen, 2) : between(gen, 1, 4) * 250);
        }
    }
}

/* Asked about by kind, namespace and name, and by requirements: w0 to w5 of either namespace. */
void
generate_answers(struct gen *gen, int index)
{
    if (!chance(gen, THEME_SOURCES, 60, 4)) {
        return;
    }
    json_t *stuck = json_array(), *room = json_array();
    json_t *answers =
        member_object(gen, index, "ballast.io/v1alpha1", "EstimatorAnswers", "", "answers");
    for (int i = 0; i < gen->n_bindings; i++) {
        if (percent(gen, 50)) {
            json_array_append_new(stuck, pack("{s:s,s:s,s:s,s:o,s:i}", "apiVersion",
                                              PICK(gen, "apps/v1", "apps/v1", "example.io/v1"),
                                              "kind", PICK(gen, "Deployment", "Deployment", "Foo"),
                                              "namespace", binding_namespace(i), "name",
                                              json_sprintf("w%d", i), "replicas", below(gen, 4)));
        }
    }
    for (int i = below(gen, 4); i > 0; i--) {
        json_t *answer = pack("{s:i}", "replicas", below(gen, 12));

        if (percent(gen, 80)) {
            put(answer, "requirements", generate_requirements(gen));
        }
        json_array_append_new(room, answer);
    }
    put(answers, "unschedulableThreshold", json_string(PICK(gen, "5m", "5m", "1m", "10m")));
    put(answers, "unschedulable", stuck);
    put(answers, "available", room);
    add_object(gen, answers);
}

/* What they say about the requirements that bindings have: by dice of their own. */
static void
put_room(const struct gen *gen, json_t *answers, const json_t *binding)
{
    struct gen own = *gen;
    json_t *wanted = at(binding, "spec.replicaRequirements");

    own.random.state ^= UINT64_C(0x726f6f6d) + json_array_size(gen->objects);
    if (wanted != NULL && percent(&own, 60)) {
        json_array_append_new(at(answers, "available"), pack("{s:O,s:i}", "requirements", wanted,
                                                             "replicas", between(&own, 0, 5)));
    }
}

void
generate_set_answers(struct gen *gen)
{
    size_t i, j;
    json_t *answers, *binding;

    json_array_foreach(gen->objects, i, answers)
    {
        if (!is(text_at(answers, "kind"), "EstimatorAnswers")) {
            continue;
        }
        json_t *sets = json_array();

        json_array_foreach(gen->objects, j, binding)
        {
            json_t *components = at(binding, "spec.components");

            put_room(gen, answers, binding);
            if (components != NULL && percent(gen, 75)) {
                json_array_append_new(
                    sets, pack("{s:s,s:O,s:i}", "namespace",
                               percent(gen, 90) ? text_at(binding, "spec.resource.namespace") : "",
                               "components", components, "sets", below(gen, 4)));
            }
        }
        put(answers, "availableSets", sets);
    }
}
