/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps pods to the workloads that bindings name, through their owners: Pod -> ReplicaSet ->
 * Deployment, Pod -> StatefulSet, Pod -> Job -> any controller. The index holds one member at a
 * time and visits each object once.
 *
 * A binding's workload is found by API group, kind, namespace and name; from there uids decide,
 * which differ between members. One exception: Ballast does not read a ReplicaSet whose pods are
 * well. Its name is the Deployment's name and the hash label of its pods.
 */
#include "observed.h"

#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "subject_table.h"

/* More than any chain of owners has; untrusted input may form a circle. */
#define OWNERS_MAX 8

enum { NOT_ASKED, OF_NONE, OF_FIRST };

/* A subject in the current member; stale unless `epoch` is the index's. */
struct subject_slot {
    uint32_t epoch;
    uint32_t first_pod, first_settled;
    const struct workload *workload;
    const struct replica_set *current;
    const struct settled_workload *settled; /* if set, no pod or ReplicaSet leads here */
};

struct workload_index {
    struct subject_table *subjects;
    struct subject_slot *slots; /* by subject; allocated for n_bindings */
    uint32_t *of_version; /* by settled version: NOT_ASKED, OF_NONE, or OF_FIRST + its subject */
    uint32_t epoch;
    const struct member *member;
    uint32_t *next_pod, *next_settled;
    VEC_OF(uint32_t) in_trouble;
    VEC_OF(uint32_t) foreign;
    bool marks_managed;
    struct map *sets;   /* uid of a ReplicaSet -> its subject's slot, or NULL */
    struct map *owners; /* uid of any other owned object -> its struct owner */
};

static struct subject_slot *
find_subject_of(struct workload_index *index, const char *api_version, const char *kind,
                const char *namespace_, const char *name, size_t name_length)
{
    const struct subject_name wanted = {api_version, kind, namespace_, name, name_length};
    const uint32_t subject = subject_table_find(index->subjects, &wanted);

    return subject != SUBJECT_NONE ? &index->slots[subject] : NULL;
}

static struct subject_slot *
find_subject(struct workload_index *index, const char *api_version, const char *kind,
             const char *namespace_, const char *name)
{
    return find_subject_of(index, api_version, kind, namespace_, name, strlen(name));
}

static struct subject_slot *
refresh(const struct workload_index *index, struct subject_slot *slot)
{
    if (slot->epoch != index->epoch) {
        *slot = (struct subject_slot){
            .epoch = index->epoch, .first_pod = POD_NONE, .first_settled = POD_NONE};
    }
    return slot;
}

/* Returns the subject of an object with this owner; NULL: none. */
static struct subject_slot *
resolve(struct workload_index *index, const struct owner *owner, const char *namespace_)
{
    for (int i = 0; i < OWNERS_MAX && !str_is_empty(owner->kind); i++) {
        struct subject_slot *slot =
            find_subject(index, owner->api_version, owner->kind, namespace_, owner->name);

        if (slot != NULL) {
            const struct workload *seen = refresh(index, slot)->workload;

            /* the name is equal, but the uid is of an earlier or later object */
            return slot->settled != NULL || (seen != NULL && !str_eq(seen->uid, owner->uid)) ? NULL
                                                                                             : slot;
        }
        void **above = map_get_str(index->owners, owner->uid);

        if (above == NULL) {
            return NULL;
        }
        owner = *above;
    }
    return NULL;
}

/* Looks up the name of a version once: many members run it. */
static struct subject_slot *
find_settled(struct workload_index *index, const struct settled_version *version)
{
    uint32_t *known = &index->of_version[version->number];

    if (*known == NOT_ASKED) {
        const struct subject_slot *slot =
            find_subject(index, "apps/v1", "Deployment", version->namespace_, version->name);

        *known = slot != NULL ? pin_uint32(slot - index->slots) + OF_FIRST : OF_NONE;
    }
    return *known >= OF_FIRST ? &index->slots[*known - OF_FIRST] : NULL;
}

static void
note_foreign(struct workload_index *index, const struct subject_slot *slot, bool is_managed)
{
    if (index->marks_managed && !is_managed) {
        vec_add(&index->foreign, pin_uint32(slot - index->slots));
    }
}

/* A settled workload that the member also shows as an object counts as that object. */
static void
take_settled_workloads(struct workload_index *index, const struct member *member)
{
    for (uint32_t i = 0; i < member->n_settled_workloads; i++) {
        const struct settled_workload *w = &member->settled_workloads[i];
        struct subject_slot *slot = find_settled(index, w->version);

        if (slot != NULL && refresh(index, slot)->workload == NULL) {
            slot->settled = w;
            note_foreign(index, slot, w->version->is_managed);
        }
    }
}

static void
take_workloads(struct workload_index *index, const struct member *member)
{
    for (uint32_t i = 0; i < member->n_workloads; i++) {
        const struct workload *w = &member->workloads[i];
        struct subject_slot *slot =
            find_subject(index, w->api_version, w->kind, w->namespace_, w->name);

        if (slot != NULL) {
            refresh(index, slot)->workload = w;
            note_foreign(index, slot, w->is_managed);
        } else if (!str_is_empty(w->uid) && !str_is_empty(w->owner.kind)) {
            *map_put_str(index->owners, w->uid, NULL) = (void *)&w->owner;
        }
    }
}

/* A binding may name a ReplicaSet that nothing controls. */
static struct subject_slot *
resolve_set(struct workload_index *index, const struct replica_set *set)
{
    if (!str_is_empty(set->owner.kind)) {
        return resolve(index, &set->owner, set->namespace_);
    }
    struct subject_slot *slot =
        find_subject(index, "apps/v1", "ReplicaSet", set->namespace_, set->name);

    return slot != NULL ? refresh(index, slot) : NULL;
}

static void
take_replica_sets(struct workload_index *index, const struct member *member)
{
    for (uint32_t i = 0; i < member->n_replica_sets; i++) {
        const struct replica_set *set = &member->replica_sets[i];
        struct subject_slot *slot = resolve_set(index, set);

        if (str_is_empty(set->uid)) {
            continue;
        }
        *map_put_str(index->sets, set->uid, NULL) = slot;
        if (slot != NULL && slot->workload != NULL && replica_set_is_of(set, slot->workload)) {
            slot->current = replica_set_more_current(slot->current, set, slot->workload);
        }
    }
}

struct lead {
    const char *namespace_;
    const struct owner *owner;
    const char *template_hash;
};

/* For pods of unread ReplicaSets: web-5d4f8b9c7d belongs to web if the pod has that hash label. */
static struct subject_slot *
resolve_by_hash(struct workload_index *index, const struct lead *lead)
{
    const char *name = lead->owner->name;
    size_t length = strlen(name), suffix = strlen(lead->template_hash) + 1;

    if (suffix < 2 || length <= suffix || name[length - suffix] != '-' ||
        !str_eq(name + length - suffix + 1, lead->template_hash)) {
        return NULL;
    }
    struct subject_slot *slot = find_subject_of(index, lead->owner->api_version, "Deployment",
                                                lead->namespace_, name, length - suffix);

    return slot != NULL && refresh(index, slot)->settled == NULL ? slot : NULL;
}

static struct subject_slot *
resolve_lead(struct workload_index *index, const struct lead *lead)
{
    bool by_set = str_eq(lead->owner->kind, "ReplicaSet");
    void **found = by_set ? map_get_str(index->sets, lead->owner->uid) : NULL;
    struct subject_slot *slot =
        found != NULL ? *found : resolve(index, lead->owner, lead->namespace_);

    return slot == NULL && found == NULL && by_set ? resolve_by_hash(index, lead) : slot;
}

static bool
is_same_owner(const struct pod *a, const struct pod *b)
{
    return str_eq(a->owner.uid, b->owner.uid) && str_eq(a->owner.kind, b->owner.kind) &&
           str_eq(a->owner.name, b->owner.name) && str_eq(a->namespace_, b->namespace_);
}

static void
note_trouble(struct workload_index *index, uint32_t subject, const struct pod *pod)
{
    size_t count = index->in_trouble.count;

    if (!pod_is_ready(pod) && (count == 0 || index->in_trouble.items[count - 1] != subject)) {
        vec_add(&index->in_trouble, subject);
    }
}

const uint32_t *
workload_index_in_trouble(const struct workload_index *index, uint32_t *ret_count)
{
    *ret_count = pin_uint32(index->in_trouble.count);
    return index->in_trouble.items;
}

const uint32_t *
workload_index_foreign(const struct workload_index *index, uint32_t *ret_count)
{
    *ret_count = pin_uint32(index->foreign.count);
    return index->foreign.items;
}

/* Goes backwards, so that each chain is in the order of pods. Pods are sorted by name, so
 * neighbours mostly share one owner and its lookup. */
static void
take_pods(struct workload_index *index, const struct member *member)
{
    const struct pod *last = NULL;
    struct subject_slot *slot = NULL;

    for (uint32_t i = member->n_pods; i > 0; i--) {
        const struct pod *pod = &member->pods[i - 1];

        if (str_is_empty(pod->owner.kind)) {
            slot = find_subject(index, "v1", "Pod", pod->namespace_, pod->name);
            slot = slot != NULL ? refresh(index, slot) : NULL;
            last = NULL;
        } else if (last == NULL || !is_same_owner(pod, last)) {
            struct lead lead = {pod->namespace_, &pod->owner,
                                pod_label(pod, POD_TEMPLATE_HASH_LABEL)};

            slot = resolve_lead(index, &lead);
            last = pod;
        }
        if (slot != NULL) {
            index->next_pod[i - 1] = slot->first_pod;
            slot->first_pod = i - 1;
            note_trouble(index, pin_uint32(slot - index->slots), pod);
        }
    }
}

static void
take_settled(struct workload_index *index, const struct member *member)
{
    for (uint32_t i = member->n_settled; i > 0; i--) {
        const struct settled_pods *pods = &member->settled[i - 1];
        struct lead lead = {pods->namespace_, &pods->owner, pods->template_hash};
        struct subject_slot *slot = resolve_lead(index, &lead);

        if (slot != NULL) {
            index->next_settled[i - 1] = slot->first_settled;
            slot->first_settled = i - 1;
        }
    }
}

static void
make_chains(struct workload_index *index, struct arena *arena, const struct fleet *fleet)
{
    uint32_t pods = 0, settled = 0;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct member *member = &fleet->members[i];

        pods = member->n_pods > pods ? member->n_pods : pods;
        settled = member->n_settled > settled ? member->n_settled : settled;
    }
    index->next_pod = ARENA_ARRAY(arena, uint32_t, pods);
    index->next_settled = ARENA_ARRAY(arena, uint32_t, settled);
}

bool
workload_index_is_needed(const struct member *member)
{
    return member->n_workloads > 0 || member->n_replica_sets > 0 || member->n_pods > 0 ||
           member->n_settled > 0 || member->n_settled_workloads > 0;
}

struct workload_view
workload_view_of_none(const struct member *member)
{
    return (struct workload_view){
        .member = member, .first_pod = POD_NONE, .first_settled = POD_NONE};
}

struct workload_index *
workload_index_new(struct arena *arena, const struct fleet *fleet)
{
    struct workload_index *index = ARENA_NEW(arena, struct workload_index);

    index->subjects = subject_table_new(arena, fleet);
    index->marks_managed = fleet->marks_managed;
    index->slots = ARENA_ARRAY(arena, struct subject_slot, fleet->n_bindings);
    index->of_version = ARENA_ARRAY(arena, uint32_t, fleet->n_settled_versions);
    make_chains(index, arena, fleet);
    return index;
}

void
workload_index_free(struct workload_index *index)
{
    subject_table_free(index->subjects);
    map_free(index->sets);
    map_free(index->owners);
    vec_free(&index->in_trouble);
    vec_free(&index->foreign);
}

uint32_t
workload_index_subject(const struct workload_index *index, uint32_t binding)
{
    return subject_table_of_binding(index->subjects, binding);
}

void
workload_index_member(struct workload_index *index, const struct member *member)
{
    map_free(index->sets);
    map_free(index->owners);
    index->sets = map_new();
    index->owners = map_new();
    index->in_trouble.count = 0;
    index->foreign.count = 0;
    index->epoch++;
    index->member = member;
    take_workloads(index, member);
    take_settled_workloads(index, member);
    take_replica_sets(index, member);
    take_pods(index, member);
    take_settled(index, member);
}

struct workload_view
workload_index_view(const struct workload_index *index, uint32_t subject)
{
    const struct subject_slot *slot = &index->slots[subject];

    if (slot->epoch != index->epoch) {
        return workload_view_of_none(index->member);
    }
    return (struct workload_view){.member = index->member,
                                  .workload = slot->workload,
                                  .current = slot->current,
                                  .settled = slot->settled,
                                  .first_pod = slot->first_pod,
                                  .first_settled = slot->first_settled};
}

uint32_t
workload_index_next_pod(const struct workload_index *index, uint32_t pod)
{
    return index->next_pod[pod];
}

uint32_t
workload_index_next_settled(const struct workload_index *index, uint32_t settled)
{
    return index->next_settled[settled];
}
