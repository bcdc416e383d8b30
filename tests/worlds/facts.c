/* SPDX-License-Identifier: Apache-2.0
 *
 * A binding and its targets: what is assigned, seen, ready and stuck, where it
 * may go, and who must leave it alone.
 */
#include "facts.h"

#include <string.h>
#include <strings.h>

/* They trigger where the configuration does not say otherwise. */
static const char *const triggers[] = {"UnschedulableReplicas", "FailedReplicas",
                                       "UnhealthyCluster", "ReplicaMismatch",
                                       "RescheduleRequested"};

bool
trigger_is_on(const struct facts *facts, const char *type)
{
    const json_t *said = at(facts->world->config, "triggers");
    bool on = false;

    for (size_t i = 0; i < sizeof(triggers) / sizeof(triggers[0]); i++) {
        on = on || is(triggers[i], type);
    }
    if (json_is_array(said)) {
        return list_has(said, type);
    }
    if (is(type, "UnhealthyCluster") && at(said, "unhealthyClusters") != NULL) {
        return truth_at(said, "unhealthyClusters");
    }
    return at(said, type) != NULL ? truth_at(said, type) : on;
}

/* Karmada's own failover shows: by its taints, or by what its taint manager has begun. */
/* Within the hour some run saw a task of the taint manager. */
static bool
was_seen_evicting(const struct facts *facts, const json_t *binding)
{
    const char *when = json_string_value(
        json_object_get(at(binding, "metadata.annotations"), "ballast.io/karmada-failover"));
    int64_t at_second = when != NULL ? seconds_of(when, -1) : -1;

    return at_second >= 0 && at_second <= facts->now + 300 && facts->now - at_second <= 3600;
}

static bool
karmada_is_at_work(const struct facts *facts)
{
    const char *karmada = text_at(facts->world->config, "failover.karmada");

    if (is(karmada, "Leave") || is(karmada, "Ignore")) {
        return is(karmada, "Leave");
    }
    for (int i = 0; i < facts->n_clusters; i++) {
        const json_t *taint =
            find_by(at(facts->clusters[i].json, "spec.taints"), "effect", "NoExecute");

        if (strncmp(text_at(taint, "key"), "cluster.karmada.io/", 19) == 0) {
            return true;
        }
    }
    for (int i = 0; i < facts->n_bindings; i++) {
        if (find_by(at(facts->bindings[i].json, "spec.gracefulEvictionTasks"), "producer",
                    "TaintManager") != NULL ||
            was_seen_evicting(facts, facts->bindings[i].json)) {
            return true;
        }
    }
    return false;
}

/* The binding is to stay for longer than the cluster has not been ready. */
static bool
outlasts(const struct facts *facts, const struct binding_facts *binding,
         const struct cluster_facts *cluster)
{
    const json_t *config = facts->world->config;
    const json_t *tolerations = at(binding->placement, "clusterTolerations");
    bool unreachable = cluster->health == HEALTH_UNREACHABLE;
    json_t *taint =
        pack("{s:s,s:s}", "key",
             unreachable ? "cluster.karmada.io/unreachable" : "cluster.karmada.io/not-ready",
             "effect", "NoExecute");
    const json_t *toleration = find_toleration(tolerations, taint);
    int64_t seconds = integer_at(config,
                                 unreachable ? "failover.unreachableTolerationSeconds"
                                             : "failover.notReadyTolerationSeconds",
                                 0);

    if (toleration != NULL) {
        seconds = integer_at(toleration, "tolerationSeconds", INT64_MAX);
    }
    json_decref(taint);
    return !drives_away(cluster, tolerations, facts->now) &&
           (seconds == INT64_MAX || seconds > cluster->age);
}

/* Whose turn it is where a cluster is lost, as docs/dev/failover.md has it. */
static enum turn
turn_of(const struct facts *facts, const struct binding_facts *binding, int index)
{
    const struct cluster_facts *cluster = &facts->clusters[index];
    bool is_there = cluster->json != NULL && !cluster->deleting;

    if (is_there && karmada_is_at_work(facts) && has_no_execute(cluster->json)) {
        return TURN_KARMADAS;
    }
    if (is_there && cluster->health != HEALTH_READY && outlasts(facts, binding, cluster)) {
        return TURN_TOLERATED;
    }
    const struct cluster_facts by_taint = {.json = cluster->json, .health = HEALTH_UNTOLD};
    bool is_ordered =
        cluster->json != NULL && truth_at(facts->world->config, "failover.operatorTaints") &&
        drives_away(&by_taint, at(binding->placement, "clusterTolerations"), facts->now);

    if (!trigger_is_on(facts, "UnhealthyCluster") && !is_ordered) {
        return TURN_SWITCHED_OFF;
    }
    return facts->guarded ? TURN_GUARD : TURN_OURS;
}

static bool
has_api(const json_t *cluster, const json_t *resource)
{
    const json_t *group = find_by(at(cluster, "status.apiEnablements"), "groupVersion",
                                  text_at(resource, "apiVersion"));

    return find_by(at(group, "resources"), "kind", text_at(resource, "kind")) != NULL;
}

static bool
has_spread_fields(const json_t *placement, const json_t *cluster)
{
    size_t index;
    json_t *constraint;

    json_array_foreach(at(placement, "spreadConstraints"), index, constraint)
    {
        const char *field = text_at(constraint, "spreadByField");

        if ((is(field, "region") && *text_at(cluster, "spec.region") == '\0') ||
            (is(field, "provider") && *text_at(cluster, "spec.provider") == '\0') ||
            (is(field, "zone") && json_array_size(at(cluster, "spec.zones")) == 0)) {
            return false;
        }
    }
    return true;
}

/* Of a workload of components the report counts pods, and what is out of scope it does not list:
 * what is written says where it is. */
static const json_t *
split_after(const struct binding_facts *binding)
{
    if (binding->item != NULL && json_array_size(at(binding->json, "spec.components")) == 0) {
        return at(binding->item, "after");
    }
    const json_t *written = at(binding->patch, "spec.clusters");

    return written != NULL ? written : at(binding->json, "spec.clusters");
}

/* Whether the binding may be in the cluster, and may come to it. */
static void
read_fit(const struct facts *facts, const struct binding_facts *binding,
         const struct cluster_facts *cluster, struct target_facts *target)
{
    bool has_fields = has_spread_fields(binding->placement, cluster->json);

    target->in_affinity = placement_matches(binding->placement, cluster->json, binding->overflows);
    target->refused = !every_term_matches(binding->placement, cluster->json, binding->overflows) ||
                      !has_fields || target->evicting;
    target->overridden = is_overridden(facts, binding->json, cluster->json) ||
                         (!binding->scaled && is_scaled_in(facts, binding->json, cluster->name));
    target->fit =
        target->in_affinity && has_fields && !target->evicting && !target->overridden &&
        !target->suspended && !is_foreign_in(facts, binding->json, cluster->name) &&
        has_api(cluster->json, at(binding->json, "spec.resource")) &&
        !has_untolerated_taint(cluster->json, at(binding->placement, "clusterTolerations"));
}

static void
read_target(struct facts *facts, struct binding_facts *binding, int index)
{
    const struct cluster_facts *cluster = &facts->clusters[index];
    struct target_facts *target = &binding->targets[index];
    const json_t *tolerations = at(binding->placement, "clusterTolerations");
    const json_t *entry = find_by(at(binding->json, "spec.clusters"), "name", cluster->name);
    const json_t *after = find_by(split_after(binding), "name", cluster->name);

    target->assigned = entry != NULL;
    target->before = (int)integer_at(entry, "replicas", 0);
    target->stays = after != NULL;
    target->after = (int)integer_at(after, "replicas", 0);
    target->evicting = find_by(at(binding->json, "spec.gracefulEvictionTasks"), "fromCluster",
                               cluster->name) != NULL;
    target->suspended = list_has(
        at(binding->json, "spec.suspension.dispatchingOnClusters.clusterNames"), cluster->name);
    target->finished = target->assigned && has_ended_in(facts, binding->json, cluster->name);
    target->lost =
        cluster->json == NULL || cluster->deleting ||
        drives_away(cluster, tolerations, facts->now) ||
        ((cluster->health == HEALTH_NOT_READY || cluster->health == HEALTH_UNREACHABLE) &&
         cluster->age > facts->unhealthy);
    target->lost = target->lost && !target->finished;
    target->brief = is_driven_away(cluster->json, tolerations, facts->now + facts->cooldown);
    target->turn = target->lost ? turn_of(facts, binding, index) : TURN_WELL;
    if (cluster->json != NULL) {
        read_fit(facts, binding, cluster, target);
    }
    binding->sum_before += target->before;
    binding->sum_after += target->after;
}

/* How long a pod may wait for a node there: an autoscaler needs its time. */
static int64_t
patience(const struct facts *facts, int cluster)
{
    const int64_t wait = duration_of(text_at(facts->world->config, "growth.wait"), 900);

    return may_grow(facts, cluster) && wait > facts->unschedulable ? wait : facts->unschedulable;
}

static void
count_pod(const struct facts *facts, const struct binding_facts *binding,
          const struct pod_facts *pod, struct target_facts *target)
{
    bool live = !pod->finished && !pod->terminating;
    bool failing = pod->failing_for > facts->failed;

    if (live) {
        target->pods++;
        target->ready += pod->ready ? 1 : 0;
        target->doubtful += pod->doubtful ? 1 : 0;
        target->outdated += !pod->current && !pod->ready ? 1 : 0;
        target->stuck += pod->current && pod->stuck_for > patience(facts, pod->cluster) ? 1 : 0;
        failing = failing || (binding->asks_failover && !pod->ready);
    }
    target->failing += failing ? 1 : 0;
}

/* One of its pods there is malformed. */
static bool
any_is_unread(const struct facts *facts, int number, int index)
{
    for (int i = 0; i < facts->n_pods; i++) {
        if (facts->pods[i].binding == number && facts->pods[i].cluster == index &&
            facts->pods[i].unread) {
            return true;
        }
    }
    return false;
}

/* The member shows no pod of its namespace, while the workload, else its status, says that some are
 * ready: only pods of other namespaces were listed. */
static bool
is_left_out(const struct facts *facts, const struct binding_facts *binding, int index)
{
    const char *cluster = facts->clusters[index].name;
    const json_t *said =
        at(find_by(at(binding->json, "status.aggregatedStatus"), "clusterName", cluster), "status");

    for (int i = 0; i < facts->n_pods; i++) {
        if (facts->pods[i].cluster == index &&
            is(text_at(facts->pods[i].json, "metadata.namespace"),
               text_at(binding->json, "spec.resource.namespace"))) {
            return false;
        }
    }
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->member, cluster) && is_workload_of(object, binding->json)) {
            said = at(object->json, "status");
        }
    }
    return integer_at(said, "readyReplicas", 0) > 0 || integer_at(said, "ready", 0) > 0;
}

/* What the member, or else the status, shows of a target; troubles are upper bounds. */
static void
read_sight(struct facts *facts, int number, int index)
{
    struct binding_facts *binding = &facts->bindings[number];
    const struct cluster_facts *cluster = &facts->clusters[index];
    struct target_facts *target = &binding->targets[index];
    bool deployment = is(text_at(binding->json, "spec.resource.kind"), "Deployment");

    target->seen = facts->has_pods && cluster->has_pods && (!deployment || cluster->has_sets) &&
                   !any_is_unread(facts, number, index) && !is_left_out(facts, binding, index);
    if (!target->seen) {
        const json_t *said =
            find_by(at(binding->json, "status.aggregatedStatus"), "clusterName", cluster->name);

        target->unknown = at(said, "status") == NULL;
        target->ready = (int)integer_at(said, "status.readyReplicas", 0);
        target->pods = (int)integer_at(said, "status.replicas", 0);
        return;
    }
    for (int i = 0; i < facts->n_pods; i++) {
        if (facts->pods[i].binding == number && facts->pods[i].cluster == index) {
            count_pod(facts, binding, &facts->pods[i], target);
        }
    }
}

/* The controller has heard of it already, or has given it up; what the status has twice is over
 * when both are. */
static bool
is_over(const json_t *rebalancer, const json_t *workload)
{
    const json_t *observed;
    bool over = false, open = false;
    size_t i;

    json_array_foreach(at(rebalancer, "status.observedWorkloads"), i, observed)
    {
        if (json_equal(at(observed, "workload"), workload)) {
            bool ended = is(text_at(observed, "result"), "Successful") ||
                         is(text_at(observed, "result"), "Failed");

            over = over || ended;
            open = open || !ended;
        }
    }
    return over && !open;
}

/* When a WorkloadRebalancer asked for it last that its controller has yet to hear. */
static int64_t
wished_at(const struct facts *facts, const json_t *binding)
{
    const json_t *of = at(binding, "spec.resource"), *workload;
    int64_t latest = INT64_MIN;
    size_t i;

    for (int o = 0; o < facts->n_objects; o++) {
        const json_t *json = facts->objects[o].json;

        if (!is(text_at(json, "kind"), "WorkloadRebalancer")) {
            continue;
        }
        json_array_foreach(at(json, "spec.workloads"), i, workload)
        {
            int64_t when = seconds_of(text_at(json, "metadata.creationTimestamp"), INT64_MIN);

            if (is(text_at(workload, "kind"), text_at(of, "kind")) &&
                is(text_at(workload, "namespace"), text_at(of, "namespace")) &&
                is(text_at(workload, "name"), text_at(of, "name")) && !is_over(json, workload)) {
                latest = when > latest ? when : latest;
            }
        }
    }
    return latest;
}

/* When its reschedule was asked for; INT64_MIN: never. */
static int64_t
asked_at(const struct facts *facts, const json_t *binding)
{
    int64_t asked = seconds_of(text_at(binding, "spec.rescheduleTriggeredAt"), INT64_MIN);
    int64_t wished = wished_at(facts, binding);

    return wished > asked ? wished : asked;
}

static bool
wants_fresh(const struct facts *facts, const struct binding_facts *binding)
{
    const json_t *json = binding->json;
    const char *mark = json_string_value(
        json_object_get(at(json, "metadata.annotations"), "ballast.io/rescheduled-for"));
    int64_t asked = binding->asked_at;
    int64_t last = seconds_of(text_at(json, "status.lastScheduledTime"), INT64_MAX);

    if (facts->world->reschedule_all) {
        return true;
    }
    /* Karmada has a minute for it first, unless the clocks differ by more */
    return trigger_is_on(facts, "RescheduleRequested") && asked > last &&
           (asked <= facts->now - 60 || asked >= facts->now + 60) &&
           (mark == NULL || seconds_of(mark, INT64_MIN) < asked);
}

/* What of it may move. */
static void
read_bounds(const struct facts *facts, struct binding_facts *binding)
{
    const json_t *json = binding->json;

    binding->scaled = is_scaled_by_members(facts, json);
    binding->only_lost =
        binding->scaled ||
        (is(text_at(json, "spec.resource.kind"), "Job") && binding->is_workload &&
         !binding->is_set && !list_has(at(facts->world->config, "movableKinds"), "Job"));
    binding->whole = binding->divided && binding->is_workload &&
                     (binding->scaled || !is_known_to_divide(facts, json));
    binding->divided = binding->divided && !binding->whole;
}

void
read_binding(struct facts *facts, int index)
{
    struct binding_facts *binding = &facts->bindings[index];
    const json_t *json = binding->json;

    binding->placement = at(json, "spec.placement");
    binding->replicas = (int)integer_at(json, "spec.replicas", 0);
    binding->is_set = is_set_of_components(json);
    binding->divided =
        !binding->is_set &&
        is(text_at(binding->placement, "replicaScheduling.replicaSchedulingType"), "Divided");
    binding->cpu = milli_of(at(json, "spec.replicaRequirements.resourceRequest.cpu"));
    binding->is_workload = binding->replicas > 0 || at(json, "spec.replicaRequirements") != NULL;
    binding->overflows = binding->is_workload || json_array_size(at(json, "spec.components")) > 0;
    binding->asks_failover = at(json, "spec.failover.application") != NULL;
    binding->item = find_by(at(facts->run->plan, "items"), "name", binding->name);
    binding->patch = json_object_get(facts->run->patches, binding->name);
    if (json_object_get(at(binding->patch, "metadata.annotations"),
                        "ballast.io/karmada-failover") != NULL) {
        binding->note = binding->patch;
        binding->patch = at(binding->note, "spec") != NULL ? binding->note : NULL;
    }
    binding->changed = binding->patch != NULL;
    binding->left_alone = why_left_alone(facts, json);
    if (!facts->world->reschedule_all) {
        read_bounds(facts, binding);
    }
    binding->asked_at = asked_at(facts, json);
    binding->fresh = wants_fresh(facts, binding);
    for (int i = 0; i < facts->n_names; i++) {
        read_target(facts, binding, i);
        read_sight(facts, index, i);
    }
}

static void
read_config(struct facts *facts)
{
    const json_t *config = facts->world->config;
    const json_t *members = at(config, "members");
    bool all = members == NULL;

    facts->evicts = is(text_at(config, "mode"), "Evict");
    facts->has_pods = all || list_has(members, "pods");
    facts->has_nodes = all || list_has(members, "nodes");
    facts->has_estimator = list_has(members, "estimator");
    facts->unschedulable = duration_of(text_at(config, "thresholds.unschedulable"), 300);
    facts->failed = duration_of(text_at(config, "thresholds.failed"), 300);
    facts->unhealthy = duration_of(text_at(config, "thresholds.unhealthyCluster"), 300);
    facts->stabilization = duration_of(text_at(config, "thresholds.clusterStabilization"), 300);
    facts->cooldown = duration_of(text_at(config, "cooldown.initial"), 3600);
    facts->balances = trigger_is_on(facts, "Imbalance");
    facts->moves_running = facts->balances && truth_at(config, "balance.moveRunning");
}

void
facts_read(struct facts *facts, const struct world *world, const struct run *run, int64_t later)
{
    memset(facts, 0, sizeof(*facts));
    facts->world = world;
    facts->run = run;
    facts->now = WORLD_NOW + later;
    read_config(facts);
    read_objects(facts);
    read_clusters(facts);
    read_guard(facts);
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (strstr(object->kind, "ResourceBinding") != NULL && facts->n_bindings < BINDINGS_READ) {
            facts->bindings[facts->n_bindings++] = (struct binding_facts){
                .json = object->json, .name = object->name, .namespace_ = object->namespace_};
        }
    }
    read_pods(facts);
    for (int i = 0; i < facts->n_bindings; i++) {
        read_binding(facts, i);
    }
}
