/* SPDX-License-Identifier: Apache-2.0
 *
 * Members that start and stop pods until they show what is assigned.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "story.h"

#define MEMBER "resource.karmada.io/cached-from-cluster"

static const char *
member_of(const json_t *object)
{
    const char *member =
        json_string_value(json_object_get(at(object, "metadata.annotations"), MEMBER));

    return member != NULL ? member : "";
}

/* An object of the workload in a member, by the names that the generator gives; NULL: in any. */
static bool
is_part(const json_t *object, const char *kind, const json_t *resource, const char *member)
{
    const char *name = text_at(object, "metadata.name"), *of = text_at(resource, "name");
    size_t length = strlen(of);

    return is(text_at(object, "kind"), kind) && *member_of(object) != '\0' &&
           (member == NULL || is(member_of(object), member)) &&
           is(text_at(object, "metadata.namespace"), text_at(resource, "namespace")) &&
           strncmp(name, of, length) == 0 && (name[length] == '\0' || name[length] == '-');
}

static json_t *
find_part(const struct world *world, const char *kind, const json_t *resource, const char *member)
{
    size_t index;
    json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        if (is_part(object, kind, resource, member) &&
            strstr(text_at(object, "metadata.name"), "-old") == NULL) {
            return object;
        }
    }
    return NULL;
}

static bool
shows(const struct world *world, const char *member, const char *kind)
{
    size_t index;
    json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        if (is(text_at(object, "kind"), kind) && is(member_of(object), member)) {
            return true;
        }
    }
    return false;
}

/* The member gets a copy of what another one shows; NULL when nobody does. */
static json_t *
copy_part(struct world *world, const char *kind, const json_t *resource, const char *member)
{
    const json_t *found = find_part(world, kind, resource, NULL);

    if (found == NULL || !shows(world, member, kind)) {
        return NULL;
    }
    json_t *copy = json_deep_copy(found);

    put_key(copy, "metadata.annotations", MEMBER, json_string(member));
    json_array_append_new(world->objects, copy);
    return copy;
}

static void
set_pod_state(json_t *pod, bool runs)
{
    json_t *then = time_json(WORLD_NOW - 1800);

    json_object_del(at(pod, "metadata"), "deletionTimestamp");
    if (runs) {
        put(pod, "status",
            pack("{s:s,s:[{s:s,s:s},{s:s,s:s,s:O}]}", "phase", "Running", "conditions", "type",
                 "PodScheduled", "status", "True", "type", "Ready", "status", "True",
                 "lastTransitionTime", then));
    } else {
        json_object_del(at(pod, "spec"), "nodeName");
        put(pod, "status",
            pack("{s:s,s:[{s:s,s:s,s:s,s:O}]}", "phase", "Pending", "conditions", "type",
                 "PodScheduled", "status", "False", "reason", "Unschedulable", "lastTransitionTime",
                 then));
    }
    json_decref(then);
}

/* In the order in which a ReplicaSet stops pods: those without a node, those that are not ready. */
static int
pod_rank(const json_t *pod)
{
    const char *phase = text_at(pod, "status.phase");
    const json_t *conditions = at(pod, "status.conditions");

    if (at(pod, "metadata.deletionTimestamp") != NULL || is(phase, "Failed") ||
        is(phase, "Succeeded")) {
        return -1; /* it is on its way out, and no replica any more */
    }
    return *text_at(pod, "spec.nodeName") == '\0'                                ? 0
           : is(text_at(find_by(conditions, "type", "Ready"), "status"), "True") ? 2
                                                                                 : 1;
}

/* Since when it is unschedulable, and no longer than it exists; INT64_MAX: it is not. */
static int64_t
stuck_since(const json_t *pod)
{
    const json_t *scheduled = find_by(at(pod, "status.conditions"), "type", "PodScheduled");
    int64_t created = seconds_of(text_at(pod, "metadata.creationTimestamp"), INT64_MIN);
    int64_t since = seconds_of(text_at(scheduled, "lastTransitionTime"), INT64_MIN);

    if (!is(text_at(scheduled, "reason"), "Unschedulable")) {
        return INT64_MAX;
    }
    return since > created ? since : created;
}

/* The same of any workload: a StatefulSet stops its highest ordinal, whatever its state. */
static int
stop_rank(const json_t *pod, bool by_ordinal)
{
    const char *ordinal = strrchr(text_at(pod, "metadata.name"), '-');
    int rank = pod_rank(pod);

    return rank < 0 || !by_ordinal || ordinal == NULL
               ? rank
               : 1000000 - (int)strtol(ordinal + 1, NULL, 10);
}

/* The pod to be stopped next: of the lowest rank the one that is unschedulable for longest; the
 * number of objects when there is none. */
static size_t
next_to_stop(const struct world *world, const json_t *resource, const char *member)
{
    const bool by_ordinal = is(text_at(resource, "kind"), "StatefulSet");
    size_t count = json_array_size(world->objects), found = count;
    int64_t since = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        const json_t *pod = json_array_get(world->objects, i);

        if (!is_part(pod, "Pod", resource, member)) {
            continue;
        }
        int order = found == count
                        ? -1
                        : stop_rank(pod, by_ordinal) -
                              stop_rank(json_array_get(world->objects, found), by_ordinal);

        if (order < 0 || (order == 0 && stuck_since(pod) < since)) {
            found = i;
            since = stuck_since(pod);
        }
    }
    return found;
}

/* Pods beyond `wanted` go; returns how many are left. */
static int
stop_pods(struct world *world, const json_t *resource, const char *member, int wanted)
{
    int count = 0;
    size_t index;
    json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        count += is_part(object, "Pod", resource, member) && pod_rank(object) >= 0 ? 1 : 0;
    }
    for (;;) {
        size_t next = next_to_stop(world, resource, member);
        bool is_out = next < json_array_size(world->objects) &&
                      pod_rank(json_array_get(world->objects, next)) < 0;

        if (next == json_array_size(world->objects) || (!is_out && count <= wanted)) {
            return count;
        }
        json_array_remove(world->objects, next);
        count -= is_out ? 0 : 1;
    }
}

static void
start_pod(struct world *world, const json_t *resource, const char *member, int number, bool runs)
{
    json_t *pod = copy_part(world, "Pod", resource, member);
    char name[96];

    if (pod == NULL) {
        return;
    }
    snprintf(name, sizeof(name), "%s-new-%d", text_at(resource, "name"), 100 + number);
    put(pod, "metadata.name", json_string(name));
    put(pod, "metadata.uid", json_sprintf("%s-%s", name, member));
    put(pod, "spec.nodeName", json_sprintf("%s-node-0", member));
    set_pod_state(pod, runs);
}

void
story_catch_up(struct world *world, const json_t *binding, const char *member, int wanted,
               bool runs)
{
    const json_t *resource = at(binding, "spec.resource");
    const char *kind = text_at(resource, "kind");
    int count = shows(world, member, "Pod") ? stop_pods(world, resource, member, wanted) : wanted;

    if (count >= wanted) {
        return;
    }
    if (find_part(world, kind, resource, member) == NULL) {
        json_t *workload = copy_part(world, kind, resource, member);

        if (workload != NULL) {
            put(workload, is(kind, "Job") ? "spec.parallelism" : "spec.replicas",
                json_integer(wanted));
        }
    }
    if (is(kind, "Deployment") && find_part(world, "ReplicaSet", resource, member) == NULL &&
        copy_part(world, "ReplicaSet", resource, member) == NULL) {
        return; /* no member shows one, and pods come of it */
    }
    while (count < wanted) {
        start_pod(world, resource, member, count++, runs);
    }
}
