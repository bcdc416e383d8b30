/* SPDX-License-Identifier: Apache-2.0
 *
 * What a judge knows of a KubeFed host: read from its JSON, by rules of its own.
 */
#include <math.h>
#include <string.h>

#include "facts.h"
#include "kubefed.h"

#define RETAIN "resourcetemplate.karmada.io/retain-replicas"
#define MEMBER "resource.karmada.io/cached-from-cluster"
#define SILENT_AFTER 120

bool
fed_is_federated(const json_t *object)
{
    return is(text_at(object, "kind"), "FederatedDeployment") ||
           is(text_at(object, "kind"), "FederatedReplicaSet");
}

const char *
fed_member_of(const json_t *object)
{
    const char *member =
        json_string_value(json_object_get(at(object, "metadata.annotations"), MEMBER));

    return member != NULL ? member : "";
}

const json_t *
fed_find(const json_t *objects, const char *kind, const char *namespace_, const char *name)
{
    size_t index;
    json_t *object;

    json_array_foreach(objects, index, object)
    {
        if (is(text_at(object, "kind"), kind) && is(text_at(object, "metadata.name"), name) &&
            is(text_at(object, "metadata.namespace"), namespace_) &&
            *fed_member_of(object) == '\0') {
            return object;
        }
    }
    return NULL;
}

static const json_t *
config_of(const struct fed_facts *facts)
{
    return fed_find(facts->world->objects, "KubeFedConfig", CONTROL_NAMESPACE, "kubefed");
}

/* --- who watches, who writes --- */

/* How long ago the youngest probe of any cluster was; -1: none is known. */
static int64_t
last_probe(const struct fed_facts *facts)
{
    int64_t youngest = -1;
    size_t i, j;
    json_t *object, *condition;

    json_array_foreach(facts->world->objects, i, object)
    {
        if (!is(text_at(object, "kind"), "KubeFedCluster")) {
            continue;
        }
        json_array_foreach(at(object, "status.conditions"), j, condition)
        {
            int64_t probed = seconds_of(text_at(condition, "lastProbeTime"), -1);

            if (probed >= 0 && (youngest < 0 || facts->now - probed < youngest)) {
                youngest = facts->now - probed;
            }
        }
    }
    return youngest;
}

bool
fed_is_stale(const struct fed_facts *facts)
{
    int64_t period = duration_of(text_at(config_of(facts), "spec.clusterHealthCheck.period"), 10);

    return last_probe(facts) > (6 * period > SILENT_AFTER ? 6 * period : SILENT_AFTER);
}

int
fed_scheduler_is_on(const struct fed_facts *facts)
{
    const json_t *config = config_of(facts);
    const json_t *gate = find_by(at(config, "spec.featureGates"), "name", "SchedulerPreferences");

    if (config == NULL || is(text_at(gate, "configuration"), "Disabled") || last_probe(facts) < 0 ||
        fed_is_stale(facts)) {
        return 0;
    }
    return last_probe(facts) < SILENT_AFTER ? 1 : -1;
}

/* --- clusters --- */

static const json_t *
cluster_of(const struct fed_facts *facts, const char *name)
{
    return fed_find(facts->world->objects, "KubeFedCluster", CONTROL_NAMESPACE, name);
}

bool
fed_may_grow(const struct fed_facts *facts, const char *cluster)
{
    const json_t *object = cluster_of(facts, cluster);

    return object != NULL && most_nodes(facts->world->config, object) > 0;
}

static bool
has_condition(const json_t *cluster, const char *type)
{
    return is(text_at(find_by(at(cluster, "status.conditions"), "type", type), "status"), "True");
}

/* KubeFed asked its API server and got no answer. */
static bool
is_not_reachable(const json_t *cluster)
{
    const char *type = has_condition(cluster, "Offline")           ? "Offline"
                       : has_condition(cluster, "ConfigMalformed") ? "ConfigMalformed"
                                                                   : "Ready";

    return is(text_at(find_by(at(cluster, "status.conditions"), "type", type), "reason"),
              "ClusterNotReachable");
}

enum fed_health
fed_health(const struct fed_facts *facts, const char *name)
{
    const json_t *cluster = cluster_of(facts, name);
    const json_t *ready = find_by(at(cluster, "status.conditions"), "type", "Ready");

    if (cluster == NULL) {
        return FED_GONE;
    }
    if (at(cluster, "metadata.deletionTimestamp") != NULL) {
        return FED_DELETED;
    }
    if (!facts->stale && !has_condition(cluster, "Ready") && !is_not_reachable(cluster) &&
        (at(facts->world->config, "members") == NULL ||
         list_has(at(facts->world->config, "members"), "pods")) &&
        is_seen_running(facts->world->objects, name)) {
        return FED_SEEN_RUNNING;
    }
    if (facts->stale || !has_condition(cluster, "Ready") || has_condition(cluster, "Offline") ||
        has_condition(cluster, "ConfigMalformed")) {
        return FED_DOWN;
    }
    return facts->now - seconds_of(text_at(ready, "lastTransitionTime"), 0) < facts->stabilization
               ? FED_SETTLING
               : FED_READY;
}

bool
fed_selects(const struct fed_facts *facts, const json_t *placement, const char *name)
{
    const json_t *list = at(placement, "clusters"), *selector = at(placement, "clusterSelector");
    const json_t *cluster = cluster_of(facts, name);

    if (list != NULL) {
        return find_by(list, "name", name) != NULL;
    }
    return selector != NULL && cluster != NULL &&
           label_selector_takes(selector, at(cluster, "metadata.labels"));
}

/* --- a federated object --- */

static const json_t *
replicas_override(const json_t *object, const char *cluster)
{
    const json_t *entry = find_by(at(object, "spec.overrides"), "clusterName", cluster);

    return find_by(at(entry, "clusterOverrides"), "path", REPLICAS_PATH);
}

int64_t
fed_number(const struct fed_facts *facts, const json_t *object, const char *cluster)
{
    const json_t *override = replicas_override(object, cluster);
    const json_t *value = at(override, "value");

    if (!fed_selects(facts, at(object, "spec.placement"), cluster)) {
        return -1;
    }
    if (override == NULL) {
        return integer_at(object, "spec.template.spec.replicas", 1);
    }
    if (is(text_at(override, "op"), "remove")) {
        return 1; /* as a workload has that does not say */
    }
    return json_is_number(value) ? (int64_t)trunc(json_number_value(value)) : 0;
}

bool
fed_has_entry(const json_t *preference, const char *cluster)
{
    const json_t *clusters = at(preference, "spec.clusters");

    return json_object_size(clusters) == 0 || json_object_get(clusters, cluster) != NULL ||
           json_object_get(clusters, "*") != NULL;
}

bool
fed_failed_in(const json_t *object, const char *cluster)
{
    const char *status = text_at(find_by(at(object, "status.clusters"), "name", cluster), "status");

    return *status != '\0' && !is(status, "ClusterNotReady");
}

static const char *
type_off(const struct fed_facts *facts, const char *kind)
{
    size_t index;
    json_t *type;

    json_array_foreach(facts->world->objects, index, type)
    {
        if (is(text_at(type, "kind"), "FederatedTypeConfig") &&
            is(text_at(type, "metadata.namespace"), CONTROL_NAMESPACE) &&
            is(text_at(type, "spec.federatedType.kind"), kind)) {
            return is(text_at(type, "spec.propagation"), "Enabled") &&
                           at(type, "metadata.deletionTimestamp") == NULL
                       ? ""
                       : "its kind is off";
        }
    }
    return "its kind has no FederatedTypeConfig";
}

/* By an autoscaler, or by the label of the workload itself. */
static bool
leaves_to_member(const json_t *other, const struct fed_object *object)
{
    const char *kind = object->kind + strlen("Federated");
    const json_t *target = at(other, "spec.scaleTargetRef");
    const char *label = json_string_value(json_object_get(at(other, "metadata.labels"), RETAIN));

    if (!is(text_at(other, "metadata.namespace"), object->namespace_)) {
        return false;
    }
    if (is(text_at(other, "kind"), "HorizontalPodAutoscaler")) {
        return is(text_at(target, "name"), object->name) && is(text_at(target, "kind"), kind);
    }
    return label != NULL && is(label, "true") && is(text_at(other, "kind"), kind) &&
           is(text_at(other, "metadata.name"), object->name) &&
           (!is(kind, "ReplicaSet") || at(other, "metadata.ownerReferences") == NULL);
}

bool
fed_is_scaled_in(const struct fed_facts *facts, const struct fed_object *object,
                 const char *cluster)
{
    size_t index;
    json_t *other;

    json_array_foreach(facts->world->objects, index, other)
    {
        if (is(fed_member_of(other), cluster) && leaves_to_member(other, object)) {
            return true;
        }
    }
    return false;
}

bool
fed_is_scaled(const struct fed_facts *facts, const struct fed_object *object)
{
    json_t *names = fed_cluster_names(facts, object), *name;
    bool any = false;
    size_t index;

    json_array_foreach(names, index, name)
    {
        const char *cluster = json_string_value(name);

        any = any || (fed_number(facts, object->before, cluster) >= 0 &&
                      fed_is_scaled_in(facts, object, cluster));
    }
    json_decref(names);
    return any;
}

static bool
opted_out(const struct fed_object *object)
{
    const char *key = "ballast.io/deschedule";
    const char *value =
        json_string_value(json_object_get(at(object->preference, "metadata.annotations"), key));

    if (value == NULL) {
        value = json_string_value(json_object_get(at(object->before, "metadata.annotations"), key));
    }
    return value != NULL && !is(value, "true");
}

bool
fed_is_whole(const json_t *object, const char *cluster)
{
    const json_t *list =
        at(find_by(at(object, "spec.overrides"), "clusterName", cluster), "clusterOverrides");
    bool is_whole = false;
    json_t *override;
    size_t i;

    json_array_foreach(list, i, override)
    {
        const char *path = text_at(override, "path");

        is_whole = is(path, "/spec") || (is_whole && !is(path, REPLICAS_PATH));
    }
    return is_whole;
}

/* Where it is, in a cluster that is there. */
static bool
is_set_whole(const struct fed_facts *facts, const struct fed_object *object)
{
    json_t *entry;
    size_t i;

    json_array_foreach(at(object->before, "spec.overrides"), i, entry)
    {
        const char *cluster = text_at(entry, "clusterName");

        if (fed_is_whole(object->before, cluster) && fed_health(facts, cluster) != FED_GONE &&
            fed_number(facts, object->before, cluster) >= 0) {
            return true;
        }
    }
    return false;
}

const char *
fed_left_alone(const struct fed_facts *facts, const struct fed_object *object)
{
    const char *off = type_off(facts, object->kind);

    if (*off != '\0') {
        return off;
    }
    if (object->is_namespaced ? !is(object->namespace_, CONTROL_NAMESPACE)
                              : object->bounds == NULL) {
        return "its namespace is not federated";
    }
    if (object->preference == NULL) {
        return "it has no preference";
    }
    if (truth_at(object->before, "spec.retainReplicas")) {
        return "it retains replicas";
    }
    if (at(object->before, "metadata.deletionTimestamp") != NULL) {
        return "it is being deleted";
    }
    if (opted_out(object)) {
        return "it is opted out";
    }
    if (is_set_whole(facts, object)) {
        return "an override of all of spec sets its replicas";
    }
    return "";
}

struct fed_object
fed_object_of(const struct fed_facts *facts, const json_t *json)
{
    const json_t *objects = facts->world->objects;
    struct fed_object object = {
        .before = json,
        .kind = text_at(json, "kind"),
        .namespace_ = text_at(json, "metadata.namespace"),
        .name = text_at(json, "metadata.name"),
        .is_namespaced = is(text_at(config_of(facts), "spec.scope"), "Namespaced"),
    };
    const json_t *bounds =
        fed_find(objects, "FederatedNamespace", object.namespace_, object.namespace_);

    object.after = fed_find(facts->after, object.kind, object.namespace_, object.name);
    object.preference = fed_find(objects, PREFERENCE_KIND, object.namespace_, object.name);
    object.preference_after =
        fed_find(facts->after, PREFERENCE_KIND, object.namespace_, object.name);
    if (!is(text_at(object.preference, "spec.targetKind"), object.kind)) {
        object.preference = NULL;
    }
    object.bounds = object.is_namespaced ? NULL : at(bounds, "spec.placement");
    return object;
}

json_t *
fed_cluster_names(const struct fed_facts *facts, const struct fed_object *object)
{
    json_t *names = json_array();
    size_t index;
    json_t *other;

    json_array_foreach(facts->world->objects, index, other)
    {
        if (is(text_at(other, "kind"), "KubeFedCluster")) {
            json_array_append(names, at(other, "metadata.name"));
        }
    }
    for (int i = 0; i < 2; i++) {
        const json_t *side = i == 0 ? object->before : object->after;

        json_array_foreach(at(side, "spec.placement.clusters"), index, other)
        {
            if (!list_has(names, text_at(other, "name"))) {
                json_array_append(names, at(other, "name"));
            }
        }
    }
    return names;
}
