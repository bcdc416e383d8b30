/* SPDX-License-Identifier: Apache-2.0
 *
 * A workload in one member as KubeFed counts it: by its own numbers where they
 * agree, else by its pods.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "kubefed_pods.h"

static int
workload_cmp(const void *key, const void *item)
{
    const struct object_reference *resource = key;
    const struct workload *workload = item;
    int order = strcmp(resource->namespace_, workload->namespace_);

    order = order != 0 ? order : strcmp(resource->kind, workload->kind);
    return order != 0 ? order : strcmp(resource->name, workload->name);
}

/* True if all objects of a kind are known: a missing object does not exist. */
static bool
has_all(const struct member *member, const char *kind)
{
    return str_eq(kind, "ReplicaSet") ? member->has_replica_sets : member->has_deployments;
}

static int
namespace_cmp(const void *key, const void *item)
{
    return strcmp(key, ((const struct pod *)item)->namespace_);
}

/* Returns the pods of a namespace, which stand side by side. */
static const struct pod *
pods_of_namespace(const struct member *member, const char *namespace_, uint32_t *ret_count)
{
    const struct pod *end = member->pods + member->n_pods;
    const struct pod *first = member->n_pods == 0
                                  ? NULL
                                  : bsearch(namespace_, member->pods, member->n_pods,
                                            sizeof(*member->pods), namespace_cmp);
    const struct pod *last = first;

    *ret_count = 0;
    if (first == NULL) {
        return NULL;
    }
    while (first > member->pods && str_eq(first[-1].namespace_, namespace_)) {
        first--;
    }
    while (last < end && str_eq(last->namespace_, namespace_)) {
        last++;
    }
    *ret_count = pin_uint32(last - first);
    return first;
}

/* KubeFed ignores matchExpressions. */
static struct pod_analysis
analyze_own_pods(const struct member *member, const struct workload *workload, int64_t now)
{
    uint32_t count = 0, n_own = 0;
    const struct pod *pods = pods_of_namespace(member, workload->namespace_, &count);
    const struct pod **own = heap_new(count, sizeof(const struct pod *));

    for (uint32_t i = 0; i < count; i++) {
        if (label_list_has_all(&pods[i].labels, &workload->selector->match_labels)) {
            own[n_own++] = &pods[i];
        }
    }
    struct pod_analysis analysis = kubefed_analyze_pods(own, n_own, now);

    free(own);
    return analysis;
}

/* KubeFed reads an absent count as 0. */
static int64_t
told_replicas(const struct workload *workload)
{
    return workload->replicas > 0 ? workload->replicas : 0;
}

static bool
state_by_pods(const struct member *member, const struct workload *workload, int64_t now,
              struct kubefed_replica_state *ret, struct error *err)
{
    if (workload->selector == NULL || !workload->selector->match_labels.present) {
        return error_set(err, ERROR_INVALID, "%s %s/%s: spec.selector.matchLabels: required",
                         workload->kind, workload->namespace_, workload->name);
    }
    if (!member->has_pods) {
        return error_set(err, ERROR_INVALID, "its pods are not known");
    }
    struct pod_analysis analysis = analyze_own_pods(member, workload, now);

    ret->current = analysis.running_and_ready;
    ret->has_capacity = analysis.unschedulable > 0;
    ret->capacity = ret->has_capacity ? told_replicas(workload) - analysis.unschedulable : 0;
    ret->analyzed = true;
    ret->needs_recheck = analysis.needs_recheck;
    return true;
}

bool
kubefed_replica_state(const struct member *member, const struct object_reference *resource,
                      int64_t now, struct kubefed_replica_state *ret, struct error *err)
{
    const struct workload *workload =
        member->n_workloads == 0 ? NULL
                                 : bsearch(resource, member->workloads, member->n_workloads,
                                           sizeof(*member->workloads), workload_cmp);

    *ret = (struct kubefed_replica_state){.is_there = workload != NULL};
    if (workload == NULL) {
        return has_all(member, resource->kind) ||
               error_set(err, ERROR_INVALID,
                         "its %ss are not known: no list of them was seen; in files an empty one "
                         "counts as %sList, or by the name of its file",
                         resource->kind, resource->kind);
    }
    if (workload->problem != NULL) {
        return error_set(err, ERROR_INVALID, "%s %s/%s: %s", workload->kind, workload->namespace_,
                         workload->name, workload->problem);
    }
    if (told_replicas(workload) == workload->ready_replicas) {
        ret->current = workload->ready_replicas;
        return true;
    }
    return state_by_pods(member, workload, now, ret, err);
}
