/* SPDX-License-Identifier: Apache-2.0
 *
 * PodDisruptionBudgets of which nobody knows whether they protect a workload: what
 * is ready there no balance takes.
 */
#include "judge.h"

#include <string.h>

static bool
is_malformed(const json_t *budget)
{
    const json_t *selector = at(budget, "spec.selector");
    const json_t *most = at(budget, "spec.maxUnavailable");
    const json_t *generation = at(budget, "metadata.generation");

    return (selector != NULL && !json_is_object(selector)) || json_is_boolean(most) ||
           (generation != NULL && !json_is_integer(generation));
}

static bool
has_unknown_operator(const json_t *selector)
{
    size_t index;
    json_t *one;

    json_array_foreach(at(selector, "matchExpressions"), index, one)
    {
        if (is(text_at(one, "operator"), "Like")) {
            return true;
        }
    }
    return false;
}

/* A controller gives each of its pods a value of the label that nobody knows beforehand. */
static bool
is_given(const json_t *workload, const char *key)
{
    json_t *unknown = pack("{s:{s:s}}", "matchLabels", key, "(unknown)");
    bool given = takes_replica(unknown, workload);

    json_decref(unknown);
    return given;
}

/* Without what it asks of such values; *ret_any: it did. */
static json_t *
without_given(const json_t *selector, const json_t *workload, bool *ret_any)
{
    json_t *rest = json_deep_copy(selector), *one;
    const char *key;
    size_t index;

    *ret_any = false;
    json_object_foreach(at(selector, "matchLabels"), key, one)
    {
        if (is_given(workload, key)) {
            json_object_del(json_object_get(rest, "matchLabels"), key);
            *ret_any = true;
        }
    }
    json_array_foreach(at(selector, "matchExpressions"), index, one)
    {
        if (is_given(workload, text_at(one, "key")) && at(one, "values") != NULL) {
            json_array_remove(json_object_get(rest, "matchExpressions"), index);
            *ret_any = true;
            break; /* no world asks twice */
        }
    }
    return rest;
}

/* What has all pods of the workload there; NULL: they may be any. */
static const json_t *
own_selector(const struct facts *facts, const char *member, const json_t *resource)
{
    const char *kind = text_at(resource, "kind");

    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->member, member) && is(object->kind, kind) &&
            (is(kind, "Deployment") || is(kind, "ReplicaSet") || is(kind, "StatefulSet")) &&
            is(object->namespace_, text_at(resource, "namespace")) &&
            is(object->name, text_at(resource, "name"))) {
            return at(object->json, "spec.selector");
        }
    }
    return NULL;
}

/* Of the pods that its member shows, and that may be the workload's. */
static bool
selects_none(const struct facts *facts, const struct object_facts *budget,
             const struct binding_facts *binding)
{
    int cluster = find_name(facts, budget->member);
    const json_t *own = own_selector(facts, budget->member, at(binding->json, "spec.resource"));

    if (cluster < 0 || !facts->has_pods || !facts->clusters[cluster].has_pods) {
        return false;
    }
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *pod = &facts->objects[i];
        const json_t *labels = at(pod->json, "metadata.labels");

        if (is(pod->kind, "Pod") && is(pod->member, budget->member) &&
            is(pod->namespace_, budget->namespace_) &&
            label_selector_takes(at(budget->json, "spec.selector"), labels) &&
            (own == NULL || label_selector_takes(own, labels))) {
            return false;
        }
    }
    return true;
}

enum protection
budget_protects(const struct facts *facts, const struct object_facts *budget,
                const struct binding_facts *binding)
{
    const json_t *workload = find_workload_of(facts, binding->json);
    const json_t *selector = at(budget->json, "spec.selector");
    bool is_known = json_array_size(at(workload, "spec.template.spec.containers")) > 0;
    const char *own = text_at(binding->json, "spec.resource.namespace");
    bool elsewhere = !is(budget->namespace_, own);
    bool any = false, may = true, malformed = is_malformed(budget->json);

    /* what is malformed may be so in its namespace, too; and a workload that is in none has its
     * pods in nobody knows which */
    if (elsewhere && *own != '\0' && !(malformed && *budget->namespace_ == '\0')) {
        return PROTECTS_NOT;
    }
    if (malformed || has_unknown_operator(selector)) {
        return PROTECTS_PERHAPS;
    }
    if (selector == NULL) {
        return PROTECTS_NOT;
    }
    if (is_known) {
        json_t *rest = without_given(selector, workload, &any);

        may = takes_replica(rest, workload);
        json_decref(rest);
    } else {
        any = json_array_size(at(selector, "matchExpressions")) > 0 ||
              json_object_size(at(selector, "matchLabels")) > 0;
    }
    any = any || elsewhere;
    if (!may || (any && selects_none(facts, budget, binding))) {
        return PROTECTS_NOT;
    }
    return any ? PROTECTS_PERHAPS : PROTECTS;
}

bool
is_bad_budget(const struct facts *facts, const char *label)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->kind, "PodDisruptionBudget") && strstr(label, object->kind) != NULL &&
            strstr(label, object->name) != NULL && is_malformed(object->json)) {
            return true;
        }
    }
    return false;
}

static bool
is_in_doubt(const struct facts *facts, const struct binding_facts *binding, int cluster)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->kind, "PodDisruptionBudget") &&
            is(object->member, facts->clusters[cluster].name) &&
            budget_protects(facts, object, binding) == PROTECTS_PERHAPS) {
            return true;
        }
    }
    return false;
}

/* That it is told of the cluster. */
static bool
is_told(const struct binding_facts *binding, const char *cluster)
{
    const json_t *reason;
    size_t index;

    json_array_foreach(at(binding->item, "reasons"), index, reason)
    {
        if (is(text_at(reason, "code"), "DisruptionBudget") &&
            is(text_at(reason, "cluster"), cluster) &&
            strstr(text_at(reason, "message"), " may protect it: ") != NULL) {
            return true;
        }
    }
    return false;
}

void
judge_doubts(struct judge *judge, const struct binding_facts *binding)
{
    const struct facts *facts = &judge->facts;

    for (int i = 0; i < facts->n_clusters && !facts->world->reschedule_all; i++) {
        const struct target_facts *target = &binding->targets[i];
        int ready = target->seen ? target->ready : target->before;
        bool told = is_told(binding, facts->clusters[i].name);
        bool gives = only_balances(judge, binding, "") && target->after < target->before;

        ready = ready < target->before ? ready : target->before;
        if (!target->assigned || (!told && !gives)) {
            continue;
        }
        bool doubt = is_in_doubt(facts, binding, i);

        if (doubt) {
            judge_met(judge, INV_DOUBTS);
        }
        if (doubt && gives && target->after < ready) {
            judge_fail(judge, INV_DOUBTS, binding, i,
                       "%d ready ones are taken, and nobody knows whether a budget protects them",
                       ready - target->after);
        }
        if (told && !doubt) {
            judge_fail(judge, INV_DOUBTS, binding, i, "it is known whether it is protected");
        }
    }
}
