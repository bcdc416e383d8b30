/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes replicas from the nodes that resource models describe. A group counts equal nodes. A take
 * splits a group into full nodes, at most one partly used node, and the rest. So groups grow with
 * the takes, not with the nodes. Each group knows its parent, so that giving back reaches all
 * nodes that came of it. Groups without nodes or free pod slots are skipped.
 */
#include "virtual_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "node_pools_kinds.h"

/* Karmada's modeling gives a virtual node this many pod slots. */
#define PODS_PER_VIRTUAL_NODE 110

#define NO_PARENT UINT32_MAX

struct virtual_node_group {
    int64_t count;
    uint32_t parent;       /* the group it split off, of a lower index */
    struct node_room room; /* of each node */
};

struct virtual_nodes {
    struct arena *arena;
    struct virtual_node_group *groups;
    uint32_t n_groups, capacity;
    uint32_t *open; /* groups with capacity, in order */
    uint32_t n_open;
};

static bool
is_open(const struct virtual_node_group *group)
{
    return group->count > 0 && group->room.pods > 0;
}

/* Adds the groups from `first_new` on, and drops full ones. */
static void
update_open(struct virtual_nodes *nodes, uint32_t first_new)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < nodes->n_open; i++) {
        if (is_open(&nodes->groups[nodes->open[i]])) {
            nodes->open[count++] = nodes->open[i];
        }
    }
    for (uint32_t i = first_new; i < nodes->n_groups; i++) {
        if (is_open(&nodes->groups[i])) {
            nodes->open[count++] = i;
        }
    }
    nodes->n_open = count;
}

static struct virtual_node_group *
add_group(struct virtual_nodes *nodes)
{
    if (nodes->n_groups == nodes->capacity) {
        uint32_t capacity = nodes->capacity * 2 + 8;
        struct virtual_node_group *groups =
            ARENA_ARRAY(nodes->arena, struct virtual_node_group, capacity);

        if (nodes->n_groups > 0) {
            memcpy(groups, nodes->groups, nodes->n_groups * sizeof(*groups));
        }
        nodes->groups = groups;
        nodes->capacity = capacity;
        uint32_t *open = ARENA_ARRAY(nodes->arena, uint32_t, capacity);

        if (nodes->n_open > 0) {
            memcpy(open, nodes->open, nodes->n_open * sizeof(*open));
        }
        nodes->open = open;
    }
    return &nodes->groups[nodes->n_groups++];
}

static int
amount_cmp(const void *a, const void *b)
{
    return strcmp(((const struct resource_amount *)a)->name,
                  ((const struct resource_amount *)b)->name);
}

/* If a resource has several ranges, the first counts. */
static struct node_room
room_of_model(struct arena *arena, const struct resource_model *model)
{
    struct node_room room = {.pods = PODS_PER_VIRTUAL_NODE};

    room.free = ARENA_ARRAY(arena, struct resource_amount, model->n_ranges);
    for (uint32_t i = 0; i < model->n_ranges; i++) {
        const char *name = model->ranges[i].name;
        int64_t amount = resource_amount_of(name, model->ranges[i].min);

        if (node_room_find(&room, name) == NULL) {
            room.free[room.n_free++] = (struct resource_amount){name, amount > 0 ? amount : 0};
        }
    }
    qsort(room.free, room.n_free, sizeof(*room.free), amount_cmp);
    return room;
}

struct virtual_nodes *
virtual_nodes_new(struct arena *arena, const struct cluster *cluster)
{
    struct virtual_nodes *nodes = ARENA_NEW(arena, struct virtual_nodes);

    nodes->arena = arena;
    for (uint32_t i = 0; i < cluster->n_models; i++) {
        const struct resource_model *model = &cluster->models[i];
        int64_t count = estimate_nodes_of_grade(cluster, model->grade);

        if (count == 0) {
            continue;
        }
        struct virtual_node_group *group = add_group(nodes);

        group->count = count;
        group->parent = NO_PARENT;
        group->room = room_of_model(arena, model);
    }
    update_open(nodes, 0);
    return nodes;
}

struct virtual_nodes *
virtual_nodes_copy(struct arena *arena, const struct virtual_nodes *nodes)
{
    struct virtual_nodes *copy = arena_memdup(arena, nodes, sizeof(*nodes));

    copy->arena = arena;
    copy->groups = ARENA_ARRAY(arena, struct virtual_node_group, nodes->capacity);
    copy->open = ARENA_ARRAY(arena, uint32_t, nodes->capacity);
    for (uint32_t i = 0; i < nodes->n_open; i++) {
        copy->open[i] = nodes->open[i];
    }
    for (uint32_t i = 0; i < nodes->n_groups; i++) {
        copy->groups[i] = nodes->groups[i];
        copy->groups[i].room = node_pools_copy_room(arena, &nodes->groups[i].room);
    }
    return copy;
}

int64_t
virtual_nodes_fit(const struct virtual_nodes *nodes, const struct requirements *requirements)
{
    int64_t total = 0, fit;

    for (uint32_t i = 0; i < nodes->n_open; i++) {
        const struct virtual_node_group *group = &nodes->groups[nodes->open[i]];

        if (__builtin_mul_overflow(group->count, estimate_node_room(&group->room, requirements),
                                   &fit) ||
            __builtin_add_overflow(total, fit, &total)) {
            return INT64_MAX;
        }
    }
    return total;
}

/* Puts `replicas` more on each node of a group, or takes them off if negative. They fit. */
static void
put_on(struct virtual_node_group *group, const struct requirements *requirements, int64_t replicas)
{
    group->room.pods -= replicas;
    for (uint32_t i = 0; i < requirements->request.count; i++) {
        const struct resource_quantity *wanted = &requirements->request.items[i];
        struct resource_amount *free = node_room_find(&group->room, wanted->name);
        int64_t each = resource_amount_of(wanted->name, wanted->amount);

        if (free != NULL && each > 0 && resource_name_counts_on_node(wanted->name)) {
            free->amount -= each * replicas;
        }
    }
}

/* Makes `count` nodes of a group a new group with `replicas` more on each. */
static const struct virtual_split *
split_off(struct virtual_nodes *nodes, uint32_t index, int64_t count, int64_t replicas,
          const struct requirements *requirements, const struct virtual_split *others)
{
    struct virtual_split *split = ARENA_NEW(nodes->arena, struct virtual_split);
    struct virtual_node_group *part = add_group(nodes);
    struct virtual_node_group *whole = &nodes->groups[index]; /* add_group() may move the groups */

    *part = *whole;
    whole->count -= count;
    part->count = count;
    part->parent = index;
    part->room = node_pools_copy_room(nodes->arena, &whole->room);
    put_on(part, requirements, replicas);
    *split = (struct virtual_split){nodes->n_groups - 1, replicas, others};
    return split;
}

const struct virtual_split *
virtual_nodes_take(struct virtual_nodes *nodes, const struct requirements *requirements,
                   int64_t replicas)
{
    const struct virtual_split *splits = NULL;
    uint32_t n_groups = nodes->n_groups; /* groups split off later are full or partly used */

    for (uint32_t n = 0; n < nodes->n_open && replicas > 0; n++) {
        uint32_t i = nodes->open[n];
        int64_t fit = estimate_node_room(&nodes->groups[i].room, requirements);

        if (fit <= 0) {
            continue;
        }
        int64_t full = replicas / fit;

        if (full > nodes->groups[i].count) {
            full = nodes->groups[i].count;
        }
        if (full > 0) {
            splits = split_off(nodes, i, full, fit, requirements, splits);
            replicas -= full * fit;
        }
        if (replicas > 0 && nodes->groups[i].count > 0) {
            splits = split_off(nodes, i, 1, replicas < fit ? replicas : fit, requirements, splits);
            replicas = 0;
        }
    }
    update_open(nodes, n_groups);
    return splits;
}

static bool
same_room(const struct node_room *a, const struct node_room *b)
{
    bool same = a->pods == b->pods && a->n_free == b->n_free;

    for (uint32_t i = 0; same && i < a->n_free; i++) {
        same = a->free[i].amount == b->free[i].amount;
    }
    return same;
}

/* Returns nodes to their former group once equal again, so that the order of use stays. */
static void
rejoin(struct virtual_nodes *nodes, uint32_t index)
{
    struct virtual_node_group *group = &nodes->groups[index];

    while (group->parent != NO_PARENT &&
           same_room(&group->room, &nodes->groups[group->parent].room)) {
        struct virtual_node_group *parent = &nodes->groups[group->parent];

        parent->count += group->count;
        group->count = 0;
        group = parent;
    }
}

void
virtual_nodes_give_back(struct virtual_nodes *nodes, const struct virtual_split *splits,
                        const struct requirements *requirements)
{
    bool *concerned = ARENA_ARRAY(nodes->arena, bool, nodes->n_groups);

    for (; splits != NULL; splits = splits->next) {
        for (uint32_t i = splits->group; i < nodes->n_groups; i++) {
            uint32_t parent = nodes->groups[i].parent;

            concerned[i] = i == splits->group ||
                           (parent != NO_PARENT && parent >= splits->group && concerned[parent]);
            if (concerned[i]) {
                put_on(&nodes->groups[i], requirements, -splits->replicas);
            }
        }
        for (uint32_t i = nodes->n_groups; i-- > splits->group;) {
            if (concerned[i]) {
                rejoin(nodes, i);
            }
        }
    }
    nodes->n_open = 0;
    update_open(nodes, 0);
}
