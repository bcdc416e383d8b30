/* SPDX-License-Identifier: Apache-2.0
 *
 * Quotas, override policies, autoscalers, preferences as manifests; failover
 * behaviours and records of earlier moves.
 */
#include "generate.h"

#include <stdio.h>

static json_t *
behavior(struct gen *gen, bool application)
{
    json_t *made = json_object();

    if (application && percent(gen, 85)) {
        put(made, "decisionConditions.tolerationSeconds",
            json_integer(PICK(gen, "0", "1", "2")[0] == '0' ? 60 : 300));
    }
    if (percent(gen, 80)) {
        put(made, "purgeMode",
            json_string(PICK(gen, "Gracefully", "Directly", "Graciously", "Immediately", "Never")));
    }
    if (percent(gen, 30)) {
        put(made, "gracePeriodSeconds", json_integer(between(gen, 0, 600)));
    }
    if (percent(gen, 20)) {
        put(made, "statePreservation.rules",
            pack("[{s:s,s:s}]", "aliasLabelName", PICK(gen, "id", "job-id"), "jsonPath",
                 PICK(gen, "{.id}", "{.missing}", "job-{.id}")));
    }
    return made;
}

json_t *
generate_failover(struct gen *gen)
{
    json_t *failover = json_object();

    if (percent(gen, 80)) {
        put(failover, "application", behavior(gen, true));
    }
    if (percent(gen, 35)) {
        put(failover, "cluster", behavior(gen, false));
    }
    return failover;
}

/* A cluster that the binding is not in, if there is one. */
static const char *
left_cluster(struct gen *gen, const json_t *targets)
{
    const json_t *target;
    size_t index;
    int at = below(gen, gen->n_clusters);

    for (int i = 0; i < gen->n_clusters; i++) {
        const char *name = gen->clusters[(at + i) % gen->n_clusters].name;
        bool is_target = false;

        json_array_foreach(targets, index, target)
        {
            is_target = is_target || is(json_string_value(target), name);
        }
        if (!is_target) {
            return name;
        }
    }
    return gen->clusters[at].name;
}

static json_t *
past_move(struct gen *gen, const json_t *targets)
{
    bool returns = chance(gen, THEME_BALANCE, 90, 0);
    json_t *to = json_array();

    if (json_array_size(targets) > 0) {
        json_array_append_new(to, pack("{s:O,s:i}", "name", json_array_get(targets, 0), "replicas",
                                       between(gen, 1, 3)));
    }
    json_t *move =
        pack("{s:o,s:[{s:s,s:i}],s:o,s:s}", "time", some_time_ago(gen), "from", "name",
             returns ? left_cluster(gen, targets) : gen->clusters[below(gen, gen->n_clusters)].name,
             "replicas", between(gen, 1, 3), "to", to, "reason",
             returns ? "UnhealthyCluster"
                     : PICK(gen, "UnschedulableReplicas", "UnhealthyCluster", "FailedReplicas",
                            "Imbalance", "Undo"));

    if (percent(gen, 10)) {
        put(move, "left",
            pack("[{s:s,s:i}]", "name", gen->clusters[below(gen, gen->n_clusters)].name, "replicas",
                 between(gen, 0, 3)));
        put(move, "to", json_array());
    }
    return move;
}

/* No record at all: drawn beside the rest. */
static const char *
broken_move(const struct gen *gen)
{
    struct gen aside = *gen;

    return PICK(&aside, "{]", "{}", "[]", "null", "\"",
                "{\"time\":\"2026-03-01T11:55:00Z\",\"attempt\":0}",
                "{\"time\":\"yesterday\",\"attempt\":1}",
                "{\"time\":\"2026-03-01T11:55:00Z\",\"attempt\":1,\"from\":[{\"name\":\"\"}]}",
                "{\"time\":\"2026-03-01T11:55:00Z\",\"attempt\":99999999999999999999}");
}

/* The mark of a workload cannot be made here, so that most of these are no record of it: the runs
 * that come after a first one have those that are. */
json_t *
generate_last_move(struct gen *gen, const json_t *targets)
{
    json_t *move = past_move(gen, targets);

    put(move, "attempt", json_integer(between(gen, 1, 4)));
    put(move, "workload", json_integer(between(gen, 0, 2)));
    if (percent(gen, 40)) {
        put(move, "earlier", pack("[o]", past_move(gen, targets)));
    }
    if (percent(gen, 20)) {
        put(move, "deferred", json_integer(between(gen, 0, 3)));
    }
    char *text = json_dumps(move, JSON_COMPACT);
    json_t *made = json_string(percent(gen, 95) ? text : broken_move(gen));

    free(text);
    json_decref(move);
    return made;
}

static void
add_quota(struct gen *gen)
{
    json_t *quota = pack("{s:s,s:s,s:{s:s,s:s},s:{}}", "apiVersion", "policy.karmada.io/v1alpha1",
                         "kind", "FederatedResourceQuota", "metadata", "namespace",
                         PICK(gen, "n1", "n1", "n2"), "name", "quota", "spec");
    json_t *parts = json_array(), *used = json_array();

    if (percent(gen, 70)) {
        put(quota, "spec.overall",
            pack("{s:o}", PICK(gen, "cpu", "requests.cpu"),
                 cpu_quantity(gen, 500 * between(gen, 0, 20))));
        if (percent(gen, 60)) {
            put(quota, "status.overallUsed",
                pack("{s:o}", PICK(gen, "cpu", "requests.cpu"),
                     cpu_quantity(gen, 500 * between(gen, 0, 10))));
        }
    }
    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, 40)) {
            json_array_append_new(parts, pack("{s:s,s:{s:o}}", "clusterName", gen->clusters[i].name,
                                              "hard", PICK(gen, "cpu", "requests.cpu"),
                                              cpu_quantity(gen, 500 * between(gen, 0, 8))));
            json_array_append_new(used, pack("{s:s,s:{s:o}}", "clusterName", gen->clusters[i].name,
                                             "used", PICK(gen, "cpu", "requests.cpu"),
                                             cpu_quantity(gen, 500 * between(gen, 0, 4))));
        }
    }
    put(quota, "spec.staticAssignments", parts);
    put(quota, "status.aggregatedStatus", used);
    add_object(gen, quota);
}

static json_t *
overriders(struct gen *gen)
{
    json_t *made = json_object();
    int die = below(gen, 100);

    if (die < 50) {
        put(made, "plaintext",
            pack("[{s:s,s:s,s:i}]", "path",
                 PICK(gen, "/spec/replicas", "/spec/replicas", "/metadata/x"), "operator",
                 "replace", "value", 2));
    } else if (die < 80) {
        put(made, "fieldOverrider",
            pack("[{s:s,s:[{s:s}]}]", "fieldPath", PICK(gen, "/data/x", "/spec/replicas"),
                 PICK(gen, "json", "yaml"), "subPath", PICK(gen, "/spec/replicas", "/a/b")));
    } else {
        put(made, "labelsOverrider",
            pack("[{s:s,s:{s:s}}]", "operator", PICK(gen, "add", "replace", "remove"), "value",
                 "resourcetemplate.karmada.io/retain-replicas", PICK(gen, "true", "false")));
    }
    return made;
}

static json_t *
override_selector(struct gen *gen)
{
    json_t *selector = pack("{s:s,s:s}", "apiVersion", PICK(gen, "apps/v1", "example.io/v1"),
                            "kind", PICK(gen, "Deployment", "Deployment", "Foo"));

    if (percent(gen, 60)) {
        put(selector, "name", json_string(PICK(gen, "w0", "w1", "w2")));
    }
    if (percent(gen, 40)) {
        put(selector, "namespace", json_string(PICK(gen, "n1", "n2")));
    }
    if (percent(gen, 15)) {
        put(selector, "labelSelector", generate_label_selector(gen, false));
    }
    return selector;
}

static void
add_override(struct gen *gen)
{
    bool cluster_wide = percent(gen, 40);
    json_t *none = json_array();
    json_t *policy = pack("{s:s,s:s,s:{s:s},s:{}}", "apiVersion", "policy.karmada.io/v1alpha1",
                          "kind", cluster_wide ? "ClusterOverridePolicy" : "OverridePolicy",
                          "metadata", "name", PICK(gen, "o1", "o2"), "spec");

    if (!cluster_wide) {
        put(policy, "metadata.namespace", json_string(PICK(gen, "n1", "n2")));
    }
    if (percent(gen, 80)) {
        put(policy, "spec.resourceSelectors", pack("[o]", override_selector(gen)));
    }
    json_t *rule = pack("{s:o}", "overriders", overriders(gen));

    if (percent(gen, 85)) {
        put(rule, "targetCluster", generate_affinity(gen, none));
    }
    if (percent(gen, 70)) {
        put(policy, "spec.overrideRules", pack("[o]", rule));
    } else {
        merge(at(policy, "spec"), rule);
        json_decref(rule);
    }
    json_decref(none);
    add_object(gen, policy);
}

static json_t *
wished_workload(struct gen *gen)
{
    return pack("{s:s,s:s,s:s,s:s}", "apiVersion", PICK(gen, "apps/v1", "example.io/v1"), "kind",
                PICK(gen, "Deployment", "Deployment", "Foo"), "namespace", PICK(gen, "n1", "n2"),
                "name", PICK(gen, "w0", "w1", "w2"));
}

/* Of the same time as others now and then, which only the names tell apart then. */
static void
add_rebalancer(struct gen *gen, const char *name)
{
    json_t *workloads = json_array(), *observed = json_array();
    json_t *rebalancer = pack("{s:s,s:s,s:{s:s}}", "apiVersion", "apps.karmada.io/v1alpha1", "kind",
                              "WorkloadRebalancer", "metadata", "name", name);
    int count = between(gen, 1, 3);

    if (percent(gen, 95)) {
        put(rebalancer, "metadata.creationTimestamp", some_time_ago(gen));
    }
    for (int i = 0; i < count; i++) {
        json_t *workload = wished_workload(gen);

        if (percent(gen, 30)) {
            json_array_append_new(observed,
                                  pack("{s:O,s:s,s:s}", "workload", workload, "result",
                                       PICK(gen, "Successful", "Failed", "Later"), "reason",
                                       PICK(gen, "", "ReferencedBindingNotFound")));
        }
        json_array_append_new(workloads, workload);
    }
    put(rebalancer, "spec.workloads", workloads);
    put(rebalancer, "status.observedWorkloads", observed);
    add_object(gen, rebalancer);
}

static void
add_autoscaler(struct gen *gen)
{
    static const struct {
        const char *kind, *api_version;
    } kinds[] = {{"HorizontalPodAutoscaler", "autoscaling/v2"},
                 {"FederatedHPA", "autoscaling.karmada.io/v1alpha1"},
                 {"CronFederatedHPA", "autoscaling.karmada.io/v1alpha1"},
                 {"ScaledObject", "keda.sh/v1alpha1"}};
    int kind = below(gen, 4);
    json_t *object = pack("{s:s,s:s,s:{s:s,s:s},s:{s:{s:s}}}", "apiVersion",
                          kinds[kind].api_version, "kind", kinds[kind].kind, "metadata",
                          "namespace", PICK(gen, "n1", "n2"), "name", PICK(gen, "hpa", "scaler"),
                          "spec", "scaleTargetRef", "name", PICK(gen, "w0", "w1", "w2"));

    if (kind != 3 || percent(gen, 50)) {
        put(object, "spec.scaleTargetRef.kind",
            json_string(PICK(gen, "Deployment", "Deployment", "Foo")));
    }
    if ((kind == 0 || kind == 3) && percent(gen, 30)) {
        put_key(object, "metadata.annotations", "resource.karmada.io/cached-from-cluster",
                json_string(gen->clusters[below(gen, gen->n_clusters)].name));
    }
    add_object(gen, object);
}

static void
add_interpreter(struct gen *gen)
{
    json_t *object = pack("{s:s,s:s,s:{s:s},s:{s:{s:s,s:s},s:{}}}", "apiVersion",
                          "config.karmada.io/v1alpha1", "kind", "ResourceInterpreterCustomization",
                          "metadata", "name", PICK(gen, "foo", "bar"), "spec", "target",
                          "apiVersion", PICK(gen, "example.io/v1", "example.io/v2"), "kind",
                          PICK(gen, "Foo", "Foo", "Bar"), "customizations");

    if (percent(gen, 80)) {
        put(object, "spec.customizations.replicaRevision",
            pack("{s:s}", "luaScript", "function ReviseReplica(o, n) return o end"));
    }
    add_object(gen, object);
}

static void
add_preference_object(struct gen *gen)
{
    json_t *object =
        pack("{s:s,s:s,s:{s:s,s:s},s:{s:s,s:i,s:o}}", "apiVersion",
             "scheduling.kubefed.io/v1alpha1", "kind", "ReplicaSchedulingPreference", "metadata",
             "namespace", PICK(gen, "n1", "n2"), "name", PICK(gen, "w0", "w1", "w2"), "spec",
             "targetKind", PICK(gen, "FederatedDeployment", "FederatedFoo"), "totalReplicas",
             between(gen, 0, 10), "clusters", preference_clusters(gen));

    if (percent(gen, 70)) {
        put(object, "spec.rebalance", json_boolean(percent(gen, 80)));
    }
    add_object(gen, object);
}

static void
add_weight_policy(struct gen *gen)
{
    json_t *none = json_array();
    json_t *selector = pack("{s:s,s:s}", "apiVersion", PICK(gen, "apps/v1", "example.io/v1"),
                            "kind", PICK(gen, "Deployment", "Foo"));
    json_t *weight = pack("{s:o,s:i}", "targetCluster", generate_affinity(gen, none), "weight",
                          between(gen, 0, 3));

    if (percent(gen, 70)) {
        put(selector, "name", json_string(PICK(gen, "w0", "w1", "w2")));
        if (percent(gen, 20)) {
            put(selector, "labelSelector", generate_label_selector(gen, false));
        }
    }
    if (percent(gen, 50)) {
        put(selector, "namespace", json_string(PICK(gen, "n1", "n2")));
    }
    add_object(gen,
               pack("{s:s,s:s,s:{s:s,s:s},s:{s:[o],s:i,s:{s:[o]}}}", "apiVersion",
                    "policy.karmada.io/v1alpha1", "kind", "ReplicaSchedulingPolicy", "metadata",
                    "namespace", PICK(gen, "n1", "n2"), "name", PICK(gen, "rsp", "weights"), "spec",
                    "resourceSelectors", selector, "totalReplicas", between(gen, 0, 10),
                    "preferences", "staticWeightList", weight));
    json_decref(none);
}

void
generate_others(struct gen *gen)
{
    if (chance(gen, THEME_QUOTA, 80, 4)) {
        add_quota(gen);
    }
    if (chance(gen, THEME_ODD, 15, 3)) {
        add_override(gen);
    }
    if (chance(gen, THEME_ODD, 10, 2)) {
        add_autoscaler(gen);
    }
    if (percent(gen, 30)) { /* else hardly any Foo would move */
        add_interpreter(gen);
    }
    if (chance(gen, THEME_RESCHEDULE, 30, 2)) {
        add_rebalancer(gen, "r1");
    }
    if (chance(gen, THEME_RESCHEDULE, 15, 1)) {
        add_rebalancer(gen, "r2");
    }
    if (chance(gen, THEME_PREFERENCE, 15, 1)) {
        add_preference_object(gen);
    }
    if (chance(gen, THEME_PREFERENCE, 15, 1)) {
        add_weight_policy(gen);
    }
}
