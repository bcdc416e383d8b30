/* SPDX-License-Identifier: Apache-2.0
 *
 * How the clusters are, the disruption guard, and what members show.
 */
#include <string.h>

#include "facts.h"

#define MEMBER "resource.karmada.io/cached-from-cluster"

void
read_objects(struct facts *facts)
{
    size_t index;
    json_t *object;

    json_array_foreach(facts->world->objects, index, object)
    {
        const json_t *metadata = at(object, "metadata");
        const char *member =
            json_string_value(json_object_get(at(metadata, "annotations"), MEMBER));

        if (facts->n_objects < OBJECTS_MAX) {
            facts->objects[facts->n_objects++] = (struct object_facts){
                .json = object,
                .kind = text_at(object, "kind"),
                .namespace_ = text_at(metadata, "namespace"),
                .name = text_at(metadata, "name"),
                .member = member != NULL ? member : "",
            };
        }
    }
}

int
find_name(const struct facts *facts, const char *name)
{
    for (int i = 0; i < facts->n_names; i++) {
        if (is(facts->clusters[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static void
read_cluster(struct facts *facts, const json_t *json)
{
    struct cluster_facts *cluster = &facts->clusters[facts->n_names++];
    const json_t *ready = find_by(at(json, "status.conditions"), "type", "Ready");
    const char *status = text_at(ready, "status");
    int64_t since = seconds_of(text_at(ready, "lastTransitionTime"), INT64_MIN);

    *cluster = (struct cluster_facts){
        .name = text_at(json, "metadata.name"),
        .json = json,
        .deleting = at(json, "metadata.deletionTimestamp") != NULL,
        .health = ready == NULL           ? HEALTH_UNSAID
                  : is(status, "True")    ? HEALTH_READY
                  : is(status, "Unknown") ? HEALTH_UNREACHABLE
                                          : HEALTH_NOT_READY,
        .age = since == INT64_MIN ? INT64_MAX : facts->now - since,
    };
    if (facts->has_pods && !cluster->deleting &&
        (cluster->health == HEALTH_NOT_READY || cluster->health == HEALTH_UNREACHABLE) &&
        !is(text_at(ready, "reason"), "ClusterNotReachable") &&
        is_seen_running(facts->world->objects, cluster->name)) {
        cluster->health = HEALTH_UNTOLD;
    }
}

static bool
is_condition_taint(const json_t *taint)
{
    return is(text_at(taint, "key"), "cluster.karmada.io/not-ready") ||
           is(text_at(taint, "key"), "cluster.karmada.io/unreachable");
}

/* Nobody asks what Karmada says of a cluster that is seen to run. */
bool
drives_away(const struct cluster_facts *cluster, const json_t *tolerations, int64_t now)
{
    if (cluster->health != HEALTH_UNTOLD) {
        return is_driven_away(cluster->json, tolerations, now);
    }
    json_t *copy = json_deep_copy(cluster->json);
    json_t *taints = json_object_get(json_object_get(copy, "spec"), "taints");

    for (size_t i = json_array_size(taints); i-- > 0;) {
        if (is_condition_taint(json_array_get(taints, i))) {
            json_array_remove(taints, i);
        }
    }
    bool away = is_driven_away(copy, tolerations, now);

    json_decref(copy);
    return away;
}

/* Of a malformed pod nobody knows whether it has. */
static bool
is_known_to_have_ended(const json_t *pod)
{
    const char *phase = text_at(pod, "status.phase");

    return !json_is_integer(at(pod, "status.conditions")) &&
           (is(phase, "Failed") || is(phase, "Succeeded"));
}

/* Of the pods on a member's nodes most are ready. */
bool
is_seen_running(const json_t *objects, const char *member)
{
    int ready = 0, all = 0;
    size_t index;
    json_t *object;

    json_array_foreach(objects, index, object)
    {
        const json_t *said = at(object, "metadata.annotations");

        if (is(text_at(object, "kind"), "Pod") && *text_at(object, "spec.nodeName") != '\0' &&
            said != NULL && json_string_value(json_object_get(said, MEMBER)) != NULL &&
            is(json_string_value(json_object_get(said, MEMBER)), member) &&
            !is_known_to_have_ended(object)) {
            const json_t *condition = find_by(at(object, "status.conditions"), "type", "Ready");

            all++;
            ready += is(text_at(condition, "status"), "True") &&
                     at(object, "metadata.deletionTimestamp") == NULL;
        }
    }
    return ready * 2 > all;
}

/* What an object of a member shows to have been looked at. */
static void
note_sight(struct facts *facts, const struct object_facts *object)
{
    int index = find_name(facts, object->member);

    if (index < 0) {
        return;
    }
    struct cluster_facts *cluster = &facts->clusters[index];

    cluster->has_pods = cluster->has_pods || is(object->kind, "Pod");
    cluster->has_nodes = cluster->has_nodes || is(object->kind, "Node");
    cluster->has_deployments = cluster->has_deployments || is(object->kind, "Deployment");
    cluster->has_sets = cluster->has_sets || is(object->kind, "ReplicaSet");
    cluster->has_answers = cluster->has_answers || is(object->kind, "EstimatorAnswers");
}

/* Names that are in a split and have no Cluster. */
static void
note_ghosts(struct facts *facts, const json_t *binding)
{
    size_t index;
    json_t *target;

    json_array_foreach(at(binding, "spec.clusters"), index, target)
    {
        if (find_name(facts, text_at(target, "name")) < 0 && facts->n_names < NAMES_MAX) {
            facts->clusters[facts->n_names++] =
                (struct cluster_facts){.name = text_at(target, "name")};
        }
    }
}

void
read_clusters(struct facts *facts)
{
    for (int i = 0; i < facts->n_objects; i++) {
        if (is(facts->objects[i].kind, "Cluster") && facts->n_names < NAMES_MAX) {
            read_cluster(facts, facts->objects[i].json);
        }
    }
    facts->n_clusters = facts->n_names;
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (*object->member != '\0') {
            note_sight(facts, object);
        } else if (strstr(object->kind, "ResourceBinding") != NULL) {
            note_ghosts(facts, object->json);
        }
    }
}

/* A binding has replicas there. */
static bool
is_held(const struct facts *facts, const char *cluster)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const json_t *binding = facts->objects[i].json;
        const json_t *target = find_by(at(binding, "spec.clusters"), "name", cluster);

        if (strstr(facts->objects[i].kind, "ResourceBinding") != NULL && target != NULL &&
            at(binding, "metadata.deletionTimestamp") == NULL &&
            (integer_at(target, "replicas", 0) > 0 || is_set_of_components(binding))) {
            return true;
        }
    }
    return false;
}

/* Three regions or more group the clusters where the configuration does not say otherwise. */
static bool
is_grouped(const struct facts *facts)
{
    const char *by = text_at(facts->world->config, "guard.groupBy");
    int regions = 0;

    for (int i = 0; i < facts->n_clusters; i++) {
        const char *region = text_at(facts->clusters[i].json, "spec.region");
        bool is_known = *region == '\0';

        for (int k = 0; k < i && !is_known; k++) {
            is_known = is(text_at(facts->clusters[k].json, "spec.region"), region);
        }
        regions += is_known ? 0 : 1;
    }
    return *by == '\0' || is(by, "auto") ? regions >= 3 : !is(by, "none");
}

/* How the clusters stand that the guard looks at. */
struct guard_counts {
    int live, silent, overdue, back, gone; /* of all */
    int counted, not_ready, due;           /* of those that count */
};

static bool
is_overdue(const struct facts *facts, const struct cluster_facts *cluster)
{
    return cluster->json == NULL ||
           (cluster->health != HEALTH_READY && cluster->health != HEALTH_UNTOLD &&
            cluster->health != HEALTH_UNSAID && cluster->age > facts->unhealthy);
}

static bool
is_long_lost(const struct facts *facts, const struct cluster_facts *cluster)
{
    return is_overdue(facts, cluster) && cluster->json != NULL &&
           cluster->age > INT64_C(24) * 3600 && cluster->age != INT64_MAX;
}

/* Ghosts count as lost; what is empty, or lost since yesterday, does not count unless it is ready.
 */
static void
count_for_guard(const struct facts *facts, const struct cluster_facts *cluster,
                struct guard_counts *counts)
{
    bool there = cluster->json != NULL &&
                 (cluster->health == HEALTH_READY || cluster->health == HEALTH_UNTOLD);
    bool is_due = is_overdue(facts, cluster);

    counts->live++;
    counts->silent += !there;
    counts->overdue += is_due;
    counts->back += there && cluster->age < facts->unhealthy;
    if (there || (is_held(facts, cluster->name) && !is_long_lost(facts, cluster))) {
        counts->counted++;
        counts->not_ready += !there;
        counts->due += is_due;
    }
}

/* By the whole fleet alone: with groups, and with clusters that came back a moment ago, whether the
 * guard holds is left open. */
void
read_guard(struct facts *facts)
{
    struct guard_counts n = {0};
    int64_t bound = integer_at(facts->world->config, "maxUnhealthyPercent", 55);

    for (int i = 0; i < facts->n_names; i++) {
        const struct cluster_facts *cluster = &facts->clusters[i];

        if (cluster->deleting) {
            n.gone++;
        } else if (cluster->json != NULL || is_held(facts, cluster->name)) {
            count_for_guard(facts, cluster, &n);
        }
    }
    facts->all_guarded = n.overdue > 0 && n.silent == n.live;
    facts->guarded = facts->all_guarded ||
                     (n.due > 0 && INT64_C(100) * n.not_ready >= bound * (n.counted + n.gone));
    facts->guard_unknown = !facts->all_guarded && (is_grouped(facts) || n.back > 0 ||
                                                   (n.due > 0 && !facts->guarded && bound == 0));
}

/* NULL: nothing controls it. */
static const json_t *
controller_of(const json_t *object)
{
    size_t index;
    json_t *owner;

    json_array_foreach(at(object, "metadata.ownerReferences"), index, owner)
    {
        if (truth_at(owner, "controller")) {
            return owner;
        }
    }
    return NULL;
}

static const json_t *
object_of_member(const struct facts *facts, int cluster, const char *kind, const char *namespace_,
                 const char *name)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->kind, kind) && is(object->name, name) &&
            is(object->namespace_, namespace_) &&
            is(object->member, facts->clusters[cluster].name)) {
            return object->json;
        }
    }
    return NULL;
}

/* The workload that a pod leads to. */
struct leads_to {
    const char *kind, *name, *namespace_;
    bool current; /* of the version that the workload wants now */
};

static struct leads_to
find_workload(const struct facts *facts, const json_t *pod, int cluster)
{
    const json_t *owner = controller_of(pod);
    struct leads_to found = {
        .kind = text_at(owner, "kind"),
        .name = text_at(owner, "name"),
        .namespace_ = text_at(pod, "metadata.namespace"),
        .current = true,
    };

    if (!is(found.kind, "ReplicaSet")) {
        return found;
    }
    const json_t *set =
        object_of_member(facts, cluster, "ReplicaSet", found.namespace_, found.name);

    if (!is(text_at(set, "metadata.uid"), text_at(owner, "uid"))) {
        set = NULL; /* of the same name, and another one */
    }
    owner = controller_of(set);
    found.kind = text_at(owner, "kind");
    found.name = text_at(owner, "name");
    const json_t *workload =
        object_of_member(facts, cluster, "Deployment", found.namespace_, found.name);

    found.current = workload != NULL &&
                    json_equal(at(workload, "spec.template"), at(set, "spec.template")) == 1;
    return found;
}

static int
find_binding_of(const struct facts *facts, const struct leads_to *workload)
{
    for (int i = 0; i < facts->n_bindings && *workload->kind != '\0'; i++) {
        const struct binding_facts *binding = &facts->bindings[i];
        const json_t *resource = at(binding->json, "spec.resource");

        if (is(text_at(resource, "namespace"), workload->namespace_) &&
            is(text_at(resource, "name"), workload->name) &&
            is(text_at(resource, "kind"), workload->kind)) {
            return i;
        }
    }
    return -1;
}

static int64_t
age_since(const struct facts *facts, const char *time)
{
    int64_t since = seconds_of(time, INT64_MIN);

    return since == INT64_MIN ? INT64_MAX : facts->now - since;
}

static bool
waits_in_vain(const json_t *reports)
{
    size_t index;
    json_t *report;

    json_array_foreach(reports, index, report)
    {
        const char *reason = text_at(report, "state.waiting.reason");

        if (*reason != '\0' && !is(reason, "ContainerCreating") && !is(reason, "PodInitializing")) {
            return true;
        }
    }
    return false;
}

static int64_t
requested(const json_t *pod)
{
    int64_t sum = 0;
    size_t index;
    json_t *container;

    json_array_foreach(at(pod, "spec.containers"), index, container)
    {
        sum += milli_of(at(container, "resources.requests.cpu"));
    }
    json_array_foreach(at(pod, "spec.initContainers"), index, container)
    {
        int64_t least = milli_of(at(container, "resources.requests.cpu"));

        sum = least > sum ? least : sum;
    }
    return sum + milli_of(at(pod, "spec.overhead.cpu"));
}

static bool
is_infeasible(const json_t *pod)
{
    const json_t *pending = find_by(at(pod, "status.conditions"), "type", "PodResizePending");

    return is(text_at(pending, "reason"), "Infeasible") ||
           is(text_at(pod, "status.resize"), "Infeasible");
}

/* A container that may be resized in place, with its status among `reports`. */
static int64_t
cpu_in_place(const json_t *pod, const json_t *container, const char *reports)
{
    const json_t *report = find_by(at(pod, reports), "name", text_at(container, "name"));
    int64_t asked = milli_of(at(container, "resources.requests.cpu"));
    int64_t allocated = milli_of(at(report, "allocatedResources.cpu"));
    int64_t actual = milli_of(at(report, "resources.requests.cpu"));
    int64_t told = allocated > actual ? allocated : actual;

    if (at(report, "allocatedResources") == NULL && at(report, "resources") == NULL) {
        return asked;
    }
    return told > asked || is_infeasible(pod) ? told : asked;
}

/* At each moment what runs then, sidecars among it, or what the pod names for all of them. What was
 * made of limits stands in the requests. */
int64_t
cpu_on_node(const json_t *pod)
{
    const json_t *whole = at(pod, "spec.resources.requests.cpu");
    int64_t most = 0, now = 0;
    size_t index;
    json_t *container;

    json_array_foreach(at(pod, "spec.initContainers"), index, container)
    {
        bool stays = is(text_at(container, "restartPolicy"), "Always");
        int64_t with = now + (stays ? cpu_in_place(pod, container, "status.initContainerStatuses")
                                    : milli_of(at(container, "resources.requests.cpu")));

        most = with > most ? with : most;
        now = stays ? with : now;
    }
    json_array_foreach(at(pod, "spec.containers"), index, container)
    {
        now += cpu_in_place(pod, container, "status.containerStatuses");
    }
    most = whole != NULL ? milli_of(whole) : now > most ? now : most;
    most += milli_of(at(pod, "spec.overhead.cpu"));
    return most > requested(pod) || is_infeasible(pod) ? most : requested(pod);
}

static void
read_pod(struct facts *facts, const json_t *json, int cluster)
{
    struct pod_facts *pod = &facts->pods[facts->n_pods++];
    const json_t *conditions = at(json, "status.conditions");
    const json_t *scheduled = find_by(conditions, "type", "PodScheduled");
    const json_t *ready = find_by(conditions, "type", "Ready");
    const char *phase = text_at(json, "status.phase");

    *pod = (struct pod_facts){
        .cluster = cluster,
        .binding = -1,
        .json = json,
        .unread = json_is_integer(conditions),
        .failed = is(phase, "Failed"),
        .finished = is(phase, "Failed") || is(phase, "Succeeded"),
        .terminating = at(json, "metadata.deletionTimestamp") != NULL,
        .ready = is(text_at(ready, "status"), "True"),
        .stuck_for = -1,
        .failing_for = -1,
        .cpu = requested(json),
        .on_node = cpu_on_node(json),
    };
    if (is(text_at(scheduled, "status"), "False") &&
        is(text_at(scheduled, "reason"), "Unschedulable")) {
        /* no pod waits for longer than it exists */
        int64_t age = age_since(facts, text_at(json, "metadata.creationTimestamp"));

        pod->stuck_for = age_since(facts, text_at(scheduled, "lastTransitionTime"));
        pod->stuck_for = pod->stuck_for < age ? pod->stuck_for : age;
    }
    /* how long it fails is the upper bound: since it was created */
    if (pod->failed || waits_in_vain(at(json, "status.containerStatuses")) ||
        waits_in_vain(at(json, "status.initContainerStatuses"))) {
        pod->failing_for = INT64_MAX;
    }
    if (may_go_down_again(json, facts->now)) {
        pod->doubtful = pod->ready;
        pod->ready = false;
        pod->failing_for = INT64_MAX;
    }
    struct leads_to workload = find_workload(facts, json, cluster);

    pod->binding = find_binding_of(facts, &workload);
    pod->current = workload.current;
}

void
read_pods(struct facts *facts)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (*object->member != '\0' && is(object->kind, "Pod") && facts->n_pods < PODS_MAX &&
            find_name(facts, object->member) >= 0) {
            read_pod(facts, object->json, find_name(facts, object->member));
        }
    }
}

int
most_nodes(const json_t *config, const json_t *cluster)
{
    size_t i;
    json_t *rule;

    json_array_foreach(at(config, "growth.clusters"), i, rule)
    {
        const json_t *names = at(rule, "names"), *selector = at(rule, "labelSelector");

        if ((json_array_size(names) == 0 || list_has(names, text_at(cluster, "metadata.name"))) &&
            (selector == NULL || label_selector_takes(selector, at(cluster, "metadata.labels")))) {
            return (int)integer_at(rule, "maxNodes", 0);
        }
    }
    return 0;
}

bool
may_grow(const struct facts *facts, int cluster)
{
    return facts->clusters[cluster].json != NULL &&
           most_nodes(facts->world->config, facts->clusters[cluster].json) > 0;
}
