/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of settled pods. Amounts that are negative or beyond any machine are not
 * summed up: so a sum never overflows, and is the same in whatever order pods
 * come.
 */
#include "ballast/model/settled.h"

#include <stddef.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"

#define AMOUNT_MAX (INT64_C(1) << 44) /* 16 TiB; 17 billion cores */
#define PODS_MAX (INT64_C(1) << 18)   /* on a node */
#define PODS_OF_OWNER_MAX (UINT32_C(1) << 31)
#define RESOURCES_MAX 1024u /* on a node; real nodes have ten */
#define AMOUNTS_FIRST 4
#define PRIORITIES_MAX 32           /* kept apart on a node; a cluster has few classes */
#define MAP_SLOT_BYTES ((size_t)64) /* half of the slots are free */
#define OWNER_BYTES offsetof(struct settled_pods, newest_creation)

/* Sorted by name. */
struct growing_amounts {
    uint32_t count, capacity;
    struct resource_amount *items;
};

struct node_sum {
    int64_t pods;
    struct growing_amounts requests, beyond;
    struct node_sum *ranks; /* of the pods with a priority other than 0; by priority */
    uint32_t n_ranks;       /* without the rank of INT32_MAX */
    int32_t priority;       /* of a rank */
    struct node_sum *next;
};

static void
open_settled(struct settled *settled)
{
    if (settled->arena == NULL) {
        settled->arena = arena_new();
        settled->by_owner = map_new();
        settled->by_node = map_new();
    }
}

void
settled_release(struct settled *settled)
{
    map_free(settled->by_owner);
    map_free(settled->by_node);
    arena_free(settled->arena);
    vec_free(&settled->pods);
    *settled = (struct settled){.arena = NULL};
}

size_t
settled_footprint(const struct settled *settled)
{
    if (settled->arena == NULL) {
        return 0;
    }
    return arena_used(settled->arena) + settled->pods.capacity * sizeof(*settled->pods.items) +
           (map_count(settled->by_owner) + map_count(settled->by_node)) * MAP_SLOT_BYTES;
}

static bool
are_in_bounds(const struct resource_amounts *amounts)
{
    for (uint32_t i = 0; i < amounts->count; i++) {
        if (amounts->items[i].amount < 0 || amounts->items[i].amount > AMOUNT_MAX) {
            return false;
        }
    }
    return true;
}

static bool
can_be_summed(const struct pod *pod)
{
    return are_in_bounds(&pod->requests) && are_in_bounds(&pod->beyond);
}

struct node_sum *
settled_node(struct settled *settled, const char *node_name)
{
    open_settled(settled);

    void **slot = map_put_str(settled->by_node, node_name, NULL);

    if (*slot == NULL) {
        *slot = ARENA_NEW(settled->arena, struct node_sum);
    }
    return *slot;
}

static int64_t *
amount_of(struct settled *settled, struct growing_amounts *amounts, const char *name)
{
    uint32_t at = names_before(amounts->items, sizeof(amounts->items[0]), amounts->count, name);

    if (at >= amounts->count || !str_eq(amounts->items[at].name, name)) {
        if (amounts->count == amounts->capacity) {
            uint32_t capacity = amounts->capacity == 0 ? AMOUNTS_FIRST : 2 * amounts->capacity;
            struct resource_amount *grown =
                ARENA_ARRAY(settled->arena, struct resource_amount, capacity);

            for (uint32_t i = 0; i < amounts->count; i++) {
                grown[i] = amounts->items[i];
            }
            amounts->items = grown;
            amounts->capacity = capacity;
        }
        for (uint32_t i = amounts->count++; i > at; i--) {
            amounts->items[i] = amounts->items[i - 1];
        }
        amounts->items[at] = (struct resource_amount){.name = name};
    }
    return &amounts->items[at].amount;
}

static void
add_amounts(struct settled *settled, struct growing_amounts *to,
            const struct resource_amounts *amounts, uint32_t count)
{
    for (uint32_t i = 0; i < amounts->count; i++) {
        *amount_of(settled, to, amounts->items[i].name) += amounts->items[i].amount * count;
    }
}

static void
add_pods(struct settled *settled, struct node_sum *sum, const struct pod *pod, uint32_t count)
{
    sum->pods += count;
    add_amounts(settled, &sum->requests, &pod->requests, count);
    add_amounts(settled, &sum->beyond, &pod->beyond, count);
}

static struct node_sum *
rank_at(struct settled *settled, struct node_sum *sum, int32_t priority)
{
    struct node_sum **at = &sum->ranks;

    while (*at != NULL && (*at)->priority < priority) {
        at = &(*at)->next;
    }
    if (*at == NULL || (*at)->priority != priority) {
        struct node_sum *rank = ARENA_NEW(settled->arena, struct node_sum);

        *rank = (struct node_sum){.priority = priority, .next = *at};
        *at = rank;
        sum->n_ranks += priority != INT32_MAX ? 1 : 0;
    }
    return *at;
}

static void
add_sum(struct settled *settled, struct node_sum *to, const struct node_sum *sum)
{
    const struct resource_amounts requests = {sum->requests.items, sum->requests.count};
    const struct resource_amounts beyond = {sum->beyond.items, sum->beyond.count};

    to->pods += sum->pods;
    add_amounts(settled, &to->requests, &requests, 1);
    add_amounts(settled, &to->beyond, &beyond, 1);
}

/* Beyond PRIORITIES_MAX, the highest priorities merge into one rank above all. Nothing preempts its
 * pods. The result does not depend on the order of pods. */
static struct node_sum *
rank_of(struct settled *settled, struct node_sum *sum, int32_t priority)
{
    struct node_sum *rank = rank_at(settled, sum, priority);

    if (sum->n_ranks <= PRIORITIES_MAX) {
        return rank;
    }
    struct node_sum *top = rank_at(settled, sum, INT32_MAX), **last = NULL;

    for (struct node_sum **at = &sum->ranks; *at != NULL && *at != top; at = &(*at)->next) {
        last = at;
    }
    if (last == NULL) { /* there are too many ranks, so one is below */
        return top;
    }
    struct node_sum *over = *last;

    add_sum(settled, top, over);
    *last = top;
    sum->n_ranks--;
    return over == rank ? top : rank;
}

/* The caller has checked can_be_summed(). */
static bool
add_to_node(struct settled *settled, struct node_sum *sum, const struct pod *pod, uint32_t count)
{
    if (sum->pods + count > PODS_MAX || sum->requests.count + pod->requests.count > RESOURCES_MAX ||
        sum->beyond.count + pod->beyond.count > RESOURCES_MAX) {
        return false;
    }
    add_pods(settled, sum, pod, count);
    if (pod->priority != 0) {
        add_pods(settled, rank_of(settled, sum, pod->priority), pod, count);
    }
    return true;
}

bool
settled_add_to_node(struct settled *settled, struct node_sum *sum, const struct pod *pod,
                    uint32_t count)
{
    return can_be_summed(pod) && add_to_node(settled, sum, pod, count);
}

/* The larger of equally new pods counts, so that the order of pods does not matter. */
static bool
is_newer(const struct pod *pod, const struct settled_pods *pods)
{
    int order = resource_amounts_order(&pod->requests, &pods->requests);

    if (pod->creation != pods->newest_creation) {
        return pod->creation > pods->newest_creation;
    }
    return order != 0 ? order > 0 : resource_amounts_order(&pod->beyond, &pods->beyond) > 0;
}

static struct settled_pods *
pods_of_owner(struct settled *settled, const struct settled_pods *owner)
{
    void **slot = map_get(settled->by_owner, owner, OWNER_BYTES);

    if (slot == NULL) {
        const void *key = arena_memdup(settled->arena, owner, OWNER_BYTES);

        vec_add(&settled->pods, *owner);
        slot = map_put(settled->by_owner, key, OWNER_BYTES, NULL);
        *slot = (void *)(uintptr_t)settled->pods.count;
    }
    return &settled->pods.items[(uintptr_t)*slot - 1];
}

/* True if an owner's count can grow by `count`. One pod at a time, memory ends first. */
static bool
has_room(const struct settled *settled, const struct settled_pods *owner, uint32_t count)
{
    void **slot = map_get(settled->by_owner, owner, OWNER_BYTES);

    return slot == NULL ||
           settled->pods.items[(uintptr_t)*slot - 1].count <= PODS_OF_OWNER_MAX - count;
}

bool
settled_add(struct settled *settled, const struct pod *pod, uint32_t count,
            const char *template_hash, const char *revision)
{
    const struct settled_pods owner = {.namespace_ = pod->namespace_,
                                       .owner = pod->owner,
                                       .template_hash = template_hash,
                                       .revision = revision,
                                       .newest_creation = pod->creation,
                                       .requests = pod->requests,
                                       .beyond = pod->beyond};

    if (!can_be_summed(pod) || count > PODS_OF_OWNER_MAX) {
        return false;
    }
    open_settled(settled);
    if (count > 1 && !has_room(settled, &owner, count)) {
        return false;
    }
    if (!str_is_empty(pod->node_name) &&
        !add_to_node(settled, settled_node(settled, pod->node_name), pod, count)) {
        return false;
    }
    struct settled_pods *pods = pods_of_owner(settled, &owner);

    pods->count += count;
    if (is_newer(pod, pods)) {
        pods->newest_creation = pod->creation;
        pods->requests = pod->requests;
        pods->beyond = pod->beyond;
    }
    return true;
}

static struct pod_sum
told(const struct node_sum *sum)
{
    return (struct pod_sum){
        .pods = sum->pods,
        .requests = {.items = sum->requests.items, .count = sum->requests.count},
        .beyond = {.items = sum->beyond.items, .count = sum->beyond.count},
    };
}

bool
settled_find(const struct settled *settled, const char *node_name, struct pod_sum *ret_sum)
{
    void **slot = settled->by_node != NULL ? map_get_str(settled->by_node, node_name) : NULL;

    if (slot == NULL) {
        return false;
    }
    const struct node_sum *sum = *slot;
    struct ranked_sum *ranked =
        ARENA_ARRAY(settled->arena, struct ranked_sum, sum->n_ranks + (size_t)1);

    *ret_sum = told(sum);
    for (const struct node_sum *rank = sum->ranks; rank != NULL; rank = rank->next) {
        ranked[ret_sum->n_ranked++] = (struct ranked_sum){rank->priority, told(rank)};
    }
    ret_sum->ranked = ranked;
    return true;
}
