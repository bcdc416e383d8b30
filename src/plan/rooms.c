/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of nodes. Two things are folded: classes are nodes that the same
 * replicas may go to, by the labels that any binding asks for, the taints and
 * whether they are cordoned; kinds are nodes of a class with the same room left.
 * Where only some nodes of a kind are taken from, these become a kind of their
 * own, before the one they were of, so that nodes fill up one after another.
 */
#include "rooms.h"

#include "ballast/buf.h"
#include "ballast/estimate.h"
#include "ballast/map.h"
#include "ballast/str.h"

#define NONE UINT32_MAX
#define KINDS_FIRST 16u /* room for so many, then twice as many, ... */

struct kind {
    struct node_room room; /* of each of its nodes; `node` is one of them */
    uint32_t count;        /* of nodes */
    uint32_t class_;
    uint32_t parent; /* the kind these nodes were of before, NONE */
    uint32_t next;   /* in order of filling, NONE */
};

/* The labels by which a fleet's bindings tell nodes apart. */
struct marks {
    struct map *labels;
    bool by_name;
};

struct rooms {
    struct arena *arena;
    const struct member *member;
    struct kind *kinds;
    uint32_t n_kinds, capacity;
    uint32_t first;
    uint32_t n_classes;
    const struct node **classes; /* a node of each */
    uint32_t *class_of;          /* each node of the member */
    uint32_t n_known;            /* requirements of lower ids are told apart */
    signed char *eligible;       /* of the question under way, by class; -1: not asked yet */
};

struct room_part {
    uint32_t kind;
    uint32_t born; /* kinds from here on that stem from it were taken from, too */
    int32_t replicas;
    int64_t *amounts; /* of each node, parallel to what is free */
    struct room_part *next;
};

/* --- folding --- */

static void
mark_key(struct marks *marks, const char *key)
{
    map_put_str(marks->labels, key, NULL);
}

static void
mark_expressions(struct marks *marks, const struct requirement_list *expressions)
{
    for (uint32_t i = 0; i < expressions->count; i++) {
        mark_key(marks, expressions->items[i].key);
    }
}

static void
mark_claim(struct marks *marks, const struct node_claim *claim)
{
    for (uint32_t i = 0; i < claim->node_selector.count; i++) {
        mark_key(marks, claim->node_selector.items[i].key);
    }
    for (uint32_t i = 0; i < claim->hard_node_affinity.count; i++) {
        const struct node_selector_term *term = &claim->hard_node_affinity.terms[i];

        mark_expressions(marks, &term->match_expressions);
        marks->by_name |= term->match_fields.count > 0;
    }
}

static void
mark_all(struct marks *marks, const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct requirements *requirements = fleet->bindings[i].requirements;

        if (requirements != NULL && requirements->has_node_claim) {
            mark_claim(marks, &requirements->node_claim);
        }
    }
}

/* Texts of a fleet are interned: the same text is the same place. Where it is not, less is folded,
 * and nothing is wrong. */
static void
append_text(struct buf *key, const char *text)
{
    buf_append(key, &text, sizeof(text));
}

static void
make_class_key(struct buf *key, const struct marks *marks, const struct node *node)
{
    buf_clear(key);
    buf_append(key, &node->unschedulable, sizeof(node->unschedulable));
    for (uint32_t i = 0; i < node->taints.count; i++) {
        append_text(key, node->taints.items[i].key);
        append_text(key, node->taints.items[i].value);
        append_text(key, node->taints.items[i].effect);
    }
    append_text(key, NULL);
    for (uint32_t i = 0; i < node->labels.count; i++) {
        if (map_get_str(marks->labels, node->labels.items[i].key) != NULL) {
            append_text(key, node->labels.items[i].key);
            append_text(key, node->labels.items[i].value);
        }
    }
    if (marks->by_name) {
        append_text(key, node->name);
    }
}

static void
make_kind_key(struct buf *key, uint32_t class_, const struct node_room *room)
{
    buf_clear(key);
    buf_append(key, &class_, sizeof(class_));
    buf_append(key, &room->pods, sizeof(room->pods));
    for (uint32_t i = 0; i < room->n_free; i++) {
        append_text(key, room->free[i].name);
        buf_append(key, &room->free[i].amount, sizeof(room->free[i].amount));
    }
}

/* The number by which a key is known: the next one when it is new. */
static uint32_t
number_of(struct map *map, struct arena *scratch, const struct buf *key, uint32_t next)
{
    void **slot = map_get(map, key->data, key->length);

    if (slot == NULL) {
        slot = map_put(map, arena_memdup(scratch, key->data, key->length), key->length, NULL);
        *slot = (void *)(uintptr_t)next;
    }
    return (uint32_t)(uintptr_t)*slot;
}

static struct kind *
push_kind(struct rooms *rooms)
{
    if (rooms->n_kinds == rooms->capacity) {
        struct kind *grown = ARENA_ARRAY(rooms->arena, struct kind, 2 * (size_t)rooms->capacity);

        memcpy(grown, rooms->kinds, rooms->n_kinds * sizeof(*grown));
        rooms->kinds = grown;
        rooms->capacity *= 2;
    }
    return &rooms->kinds[rooms->n_kinds++];
}

static struct node_room
copy_room(struct arena *arena, const struct node_room *room)
{
    struct node_room copy = *room;

    copy.free = arena_memdup(arena, room->free, room->n_free * sizeof(room->free[0]));
    return copy;
}

static void
fold(struct rooms *rooms, const struct marks *marks, struct arena *scratch)
{
    const struct member *member = rooms->member;
    const struct node_room *all = estimate_node_rooms(scratch, member);
    struct map *classes = map_new(), *kinds = map_new();
    struct buf key;

    buf_init(&key, SIZE_MAX / 2);
    for (uint32_t i = 0; i < member->n_nodes; i++) {
        make_class_key(&key, marks, &member->nodes[i]);
        uint32_t class_ = number_of(classes, scratch, &key, rooms->n_classes);

        rooms->class_of[i] = class_;
        if (class_ == rooms->n_classes) {
            rooms->classes[rooms->n_classes++] = &member->nodes[i];
        }
        make_kind_key(&key, class_, &all[i]);
        uint32_t number = number_of(kinds, scratch, &key, rooms->n_kinds);
        struct kind *kind = number == rooms->n_kinds ? push_kind(rooms) : &rooms->kinds[number];

        if (kind->count++ == 0) {
            kind->room = copy_room(rooms->arena, &all[i]);
            kind->class_ = class_;
            kind->parent = NONE;
            kind->next = number + 1;
        }
    }
    if (rooms->n_kinds > 0) {
        rooms->kinds[rooms->n_kinds - 1].next = NONE;
        rooms->first = 0;
    }
    map_free(classes);
    map_free(kinds);
    buf_release(&key);
}

struct rooms *
rooms_new(struct arena *arena, const struct fleet *fleet, const struct member *member)
{
    struct rooms *rooms = ARENA_NEW(arena, struct rooms);
    struct arena *scratch = arena_new();
    struct marks marks = {.labels = map_new()};

    *rooms = (struct rooms){
        .arena = arena,
        .member = member,
        .kinds = ARENA_ARRAY(arena, struct kind, KINDS_FIRST),
        .capacity = KINDS_FIRST,
        .first = NONE,
        .n_known = fleet->n_requirements,
        .classes = ARENA_ARRAY(scratch, const struct node *, member->n_nodes),
        .class_of = ARENA_ARRAY(arena, uint32_t, member->n_nodes),
    };
    mark_all(&marks, fleet);
    fold(rooms, &marks, scratch);
    if (rooms->n_classes > 0) {
        rooms->classes =
            arena_memdup(arena, rooms->classes, rooms->n_classes * sizeof(const struct node *));
    }
    rooms->eligible = ARENA_ARRAY(arena, signed char, rooms->n_classes);
    map_free(marks.labels);
    arena_free(scratch);
    return rooms;
}

uint32_t
rooms_count(const struct rooms *rooms)
{
    return rooms->n_kinds;
}

/* --- fitting --- */

static bool
are_all_eligible(const struct rooms *rooms, uint32_t class_,
                 const struct requirements *requirements)
{
    for (uint32_t i = 0; i < rooms->member->n_nodes; i++) {
        if (rooms->class_of[i] == class_ &&
            !estimate_node_eligible(&rooms->member->nodes[i], requirements)) {
            return false;
        }
    }
    return true;
}

static bool
is_eligible(struct rooms *rooms, uint32_t class_, const struct requirements *requirements)
{
    signed char *answer = &rooms->eligible[class_];

    if (*answer < 0) {
        bool is_known = !requirements->has_node_claim || requirements->id < rooms->n_known;

        bool is_fine = is_known ? estimate_node_eligible(rooms->classes[class_], requirements)
                                : are_all_eligible(rooms, class_, requirements);

        *answer = is_fine ? 1 : 0;
    }
    return *answer > 0;
}

static void
ask_anew(struct rooms *rooms)
{
    memset(rooms->eligible, -1, rooms->n_classes);
}

/* On each node of a kind. */
static int32_t
fit_of(struct rooms *rooms, const struct kind *kind, const struct requirements *requirements)
{
    return kind->count > 0 && kind->room.pods > 0 && is_eligible(rooms, kind->class_, requirements)
               ? estimate_node_room(&kind->room, requirements)
               : 0;
}

int32_t
rooms_fit(struct rooms *rooms, const struct requirements *requirements)
{
    int64_t sum = 0;

    ask_anew(rooms);
    for (uint32_t i = 0; i < rooms->n_kinds && sum < INT32_MAX; i++) {
        sum += (int64_t)fit_of(rooms, &rooms->kinds[i], requirements) * rooms->kinds[i].count;
    }
    return sum < INT32_MAX ? (int32_t)sum : INT32_MAX;
}

/* --- taking --- */

static void
take_from_room(struct node_room *room, const struct requirements *requirements, int32_t replicas,
               int64_t *ret_amounts)
{
    room->pods -= replicas;
    for (uint32_t i = 0; i < requirements->request.count; i++) {
        const struct resource_quantity *wanted = &requirements->request.items[i];
        int64_t request = str_eq(wanted->name, "cpu") ? quantity_milli_value(wanted->amount)
                                                      : quantity_value(wanted->amount);

        for (uint32_t j = 0; j < room->n_free && request > 0; j++) {
            if (str_eq(room->free[j].name, wanted->name)) {
                int64_t before = room->free[j].amount;
                int64_t left = before / request - replicas;

                /* a resource that does not bound the fit may still not go below nothing */
                room->free[j].amount = left < 0 ? 0 : before - request * (int64_t)replicas;
                ret_amounts[j] += before - room->free[j].amount;
            }
        }
    }
}

/* `count` nodes of a kind as one of their own, before it; the kind itself when it has no others.
 * *before is the kind before it, and then the new one. */
static uint32_t
split(struct rooms *rooms, uint32_t from, uint32_t count, uint32_t *before)
{
    if (rooms->kinds[from].count == count) {
        return from;
    }
    struct kind *kind = push_kind(rooms);
    uint32_t index = (uint32_t)(kind - rooms->kinds);

    *kind = rooms->kinds[from];
    kind->room = copy_room(rooms->arena, &kind->room);
    kind->count = count;
    kind->parent = from;
    kind->next = from;
    rooms->kinds[from].count -= count;
    if (*before == NONE) {
        rooms->first = index;
    } else {
        rooms->kinds[*before].next = index;
    }
    *before = index;
    return index;
}

/* A take under way. */
struct taking {
    struct rooms *rooms;
    struct arena *arena;
    const struct requirements *requirements;
    struct room_part *parts;
};

static void
take_from(struct taking *taking, uint32_t from, uint32_t count, int32_t replicas, uint32_t *before)
{
    struct rooms *rooms = taking->rooms;
    uint32_t index = split(rooms, from, count, before);
    struct node_room *room = &rooms->kinds[index].room;
    struct room_part *part = ARENA_NEW(taking->arena, struct room_part);

    *part = (struct room_part){
        .kind = index,
        .born = rooms->n_kinds,
        .replicas = replicas,
        .amounts = ARENA_ARRAY(taking->arena, int64_t, room->n_free),
        .next = taking->parts,
    };
    taking->parts = part;
    take_from_room(room, taking->requirements, replicas, part->amounts);
}

const struct room_part *
rooms_take(struct rooms *rooms, struct arena *arena, const struct requirements *requirements,
           int32_t replicas)
{
    struct taking taking = {rooms, arena, requirements, NULL};
    uint32_t before = NONE;

    ask_anew(rooms);
    for (uint32_t i = rooms->first; i != NONE && replicas > 0; i = rooms->kinds[i].next) {
        int32_t fit = fit_of(rooms, &rooms->kinds[i], requirements);
        uint32_t count = rooms->kinds[i].count;
        uint32_t whole = fit > 0 ? (uint32_t)(replicas / fit) : 0;

        whole = whole < count ? whole : count;
        if (whole > 0) {
            take_from(&taking, i, whole, fit, &before);
            replicas -= (int32_t)whole * fit;
        }
        if (fit > 0 && replicas > 0 && whole < count) {
            take_from(&taking, i, 1, replicas, &before);
            replicas = 0;
        }
        before = i;
    }
    return taking.parts;
}

static bool
stems_from(const struct rooms *rooms, uint32_t kind, uint32_t ancestor)
{
    while (kind != NONE && kind > ancestor) {
        kind = rooms->kinds[kind].parent;
    }
    return kind == ancestor;
}

static void
give_back(struct node_room *room, const struct room_part *part)
{
    room->pods += part->replicas;
    for (uint32_t i = 0; i < room->n_free; i++) {
        room->free[i].amount += part->amounts[i];
    }
}

void
rooms_give_back(struct rooms *rooms, const struct room_part *part)
{
    for (; part != NULL; part = part->next) {
        give_back(&rooms->kinds[part->kind].room, part);
        for (uint32_t i = part->born; i < rooms->n_kinds; i++) {
            if (stems_from(rooms, i, part->kind)) {
                give_back(&rooms->kinds[i].room, part);
            }
        }
    }
}
