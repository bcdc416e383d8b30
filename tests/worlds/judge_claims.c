/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims that one node may write to: what keeps its data in one leaves no cluster
 * that is alive, unless the configuration lets its storage class go.
 */
#include "judge.h"

#include <stdio.h>

static const json_t *
find_claim(const struct facts *facts, const char *member, const char *namespace_, const char *name)
{
    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->kind, "PersistentVolumeClaim") && is(object->member, member) &&
            is(object->namespace_, namespace_) && is(object->name, name)) {
            return object->json;
        }
    }
    return NULL;
}

/* By its modes, and its class; what is not known ties, and no name but "*" frees it. */
static bool
ties(const struct facts *facts, const json_t *modes, const char *class_name)
{
    const json_t *free_classes = at(facts->world->config, "movableStorageClasses");
    bool is_shared = json_array_size(modes) > 0 &&
                     (list_has(modes, "ReadWriteMany") ||
                      (!list_has(modes, "ReadWriteOnce") && !list_has(modes, "ReadWriteOncePod")));

    return !is_shared && !list_has(free_classes, "*") &&
           !(*class_name != '\0' && list_has(free_classes, class_name));
}

const char *
storage_class_of(const json_t *object)
{
    const char *annotated = json_string_value(json_object_get(
        at(object, "metadata.annotations"), "volume.beta.kubernetes.io/storage-class"));

    return annotated != NULL ? annotated : text_at(object, "spec.storageClassName");
}

static bool
is_tied_to(const struct facts *facts, const struct binding_facts *binding, const char *member)
{
    const json_t *workload = find_workload_of(facts, binding->json);
    const char *own = text_at(workload, "metadata.namespace");
    size_t index;
    json_t *item;

    json_array_foreach(at(workload, "spec.template.spec.volumes"), index, item)
    {
        const char *name = text_at(item, "persistentVolumeClaim.claimName");
        const json_t *claim = find_claim(facts, member, own, name);

        if (*name != '\0' && ties(facts, at(claim, "spec.accessModes"), storage_class_of(claim))) {
            return true;
        }
    }
    json_array_foreach(at(workload, "spec.volumeClaimTemplates"), index, item)
    {
        char first[128];

        snprintf(first, sizeof(first), "%s-%s-0", text_at(item, "metadata.name"),
                 text_at(workload, "metadata.name"));
        const json_t *of = *text_at(item, "spec.storageClassName") != '\0'
                               ? item
                               : find_claim(facts, member, own, first);

        if (ties(facts, at(item, "spec.accessModes"), storage_class_of(of))) {
            return true;
        }
    }
    return false;
}

/* Copies stay; of what is divided a scale-down alone takes some away. */
void
judge_claims(struct judge *judge, const struct binding_facts *binding)
{
    int excess = binding->sum_before - binding->replicas, left = 0, last = -1;

    if (*binding->left_alone != '\0' || judge->facts.world->reschedule_all) {
        return;
    }
    for (int i = 0; i < judge->facts.n_clusters; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (target->before == 0 || target->lost ||
            !is_tied_to(&judge->facts, binding, judge->facts.clusters[i].name)) {
            continue;
        }
        if (binding->changed || target->stuck + target->failing > 0) {
            judge_met(judge, INV_CLAIMS_STAY);
        }
        if (binding->divided ? target->after < target->before : !target->stays) {
            left += target->before - target->after;
            last = i;
        }
    }
    if (left > (binding->divided && excess > 0 ? excess : 0)) {
        judge_fail(judge, INV_CLAIMS_STAY, binding, last, "%d leave what they keep in claims",
                   left);
    }
}
