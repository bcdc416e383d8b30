/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs in a member of KubeFed's, and what still would: never less than
 * there really is.
 */
#include <string.h>

#include "facts.h"
#include "kubefed.h"

static bool
is_in(const json_t *object, const char *kind, const char *cluster)
{
    return is(text_at(object, "kind"), kind) && is(fed_member_of(object), cluster);
}

static bool
is_finished(const json_t *pod)
{
    return is(text_at(pod, "status.phase"), "Succeeded") ||
           is(text_at(pod, "status.phase"), "Failed");
}

static bool
is_ready(const json_t *pod, int64_t now)
{
    const json_t *ready = find_by(at(pod, "status.conditions"), "type", "Ready");

    return is(text_at(pod, "status.phase"), "Running") && is(text_at(ready, "status"), "True") &&
           at(pod, "metadata.deletionTimestamp") == NULL && !may_go_down_again(pod, now);
}

static bool
is_of(const json_t *pod, const struct fed_object *object)
{
    const char *name = text_at(pod, "metadata.name");
    size_t length = strlen(object->name);

    return is(text_at(pod, "metadata.namespace"), object->namespace_) &&
           strncmp(name, object->name, length) == 0 && name[length] == '-';
}

bool
fed_is_doubtful(const struct fed_facts *facts, const struct fed_object *object, const char *cluster)
{
    size_t index;
    json_t *pod;

    json_array_foreach(facts->world->objects, index, pod)
    {
        if (is_in(pod, "Pod", cluster) && is_of(pod, object) &&
            may_go_down_again(pod, facts->now)) {
            return true;
        }
    }
    return false;
}

int64_t
fed_pods(const struct fed_facts *facts, const struct fed_object *object, const char *cluster,
         bool only_ready)
{
    size_t index;
    json_t *pod;
    int64_t count = 0;
    bool seen = false;

    json_array_foreach(facts->world->objects, index, pod)
    {
        if (!is_in(pod, "Pod", cluster)) {
            continue;
        }
        seen = true;
        if (is_of(pod, object)) {
            count += (only_ready ? is_ready(pod, facts->now) : !is_finished(pod)) ? 1 : 0;
        }
    }
    return seen ? count : -1;
}

/* --- room --- */

int64_t
fed_cpu(const json_t *object)
{
    return cpu_of_pod(at(object, "spec.template.spec.template.spec"));
}

/* Of one node; never below 0. */
static void
node_free(const struct fed_facts *facts, const json_t *node, int64_t *ret_cpu, int64_t *ret_pods)
{
    size_t index;
    json_t *pod;

    *ret_cpu = milli_of(at(node, "status.allocatable.cpu"));
    *ret_pods = milli_of(at(node, "status.allocatable.pods")) / 1000;
    json_array_foreach(facts->world->objects, index, pod)
    {
        if (is_in(pod, "Pod", fed_member_of(node)) && !is_finished(pod) &&
            is(text_at(pod, "spec.nodeName"), text_at(node, "metadata.name"))) {
            *ret_cpu -= cpu_on_node(pod);
            *ret_pods -= 1;
        }
    }
    *ret_cpu = *ret_cpu > 0 ? *ret_cpu : 0;
    *ret_pods = *ret_pods > 0 ? *ret_pods : 0;
}

static bool
is_tolerated(const json_t *spec, const json_t *taint)
{
    return is(text_at(taint, "effect"), "PreferNoSchedule") ||
           find_toleration(at(spec, "tolerations"), taint) != NULL;
}

/* A node affinity is not asked: it can only leave less. */
static bool
takes(const json_t *node, const json_t *spec)
{
    json_t *cordon =
        pack("{s:s,s:s}", "key", "node.kubernetes.io/unschedulable", "effect", "NoSchedule");
    bool open = !truth_at(node, "spec.unschedulable") || is_tolerated(spec, cordon);
    size_t index;
    json_t *taint, *value;
    const char *key;

    json_decref(cordon);
    json_array_foreach(at(node, "spec.taints"), index, taint)
    {
        open = open && is_tolerated(spec, taint);
    }
    json_object_foreach(at(spec, "nodeSelector"), key, value)
    {
        open = open && json_equal(json_object_get(at(node, "metadata.labels"), key), value);
    }
    return open;
}

int64_t
fed_room(const struct fed_facts *facts, const json_t *object, const char *cluster)
{
    const json_t *spec = at(object, "spec.template.spec.template.spec");
    int64_t cpu = fed_cpu(object), room = 0, free_cpu, slots;
    bool seen = false;
    size_t index;
    json_t *node;

    json_array_foreach(facts->world->objects, index, node)
    {
        if (!is_in(node, "Node", cluster)) {
            continue;
        }
        seen = true;
        if (takes(node, spec)) {
            node_free(facts, node, &free_cpu, &slots);
            room += cpu > 0 && free_cpu / cpu < slots ? free_cpu / cpu : slots;
        }
    }
    return seen ? room : -1;
}

bool
fed_free(const struct fed_facts *facts, const char *cluster, int64_t *ret_cpu, int64_t *ret_pods)
{
    bool seen = false;
    int64_t cpu, slots;
    size_t index;
    json_t *node;

    *ret_cpu = *ret_pods = 0;
    json_array_foreach(facts->world->objects, index, node)
    {
        if (is_in(node, "Node", cluster)) {
            node_free(facts, node, &cpu, &slots);
            *ret_cpu += cpu;
            *ret_pods += slots;
            seen = true;
        }
    }
    return seen;
}
