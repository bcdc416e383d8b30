/* SPDX-License-Identifier: Apache-2.0
 *
 * From pods to the workloads that bindings name, through their owners: Pod ->
 * ReplicaSet -> Deployment, Pod -> StatefulSet, Pod -> Job -> anything, and any
 * other controller. One member is taken in at a time, each of its objects once,
 * so the cost follows the objects and not bindings times objects.
 *
 * The objects of a member have uids of their own: a workload is the binding's
 * by API group, kind, namespace and name, and from there on uids decide.
 */
#include "parts.h"

#include "ballast/buf.h"
#include "ballast/map.h"
#include "ballast/str.h"

/* More owners above one another than any controller makes; untrusted input may go in circles. */
#define OWNERS_MAX 8

/* A subject in the member under way; stale unless `epoch` is the index's. */
struct slot {
    uint32_t epoch;
    uint32_t first_pod;
    const struct workload *workload;
    const struct replica_set *current;
};

struct workload_index {
    struct map *subjects; /* key -> subject + 1 */
    uint32_t *of_binding;
    struct slot *slots;
    uint32_t n_subjects;
    uint32_t epoch;
    const struct member *member;
    uint32_t *next_pod;
    struct map *sets;   /* of the member under way: uid of a ReplicaSet -> its subject + 1 */
    struct map *owners; /* and uid of any other owned object -> its struct owner */
    struct buf key;
};

static void
append_part(struct buf *key, const char *text, size_t length)
{
    buf_append(key, text, length);
    buf_append_char(key, '\0');
}

static void
make_key(struct buf *key, const char *api_version, const char *kind, const char *namespace_,
         const char *name)
{
    const char *slash = strchr(api_version, '/');

    buf_clear(key);
    append_part(key, api_version, slash != NULL ? (size_t)(slash - api_version) : 0);
    append_part(key, kind, strlen(kind));
    append_part(key, namespace_, strlen(namespace_));
    append_part(key, name, strlen(name));
}

static uint32_t
find_subject(struct workload_index *index, const char *api_version, const char *kind,
             const char *namespace_, const char *name)
{
    void **found = NULL;

    make_key(&index->key, api_version, kind, namespace_, name);
    found = map_get(index->subjects, index->key.data, index->key.length);
    return found != NULL ? (uint32_t)(uintptr_t)*found - 1 : SUBJECT_NONE;
}

static uint32_t
add_subject(struct workload_index *index, struct arena *arena, const struct object_reference *ref)
{
    uint32_t subject = find_subject(index, ref->api_version, ref->kind, ref->namespace_, ref->name);

    if (subject == SUBJECT_NONE) {
        const char *key = arena_memdup(arena, index->key.data, index->key.length);

        subject = index->n_subjects++;
        *map_put(index->subjects, key, index->key.length, NULL) = (void *)(uintptr_t)(subject + 1);
    }
    return subject;
}

static struct slot *
slot_of(struct workload_index *index, uint32_t subject)
{
    struct slot *slot = &index->slots[subject];

    if (slot->epoch != index->epoch) {
        *slot = (struct slot){.epoch = index->epoch, .first_pod = POD_NONE};
    }
    return slot;
}

/* The subject that an object with this owner belongs to. */
static uint32_t
resolve(struct workload_index *index, const struct owner *owner, const char *namespace_)
{
    for (int i = 0; i < OWNERS_MAX && !str_is_empty(owner->kind); i++) {
        uint32_t subject =
            find_subject(index, owner->api_version, owner->kind, namespace_, owner->name);

        if (subject != SUBJECT_NONE) {
            const struct workload *seen = slot_of(index, subject)->workload;

            /* of the same name, but another life */
            return seen != NULL && !str_eq(seen->uid, owner->uid) ? SUBJECT_NONE : subject;
        }
        void **above = map_get_str(index->owners, owner->uid);

        if (above == NULL) {
            return SUBJECT_NONE;
        }
        owner = *above;
    }
    return SUBJECT_NONE;
}

static void
take_workloads(struct workload_index *index, const struct member *member)
{
    for (uint32_t i = 0; i < member->n_workloads; i++) {
        const struct workload *w = &member->workloads[i];
        uint32_t subject = find_subject(index, w->api_version, w->kind, w->namespace_, w->name);

        if (subject != SUBJECT_NONE) {
            slot_of(index, subject)->workload = w;
        } else if (!str_is_empty(w->uid) && !str_is_empty(w->owner.kind)) {
            *map_put_str(index->owners, w->uid, NULL) = (void *)(uintptr_t)&w->owner;
        }
    }
}

static void
take_replica_sets(struct workload_index *index, const struct member *member)
{
    for (uint32_t i = 0; i < member->n_replica_sets; i++) {
        const struct replica_set *set = &member->replica_sets[i];
        uint32_t subject = resolve(index, &set->owner, set->namespace_);

        if (subject == SUBJECT_NONE || str_is_empty(set->uid)) {
            continue;
        }
        struct slot *slot = slot_of(index, subject);

        *map_put_str(index->sets, set->uid, NULL) = (void *)(uintptr_t)(subject + 1);
        if (slot->workload != NULL && replica_set_is_of(set, slot->workload)) {
            slot->current = replica_set_more_current(slot->current, set, slot->workload);
        }
    }
}

static uint32_t
resolve_pod(struct workload_index *index, const struct pod *pod)
{
    void **found =
        str_eq(pod->owner.kind, "ReplicaSet") ? map_get_str(index->sets, pod->owner.uid) : NULL;

    return found != NULL ? (uint32_t)(uintptr_t)*found - 1
                         : resolve(index, &pod->owner, pod->namespace_);
}

/* Backwards, so that each chain runs in the order of the pods. Pods are sorted by name: those of
 * one owner mostly stand together, and the last answer holds for the next. */
static void
take_pods(struct workload_index *index, const struct member *member)
{
    const struct owner *last = NULL;
    const char *last_namespace = "";
    uint32_t subject = SUBJECT_NONE;

    for (uint32_t i = member->n_pods; i > 0; i--) {
        const struct pod *pod = &member->pods[i - 1];

        if (last == NULL || !str_eq(pod->owner.uid, last->uid) ||
            !str_eq(pod->owner.kind, last->kind) || !str_eq(pod->owner.name, last->name) ||
            !str_eq(pod->namespace_, last_namespace)) {
            subject = resolve_pod(index, pod);
            last = &pod->owner;
            last_namespace = pod->namespace_;
        }
        if (subject != SUBJECT_NONE) {
            struct slot *slot = slot_of(index, subject);

            index->next_pod[i - 1] = slot->first_pod;
            slot->first_pod = i - 1;
        }
    }
}

static uint32_t
most_pods(const struct fleet *fleet)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        most = fleet->members[i].n_pods > most ? fleet->members[i].n_pods : most;
    }
    return most;
}

struct workload_index *
workload_index_new(struct arena *arena, const struct fleet *fleet)
{
    struct workload_index *index = ARENA_NEW(arena, struct workload_index);

    index->subjects = map_new();
    index->of_binding = ARENA_ARRAY(arena, uint32_t, fleet->n_bindings);
    buf_init(&index->key, SIZE_MAX / 2);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        index->of_binding[i] = add_subject(index, arena, &fleet->bindings[i].resource);
    }
    index->slots = ARENA_ARRAY(arena, struct slot, index->n_subjects);
    index->next_pod = ARENA_ARRAY(arena, uint32_t, most_pods(fleet));
    return index;
}

void
workload_index_free(struct workload_index *index)
{
    map_free(index->subjects);
    map_free(index->sets);
    map_free(index->owners);
    buf_release(&index->key);
}

uint32_t
workload_index_subject(const struct workload_index *index, uint32_t binding)
{
    return index->of_binding[binding];
}

void
workload_index_member(struct workload_index *index, const struct member *member)
{
    map_free(index->sets);
    map_free(index->owners);
    index->sets = map_new();
    index->owners = map_new();
    index->epoch++;
    index->member = member;
    take_workloads(index, member);
    take_replica_sets(index, member);
    take_pods(index, member);
}

struct workload_view
workload_index_view(const struct workload_index *index, uint32_t subject)
{
    const struct slot *slot = &index->slots[subject];

    if (slot->epoch != index->epoch) {
        return (struct workload_view){.member = index->member, .first_pod = POD_NONE};
    }
    return (struct workload_view){.member = index->member,
                                  .workload = slot->workload,
                                  .current = slot->current,
                                  .first_pod = slot->first_pod};
}

uint32_t
workload_index_next_pod(const struct workload_index *index, uint32_t pod)
{
    return index->next_pod[pod];
}
