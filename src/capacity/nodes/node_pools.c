/* SPDX-License-Identifier: Apache-2.0
 *
 * Folds nodes into classes and kinds. Nodes of a class admit the same replicas: equal taints,
 * cordon and labels that bindings ask for. Nodes of a kind also have the same capacity left.
 */
#include "node_pools.h"

#include "ballast/base/buf.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/estimate.h"
#include "node_pools_kinds.h"

#define KINDS_FIRST 16u /* doubles as needed */
#define KINDS_MORE 8u   /* spare, before the array grows */

/* --- folding --- */

/* Interned texts compare by address. Equal texts at two addresses only fold fewer nodes. */
static void
append_text(struct buf *key, const char *text)
{
    buf_append(key, &text, sizeof(text));
}

static void
make_class_key(struct buf *key, const struct node_marks *marks, bool by_name,
               const struct node *node)
{
    const struct node_kind *kind = node->kind;

    buf_clear(key);
    buf_append(key, &kind->unschedulable, sizeof(kind->unschedulable));
    for (uint32_t i = 0; i < kind->taints.count; i++) {
        append_text(key, kind->taints.items[i].key);
        append_text(key, kind->taints.items[i].value);
        append_text(key, kind->taints.items[i].effect);
    }
    append_text(key, NULL);
    for (uint32_t i = 0; i < kind->labels.count; i++) {
        if (node_marks_has_label(marks, kind->labels.items[i].key)) {
            append_text(key, kind->labels.items[i].key);
            append_text(key, kind->labels.items[i].value);
        }
    }
    append_text(key, marks->by_hostname ? node->hostname : NULL);
    if (by_name) {
        append_text(key, node->name);
    }
}

/* The allocatable amounts matter for kube-scheduler's score. */
static void
make_kind_key(struct buf *key, uint32_t class_, const struct node_room *room)
{
    const struct resource_amounts *whole = &room->node->kind->allocatable;

    buf_clear(key);
    buf_append(key, &class_, sizeof(class_));
    buf_append(key, &room->pods, sizeof(room->pods));
    for (uint32_t i = 0; i < room->n_free; i++) {
        append_text(key, room->free[i].name);
        buf_append(key, &room->free[i].amount, sizeof(room->free[i].amount));
        buf_append(key, &whole->items[i].amount, sizeof(whole->items[i].amount));
    }
}

/* Returns the number of a key: `next` if the key is new. */
static uint32_t
number_of(struct map *map, struct arena *scratch, const struct buf *key, uint32_t next)
{
    void **slot = map_get(map, key->data, key->length);

    if (slot == NULL) {
        slot = map_put(map, arena_memdup(scratch, key->data, key->length), key->length, NULL);
        *slot = (void *)(uintptr_t)next;
    }
    return pin_uint32((uintptr_t)*slot);
}

static void
move_kinds(struct node_pools *pools, struct arena *arena, uint32_t capacity)
{
    struct pool_kind *kinds = ARENA_ARRAY(arena, struct pool_kind, capacity);
    struct pool_level *levels = ARENA_ARRAY(arena, struct pool_level, capacity);

    if (pools->n_kinds > 0) {
        memcpy(kinds, pools->kinds, pools->n_kinds * sizeof(*kinds));
        memcpy(levels, pools->levels, pools->n_kinds * sizeof(*levels));
    }
    pools->kinds = kinds;
    pools->levels = levels;
    pools->capacity = capacity;
}

static struct pool_kind *
push_kind(struct node_pools *pools, struct arena *arena)
{
    if (pools->n_kinds == pools->capacity) {
        move_kinds(pools, arena, 2 * pools->capacity);
    }
    return &pools->kinds[pools->n_kinds++];
}

struct pool_kind *
node_pools_push_kind(struct node_pools *pools)
{
    return push_kind(pools, pools->arena);
}

struct node_room
node_pools_copy_room(struct arena *arena, const struct node_room *room)
{
    struct node_room copy = *room;

    copy.free = arena_memdup(arena, room->free, room->n_free * sizeof(room->free[0]));
    return copy;
}

static void
fold(struct node_pools *pools, const struct node_marks *marks, bool by_name, struct arena *scratch)
{
    const struct member *member = pools->member;
    const struct node_room *all =
        estimate_node_rooms(scratch, member, (struct pods_counted){.by_scheduler = true});
    struct map *classes = map_new(), *kinds = map_new();
    struct buf key;

    buf_init(&key, SIZE_MAX / 2);
    for (uint32_t i = 0; i < member->n_nodes; i++) {
        make_class_key(&key, marks, by_name, &member->nodes[i]);
        uint32_t class_ = number_of(classes, scratch, &key, pools->n_classes);

        pools->class_of[i] = class_;
        if (class_ == pools->n_classes) {
            pools->classes[pools->n_classes++] = &member->nodes[i];
        }
        make_kind_key(&key, class_, &all[i]);
        uint32_t number = number_of(kinds, scratch, &key, pools->n_kinds);
        struct pool_kind *kind =
            number == pools->n_kinds ? push_kind(pools, scratch) : &pools->kinds[number];

        pools->kind_of[i] = number;
        if (kind->count++ == 0) {
            kind->room = node_pools_copy_room(pools->arena, &all[i]);
            kind->class_ = class_;
            kind->parent = KIND_NONE;
        }
    }
    map_free(classes);
    map_free(kinds);
    buf_release(&key);
}

static struct node_pools *
new_pools(struct arena *arena, const struct fleet *fleet, const struct node_marks *marks,
          const struct member *member, bool by_name)
{
    struct node_pools *pools = ARENA_NEW(arena, struct node_pools);
    struct arena *scratch = arena_new();

    *pools = (struct node_pools){
        .arena = arena,
        .member = member,
        .kinds = ARENA_ARRAY(scratch, struct pool_kind, KINDS_FIRST),
        .levels = ARENA_ARRAY(scratch, struct pool_level, KINDS_FIRST),
        .capacity = KINDS_FIRST,
        .n_known = fleet->n_requirements,
        .classes = ARENA_ARRAY(scratch, const struct node *, member->n_nodes),
        .class_of = ARENA_ARRAY(arena, uint32_t, member->n_nodes),
        .kind_of = ARENA_ARRAY(arena, uint32_t, member->n_nodes),
    };
    fold(pools, marks, by_name, scratch);
    move_kinds(pools, arena, pools->n_kinds + KINDS_MORE);
    node_pools_begin_weighing(pools);
    if (pools->n_classes > 0) {
        pools->classes =
            arena_memdup(arena, pools->classes, pools->n_classes * sizeof(const struct node *));
    }
    pools->eligible = ARENA_ARRAY(arena, signed char, pools->n_classes);
    arena_free(scratch);
    return pools;
}

struct node_pools *
node_pools_new(struct arena *arena, const struct fleet *fleet, const struct node_marks *marks,
               const struct member *member)
{
    return new_pools(arena, fleet, marks, member, marks->by_name);
}

struct node_pools *
node_pools_new_unfolded(struct arena *arena, const struct fleet *fleet,
                        const struct node_marks *marks, const struct member *member)
{
    return new_pools(arena, fleet, marks, member, true);
}

struct node_pools *
node_pools_copy(struct arena *arena, const struct node_pools *pools)
{
    struct node_pools *copy = arena_memdup(arena, pools, sizeof(*pools));

    copy->arena = arena;
    copy->kinds = ARENA_ARRAY(arena, struct pool_kind, pools->capacity);
    copy->levels = ARENA_ARRAY(arena, struct pool_level, pools->capacity);
    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        copy->kinds[i] = pools->kinds[i];
        copy->kinds[i].room = node_pools_copy_room(arena, &pools->kinds[i].room);
        copy->levels[i] = pools->levels[i];
    }
    copy->preempted = NULL;
    copy->changes = NULL;
    copy->offers = NULL;
    copy->n_offers = 0;
    copy->eligible = ARENA_ARRAY(arena, signed char, pools->n_classes);
    copy->asked = NULL;
    copy->n_asked_room = 0;
    return copy;
}

/* --- fitting --- */

static bool
are_all_eligible(const struct node_pools *pools, uint32_t class_,
                 const struct requirements *requirements)
{
    for (uint32_t i = 0; i < pools->member->n_nodes; i++) {
        if (pools->class_of[i] == class_ &&
            !estimate_node_eligible(&pools->member->nodes[i], requirements, true)) {
            return false;
        }
    }
    return true;
}

static bool
is_eligible(struct node_pools *pools, uint32_t class_, const struct requirements *requirements)
{
    signed char *answer = &pools->eligible[class_];

    if (*answer < 0) {
        bool is_known = !requirements->has_node_claim || requirements->id < pools->n_known;

        bool is_fine = is_known ? estimate_node_eligible(pools->classes[class_], requirements, true)
                                : are_all_eligible(pools, class_, requirements);

        *answer = is_fine ? 1 : 0;
    }
    return *answer > 0;
}

void
node_pools_ask_anew(struct node_pools *pools, const struct requirements *requirements)
{
    const uint32_t count = requirements->request.count;

    memset(pools->eligible, -1, pools->n_classes);
    if (pools->n_asked_room < count) {
        pools->asked = ARENA_ARRAY(pools->arena, struct resource_amount, count);
        pools->n_asked_room = count;
    }
    pools->n_asked = estimate_node_request(requirements, pools->asked);
}

int32_t
node_pools_fit_of(struct node_pools *pools, const struct pool_kind *kind,
                  const struct requirements *requirements)
{
    const struct resource_amounts asked = {.items = pools->asked, .count = pools->n_asked};

    return kind->count > 0 && kind->room.pods > 0 && is_eligible(pools, kind->class_, requirements)
               ? estimate_node_room_for(&kind->room, &asked)
               : 0;
}

int32_t
node_pools_fit(struct node_pools *pools, const struct requirements *requirements)
{
    int64_t sum = 0;

    node_pools_ask_anew(pools, requirements);
    for (uint32_t i = 0; i < pools->n_kinds && sum < INT32_MAX; i++) {
        sum += (int64_t)node_pools_fit_of(pools, &pools->kinds[i], requirements) *
               pools->kinds[i].count;
    }
    return pin_int32(sum);
}

void
node_pools_fit_each(struct node_pools *pools, const struct requirements *requirements, int32_t *ret)
{
    node_pools_ask_anew(pools, requirements);
    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        ret[i] = node_pools_fit_of(pools, &pools->kinds[i], requirements);
    }
}

void
node_pools_count(struct node_pools *pools, const struct requirements *requirements,
                 struct room_bound *ret)
{
    node_pools_ask_anew(pools, requirements);
    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        const struct pool_kind *kind = &pools->kinds[i];

        ret->nodes += kind->count;
        if (kind->count > 0 && is_eligible(pools, kind->class_, requirements)) {
            ret->usable += kind->count;
            ret->roomy += node_pools_fit_of(pools, kind, requirements) > 0 ? kind->count : 0;
        }
    }
}

static int64_t
left_on(const struct node_room *room, const char *resource)
{
    if (str_eq(resource, "pods")) {
        return room->pods;
    }
    const struct resource_amounts free = {.items = room->free, .count = room->n_free};

    return resource_amounts_find(&free, resource);
}

bool
node_pools_left(const struct node_pools *pools, const char *resource, nanos128 *ret_whole,
                nanos128 *ret_left)
{
    *ret_whole = *ret_left = 0;
    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        const struct pool_kind *kind = &pools->kinds[i];
        const struct node_kind *node = kind->room.node->kind;
        int64_t whole = resource_amounts_find(&node->allocatable, resource);

        if (!node->unschedulable) {
            *ret_whole += resource_amount_nanos(resource, whole) * kind->count;
            *ret_left +=
                resource_amount_nanos(resource, left_on(&kind->room, resource)) * kind->count;
        }
    }
    return *ret_whole > 0;
}
