/* SPDX-License-Identifier: Apache-2.0
 *
 * A KubeFed host: its configuration, the kinds and namespaces that it
 * federates, and its clusters.
 */
#include <string.h>

#include "kubefed.h"

#define TYPES_API "types.kubefed.io"

static json_t *
host_object(const char *kind, const char *namespace_, const char *name)
{
    return pack("{s:s,s:s,s:{s:s,s:s}}", "apiVersion", "core.kubefed.io/v1beta1", "kind", kind,
                "metadata", "namespace", namespace_, "name", name);
}

static void
add_config(struct gen *gen, bool is_namespaced)
{
    json_t *config = host_object("KubeFedConfig", CONTROL_NAMESPACE, "kubefed");
    json_t *gates = json_array();

    if (percent(gen, 4)) { /* somebody else's */
        put(config, "metadata.name", json_string("other"));
        add_object(gen, config);
        config = host_object("KubeFedConfig", CONTROL_NAMESPACE, "kubefed");
    }
    if (is_namespaced || percent(gen, 80)) {
        put(config, "spec.scope", json_string(is_namespaced ? "Namespaced" : "Cluster"));
    }
    if (percent(gen, 30)) {
        json_array_append_new(gates, pack("{s:s,s:s}", "name", "PushReconciler", "configuration",
                                          PICK(gen, "Enabled", "Disabled")));
    }
    if (percent(gen, 93)) {
        json_array_append_new(gates, pack("{s:s}", "name", "SchedulerPreferences"));
        if (percent(gen, 97)) {
            put(json_array_get(gates, json_array_size(gates) - 1), "configuration",
                json_string(percent(gen, 92) ? "Disabled" : "Enabled"));
        }
    }
    put(config, "spec.featureGates", gates);
    if (percent(gen, 50)) {
        put(config, "spec.clusterHealthCheck.period", json_string(PICK(gen, "10s", "5s", "1m")));
    }
    add_object(gen, config);
}

static void
add_type(struct gen *gen, const char *kind)
{
    char name[64], federated[64], plural[64];

    snprintf(name, sizeof(name), "%ss.apps", is(kind, "Deployment") ? "deployment" : "replicaset");
    snprintf(federated, sizeof(federated), "Federated%s", kind);
    snprintf(plural, sizeof(plural), "federated%ss",
             is(kind, "Deployment") ? "deployment" : "replicaset");
    json_t *type = host_object("FederatedTypeConfig",
                               percent(gen, 99) ? CONTROL_NAMESPACE : "elsewhere", name);

    put(type, "spec.federatedType",
        pack("{s:s,s:s,s:s,s:s}", "group", TYPES_API, "version", "v1beta1", "kind", federated,
             "pluralName", plural));
    put(type, "spec.targetType",
        pack("{s:s,s:s,s:s}", "group", "apps", "version", "v1", "kind", kind));
    if (percent(gen, 15)) {
        json_object_del(at(type, "spec.federatedType"), "pluralName");
    }
    if (percent(gen, 98)) {
        put(type, "spec.propagation", json_string(percent(gen, 96) ? "Enabled" : "Disabled"));
    }
    if (percent(gen, 3)) {
        put(type, "metadata.deletionTimestamp", some_time_ago(gen));
    }
    add_object(gen, type);
}

json_t *
kubefed_names(struct gen *gen, int share)
{
    json_t *list = json_array();

    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, share)) {
            json_array_append_new(list, pack("{s:s}", "name", gen->clusters[i].name));
        }
    }
    return list;
}

static void
add_namespace(struct gen *gen, const char *name)
{
    json_t *object = pack("{s:s,s:s,s:{s:s,s:s},s:{s:{}}}", "apiVersion", TYPES_API "/v1beta1",
                          "kind", "FederatedNamespace", "metadata", "namespace", name, "name", name,
                          "spec", "placement");
    int die = below(gen, 100);

    if (die < 60) {
        put(object, "spec.placement.clusters", kubefed_names(gen, die < 40 ? 100 : 75));
    } else if (die < 63) {
        put(object, "spec.placement.clusters", json_array());
    } else if (die < 94) {
        put(object, "spec.placement.clusterSelector",
            die < 80 ? json_object() : generate_label_selector(gen, true));
        if (die < 66) { /* ignored beside a list */
            put(object, "spec.placement.clusters", kubefed_names(gen, 75));
        }
    } else if (die < 96) {
        put(object, "spec.placement.clusters", json_null());
    }
    add_object(gen, object);
}

/* --- clusters --- */

static json_t *
probe_condition(struct gen *gen, const char *type, const char *status, int64_t age, int64_t probe)
{
    json_t *condition = pack("{s:s,s:s}", "type", type, "status", status);

    if (percent(gen, 95)) {
        put(condition, "lastTransitionTime", ago(gen, age));
    }
    if (percent(gen, 97)) {
        put(condition, "lastProbeTime", ago(gen, probe));
    }
    if (percent(gen, 70)) {
        put(condition, "reason", json_string(PICK(gen, "ClusterReady", "ClusterNotReachable")));
        put(condition, "message", json_string(PICK(gen, "/healthz responded", "no answer")));
    }
    return condition;
}

static json_t *
probe_conditions(struct gen *gen, struct gen_cluster *cluster, int64_t probe)
{
    static const int ages[] = {10, 59, 60, 61, 200, 299, 300, 301, 600, 1900, 7200};
    json_t *conditions = json_array();
    int64_t age = ages[below(gen, 11)];
    int die = below(gen, 100);

    cluster->ready = !chance(gen, THEME_LOST, 45, 12);
    if (cluster->ready || die < 15) {
        json_array_append_new(
            conditions, probe_condition(gen, "Ready", "True",
                                        cluster->ready ? between(gen, 700, 900000) : age, probe));
        if (percent(gen, 10)) {
            json_array_append_new(conditions, probe_condition(gen, "Offline", "False", age, probe));
        }
    } else if (die < 40) {
        json_array_append_new(conditions, probe_condition(gen, "Ready", "False", age, probe));
        json_array_append_new(conditions, probe_condition(gen, "Offline", "False", age, probe));
    } else if (die < 80) {
        json_array_append_new(conditions, probe_condition(gen, "Offline", "True", age, probe));
    } else if (die < 92) {
        json_array_append_new(conditions,
                              probe_condition(gen, "ConfigMalformed", "True", age, probe));
    }
    return conditions;
}

static void
add_cluster(struct gen *gen, int index, bool is_stale)
{
    static const int fresh[] = {0, 5, 12, 59, 119}, stale[] = {121, 361, 1000, 90000};
    struct gen_cluster *cluster = &gen->clusters[index];
    json_t *object = host_object("KubeFedCluster", CONTROL_NAMESPACE, cluster->name);
    bool old = is_stale || percent(gen, 3);
    bool blind = percent(gen, 7);

    cluster->sees_pods = cluster->sees_workloads = cluster->sees_replica_sets = !blind;
    cluster->sees_nodes = !blind && percent(gen, 95);
    cluster->n_nodes = cluster->sees_nodes ? between(gen, 1, 3) : 0;
    put(object, "metadata.resourceVersion", json_string(PICK(gen, "1", "2")));
    put(object, "metadata.uid", json_string(PICK(gen, "u-1", "u-2")));
    put(object, "metadata.labels.tier", json_string(PICK(gen, "gold", "silver")));
    if (percent(gen, 60)) {
        put(object, "metadata.labels.env", json_string(PICK(gen, "prod", "test")));
    }
    put(object, "status.conditions",
        probe_conditions(gen, cluster, old ? stale[below(gen, 4)] : fresh[below(gen, 5)]));
    if (percent(gen, 30)) {
        put(object, "status.region", json_string(PICK(gen, "r1", "r2")));
        put(object, "status.zones", pack("[s]", PICK(gen, "z1", "z2")));
    }
    if (chance(gen, THEME_LOST, 4, 1)) {
        put(object, "metadata.deletionTimestamp", some_time_ago(gen));
    }
    add_object(gen, object);
}

void
kubefed_generate_host(struct gen *gen, bool is_namespaced)
{
    bool is_stale = percent(gen, 6);

    if (is_namespaced || percent(gen, 93)) {
        add_config(gen, is_namespaced);
    }
    if (percent(gen, 98)) {
        add_type(gen, "Deployment");
    }
    if (percent(gen, 97)) {
        add_type(gen, "ReplicaSet");
    }
    for (int i = 0; i < gen->n_clusters; i++) {
        add_cluster(gen, i, is_stale);
    }
    for (int i = 0; i < 2; i++) {
        if (percent(gen, 97)) {
            add_namespace(gen, i == 0 ? "n1" : "n2");
        }
    }
}

void
kubefed_put_regions(struct gen *gen)
{
    size_t index;
    json_t *object;

    json_array_foreach(gen->objects, index, object)
    {
        if (is(text_at(object, "kind"), "Node") && percent(gen, 40)) {
            put_key(object, "metadata.labels", "topology.kubernetes.io/region",
                    json_string(PICK(gen, "r1", "r1", "r2")));
            put_key(object, "metadata.labels", "topology.kubernetes.io/zone",
                    json_string(PICK(gen, "z1", "z1", "z2")));
        }
    }
}
