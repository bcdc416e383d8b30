/* SPDX-License-Identifier: Apache-2.0
 *
 * Bindings: what is wanted, where it is assigned, what the status says, and all
 * that makes somebody leave one alone.
 */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>

#define PERMANENT_ID "propagationpolicy.karmada.io/permanent-id"
#define CLUSTER_PERMANENT_ID "clusterpropagationpolicy.karmada.io/permanent-id"

const char *
binding_namespace(int index)
{
    return index % 3 == 2 ? "n2" : "n1";
}

static json_t *
some_targets(struct gen *gen)
{
    json_t *names = json_array();
    int count = percent(gen, 5) ? 0 : between(gen, 1, gen->n_clusters < 4 ? gen->n_clusters : 4);

    for (int i = below(gen, gen->n_clusters); count > 0; i = (i + 1) % gen->n_clusters, count--) {
        json_array_append_new(names, json_string(gen->clusters[i].name));
    }
    if (chance(gen, THEME_LOST, 8, 2)) {
        json_array_append_new(names, json_string("ghost"));
    }
    return names;
}

static json_t *
new_binding(struct gen *gen, int index)
{
    static const struct {
        const char *api_version, *kind;
    } kinds[] = {{"apps/v1", "Deployment"},
                 {"apps/v1", "StatefulSet"},
                 {"batch/v1", "Job"},
                 {"example.io/v1", "Foo"}};
    int die = below(gen, chance(gen, THEME_TIES, 40, 0) ? 10 : 100);
    int kind = die < 4 ? 2 : die < 10 ? 1 : die < 90 ? 0 : 3;
    bool cluster_wide = kind == 3 && percent(gen, 30);
    char name[32], full[64], uid[32];

    snprintf(name, sizeof(name), "w%d", index);
    snprintf(full, sizeof(full), "w%d-%s", index, PICK(gen, "deployment", "x"));
    snprintf(uid, sizeof(uid), "uid-%d-%d", index, below(gen, 9));
    json_t *binding =
        pack("{s:s,s:s,s:{s:s,s:s,s:s,s:i},s:{s:{s:s,s:s,s:s,s:s}}}", "apiVersion",
             "work.karmada.io/v1alpha2", "kind",
             cluster_wide ? "ClusterResourceBinding" : "ResourceBinding", "metadata", "name", full,
             "uid", uid, "resourceVersion", PICK(gen, "7", "8"), "generation", between(gen, 1, 3),
             "spec", "resource", "apiVersion", kinds[kind].api_version, "kind", kinds[kind].kind,
             "name", name, "uid", uid);

    if (!cluster_wide) {
        put(binding, "metadata.namespace", json_string(binding_namespace(index)));
        put(binding, "spec.resource.namespace", json_string(binding_namespace(index)));
    }
    return binding;
}

static void
put_task(struct gen *gen, json_t *binding, const char *cluster)
{
    json_t *task = pack("{s:s,s:s,s:s}", "fromCluster", cluster, "reason",
                        PICK(gen, "TaintUntolerated", "ApplicationFailure"), "producer",
                        PICK(gen, "TaintManager", "ballast", "ballast"));

    if (percent(gen, 60)) {
        put(task, "purgeMode",
            json_string(PICK(gen, "Gracefully", "Graciously", "Immediately", "Directly", "Never")));
    }
    if (percent(gen, 70)) {
        put(task, "creationTimestamp", some_time_ago(gen));
    }
    if (at(binding, "spec.gracefulEvictionTasks") == NULL) {
        put(binding, "spec.gracefulEvictionTasks", json_array());
    }
    json_array_append_new(at(binding, "spec.gracefulEvictionTasks"), task);
}

/* When a run saw Karmada's taint manager evict, or what somebody wrote there. */
static void
put_seen_evicting(struct gen *gen, json_t *binding)
{
    if (percent(gen, 4)) {
        put_key(binding, "metadata.annotations", "ballast.io/karmada-failover",
                percent(gen, 80) ? some_time_ago(gen) : json_string(PICK(gen, "lately", "")));
    }
}

/* What the policy is called, which only an explanation says. */
static void
put_policy_name(struct gen *gen, json_t *binding)
{
    if (percent(gen, 40)) {
        put_key(binding, "metadata.annotations", "propagationpolicy.karmada.io/namespace",
                json_string(PICK(gen, "n1", "n2")));
    }
    if (percent(gen, 40)) {
        put_key(binding, "metadata.annotations", "propagationpolicy.karmada.io/name",
                json_string(PICK(gen, "policy-1", "policy-2")));
    }
    if (percent(gen, 20)) {
        put_key(binding, "metadata.annotations", "clusterpropagationpolicy.karmada.io/name",
                json_string(PICK(gen, "policy-3", "policy-4")));
    }
}

/* The labels that say that a policy, or somebody else, owns the binding. */
static void
put_policy(struct gen *gen, json_t *binding)
{
    bool is_odd = chance(gen, THEME_ODD, 8, 2);

    if (!is_odd && !gen->is_old_server) {
        put_key(binding, "metadata.labels", percent(gen, 70) ? PERMANENT_ID : CLUSTER_PERMANENT_ID,
                json_string(PICK(gen, "id-1", "id-2")));
    }
    if (gen->is_old_server || percent(gen, 10)) {
        put_key(binding, "metadata.labels",
                PICK(gen, "propagationpolicy.karmada.io/name",
                     "clusterpropagationpolicy.karmada.io/name"),
                json_string(PICK(gen, "policy-1", "policy-2")));
    }
    put_policy_name(gen, binding);
    put_seen_evicting(gen, binding);
    if (is_odd && percent(gen, 40)) {
        put_key(binding, "metadata.labels", "binding.karmada.io/managed-by",
                json_string(PICK(gen, "somebody", "")));
    }
}

/* Who tends to it, and who must not. */
static void
put_ownership(struct gen *gen, json_t *binding)
{
    put_policy(gen, binding);
    if (chance(gen, THEME_ODD, 5, 1)) {
        put_key(binding, "metadata.labels", "resourcetemplate.karmada.io/retain-replicas",
                json_string(PICK(gen, "true", "true", "false")));
    }
    put_key(binding, "metadata.labels", "team", json_string(PICK(gen, "a", "b", "c")));
    if (chance(gen, THEME_ODD, 8, 1)) {
        put(binding, "metadata.deletionTimestamp", some_time_ago(gen));
    }
    if (percent(gen, 4)) {
        put(binding, "spec.preserveResourcesOnDeletion", json_boolean(percent(gen, 80)));
    }
    if (percent(gen, 10)) {
        put(binding, "spec.conflictResolution", json_string(PICK(gen, "Overwrite", "Abort")));
    }
    if (chance(gen, THEME_ODD, 8, 1)) {
        put(binding, "spec.suspension.scheduling", json_boolean(percent(gen, 80)));
    }
    if (chance(gen, THEME_ODD, 6, 1)) {
        put(binding, "spec.suspension.dispatching", json_boolean(percent(gen, 80)));
    }
    if (chance(gen, THEME_ODD, 20, 3)) {
        put(binding, "spec.suspension.dispatchingOnClusters.clusterNames", some_clusters(gen, 30));
    }
    if (chance(gen, THEME_ODD, 8, 1)) {
        put(binding, "spec.requiredBy",
            pack("[{s:s,s:s}]", "namespace", PICK(gen, "n1", "n2"), "name",
                 PICK(gen, "w0-deployment", "w1-deployment")));
    }
    if (chance(gen, THEME_ODD, 8, 1)) {
        put(binding, "spec.schedulerName", json_string(PICK(gen, "other", "default-scheduler")));
    }
    if (chance(gen, THEME_ODD, 10, 2)) {
        put_key(binding, "metadata.annotations", "ballast.io/deschedule",
                json_string(PICK(gen, "false", "False", "true", "maybe")));
    }
    if (percent(gen, 25)) {
        put(binding, "spec.schedulePriority.priority", json_integer(between(gen, -1, 2)));
    }
}

static json_t *
some_names(struct gen *gen, json_t *all, int share)
{
    json_t *names = json_array();
    json_t *name;
    size_t index;

    json_array_foreach(all, index, name)
    {
        if (percent(gen, share)) {
            json_array_append(names, name);
        }
    }
    json_decref(all);
    return names;
}

static json_t *
divided_placement(struct gen *gen)
{
    json_t *placement =
        pack("{s:{s:s,s:s}}", "replicaScheduling", "replicaSchedulingType", "Divided",
             "replicaDivisionPreference", PICK(gen, "Weighted", "Weighted", "Aggregated"));

    if (is(text_at(placement, "replicaScheduling.replicaDivisionPreference"), "Weighted") &&
        percent(gen, 70)) {
        put(placement, "replicaScheduling.weightPreference.dynamicWeight",
            json_string("AvailableReplicas"));
    }
    return placement;
}

static struct gen
with_own_dice(const struct gen *gen)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x7061727473);
    return own;
}

/* What went of it already, or of another one; by dice of its own, so that the other worlds stay as
 * they are. `is_for_placement`: not of a request, but of a placement that changed. */
static void
put_parts(const struct gen *gen, json_t *binding, json_t *targets, bool is_for_placement)
{
    struct gen own = with_own_dice(gen);

    if (!percent(&own, 70)) {
        return;
    }
    bool is_same = percent(&own, 85);
    json_t *all = some_clusters(&own, 100);
    json_t *parts = pack("{s:o,s:o}", "from", some_names(&own, all, 35), "to",
                         some_names(&own, json_incref(targets), 45));

    if (is_for_placement) {
        put(parts, "placement",
            is_same ? json_incref(at(binding, "spec.placement")) : divided_placement(&own));
    } else {
        put(parts, "for",
            is_same ? json_incref(at(binding, "spec.rescheduleTriggeredAt")) : some_time_ago(&own));
    }
    char *text = percent(&own, 5) ? NULL : json_dumps(parts, JSON_COMPACT);

    put_key(binding, "metadata.annotations", "ballast.io/reschedule-parts",
            json_string(text != NULL ? text : PICK(&own, "{", "{}", "")));
    free(text);
    json_decref(parts);
}

static void
put_reschedule(struct gen *gen, json_t *binding, json_t *targets)
{
    if (percent(gen, 90)) {
        put(binding, "status.lastScheduledTime", some_time_ago(gen));
    }
    if (chance(gen, THEME_RESCHEDULE, 50, 4)) {
        put(binding, "spec.rescheduleTriggeredAt", some_time_ago(gen));
        if (percent(gen, 20)) {
            put_key(binding, "metadata.annotations", "ballast.io/rescheduled-for",
                    json_incref(at(binding, "spec.rescheduleTriggeredAt")));
        }
        put_parts(gen, binding, targets, false);
    }
}

/* Some were divided for the placement already, or for another; by the same die, so that the other
 * worlds stay as they are. */
static void
put_placed_for(json_t *binding, const json_t *placement, const json_t *applied, int die)
{
    json_t *mark = die % 4 == 1   ? pack("{s:O}", "placement", placement)
                   : die % 4 == 3 ? pack("{s:O,s:b}", "placement", placement, "partly", 1)
                   : die % 8 == 4 ? pack("{s:O}", "placement", applied)
                                  : NULL;

    if (mark != NULL) {
        char *text = json_dumps(mark, JSON_COMPACT);

        put_key(binding, "metadata.annotations", "ballast.io/placed-for", json_string(text));
        free(text);
    }
    json_decref(mark);
}

static void
put_applied_placement(struct gen *gen, json_t *binding, const json_t *placement)
{
    json_t *applied = json_deep_copy(placement);
    int die = below(gen, 100);

    if (die < 8) {
        put(applied, "clusterTolerations", generate_tolerations(gen));
    } else if (die < 14) {
        put(applied, "replicaScheduling", pack("{s:s}", "replicaSchedulingType", "Duplicated"));
    }
    char *text = json_dumps(applied, JSON_COMPACT);

    if (die < 94) {
        put_key(binding, "metadata.annotations", "policy.karmada.io/applied-placement",
                die >= 92   ? json_string("null")
                : die >= 90 ? json_string("{")
                            : json_string(text));
    }
    free(text);
    if (die < 14 || die >= 94) {
        put_placed_for(binding, placement, applied, die);
    }
    json_decref(applied);
    if (at(placement, "clusterAffinities") != NULL && percent(gen, 80)) {
        put(binding, "status.schedulerObservingAffinityName",
            json_string(PICK(gen, "a", "a", "b", "c", "gone")));
    }
    put(binding, "status.schedulerObservedGeneration", json_integer(between(gen, 1, 3)));
}

static void
put_mates(struct gen *gen, json_t *binding)
{
    if (chance(gen, THEME_MATES, 85, 6)) {
        put(binding, "spec.workloadAffinityGroups.affinityGroup",
            json_string(PICK(gen, "g1", "g1", "g2")));
    }
    if (chance(gen, THEME_MATES, 90, 12)) {
        put(binding, "spec.workloadAffinityGroups.antiAffinityGroup",
            json_string(PICK(gen, "h1", "h1", "h2")));
    }
    if (chance(gen, THEME_ODD, 8, 1)) {
        json_t *list = json_array();

        for (int i = between(gen, 1, 2); i > 0; i--) {
            json_array_append_new(list, pack("{s:s,s:i,s:o}", "name", i == 1 ? "head" : "worker",
                                             "replicas", i, "replicaRequirements",
                                             generate_requirements(gen)));
        }
        put(binding, "spec.components", list);
    }
}

static json_t *
status_of(struct gen *gen, const char *cluster, int replicas, int ready)
{
    bool stale = percent(gen, 10);
    int shown = stale ? below(gen, 6) : replicas;
    json_t *item =
        pack("{s:s,s:b,s:{s:i,s:s}}", "clusterName", cluster, "applied", (int)!percent(gen, 5),
             "status", "replicas", shown, "id", PICK(gen, "x-1", "x-2"));

    if (ready > 0) {
        put(item, "status.readyReplicas", json_integer(stale ? below(gen, shown + 1) : ready));
    }
    if (percent(gen, 50)) {
        put(item, "status.updatedReplicas", json_integer(below(gen, shown + 1)));
    }
    if (percent(gen, 85)) {
        put(item, "health",
            json_string(ready < replicas && percent(gen, 80)
                            ? PICK(gen, "Unhealthy", "Unhealthy", "Unknown")
                            : "Healthy"));
    }
    if (at(item, "applied") == json_false() ? percent(gen, 80) : percent(gen, 2)) {
        put(item, "appliedMessage",
            json_string(PICK(gen, "denied by a webhook", "in the way", "")));
    }
    if (percent(gen, 4)) {
        put(item, "status.phase", json_string(PICK(gen, "Succeeded", "Failed", "Running")));
    }
    if (percent(gen, 4)) {
        put(item, "status.conditions",
            pack("[{s:s,s:s}]", "type", PICK(gen, "Complete", "Failed", "Suspended"), "status",
                 PICK(gen, "True", "True", "False")));
    }
    if (percent(gen, 4)) {
        json_object_del(item, "status");
    }
    return item;
}

static void
put_targets(struct gen *gen, json_t *binding, const json_t *names)
{
    bool divided =
        is(text_at(binding, "spec.placement.replicaScheduling.replicaSchedulingType"), "Divided");
    int each = between(gen, 0, chance(gen, THEME_FULL, 20, 60) ? 3 : 6), sum = 0;
    json_t *targets = json_array(), *status = json_array();
    size_t index;
    json_t *name;

    json_array_foreach(names, index, name)
    {
        int replicas = divided && percent(gen, 70) ? between(gen, 0, 5) : each;
        int ready = replicas;
        json_t *target = pack("{s:O,s:i}", "name", name, "replicas", replicas);

        if (chance(gen, THEME_ODD, 10, 2)) {
            put(target, "note", json_string("kept"));
        }
        json_array_append_new(targets, target);
        for (int c = 0; c < gen->n_clusters; c++) {
            if (is(gen->clusters[c].name, json_string_value(name))) {
                ready = generate_member_workload(gen, c, binding, replicas);
            }
        }
        if (percent(gen, 92)) {
            json_array_append_new(status, status_of(gen, json_string_value(name), replicas, ready));
        }
        sum += replicas;
    }
    if (gen->marks_managed && percent(gen, 15)) {
        generate_foreign(gen, binding, names);
    }
    sum = divided ? sum : each;
    if (chance(gen, THEME_SCALE, 60, 5)) {
        sum +=
            percent(gen, 15) ? between(gen, 4, 40) : between(gen, -4, 3); /* or beyond all room */
    }
    put(binding, "spec.replicas", json_integer(sum < 0 ? 0 : sum));
    put(binding, "spec.clusters", targets);
    put(binding, "status.aggregatedStatus", status);
}

void
generate_binding(struct gen *gen, int index)
{
    json_t *names = some_targets(gen);
    json_t *binding = new_binding(gen, index);
    json_t *placement = generate_placement(gen, names);

    if (chance(gen, THEME_ODD, 5, 1)) {
        json_decref(placement);
        placement = NULL;
    } else {
        put(binding, "spec.placement", placement);
        put_applied_placement(gen, binding, placement);
    }
    if (percent(gen, 85)) {
        put(binding, "spec.replicaRequirements", generate_requirements(gen));
    }
    put_targets(gen, binding, names);
    put_ownership(gen, binding);
    put_reschedule(gen, binding, names);
    put_mates(gen, binding);
    for (int i = 0; i < gen->n_clusters; i++) {
        if (chance(gen, THEME_LOST, 5, 2)) {
            put_task(gen, binding, gen->clusters[i].name);
        }
    }
    if (chance(gen, THEME_FAILED, 50, 8)) {
        put(binding, "spec.failover", generate_failover(gen));
    }
    if (chance(gen, THEME_MEMORY, 60, 5) || chance(gen, THEME_BALANCE, 90, 0)) {
        put_key(binding, "metadata.annotations", "ballast.io/last-move",
                generate_last_move(gen, names));
    }
    add_object(gen, binding);
    generate_template(gen, binding);
    json_decref(names);
}

/* By weights, which a placement that changed divides all by. */
static json_t *
weighted_placement(struct gen *gen)
{
    json_t *weights = json_array();

    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, 90)) {
            json_array_append_new(weights,
                                  pack("{s:{s:[s]},s:i}", "targetCluster", "clusterNames",
                                       gen->clusters[i].name, "weight", between(gen, 1, 3)));
        }
    }
    return pack("{s:{s:s,s:s,s:{s:o}}}", "replicaScheduling", "replicaSchedulingType", "Divided",
                "replicaDivisionPreference", "Weighted", "weightPreference", "staticWeightList",
                weights);
}

/* A run goes by placements that change. */
static void
put_placement_trigger(struct gen *gen)
{
    json_t *triggers = at(gen->config, "triggers");

    if (json_is_array(triggers)) {
        json_array_append_new(triggers, json_string("PlacementChanged"));
    } else {
        put_key(gen->config, "triggers", "PlacementChanged", json_true());
    }
}

static void
put_new_placement(struct gen *gen, json_t *binding)
{
    put(binding, "spec.placement", weighted_placement(gen));
    put_key(binding, "metadata.annotations", "policy.karmada.io/applied-placement",
            json_string("{}"));
    if (percent(gen, 90)) {
        put_placement_trigger(gen);
    }
}

static void
put_asked_placement(struct gen *gen, json_t *binding)
{
    static const int64_t hour = 3600;
    json_t *placement = divided_placement(gen);
    char *text = json_dumps(placement, JSON_COMPACT);

    put(binding, "spec.placement", placement);
    put_key(binding, "metadata.annotations", "policy.karmada.io/applied-placement",
            json_string(text));
    free(text);
    put(binding, "spec.rescheduleTriggeredAt", ago(gen, between(gen, 2, 60) * hour / 60));
}

void
generate_binding_in_parts(const struct gen *gen, bool is_for_placement)
{
    static const int64_t hour = 3600;
    struct gen own = with_own_dice(gen);
    json_t *names = some_targets(&own);
    json_t *binding = new_binding(&own, BINDINGS_MAX);

    if (is_for_placement) {
        put_new_placement(&own, binding);
    } else {
        put_asked_placement(&own, binding);
    }
    put_key(binding, "metadata.labels", PERMANENT_ID, json_string("id-1"));
    put(binding, "spec.replicaRequirements", generate_requirements(&own));
    put_targets(&own, binding, names);
    put(binding, "status.lastScheduledTime", ago(&own, between(&own, 2, 5) * hour));
    put_parts(&own, binding, names, is_for_placement);
    if (at(own.config, "limits") == NULL && percent(&own, 90)) {
        put(own.config, "limits.maxReplicasMoved", json_integer(between(&own, 1, 4)));
    }
    add_object(&own, binding);
    generate_template(&own, binding);
    json_decref(names);
}
