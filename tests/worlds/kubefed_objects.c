/* SPDX-License-Identifier: Apache-2.0
 *
 * Federated Deployments and ReplicaSets, their preferences, what the members
 * show of them, and the configuration that goes with it.
 */
#include <string.h>

#include "kubefed.h"

void
kubefed_generate_config(struct gen *gen)
{
    static const char *const foreign[] = {"mode", "preferences", "schedulerName", "movableKinds",
                                          "members"};

    generate_config(gen);
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        json_object_del(gen->config, foreign[i]);
    }
    json_object_del(at(gen->config, "scope"), "kinds");
    if (percent(gen, 70)) {
        put(gen->config, "failover.kubefed", json_string(PICK(gen, "Keep", "Zero", "Remove")));
    }
}

/* --- overrides --- */

static json_t *
other_override(struct gen *gen, const char *path)
{
    json_t *override = pack("{s:s,s:{s:s,s:n}}", "path", path, "value", "a", "b", "c");

    if (percent(gen, 40)) {
        put(override, "op", json_string(PICK(gen, "add", "replace", "")));
    }
    if (percent(gen, 20)) {
        put(override, "note", json_string("kept"));
    }
    return override;
}

static json_t *
replicas_override(struct gen *gen, int replicas)
{
    json_t *override = pack("{s:s}", "path", REPLICAS_PATH);
    int die = below(gen, 100);

    if (percent(gen, 30)) {
        put(override, "op", json_string(PICK(gen, "replace", "add", "", "remove")));
    }
    if (percent(gen, 20)) {
        put(override, "note", json_null());
    }
    if (die < 92) {
        put(override, "value", json_integer(replicas));
    } else if (die < 96) {
        put(override, "value", json_real((double)replicas + 0.5));
    } else if (die < 98) {
        put(override, "value", json_string("3"));
    }
    return override;
}

/* `replicas` -1: none of them */
static json_t *
override_entry(struct gen *gen, const char *cluster, int replicas)
{
    json_t *list = json_array();
    json_t *entry = pack("{s:s,s:o}", "clusterName", cluster, "clusterOverrides", list);

    if (percent(gen, 20)) {
        json_array_append_new(list, other_override(gen, "/metadata/labels/x"));
    }
    if (replicas >= 0) {
        json_array_append_new(list, replicas_override(gen, replicas));
    }
    if (percent(gen, 15)) {
        json_array_append_new(list, other_override(gen, "/spec/paused"));
    }
    struct gen aside = *gen; /* the rest of the world is as it would be without */

    if (percent(&aside, 3)) { /* before or after that of the replicas */
        int place = below(&aside, (int)json_array_size(list) + 1);

        json_array_insert_new(
            list, (size_t)place,
            pack("{s:s,s:{s:i}}", "path", "/spec", "value", "replicas", below(&aside, 4)));
    }
    if (json_array_size(list) == 0 && percent(gen, 50)) {
        json_object_del(entry, "clusterOverrides");
    }
    if (percent(gen, 10)) {
        put(entry, "note", json_integer(1));
    }
    return entry;
}

static void
put_overrides(struct gen *gen, json_t *object, const int *replicas)
{
    json_t *list = json_array();

    for (int i = 0; i < gen->n_clusters; i++) {
        bool has_number = replicas[i] >= 0 ? percent(gen, 92) : percent(gen, 4);

        if (has_number || percent(gen, 8)) {
            json_array_insert_new(list, (size_t)below(gen, (int)json_array_size(list) + 1),
                                  override_entry(gen, gen->clusters[i].name,
                                                 !has_number        ? -1
                                                 : replicas[i] >= 0 ? replicas[i]
                                                                    : below(gen, 3)));
        }
    }
    if (chance(gen, THEME_ODD, 10, 3)) {
        json_array_insert_new(list, 0, override_entry(gen, "ghost", below(gen, 4) - 1));
    }
    if (json_array_size(list) > 0 || percent(gen, 30)) {
        put(object, "spec.overrides", list);
    } else {
        json_decref(list);
    }
}

/* --- the object --- */

static json_t *
pod_template(struct gen *gen, const char *name)
{
    json_t *container = pack("{s:s}", "name", "c");
    json_t *template = pack("{s:{s:{s:s}},s:{s:[o]}}", "metadata", "labels", "app", name, "spec",
                            "containers", container);

    if (percent(gen, 90)) {
        put(container, "resources.requests.cpu", cpu_quantity(gen, 250 * between(gen, 1, 4)));
    }
    if (percent(gen, 10)) {
        put(container, "resources.requests.memory", json_sprintf("%dMi", 512 * between(gen, 1, 4)));
    }
    if (percent(gen, 3)) {
        put(template, "spec.initContainers",
            pack("[{s:s,s:{s:{s:s}}}]", "name", "i", "resources", "requests", "cpu",
                 PICK(gen, "100m", "1500m")));
    }
    generate_stay_and_whole(gen, at(template, "spec"), 5);
    if (percent(gen, 3)) {
        put(template, "spec.overhead.cpu", json_string(PICK(gen, "50m", "100m")));
    }
    if (percent(gen, 12)) {
        put(template, "spec.nodeSelector.disk", json_string(PICK(gen, "ssd", "hdd")));
    }
    if (percent(gen, 12)) {
        put(template, "spec.tolerations", generate_tolerations(gen));
    }
    if (percent(gen, 4)) {
        put(template, "spec.priorityClassName", json_string(PICK(gen, "high", "low")));
    }
    if (percent(gen, 4)) {
        put(template, "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
            pack("{s:[{s:[o]}]}", "nodeSelectorTerms", "matchExpressions",
                 some_requirement(gen, "disk", "ssd", "hdd")));
    }
    return template;
}

/* Where it is, each with a number, -1: not there. */
static void
put_placement(struct gen *gen, json_t *object, int *replicas)
{
    int die = below(gen, 100);
    json_t *list = json_array();

    for (int i = 0; i < gen->n_clusters; i++) {
        replicas[i] = percent(gen, 60) ? between(gen, 0, 4) : -1;
        if (replicas[i] >= 0) {
            json_t *entry = pack("{s:s}", "name", gen->clusters[i].name);

            if (percent(gen, 10)) {
                put(entry, "note", json_string("x"));
            }
            json_array_insert_new(list, (size_t)below(gen, (int)json_array_size(list) + 1), entry);
        }
    }
    if (chance(gen, THEME_LOST, 12, 3)) {
        json_array_append_new(list, pack("{s:s}", "name", "ghost"));
    }
    put(object, "spec.placement", json_object());
    if (die < 72) {
        put(object, "spec.placement.clusters", list);
    } else {
        json_decref(list);
        if (die < 76) {
            put(object, "spec.placement.clusters", json_null());
        } else if (die < 79) {
            put(object, "spec.placement.clusters", json_array());
        }
    }
    if (percent(gen, die < 72 ? 25 : 80)) {
        put(object, "spec.placement.clusterSelector",
            percent(gen, 50) ? json_object() : generate_label_selector(gen, true));
    }
}

static void
put_status(struct gen *gen, json_t *object, const int *replicas)
{
    json_t *list = json_array();

    for (int i = 0; i < gen->n_clusters; i++) {
        json_t *told = pack("{s:s}", "name", gen->clusters[i].name);

        if (chance(gen, THEME_ODD, 15, 3)) {
            put(told, "status",
                json_string(PICK(gen, "CreationFailed", "UpdateTimedOut", "ClusterNotReady", "")));
        }
        if (replicas[i] > 0 && percent(gen, 15)) {
            put(told, "remoteStatus",
                pack("{s:i,s:i,s:i}", "replicas", replicas[i], "readyReplicas",
                     below(gen, replicas[i] + 1), "updatedReplicas", replicas[i]));
        }
        json_array_append_new(list, told);
    }
    put(object, "status.clusters", list);
}

/* When its clusters were last told, and of which generation: by dice of its own. */
static void
put_propagation(const struct gen *gen, json_t *object)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x70726f);
    if (percent(&own, 80)) {
        put(object, "status.observedGeneration", json_integer(between(&own, 1, 3)));
    }
    if (percent(&own, 70)) {
        put(object, "status.conditions",
            pack("[{s:s,s:s,s:o}]", "type", percent(&own, 90) ? "Propagation" : "Other", "status",
                 "True", "lastUpdateTime", some_time_ago(&own)));
    }
}

static void
put_words(struct gen *gen, json_t *object)
{
    if (percent(gen, 90)) {
        put(object, "metadata.resourceVersion", json_string(PICK(gen, "7", "8")));
    }
    put(object, "metadata.uid", json_string(PICK(gen, "uid-1", "uid-2")));
    put(object, "metadata.generation", json_integer(between(gen, 1, 3)));
    put_key(object, "metadata.labels", "team", json_string(PICK(gen, "a", "b", "c")));
    if (percent(gen, 3)) {
        put_key(object, "metadata.annotations", "ballast.io/deschedule",
                json_string(PICK(gen, "false", "true", "maybe")));
    }
    if (chance(gen, THEME_MEMORY, 40, 2)) {
        put_key(object, "metadata.annotations", "ballast.io/last-move",
                generate_last_move(gen, NULL));
    }
    if (percent(gen, 2)) {
        put(object, "metadata.deletionTimestamp", some_time_ago(gen));
    }
}

/* Mostly what is told to all clusters together. */
static void
add_preference(struct gen *gen, const json_t *object, int sum)
{
    int total = percent(gen, 65) ? sum : sum + between(gen, -4, 4);
    const char *kind = text_at(object, "kind");
    json_t *preference = pack("{s:s,s:s,s:{s:s,s:s},s:{s:s,s:i}}", "apiVersion",
                              "scheduling.kubefed.io/v1alpha1", "kind", PREFERENCE_KIND, "metadata",
                              "namespace", text_at(object, "metadata.namespace"), "name",
                              text_at(object, "metadata.name"), "spec", "targetKind",
                              percent(gen, 97)                  ? kind
                              : percent(gen, 50)                ? "FederatedFoo"
                              : is(kind, "FederatedDeployment") ? "FederatedReplicaSet"
                                                                : "FederatedDeployment",
                              "totalReplicas", percent(gen, 3) || total < 0 ? 0 : total);

    put_words(gen, preference);
    json_object_del(at(preference, "metadata"), "deletionTimestamp");
    if (percent(gen, 45)) {
        put(preference, "spec.rebalance", json_boolean(percent(gen, 50)));
    }
    if (percent(gen, 25)) {
        put(preference, "spec.intersectWithClusterSelector", json_boolean(percent(gen, 60)));
    }
    if (percent(gen, 65)) {
        put(preference, "spec.clusters",
            percent(gen, 15) ? json_object() : preference_clusters(gen));
    }
    add_object(gen, preference);
}

static void
add_autoscaler(struct gen *gen, const json_t *resource)
{
    json_t *object =
        member_object(gen, below(gen, gen->n_clusters), "autoscaling/v2", "HorizontalPodAutoscaler",
                      text_at(resource, "namespace"), PICK(gen, "hpa", "scaler"));

    put(object, "spec.scaleTargetRef",
        pack("{s:s,s:s,s:s}", "apiVersion", "apps/v1", "kind", text_at(resource, "kind"), "name",
             text_at(resource, "name")));
    add_object(gen, object);
}

/* What the members show of it, as generate_member_workload takes it. */
static void
put_members(struct gen *gen, const json_t *object, const int *replicas)
{
    const json_t *request =
        at(json_array_get(at(object, "spec.template.spec.template.spec.containers"), 0),
           "resources.requests");
    json_t *like =
        pack("{s:{s:{s:s,s:s,s:s,s:s}}}", "spec", "resource", "apiVersion", "apps/v1", "kind",
             text_at(object, "kind") + strlen("Federated"), "namespace",
             text_at(object, "metadata.namespace"), "name", text_at(object, "metadata.name"));

    if (request != NULL) {
        put(like, "spec.replicaRequirements.resourceRequest", json_deep_copy(request));
    }
    for (int i = 0; i < gen->n_clusters; i++) {
        if (replicas[i] > 0 || (replicas[i] == 0 && percent(gen, 30))) {
            generate_member_workload(gen, i, like, replicas[i]);
        }
    }
    if (percent(gen, 4)) {
        add_autoscaler(gen, at(like, "spec.resource"));
    }
    json_decref(like);
}

void
kubefed_generate_object(struct gen *gen, int index, bool is_namespaced)
{
    int replicas[CLUSTERS_MAX], sum = 0;
    char name[16];

    snprintf(name, sizeof(name), "w%d", index);
    json_t *object =
        pack("{s:s,s:s,s:{s:s,s:s},s:{s:{s:{s:{s:s}},s:{s:{s:{s:s}},s:o}}}}", "apiVersion",
             "types.kubefed.io/v1beta1", "kind",
             percent(gen, 75) ? "FederatedDeployment" : "FederatedReplicaSet", "metadata", "name",
             name, "namespace",
             is_namespaced && percent(gen, 85) ? CONTROL_NAMESPACE : binding_namespace(index),
             "spec", "template", "metadata", "labels", "team", PICK(gen, "a", "b"), "spec",
             "selector", "matchLabels", "app", name, "template", pod_template(gen, name));

    put_words(gen, object);
    put_placement(gen, object, replicas);
    if (percent(gen, 80)) {
        put(object, "spec.template.spec.replicas", json_integer(between(gen, 0, 5)));
    }
    put_overrides(gen, object, replicas);
    put_status(gen, object, replicas);
    put_propagation(gen, object);
    if (percent(gen, 8)) {
        put(object, "spec.retainReplicas", json_boolean(percent(gen, 50)));
    }
    for (int i = 0; i < gen->n_clusters; i++) {
        sum += replicas[i] > 0 ? replicas[i] : 0;
    }
    put_members(gen, object, replicas);
    add_object(gen, object);
    if (percent(gen, 95)) {
        add_preference(gen, object, sum);
    }
}
