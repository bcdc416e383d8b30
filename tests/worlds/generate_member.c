/* SPDX-License-Identifier: Apache-2.0
 *
 * What a member shows of a binding's workload: the workload, its ReplicaSets,
 * and its pods in every state.
 */
#include "generate.h"

#include <stdio.h>
#include <string.h>

struct show {
    int cluster;
    const char *kind, *api_version, *namespace_, *name;
    const json_t *requirements;
    bool two_versions, is_foreign;
};

/* A condition of a pod. */
static json_t *
condition(struct gen *gen, const char *type, const char *status, const char *reason)
{
    json_t *made = pack("{s:s,s:s,s:o}", "type", type, "status", status, "lastTransitionTime",
                        some_time_ago(gen));

    if (*reason != '\0') {
        put(made, "reason", json_string(reason));
        put(made, "message", json_string(PICK(gen, "0/3 nodes are available", "no room")));
    }
    return made;
}

static json_t *
container_report(struct gen *gen, const char *name, bool ready)
{
    json_t *report = pack("{s:s,s:b,s:i}", "name", name, "ready", (int)ready, "restartCount",
                          percent(gen, 70) ? below(gen, 3) : below(gen, 300));

    if (percent(gen, 50)) { /* the last run, from start to end */
        json_t *times[2] = {some_time_ago(gen), some_time_ago(gen)};
        bool is_first = strcmp(json_string_value(times[0]), json_string_value(times[1])) <= 0;

        put(report, "lastState.terminated",
            pack("{s:s,s:i,s:o,s:o}", "reason", PICK(gen, "Error", "OOMKilled"), "exitCode",
                 between(gen, 0, 2), "startedAt", times[is_first ? 0 : 1], "finishedAt",
                 times[is_first ? 1 : 0]));
    }
    if (ready) {
        if (percent(gen, 70)) {
            put(report, "state.running.startedAt", some_time_ago(gen));
        }
        return report;
    }
    if (percent(gen, 70)) {
        put(report, "state.waiting",
            pack("{s:s,s:s}", "reason",
                 PICK(gen, "CrashLoopBackOff", "ImagePullBackOff", "ContainerCreating",
                      "CreateContainerConfigError"),
                 "message",
                 PICK(gen, "back-off 5m0s restarting failed container", "no such image")));
    } else {
        put(report, "state.terminated",
            pack("{s:s,s:i}", "reason", PICK(gen, "Error", "OOMKilled"), "exitCode",
                 between(gen, 1, 137)));
    }
    return report;
}

/* Kubelets since Kubernetes 1.33 say what a container was given, and what it has. */
static void
put_in_place(struct gen *gen, json_t *report, const json_t *request)
{
    static const char *const amounts[] = {"50m", "400m", "900m", "1600m"};

    if (request == NULL || percent(gen, 50)) {
        return;
    }
    put(report, "allocatedResources", json_deep_copy(request));
    put(report, "resources.requests", json_deep_copy(request));
    if (percent(gen, 85)) {
        return;
    }
    if (percent(gen, 70)) {
        put(report, "allocatedResources.cpu", json_string(amounts[below(gen, 4)]));
    }
    if (percent(gen, 60)) {
        put(report, "resources.requests.cpu", json_string(amounts[below(gen, 4)]));
    }
}

/* What waits may have preempted others. */
static void
put_nominated(struct gen *gen, json_t *status, const struct show *show)
{
    const struct gen_cluster *cluster = &gen->clusters[show->cluster];

    if (cluster->n_nodes > 0 && percent(gen, 6)) {
        put(status, "nominatedNodeName",
            json_sprintf("%s-node-%d", cluster->name, below(gen, cluster->n_nodes)));
    }
}

/* A resize that waits for room, or that no node can bring about. */
static void
put_resize(struct gen *gen, json_t *status)
{
    if (percent(gen, 5)) {
        json_array_append_new(
            at(status, "conditions"),
            condition(gen, "PodResizePending", "True", PICK(gen, "Deferred", "Infeasible")));
    }
    if (percent(gen, 2)) {
        put(status, "resize", json_string(PICK(gen, "Proposed", "Infeasible")));
    }
}

enum state { READY, STUCK, FAILING, STARTING, FINISHED, FAILED, N_STATES };

static void
put_report(struct gen *gen, json_t *status, const struct show *show, enum state state)
{
    json_t *report = container_report(gen, "c", state == READY);

    put(status, "containerStatuses", pack("[o]", report));
    put_in_place(gen, report, at(show->requirements, "resourceRequest"));
    put_resize(gen, status);
}

/* Of a sidecar, or of what ended before the others began. */
static void
put_init_report(struct gen *gen, json_t *status, enum state state)
{
    json_t *report =
        container_report(gen, percent(gen, 70) ? "s" : "i", state == READY || percent(gen, 50));

    put(status, "initContainerStatuses", pack("[o]", report));
    if (percent(gen, 50)) {
        put(report, "resources.requests.cpu", json_string(PICK(gen, "100m", "700m")));
    }
}

/* Of a pod that had a scheduling gate it has no time. */
static json_t *
unscheduled(struct gen *gen)
{
    json_t *scheduled =
        condition(gen, "PodScheduled", "False", percent(gen, 95) ? "Unschedulable" : "Gated");

    if (percent(gen, 5)) {
        put(scheduled, "lastTransitionTime", json_null());
    }
    return scheduled;
}

static json_t *
pod_status(struct gen *gen, const struct show *show, enum state state)
{
    static const char *const phases[] = {"Running", "Pending",   "Running",
                                         "Pending", "Succeeded", "Failed"};
    json_t *conditions = json_array();
    json_t *status = pack("{s:s,s:o}", "phase", phases[state], "conditions", conditions);

    if (state == STUCK) {
        json_array_append_new(conditions, unscheduled(gen));
        put_nominated(gen, status, show);
        return status;
    }
    json_array_append_new(conditions, condition(gen, "PodScheduled", "True", ""));
    if (percent(gen, 50)) {
        json_array_append_new(
            conditions, condition(gen, "Initialized",
                                  state == FAILING && percent(gen, 20) ? "False" : "True", ""));
    }
    json_array_append_new(conditions,
                          condition(gen, "Ready", state == READY ? "True" : "False", ""));
    if (state == FAILED && percent(gen, 60)) {
        put(status, "reason", json_string(PICK(gen, "Evicted", "NodeLost")));
    }
    if (state == READY || state == FAILING) {
        put_report(gen, status, show, state);
    }
    if ((state == FAILING && percent(gen, 15)) || (state == READY && percent(gen, 10))) {
        put_init_report(gen, status, state);
    }
    return status;
}

static void
put_sidecar_and_whole(struct gen *gen, json_t *spec)
{
    if (percent(gen, 5)) {
        json_t *sidecar = pack("{s:s,s:s,s:{s:{s:s}}}", "name", "s", "restartPolicy",
                               percent(gen, 80) ? "Always" : "OnFailure", "resources", "requests",
                               "cpu", PICK(gen, "100m", "500m"));

        if (at(spec, "initContainers") == NULL) {
            put(spec, "initContainers", json_array());
        }
        json_array_insert_new(at(spec, "initContainers"), 0, sidecar);
    }
    if (percent(gen, 3)) {
        put(spec, "resources.requests.cpu", json_string(PICK(gen, "500m", "1250m")));
    }
}

/* A class has one priority, but for one that was made anew. */
static void
put_priority(struct gen *gen, json_t *spec)
{
    static const struct {
        const char *name, *policy;
        int priority;
    } classes[] = {
        {"high", "PreemptLowerPriority", 1000},
        {"high", "PreemptLowerPriority", 1000},
        {"high", "Never", 900},
        {"low", "PreemptLowerPriority", -10},
        {"low", "PreemptLowerPriority", -10},
        {"", "PreemptLowerPriority", 5},
    };
    int i = below(gen, (int)(sizeof(classes) / sizeof(classes[0])));

    if (percent(gen, 80)) {
        return;
    }
    put(spec, "priority", json_integer(classes[i].priority));
    put(spec, "preemptionPolicy", json_string(classes[i].policy));
    if (*classes[i].name != '\0') {
        put(spec, "priorityClassName", json_string(classes[i].name));
    }
}

static json_t *
pod_spec(struct gen *gen, const struct show *show, enum state state)
{
    const struct gen_cluster *cluster = &gen->clusters[show->cluster];
    json_t *container = pack("{s:s}", "name", "c");
    json_t *spec = pack("{s:[o]}", "containers", container);
    json_t *request = at(show->requirements, "resourceRequest");

    if (request != NULL) {
        put(container, "resources.requests", json_deep_copy(request));
    }
    if (state != STUCK) {
        put(spec, "nodeName",
            json_sprintf("%s-node-%d", cluster->name,
                         cluster->n_nodes > 0 ? below(gen, cluster->n_nodes) : 0));
    }
    if (percent(gen, 5)) {
        put(spec, "initContainers",
            pack("[{s:s,s:{s:{s:s}}}]", "name", "i", "resources", "requests", "cpu",
                 PICK(gen, "100m", "1500m")));
    }
    if (percent(gen, 3)) {
        put(spec, "overhead.cpu", json_string(PICK(gen, "50m", "100m")));
    }
    put_sidecar_and_whole(gen, spec);
    generate_device_claim(gen, spec, 1);
    put_priority(gen, spec);
    generate_pod_affinity(gen, spec, show->kind, 4);
    generate_host_port(gen, spec, 5);
    generate_volume(gen, spec, 8);
    return spec;
}

static json_t *
owner(const char *api_version, const char *kind, const char *name, const char *uid)
{
    return pack("[{s:s,s:s,s:s,s:s,s:b}]", "apiVersion", api_version, "kind", kind, "name", name,
                "uid", uid, "controller", 1);
}

/* Those that its controller gives it. */
static void
put_given_labels(struct gen *gen, json_t *pod, const struct show *show, bool old)
{
    json_t *labels = at(pod, "metadata.labels");
    const char *name = text_at(pod, "metadata.name");

    if (is(show->kind, "Deployment")) {
        json_object_set_new(labels, "pod-template-hash", json_string(old ? "old" : "new"));
    } else if (is(show->kind, "StatefulSet")) {
        json_object_set_new(labels, "controller-revision-hash",
                            json_string(PICK(gen, "v1", "v1", "v2")));
        json_object_set_new(labels, "statefulset.kubernetes.io/pod-name", json_string(name));
        json_object_set_new(labels, "apps.kubernetes.io/pod-index",
                            json_string(strrchr(name, '-') + 1));
    } else if (is(show->kind, "Job")) {
        json_object_set_new(labels, "job-name", json_string(show->name));
        json_object_set_new(labels, "batch.kubernetes.io/job-name", json_string(show->name));
        json_object_set_new(labels, "controller-uid", json_sprintf("u-Job-%s", show->name));
        json_object_set_new(labels, "batch.kubernetes.io/controller-uid",
                            json_sprintf("u-Job-%s", show->name));
    } else { /* as an Argo Rollout does */
        json_object_set_new(labels, "rollouts-pod-template-hash", json_string(old ? "old" : "new"));
    }
}

static void
add_pod(struct gen *gen, const struct show *show, int number, enum state state)
{
    bool old = show->two_versions && percent(gen, 30);
    bool by_set = is(show->kind, "Deployment");
    char name[80], controller[64], uid[96], of_pod[96];
    json_t *pod;

    snprintf(controller, sizeof(controller), by_set ? "%s-%s" : "%s", show->name,
             old ? "old" : "new");
    snprintf(name, sizeof(name), "%s-%d", controller, number);
    snprintf(uid, sizeof(uid), "u-%s-%s", by_set ? "ReplicaSet" : show->kind, controller);
    snprintf(of_pod, sizeof(of_pod), "u-%s", name);
    pod = member_object(gen, show->cluster, "v1", "Pod", show->namespace_, name);
    put(pod, "metadata.uid", json_string(of_pod));
    put(pod, "metadata.labels.app", json_string(show->name));
    put_given_labels(gen, pod, show, old);
    put(pod, "metadata.ownerReferences",
        owner(by_set ? "apps/v1" : show->api_version, by_set ? "ReplicaSet" : show->kind,
              controller, uid));
    if (percent(gen, 3)) {
        json_array_insert_new(at(pod, "metadata.ownerReferences"), 0,
                              pack("{s:s,s:s,s:s,s:s,s:b}", "apiVersion", "v1", "kind", "ConfigMap",
                                   "name", "other", "uid", "other", "controller", 0));
    }
    put(pod, "metadata.creationTimestamp", some_time_ago(gen));
    if (percent(gen, 4)) {
        put(pod, "metadata.deletionTimestamp", some_time_ago(gen));
    }
    put(pod, "spec", pod_spec(gen, show, state));
    put(pod, "status", pod_status(gen, show, state));
    add_object(gen, pod);
}

static void
put_template(json_t *object, const char *path, const struct show *show, bool old)
{
    put(object, path,
        pack("{s:{s:{s:s}},s:{s:[{s:s,s:s}]}}", "metadata", "labels", "app", show->name, "spec",
             "containers", "name", "c", "image", old ? "i:1" : "i:2"));
}

/* What tells whether pods that are not there are still to come. */
static void
put_prospects(struct gen *gen, json_t *workload, bool is_job)
{
    if (percent(gen, 50)) {
        put(workload, "metadata.creationTimestamp", some_time_ago(gen));
    }
    if (is_job && percent(gen, 20)) {
        put(workload, "spec.suspend", json_boolean(percent(gen, 70)));
    }
    if (percent(gen, is_job ? 30 : 8)) {
        put(workload, "status.conditions",
            pack("[{s:s,s:s,s:s,s:s,s:o}]", "type",
                 is_job ? PICK(gen, "Complete", "Failed", "Suspended") : "ReplicaFailure", "status",
                 PICK(gen, "True", "True", "True", "False"), "reason", "FailedCreate", "message",
                 "exceeded quota", "lastTransitionTime", some_time_ago(gen)));
    }
}

static void
add_replica_set(struct gen *gen, const struct show *show, bool old)
{
    char name[64], uid[80], of_owner[80];

    snprintf(name, sizeof(name), "%s-%s", show->name, old ? "old" : "new");
    snprintf(uid, sizeof(uid), "u-ReplicaSet-%s", name);
    snprintf(of_owner, sizeof(of_owner), "u-Deployment-%s", show->name);
    json_t *set =
        member_object(gen, show->cluster, "apps/v1", "ReplicaSet", show->namespace_, name);

    put(set, "metadata.uid", json_string(uid));
    put(set, "metadata.labels",
        pack("{s:s,s:s}", "app", show->name, "pod-template-hash", old ? "old" : "new"));
    put(set, "metadata.ownerReferences", owner("apps/v1", "Deployment", show->name, of_owner));
    put_template(set, "spec.template", show, old);
    put_prospects(gen, set, false);
    put(set, "metadata.creationTimestamp", some_time_ago(gen));
    add_object(gen, set);
}

/* What Karmada, and who owns the replicas, write on it. */
static void
put_marks(struct gen *gen, const struct show *show, json_t *workload)
{
    if (chance(gen, THEME_ODD, 10, 3)) {
        put_key(workload, "metadata.labels", "resourcetemplate.karmada.io/retain-replicas",
                json_string(PICK(gen, "true", "false")));
    }
    if (gen->marks_managed && percent(gen, show->is_foreign ? 3 : 98)) {
        put_key(workload, "metadata.labels", "karmada.io/managed", json_string("true"));
    }
    if (percent(gen, 60)) {
        put_key(workload, "metadata.annotations", "resourcetemplate.karmada.io/generation",
                json_string(PICK(gen, "1", "1", "2", "no")));
    }
}

/* By dice of its own: how far a Job is, and how a Deployment goes on. */
static void
put_progress(const struct gen *gen, const struct show *show, json_t *workload)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x6a6f62);
    if (is(show->kind, "Deployment") && percent(&own, 20)) {
        put(workload, "spec.strategy.type",
            json_string(percent(&own, 70) ? "Recreate" : "RollingUpdate"));
    }
    if (is(show->kind, "Job")) {
        generate_job_progress(&own, workload);
    }
}

/* How far its controller is. */
static void
put_rollout(struct gen *gen, const struct show *show, json_t *workload)
{
    put(workload, "status.observedGeneration",
        json_integer(percent(gen, 85) ? 3 : between(gen, 1, 2)));
    if (is(show->kind, "Deployment") && percent(gen, 5)) {
        put(workload, "spec.paused", json_boolean(percent(gen, 80)));
    }
}

static void
add_workload(struct gen *gen, const struct show *show, int replicas, int ready)
{
    bool is_job = is(show->kind, "Job");
    char uid[80];
    json_t *workload = member_object(gen, show->cluster, show->api_version, show->kind,
                                     show->namespace_, show->name);

    snprintf(uid, sizeof(uid), "u-%s-%s", show->kind, show->name);
    put(workload, "metadata.uid", json_string(uid));
    put(workload, "metadata.generation", json_integer(between(gen, 1, 3)));
    put_marks(gen, show, workload);
    if (is(show->kind, "StatefulSet") && percent(gen, 70)) {
        put(workload, "status.updateRevision", json_string(PICK(gen, "v1", "v2")));
    }
    /* a ReplicaSet that something controls is not the one that was propagated */
    if (percent(gen, 2) && !is(show->kind, "ReplicaSet")) {
        put(workload, "metadata.ownerReferences",
            owner("example.io/v1", "Foo", PICK(gen, "w0", "other"), "u-Foo-w0"));
    }
    put(workload, is_job ? "spec.parallelism" : "spec.replicas", json_integer(replicas));
    put(workload, is_job ? "status.ready" : "status.readyReplicas", json_integer(ready));
    if (is_job && percent(gen, 10)) {
        put(workload, "status.conditions",
            pack("[{s:s,s:s}]", "type", PICK(gen, "Complete", "Failed", "Suspended"), "status",
                 PICK(gen, "True", "True", "False")));
    }
    if (is(show->kind, "StatefulSet") && percent(gen, 15)) {
        put(workload, "spec.ordinals.start", json_integer(between(gen, 0, 3)));
    }
    if (!is_job) {
        put_rollout(gen, show, workload);
    }
    put(workload, "spec.selector",
        percent(gen, 80) ? pack("{s:{s:s}}", "matchLabels", "app", show->name)
                         : pack("{s:[{s:s,s:s,s:[s]}]}", "matchExpressions", "key", "app",
                                "operator", "In", "values", show->name));
    put_template(workload, "spec.template", show, false);
    put_prospects(gen, workload, is_job);
    put_progress(gen, show, workload);
    add_object(gen, workload);
}

static enum state
some_state(struct gen *gen)
{
    if (chance(gen, THEME_STUCK, 45, 7)) {
        return STUCK;
    }
    if (chance(gen, THEME_FAILED, 45, 5)) {
        return FAILING;
    }
    return percent(gen, 92) ? READY : (enum state)between(gen, STARTING, N_STATES - 1);
}

/* What is assigned, less what has not started yet, more what is not stopped yet. */
static int
shown(struct gen *gen, int replicas)
{
    int die = below(gen, 100);
    int count = die < 85 ? replicas : die < 95 ? replicas - between(gen, 1, 2) : replicas + 1;

    return count < 0 ? 0 : count;
}

static struct show
show_of(const json_t *binding, int cluster)
{
    return (struct show){
        .cluster = cluster,
        .kind = text_at(binding, "spec.resource.kind"),
        .api_version = text_at(binding, "spec.resource.apiVersion"),
        .namespace_ = text_at(binding, "spec.resource.namespace"),
        .name = text_at(binding, "spec.resource.name"),
        .requirements = at(binding, "spec.replicaRequirements"),
    };
}

/* In a cluster that it has not chosen, an object of its name: another's, or what is left of it. */
void
generate_foreign(struct gen *gen, const json_t *binding, const json_t *names)
{
    int cluster = below(gen, gen->n_clusters);
    struct show show = show_of(binding, cluster);

    show.is_foreign = percent(gen, 80);

    if (gen->clusters[cluster].sees_workloads && !list_has(names, gen->clusters[cluster].name)) {
        add_workload(gen, &show, between(gen, 0, 3), between(gen, 0, 1));
    }
}

/* By dice of its own: pods that a kubelet ended, and the last `count` objects are pods that came
 * after them. */
static void
add_ended(const struct gen *gen, const struct show *show, int count)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x656e646564);
    if (!percent(&own, 8)) {
        return;
    }
    const int ended = between(&own, 1, 30), oldest = between(&own, 1, 60 * 60);
    const bool are_young = percent(&own, 70);
    const size_t n = json_array_size(own.objects);

    for (int i = 0; i < ended; i++) {
        add_pod(&own, show, 100 + i, FAILED);
        put(json_array_get(own.objects, json_array_size(own.objects) - 1),
            "metadata.creationTimestamp", ago(&own, oldest - oldest * i / (2 * ended)));
    }
    for (int i = 0; i < count && are_young; i++) {
        put(json_array_get(own.objects, n - 1 - (size_t)i), "metadata.creationTimestamp",
            ago(&own, between(&own, 1, 65)));
    }
}

/* By dice of its own: one of the last `count` objects, which are pods, is malformed. KubeFed's own
 * scheduler goes by single pods. */
static void
spoil_pod(const struct gen *gen, const json_t *binding, int count)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x73706f696c);
    if (count > 0 && is(text_at(binding, "kind"), "ResourceBinding") && percent(&own, 2)) {
        put(json_array_get(own.objects,
                           json_array_size(own.objects) - 1 - (size_t)below(&own, count)),
            "status.conditions", json_integer(7));
    }
}

int
generate_member_workload(struct gen *gen, int cluster, const json_t *binding, int replicas)
{
    const struct gen_cluster *member = &gen->clusters[cluster];
    struct show show = show_of(binding, cluster);

    show.two_versions = percent(gen, 12);
    int count = shown(gen, replicas), ready = 0;

    for (int i = 0; i < count; i++) {
        enum state state = some_state(gen);

        ready += state == READY ? 1 : 0;
        if (member->sees_pods) {
            add_pod(gen, &show, i, state);
        }
    }
    if (member->sees_pods) {
        spoil_pod(gen, binding, count);
        add_ended(gen, &show, count);
    }
    if (member->sees_workloads && (count > 0 || percent(gen, 50))) {
        add_workload(gen, &show, replicas, ready);
    }
    if (member->sees_replica_sets && is(show.kind, "Deployment")) {
        add_replica_set(gen, &show, false);
        if (show.two_versions) {
            add_replica_set(gen, &show, true);
        }
    }
    return ready;
}
