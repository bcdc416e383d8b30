/* SPDX-License-Identifier: Apache-2.0
 *
 * Who else has a say in a binding: what leaves it alone, and override policies.
 */
#include <string.h>
#include <strings.h>

#include "facts.h"

#define RETAIN "resourcetemplate.karmada.io/retain-replicas"

static const char *
label(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(at(object, "metadata.labels"), key));

    return text != NULL ? text : "";
}

static const char *
annotation(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(at(object, "metadata.annotations"), key));

    return text != NULL ? text : "";
}

const json_t *
find_workload_of(const struct facts *facts, const json_t *binding)
{
    const json_t *resource = at(binding, "spec.resource");

    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (*object->member == '\0' && is(object->kind, text_at(resource, "kind")) &&
            is(object->namespace_, text_at(resource, "namespace")) &&
            is(object->name, text_at(resource, "name"))) {
            return object->json;
        }
    }
    return NULL;
}

/* Resource templates have no labels in a world; where there is none, nobody knows whether the
 * workload has what the binding does not carry, so no expression about it holds. */
static bool
selector_takes(const struct facts *facts, const json_t *selector, const json_t *binding)
{
    const json_t *labels = at(binding, "metadata.labels");
    bool is_known = find_workload_of(facts, binding) != NULL;
    size_t index;
    json_t *requirement;

    json_array_foreach(at(selector, "matchExpressions"), index, requirement)
    {
        if (!is_known && json_object_get(labels, text_at(requirement, "key")) == NULL) {
            return false;
        }
    }
    return label_selector_takes(selector, labels);
}

static bool
is_out_of_scope(const struct facts *facts, const json_t *binding)
{
    const json_t *scope = at(facts->world->config, "scope");
    const json_t *names = at(scope, "namespaces"), *kinds = at(scope, "kinds");
    const char *namespace_ = text_at(binding, "metadata.namespace");
    int64_t priority = integer_at(binding, "spec.schedulePriority.priority", 0);

    return (json_array_size(names) > 0 && !list_has(names, namespace_)) ||
           list_has(at(scope, "excludeNamespaces"), namespace_) ||
           (json_array_size(kinds) > 0 &&
            !list_has(kinds, text_at(binding, "spec.resource.kind"))) ||
           (at(scope, "labelSelector") != NULL &&
            !selector_takes(facts, at(scope, "labelSelector"), binding)) ||
           priority < integer_at(scope, "minPriority", INT32_MIN);
}

static bool
is_scaled(const struct object_facts *object, const json_t *binding)
{
    const json_t *resource = at(binding, "spec.resource");
    const json_t *target = at(object->json, "spec.scaleTargetRef");

    return target != NULL && is(object->namespace_, text_at(resource, "namespace")) &&
           is(text_at(target, "name"), text_at(resource, "name")) &&
           (is(text_at(target, "kind"), text_at(resource, "kind")) ||
            (at(target, "kind") == NULL && is(text_at(resource, "kind"), "Deployment")));
}

bool
is_workload_of(const struct object_facts *object, const json_t *binding)
{
    const json_t *resource = at(binding, "spec.resource");

    return *object->member != '\0' &&
           is(text_at(object->json, "kind"), text_at(resource, "kind")) &&
           is(object->namespace_, text_at(resource, "namespace")) &&
           is(text_at(object->json, "metadata.name"), text_at(resource, "name")) &&
           (!is(text_at(resource, "kind"), "ReplicaSet") ||
            at(object->json, "metadata.ownerReferences") == NULL);
}

/* Its label says that its replicas are the member's own. */
static bool
is_retained(const struct object_facts *object, const json_t *binding)
{
    return is_workload_of(object, binding) && is(label(object->json, RETAIN), "true");
}

static bool
is_managed(const struct object_facts *object)
{
    return is(label(object->json, "karmada.io/managed"), "true");
}

/* Karmada would not touch what is there under the workload's name: it labels what it makes in this
 * fleet, as living members show, and the policy says nothing of overwriting. Without the members'
 * pods nobody asks for their workloads. */
bool
is_foreign_in(const struct facts *facts, const json_t *binding, const char *member)
{
    bool marks = false, is_there = false;

    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];
        int cluster = find_name(facts, object->member);

        marks = marks || (is_managed(object) && cluster >= 0 && cluster < facts->n_clusters &&
                          facts->clusters[cluster].health == HEALTH_READY);
        is_there = is_there || (is(object->member, member) && !is_managed(object) &&
                                is_workload_of(object, binding));
    }
    return facts->has_pods && marks && is_there &&
           !is(text_at(binding, "spec.conflictResolution"), "Overwrite");
}

/* One in a member decides about what is there, and nowhere else. */
bool
is_scaled_in(const struct facts *facts, const json_t *binding, const char *member)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->member, member) &&
            (is_scaled(object, binding) || is_retained(object, binding))) {
            return true;
        }
    }
    return false;
}

bool
is_scaled_by_members(const struct facts *facts, const json_t *binding)
{
    for (int i = 0; i < facts->n_clusters; i++) {
        const struct cluster_facts *cluster = &facts->clusters[i];

        if (cluster->json != NULL && is_scaled_in(facts, binding, cluster->name) &&
            find_by(at(binding, "spec.clusters"), "name", cluster->name) != NULL) {
            return true;
        }
    }
    return is(label(binding, RETAIN), "true");
}

static bool
has_policy(const json_t *binding, bool by_name)
{
    return *label(binding, by_name ? "propagationpolicy.karmada.io/name"
                                   : "propagationpolicy.karmada.io/permanent-id") != '\0' ||
           *label(binding, by_name ? "clusterpropagationpolicy.karmada.io/name"
                                   : "clusterpropagationpolicy.karmada.io/permanent-id") != '\0';
}

/* Names count where no binding has a permanent id: the server is older. */
static bool
is_ours(const struct facts *facts, const json_t *binding)
{
    bool by_name = true;

    for (int i = 0; i < facts->n_bindings; i++) {
        by_name = by_name && !has_policy(facts->bindings[i].json, false);
    }
    return has_policy(binding, by_name) || *label(binding, "binding.karmada.io/managed-by") != '\0';
}

bool
is_set_of_components(const json_t *binding)
{
    size_t count = json_array_size(at(binding, "spec.components"));

    return count > 1 || (count == 1 && integer_at(binding, "spec.replicas", 0) == 0 &&
                         at(binding, "spec.replicaRequirements") == NULL);
}

static const char *
scheduler_of(const json_t *object)
{
    const char *name = text_at(object, "schedulerName");

    return *name != '\0' ? name : "default-scheduler";
}

/* Somebody knows how to divide the kind: Karmada, the configuration, or a customization of it. */
bool
is_known_to_divide(const struct facts *facts, const json_t *binding)
{
    const json_t *resource = at(binding, "spec.resource");
    const char *kind = text_at(resource, "kind");
    bool known = !is(kind, "Foo") || list_has(at(facts->world->config, "divisibleKinds"), kind);

    for (int i = 0; i < facts->n_objects && !known; i++) {
        const json_t *json = facts->objects[i].json;

        known = is(facts->objects[i].kind, "ResourceInterpreterCustomization") &&
                is(text_at(json, "spec.target.kind"), kind) &&
                is(text_at(json, "spec.target.apiVersion"), text_at(resource, "apiVersion")) &&
                at(json, "spec.customizations.replicaRevision") != NULL;
    }
    return known;
}

/* A set of components, a Volcano Job say, only ever leaves what it cannot run in; a Job leaves what
 * is lost. */
static bool
is_of_kind_that_stays(const struct facts *facts, const json_t *binding)
{
    const char *kind = text_at(binding, "spec.resource.kind");
    bool has_replicas = integer_at(binding, "spec.replicas", 0) > 0 ||
                        at(binding, "spec.replicaRequirements") != NULL;

    return (is(kind, "StatefulSet") || !is_known_to_divide(facts, binding)) && has_replicas &&
           !is_set_of_components(binding) &&
           !list_has(at(facts->world->config, "movableKinds"), kind);
}

/* By a word that means an end for whatever kind, or for those that have one. */
bool
has_ended(const json_t *binding, const json_t *status)
{
    const char *phase = text_at(status, "phase");
    bool is_job = is(text_at(binding, "spec.resource.kind"), "Job");
    bool well = is(phase, "Succeeded"), failed = is(phase, "Failed");
    size_t index;
    json_t *condition;

    json_array_foreach(at(status, "conditions"), index, condition)
    {
        bool holds = is(text_at(condition, "status"), "True");

        well = well || (holds && (is(text_at(condition, "type"), "Complete") ||
                                  is(text_at(condition, "type"), "SuccessCriteriaMet")));
        failed = failed || (holds && (is(text_at(condition, "type"), "Failed") ||
                                      is(text_at(condition, "type"), "FailureTarget")));
    }
    return well || (failed && is_job);
}

/* By its status, or as the member shows it. */
bool
has_ended_in(const struct facts *facts, const json_t *binding, const char *cluster)
{
    const json_t *said = find_by(at(binding, "status.aggregatedStatus"), "clusterName", cluster);
    const json_t *resource = at(binding, "spec.resource");

    if (has_ended(binding, at(said, "status"))) {
        return true;
    }
    for (int i = 0; i < facts->n_objects && facts->has_pods; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->member, cluster) && is(object->kind, "Job") &&
            is(object->kind, text_at(resource, "kind")) &&
            is(object->name, text_at(resource, "name")) &&
            is(object->namespace_, text_at(resource, "namespace")) &&
            has_ended(binding, at(object->json, "status"))) {
            return true;
        }
    }
    return false;
}

/* Of a member's Job: what it is to complete cannot change, or nothing makes it any more pods. */
static bool
is_job_fixed(const json_t *job)
{
    const int64_t completions = integer_at(job, "spec.completions", -1);

    if (completions < 0) {
        return integer_at(job, "status.succeeded", 0) > 0;
    }
    return !is(text_at(job, "spec.completionMode"), "Indexed") ||
           completions != integer_at(job, "spec.parallelism", 1);
}

bool
is_job_fixed_in(const struct facts *facts, const json_t *binding, const char *cluster)
{
    const json_t *resource = at(binding, "spec.resource");
    bool are_seen = false;

    if (!is(text_at(resource, "kind"), "Job") || !is(text_at(resource, "apiVersion"), "batch/v1")) {
        return false;
    }
    if (has_ended_in(facts, binding, cluster)) {
        return true;
    }
    for (int i = 0; i < facts->n_objects && facts->has_pods; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (!is(object->member, cluster) || !is(object->kind, "Job")) {
            continue;
        }
        are_seen = true;
        if (is(object->name, text_at(resource, "name")) &&
            is(object->namespace_, text_at(resource, "namespace"))) {
            return is_job_fixed(object->json);
        }
    }
    return !are_seen;
}

/* Nothing but what has run to its end is anywhere. */
static bool
has_finished(const struct facts *facts, const json_t *binding)
{
    size_t count = 0, index;
    json_t *target;

    json_array_foreach(at(binding, "spec.clusters"), index, target)
    {
        count += has_ended_in(facts, binding, text_at(target, "name")) ? 1 : 0;
    }
    return count > 0 && count == index;
}

const char *
why_left_alone(const struct facts *facts, const json_t *binding)
{
    const char *opted = annotation(binding, "ballast.io/deschedule");

    if (is_out_of_scope(facts, binding)) {
        return "out of scope";
    }
    if (at(binding, "metadata.deletionTimestamp") != NULL) {
        return "being deleted";
    }
    if (truth_at(binding, "spec.suspension.scheduling") ||
        truth_at(binding, "spec.suspension.dispatching")) {
        return "suspended";
    }
    if (!is(scheduler_of(at(binding, "spec")), scheduler_of(facts->world->config))) {
        return "another scheduler's";
    }
    if (*opted != '\0' && strcasecmp(opted, "true") != 0) {
        return "opted out";
    }
    if (at(binding, "spec.placement") == NULL) {
        return "without a placement";
    }
    if (!is_ours(facts, binding)) {
        return "not the scheduler's";
    }
    if (facts->world->reschedule_all) {
        return "";
    }
    if (has_finished(facts, binding)) {
        return "at its end";
    }
    if (is_of_kind_that_stays(facts, binding)) {
        return "a kind that is not movable";
    }
    return "";
}

static bool
sets_replicas(const json_t *overriders)
{
    size_t index;
    json_t *one;

    json_array_foreach(at(overriders, "plaintext"), index, one)
    {
        if (is(text_at(one, "path"), "/spec/replicas")) {
            return true;
        }
    }
    json_array_foreach(at(overriders, "fieldOverrider"), index, one)
    {
        if (is(text_at(one, "fieldPath"), "/spec/replicas") ||
            is(text_at(json_array_get(at(one, "json"), 0), "subPath"), "/spec/replicas") ||
            is(text_at(json_array_get(at(one, "yaml"), 0), "subPath"), "/spec/replicas")) {
            return true;
        }
    }
    json_array_foreach(at(overriders, "labelsOverrider"), index, one)
    {
        const char *value = json_string_value(json_object_get(at(one, "value"), RETAIN));

        if (value != NULL && is(value, "true") && !is(text_at(one, "operator"), "remove")) {
            return true;
        }
    }
    return false;
}

static bool
selects(const json_t *policy, const json_t *binding)
{
    const json_t *selectors = at(policy, "spec.resourceSelectors");
    const json_t *resource = at(binding, "spec.resource");
    const char *own = text_at(policy, "metadata.namespace");
    size_t index;
    json_t *selector;

    if (*own != '\0' && !is(own, text_at(resource, "namespace"))) {
        return false;
    }
    json_array_foreach(selectors, index, selector)
    {
        const char *namespace_ = text_at(selector, "namespace"), *name = text_at(selector, "name");

        if (is(text_at(selector, "apiVersion"), text_at(resource, "apiVersion")) &&
            is(text_at(selector, "kind"), text_at(resource, "kind")) &&
            (*namespace_ == '\0' || is(namespace_, text_at(resource, "namespace"))) &&
            (*name == '\0' || is(name, text_at(resource, "name")))) {
            return true;
        }
    }
    return json_array_size(selectors) == 0;
}

static bool
rule_applies(const json_t *rule, const json_t *cluster)
{
    const json_t *target = at(rule, "targetCluster");

    return sets_replicas(at(rule, "overriders")) &&
           (target == NULL || affinity_matches(target, cluster));
}

bool
is_overridden(const struct facts *facts, const json_t *binding, const json_t *cluster)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];
        const json_t *rules = at(object->json, "spec.overrideRules");
        size_t index;
        json_t *rule;

        if (strstr(object->kind, "OverridePolicy") == NULL || !selects(object->json, binding)) {
            continue;
        }
        json_array_foreach(rules, index, rule)
        {
            if (rule_applies(rule, cluster)) {
                return true;
            }
        }
        if (json_array_size(rules) == 0 && rule_applies(at(object->json, "spec"), cluster)) {
            return true;
        }
    }
    return false;
}
