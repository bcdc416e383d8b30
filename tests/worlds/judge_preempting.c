/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan tells of pods of lower priority: never that more would fit than could,
 * if all of them were gone.
 */
#include <stdlib.h>
#include <string.h>

#include "judge.h"

/* What the members that may tell of a class say of it. */
struct class_facts {
    bool is_known, preempts;
    int64_t priority;
};

static void
note_pods(const struct facts *facts, int cluster, const char *name, struct class_facts *ret)
{
    for (int i = 0; i < facts->n_pods; i++) {
        const json_t *pod = facts->pods[i].json;
        int64_t priority = integer_at(pod, "spec.priority", 0);

        if ((cluster >= 0 && facts->pods[i].cluster != cluster) ||
            !is(text_at(pod, "spec.priorityClassName"), name) ||
            is(text_at(pod, "status.phase"), "Succeeded")) {
            continue;
        }
        ret->priority = !ret->is_known || priority < ret->priority ? priority : ret->priority;
        ret->preempts = (!ret->is_known || ret->preempts) &&
                        !is(text_at(pod, "spec.preemptionPolicy"), "Never");
        ret->is_known = true;
    }
}

/* As its own pods tell of it, or else all. */
static struct class_facts
class_in(const struct facts *facts, int cluster, const char *name)
{
    struct class_facts found = {.is_known = false};

    note_pods(facts, cluster, name, &found);
    if (!found.is_known) {
        note_pods(facts, -1, name, &found);
    }
    return found;
}

/* How many replicas of that size a node had at most, if none but these pods were on it. */
static int64_t
fits_beside_higher(const struct facts *facts, int cluster, const json_t *node, int64_t priority,
                   int64_t cpu)
{
    const json_t *pods = at(node, "status.allocatable.pods");
    int64_t left = milli_of(at(node, "status.allocatable.cpu"));
    int64_t places = pods != NULL ? milli_of(pods) / 1000 : 0;

    for (int i = 0; i < facts->n_pods; i++) {
        const struct pod_facts *pod = &facts->pods[i];

        if (pod->cluster == cluster && !pod->finished &&
            is(text_at(pod->json, "spec.nodeName"), text_at(node, "metadata.name")) &&
            integer_at(pod->json, "spec.priority", 0) >= priority) {
            left -= pod->on_node;
            places--;
        }
    }
    int64_t fit = cpu > 0 ? left / cpu : places;

    fit = fit < places ? fit : places;
    return fit > 0 && left >= 0 ? fit : 0;
}

static int64_t
fits_at_most(const struct facts *facts, int cluster, int64_t priority, int64_t cpu)
{
    int64_t sum = 0;

    for (int i = 0; i < facts->n_objects; i++) {
        const struct object_facts *object = &facts->objects[i];

        if (is(object->kind, "Node") && is(object->member, facts->clusters[cluster].name)) {
            sum += fits_beside_higher(facts, cluster, object->json, priority, cpu);
        }
    }
    return sum;
}

/* There is a pod on a node that may be preempted. */
static bool
has_lower(const struct facts *facts, int cluster, int64_t priority)
{
    for (int i = 0; i < facts->n_pods; i++) {
        const struct pod_facts *pod = &facts->pods[i];

        if (pod->cluster == cluster && !pod->finished &&
            integer_at(pod->json, "spec.priority", 0) < priority &&
            (*text_at(pod->json, "spec.nodeName") != '\0' ||
             *text_at(pod->json, "status.nominatedNodeName") != '\0')) {
            return true;
        }
    }
    return false;
}

/* "2 of 5 would fit ..." */
static bool
read_counts(const char *message, long long *ret_more, long long *ret_of)
{
    static const char between[] = " of ", behind[] = " would fit";
    char *end;

    *ret_more = strtoll(message, &end, 10);
    if (end == message || strncmp(end, between, strlen(between)) != 0) {
        return false;
    }
    const char *second = end + strlen(between);

    *ret_of = strtoll(second, &end, 10);
    return end != second && strncmp(end, behind, strlen(behind)) == 0;
}

static void
judge_told(struct judge *judge, const struct binding_facts *binding, const json_t *reason)
{
    const struct facts *facts = &judge->facts;
    int cluster = find_name(facts, text_at(reason, "cluster"));
    const char *name = text_at(binding->json, "spec.replicaRequirements.priorityClassName");
    struct class_facts class_ = class_in(facts, cluster, name);
    long long more = 0, of = 0;

    judge_met(judge, INV_PREEMPTING);
    if (!read_counts(text_at(reason, "message"), &more, &of) || more < 1 || more > of ||
        of > binding->sum_before + binding->replicas) {
        judge_fail(judge, INV_PREEMPTING, binding, cluster, "\"%s\"", text_at(reason, "message"));
    } else if (*name == '\0' || !class_.is_known || !class_.preempts) {
        judge_fail(judge, INV_PREEMPTING, binding, cluster, "nobody knows that it preempts");
    } else if (!has_lower(facts, cluster, class_.priority)) {
        judge_fail(judge, INV_PREEMPTING, binding, cluster, "there is nothing to preempt");
    } else if (more >
               fits_at_most(facts, cluster, class_.priority, cpu_asked_for(facts, binding))) {
        judge_fail(judge, INV_PREEMPTING, binding, cluster, "%lld would never fit", more);
    }
}

void
judge_preempting(struct judge *judge, const struct binding_facts *binding)
{
    size_t index;
    json_t *reason;

    json_array_foreach(at(binding->item, "reasons"), index, reason)
    {
        if (is(text_at(reason, "code"), "LowerPriority")) {
            judge_told(judge, binding, reason);
        }
    }
}
