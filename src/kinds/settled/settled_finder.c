/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds settled Deployments: see settled_finder.h. A diagnosis leads from pods to workloads by
 * uids, or by names where uids are unknown (diagnose/workload_index.c). If any object might lead to
 * a Deployment in either way, the Deployment is not settled.
 */
#include "settled_finder.h"

#include "ballast/base/heap.h"
#include "ballast/base/name_index.h"
#include "ballast/base/str.h"

/* A ReplicaSet and its Deployment. */
struct found_set {
    struct found_workload *of; /* NULL: none */
    const struct replica_set *set;
};

struct settled_finder {
    struct arena *arena;
    struct map *by_uid;       /* of a workload -> struct found_workload */
    struct map *by_set;       /* uid of a ReplicaSet -> struct found_set */
    struct map *names;        /* "D" or "R", namespace and name -> struct found_workload */
    struct map *of_strangers; /* namespaces with pods of unseen ReplicaSets */
    struct map *groups;       /* uid of an owner -> its one struct pod_group; NULL: several */
    struct buf key;
};

static const void *
key_of(struct buf *key, char kind, const char *namespace_, const char *name)
{
    buf_clear(key);
    buf_append_char(key, kind);
    buf_append(key, namespace_, strlen(namespace_) + 1);
    buf_append(key, name, strlen(name));
    return key->data;
}

static void
put_name(struct settled_finder *finder, char kind, const char *namespace_, const char *name,
         struct found_workload *found)
{
    const void *key = key_of(&finder->key, kind, namespace_, name);
    size_t length = finder->key.length;

    *map_put(finder->names, arena_memdup(finder->arena, key, length), length, NULL) = found;
}

static void *
get(const struct map *map, const char *key)
{
    void **slot = map_get_str(map, key);

    return slot != NULL ? *slot : NULL;
}

/* True if a row has all fields of the workload that a decision reads. */
static bool
may_be_settled(const struct workload *workload)
{
    return str_eq(workload->kind, "Deployment") && str_eq(workload->api_version, "apps/v1") &&
           str_is_empty(workload->owner.kind) && !workload->retains_replicas &&
           !workload_is_behind(workload) && workload->refusal == NULL && workload->problem == NULL;
}

static void
add_workloads(struct settled_finder *finder, const struct member_builder *member)
{
    for (size_t i = 0; i < member->workloads.count; i++) {
        const struct workload *workload = &member->workloads.items[i];
        bool is_new;

        if (str_is_empty(workload->uid)) {
            continue;
        }
        void **slot = map_put_str(finder->by_uid, workload->uid, &is_new);

        if (!is_new) {
            ((struct found_workload *)*slot)->is_out = true;
            continue;
        }
        struct found_workload *found = ARENA_NEW(finder->arena, struct found_workload);

        *found = (struct found_workload){.workload = workload, .is_out = !may_be_settled(workload)};
        *slot = found;
        if (str_eq(workload->kind, "Deployment")) {
            put_name(finder, 'D', workload->namespace_, workload->name, found);
        }
    }
}

static bool
is_set_of(const struct replica_set *set, const struct workload *workload)
{
    return str_eq(set->owner.kind, "Deployment") && str_eq(set->owner.api_version, "apps/v1") &&
           str_eq(set->owner.name, workload->name) && str_eq(set->namespace_, workload->namespace_);
}

static bool
has_template_of(const struct replica_set *set, const struct workload *workload)
{
    return set->version.pod_template.high == workload->pod_template.high &&
           set->version.pod_template.low == workload->pod_template.low;
}

/* NULL: the uid is taken, or empty. */
static struct found_set *
keep_set(struct settled_finder *finder, const struct replica_set *set, struct found_workload *of)
{
    bool is_new;

    if (str_is_empty(set->uid)) {
        return NULL;
    }
    void **slot = map_put_str(finder->by_set, set->uid, &is_new);

    if (!is_new) {
        const struct found_set *other = *slot;

        if (other->of != NULL) {
            other->of->is_out = true;
        }
        return NULL;
    }
    struct found_set *found = ARENA_NEW(finder->arena, struct found_set);

    *found = (struct found_set){of, set};
    *slot = found;
    return found;
}

static void
add_set(struct settled_finder *finder, const struct replica_set *set)
{
    struct found_workload *of = get(finder->by_uid, set->owner.uid);
    const struct found_set *found = keep_set(finder, set, of);

    if (of == NULL) {
        return;
    }
    of->is_out |= found == NULL || !is_set_of(set, of->workload);
    put_name(finder, 'R', set->namespace_, set->name, of);
    if (has_template_of(set, of->workload)) {
        of->is_out |=
            of->current != NULL || !label_selector_matches(of->workload->selector, &set->labels);
        of->current = set;
    }
}

/* Marks the Deployment of this owner as not settled. */
static void
take_out(struct settled_finder *finder, const struct owner *owner, const char *namespace_)
{
    struct found_workload *of = get(finder->by_uid, owner->uid);
    struct found_set *of_set = get(finder->by_set, owner->uid);

    if (of != NULL) {
        of->is_out = true;
    }
    if (of_set != NULL && of_set->of != NULL) {
        of_set->of->is_out = true;
    } else if (of_set == NULL && str_eq(owner->kind, "ReplicaSet")) {
        map_put_str(finder->of_strangers, namespace_, NULL); /* its name may lead to a Deployment */
    }
}

/* A Deployment is settled only if all its pods are of the current version, and alike. */
static void
add_settled(struct settled_finder *finder, const struct settled_pods *pods)
{
    struct found_set *set = get(finder->by_set, pods->owner.uid);
    const struct pod_group *group = get(finder->groups, pods->owner.uid);

    if (set == NULL || set->of == NULL || set->set != set->of->current || set->of->pods != NULL ||
        group == NULL || !str_eq(pods->owner.kind, "ReplicaSet") ||
        !str_eq(pods->namespace_, set->set->namespace_) || !str_is_empty(pods->revision)) {
        take_out(finder, &pods->owner, pods->namespace_);
    } else {
        set->of->pods = group;
    }
}

static void
add_groups(struct settled_finder *finder, const struct pod_group *groups, uint32_t n_groups)
{
    for (uint32_t i = 0; i < n_groups; i++) {
        bool is_new;
        void **slot = map_put_str(finder->groups, groups[i].owner_uid, &is_new);

        *slot = is_new ? (void *)(uintptr_t)&groups[i] : NULL;
    }
}

struct settled_finder *
settled_finder_new(const struct member_builder *member, const struct pod_group *groups,
                   uint32_t n_groups)
{
    struct settled_finder *finder = heap_new(1, sizeof(*finder));

    *finder = (struct settled_finder){.arena = arena_new(),
                                      .by_uid = map_new(),
                                      .by_set = map_new(),
                                      .names = map_new(),
                                      .of_strangers = map_new(),
                                      .groups = map_new()};
    buf_init(&finder->key, SIZE_MAX / 2);
    add_groups(finder, groups, n_groups);
    add_workloads(finder, member);
    for (size_t i = 0; i < member->replica_sets.count; i++) {
        add_set(finder, &member->replica_sets.items[i]);
    }
    for (size_t i = 0; i < member->workloads.count; i++) {
        take_out(finder, &member->workloads.items[i].owner, member->workloads.items[i].namespace_);
    }
    for (size_t i = 0; i < member->pods.count; i++) {
        take_out(finder, &member->pods.items[i].owner, member->pods.items[i].namespace_);
    }
    for (size_t i = 0; i < member->settled.pods.count; i++) {
        add_settled(finder, &member->settled.pods.items[i]);
    }
    return finder;
}

void
settled_finder_free(struct settled_finder *finder)
{
    if (finder == NULL) {
        return;
    }
    map_free(finder->by_uid);
    map_free(finder->by_set);
    map_free(finder->names);
    map_free(finder->of_strangers);
    map_free(finder->groups);
    buf_release(&finder->key);
    arena_free(finder->arena);
    free(finder);
}

/* True if all pods are on nodes, and within the limits of a row. */
static bool
can_be_told(const struct pod_group *pods)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < pods->n_places; i++) {
        if (str_is_empty(pods->places[i].node) || pods->places[i].pods >= SETTLED_NOWHERE) {
            return false;
        }
        count += pods->places[i].pods;
    }
    return pods->n_places <= SETTLED_PLACES_MAX && count <= SETTLED_PODS_MAX;
}

/* A row does not have the controller's report on missing pods. */
static bool
lacks_pods(const struct found_workload *found)
{
    int64_t count = 0;

    for (uint32_t i = 0; found->pods != NULL && i < found->pods->n_places; i++) {
        count += found->pods->places[i].pods;
    }
    return found->workload->replicas > count;
}

static const struct found_workload *
find(struct settled_finder *finder, char kind, const char *namespace_, const char *name)
{
    const void *key = key_of(&finder->key, kind, namespace_, name);
    void **slot = map_get(finder->names, key, finder->key.length);
    const struct found_workload *found = slot != NULL ? *slot : NULL;
    bool is_settled = found != NULL && !found->is_out && found->current != NULL &&
                      map_get_str(finder->of_strangers, found->workload->namespace_) == NULL &&
                      !lacks_pods(found) && (found->pods == NULL || can_be_told(found->pods));

    return is_settled ? found : NULL;
}

const struct found_workload *
settled_finder_workload(struct settled_finder *finder, const char *namespace_, const char *name)
{
    return find(finder, 'D', namespace_, name);
}

const struct found_workload *
settled_finder_set(struct settled_finder *finder, const char *namespace_, const char *name)
{
    return find(finder, 'R', namespace_, name);
}

bool
settled_finder_has(struct settled_finder *finder, const struct pod_group *pods)
{
    const struct found_set *set = get(finder->by_set, pods->owner_uid);
    const struct found_workload *found =
        set != NULL && set->of != NULL
            ? settled_finder_set(finder, set->set->namespace_, set->set->name)
            : NULL;

    return found != NULL && found->pods == pods;
}

void
settled_finder_leave_out(struct settled_finder *finder, const char *namespace_, const char *name)
{
    void **slot =
        map_get(finder->names, key_of(&finder->key, 'D', namespace_, name), finder->key.length);

    if (slot != NULL) {
        ((struct found_workload *)*slot)->is_out = true;
    }
}
