/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the pods of a member for the rules.
 */
#include "fit_pods.h"

#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/map.h"
#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "fit_cost.h"

void
fit_pods_add(struct fit_pods *pods, const struct fit_pod *pod)
{
    if (pods->count == pods->capacity) {
        size_t capacity = pods->capacity > 0 ? 2 * pods->capacity : 64;
        struct fit_pod *grown = ARENA_ARRAY(pods->arena, struct fit_pod, capacity);

        if (pods->count > 0) {
            memcpy(grown, pods->items, pods->count * sizeof(*grown));
        }
        pods->items = grown;
        pods->capacity = capacity;
    }
    struct fit_pod *added = &pods->items[pods->count++];

    *added = *pod;
    added->is_costly =
        pod->affinity != NULL && fit_cost_of_terms(&pod->affinity->against) > FIT_STEPS_EACH;
    pods->has_anti_affinity |= pod->affinity != NULL && pod->affinity->against.count > 0;
    pods->n_nominated += pod->is_nominated ? 1 : 0;
}

static uint32_t
node_of(const struct member *member, const char *name)
{
    return str_is_empty(name)
               ? NAME_NONE
               : names_find(member->nodes, sizeof(member->nodes[0]), member->n_nodes, name);
}

/* Adds each pod of a settled workload, as if it was listed. */
static void
add_settled_workload(struct fit_pods *pods, const struct member *member,
                     const struct settled_workload *workload)
{
    for (uint32_t i = 0; i < workload->n_places; i++) {
        const struct settled_place *place = &member->settled_places[workload->first_place + i];
        const struct fit_pod there = {
            .node = place->node,
            .namespace_ = workload->version->namespace_,
            .labels = &workload->version->labels,
            .affinity = workload->ties->affinity,
            .ports = &workload->ties->ports,
            .volumes = workload->ties->volumes,
            .priority = workload->ties->priority,
        };

        for (uint16_t k = 0; place->node < member->n_nodes && k < place->pods; k++) {
            fit_pods_add(pods, &there);
        }
    }
}

static void
add_pods(struct fit_pods *pods, const struct member *member)
{
    for (uint32_t i = 0; i < member->n_pods; i++) {
        const struct pod *pod = &member->pods[i];
        const struct fit_pod there = {
            .node = node_of(member, pod_node(pod)),
            .is_nominated = str_is_empty(pod->node_name),
            .is_leaving = pod->deletion_timestamp != TIME_NONE,
            .namespace_ = pod->namespace_,
            .labels = &pod->labels,
            .affinity = pod->affinity,
            .ports = &pod->ports,
            .volumes = pod->volumes,
            .priority = pod->priority,
        };

        if (there.node != NAME_NONE && !pod_is_finished(pod)) {
            fit_pods_add(pods, &there);
        }
    }
    for (uint32_t i = 0; i < member->n_placed; i++) {
        const struct pod_ties *ties = member->placed[i].ties;
        const struct fit_pod there = {
            .node = node_of(member, member->placed[i].node_name),
            .namespace_ = ties->namespace_,
            .labels = &ties->labels,
            .affinity = ties->affinity,
            .ports = &ties->ports,
            .volumes = ties->volumes,
            .priority = ties->priority,
        };

        if (there.node != NAME_NONE) {
            fit_pods_add(pods, &there);
        }
    }
    for (uint32_t i = 0; i < member->n_settled_workloads; i++) {
        add_settled_workload(pods, member, &member->settled_workloads[i]);
    }
}

/* Interned texts compare by address. Equal texts at two addresses only make fewer pods alike. */
static void
number_alike(struct fit_pods *pods)
{
    struct arena *scratch = arena_new();
    struct map *numbers = map_new();
    struct buf key;

    buf_init(&key, SIZE_MAX / 2);
    for (size_t i = 0; i < pods->count; i++) {
        const struct label_list *labels = pods->items[i].labels;
        bool is_new = false;

        buf_clear(&key);
        buf_append(&key, &pods->items[i].namespace_, sizeof(pods->items[i].namespace_));
        for (uint32_t k = 0; k < labels->count; k++) {
            buf_append(&key, &labels->items[k].key, sizeof(labels->items[k].key));
            buf_append(&key, &labels->items[k].value, sizeof(labels->items[k].value));
        }
        void **slot =
            map_put(numbers, arena_memdup(scratch, key.data, key.length), key.length, &is_new);

        if (is_new) {
            *slot = (void *)(uintptr_t)pods->n_alike++;
        }
        pods->items[i].alike = pin_uint32((uintptr_t)*slot);
    }
    buf_release(&key);
    map_free(numbers);
    arena_free(scratch);
}

struct fit_pods
fit_pods_of(struct arena *arena, const struct member *member)
{
    struct fit_pods pods = {.arena = arena};

    add_pods(&pods, member);
    number_alike(&pods);
    return pods;
}
