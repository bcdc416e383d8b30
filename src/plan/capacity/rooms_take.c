/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking room as kube-scheduler does by default: a replica goes where, with it,
 * the largest share of cpu and memory is left (kubernetes
 * pkg/scheduler/framework/plugins/noderesources, LeastAllocated). So what is
 * left is as scattered over the nodes as it will be, and a large replica is not
 * promised a node that smaller ones will have begun to fill.
 *
 * Where only some nodes of a kind are taken from, these become a kind of their
 * own.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "rooms_kinds.h"

#define SCORE_MAX 100000 /* of each resource */
#define ROUNDS 64        /* in so many steps a node is filled at the most */

struct room_part {
    uint32_t kind;
    uint32_t born; /* kinds from here on that stem from it were taken from, too */
    int32_t replicas;
    const struct requirements *requirements;
    int64_t *amounts; /* of each node, parallel to what is requested */
    struct room_part *next;
};

static int64_t
amount_of(const struct resource_quantity *wanted)
{
    return str_eq(wanted->name, "cpu") ? quantity_milli_value(wanted->amount)
                                       : quantity_value(wanted->amount);
}

static struct resource_amount *
find_free(struct node_room *room, const char *name)
{
    for (uint32_t i = 0; i < room->n_free; i++) {
        if (str_eq(room->free[i].name, name)) {
            return &room->free[i];
        }
    }
    return NULL;
}

/* --- what a scheduler would take first --- */

static int64_t
requested(const struct requirements *requirements, const char *name)
{
    for (uint32_t i = 0; i < requirements->request.count; i++) {
        if (str_eq(requirements->request.items[i].name, name)) {
            return amount_of(&requirements->request.items[i]);
        }
    }
    return 0;
}

static int64_t
score_of(struct node_room *room, const struct requirements *requirements)
{
    static const char *const names[] = {"cpu", "memory"};
    int64_t score = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct resource_amount *free = find_free(room, names[i]);
        int64_t whole = resource_amounts_find(&room->node->kind->allocatable, names[i]);

        if (free != NULL && whole > 0) {
            wide_int left = (wide_int)free->amount - requested(requirements, names[i]);

            score += left > 0 ? (int64_t)(left * SCORE_MAX / whole) : 0;
        }
    }
    return score;
}

static int
room_cmp(const struct node_room *a, const struct node_room *b)
{
    for (uint32_t i = 0; i < a->n_free && i < b->n_free; i++) {
        if (a->free[i].amount != b->free[i].amount) {
            return a->free[i].amount > b->free[i].amount ? -1 : 1;
        }
    }
    return a->pods != b->pods ? (a->pods > b->pods ? -1 : 1) : 0;
}

static uint32_t
root_of(const struct rooms *rooms, uint32_t kind)
{
    while (rooms->kinds[kind].parent != KIND_NONE) {
        kind = rooms->kinds[kind].parent;
    }
    return kind;
}

/* By the nodes and what they have left alone: not by what was taken and given back before. */
static bool
comes_first(const struct rooms *rooms, const struct offer *a, const struct offer *b)
{
    if (a->score != b->score) {
        return a->score > b->score;
    }
    uint32_t root_a = root_of(rooms, a->kind), root_b = root_of(rooms, b->kind);

    return root_a != root_b
               ? root_a < root_b
               : room_cmp(&rooms->kinds[a->kind].room, &rooms->kinds[b->kind].room) < 0;
}

/* The heap's order below `at`. */
static void
sink(const struct rooms *rooms, uint32_t count, uint32_t at)
{
    struct offer *offers = rooms->offers;

    for (;;) {
        uint32_t first = at;

        for (uint32_t child = 2 * at + 1; child < count && child <= 2 * at + 2; child++) {
            first = comes_first(rooms, &offers[child], &offers[first]) ? child : first;
        }
        if (first == at) {
            return;
        }
        struct offer swapped = offers[at];

        offers[at] = offers[first];
        offers[first] = swapped;
        at = first;
    }
}

static uint32_t
gather_offers(struct rooms *rooms, const struct requirements *requirements)
{
    uint32_t count = 0;

    if (rooms->n_offers < rooms->n_kinds) {
        rooms->offers = ARENA_ARRAY(rooms->arena, struct offer, rooms->capacity);
        rooms->n_offers = rooms->capacity;
    }
    rooms_ask_anew(rooms);
    for (uint32_t i = 0; i < rooms->n_kinds; i++) {
        int32_t fit = rooms_fit_of(rooms, &rooms->kinds[i], requirements);

        if (fit > 0) {
            rooms->offers[count++] =
                (struct offer){i, fit, score_of(&rooms->kinds[i].room, requirements)};
        }
    }
    for (uint32_t i = count / 2; i > 0; i--) {
        sink(rooms, count, i - 1);
    }
    return count;
}

/* --- taking --- */

static void
take_from_room(struct node_room *room, struct room_part *part)
{
    const struct resource_list *request = &part->requirements->request;

    room->pods -= part->replicas;
    for (uint32_t i = 0; i < request->count; i++) {
        int64_t each = amount_of(&request->items[i]);
        struct resource_amount *free = each > 0 ? find_free(room, request->items[i].name) : NULL;

        if (free != NULL) {
            int64_t before = free->amount;

            /* a resource that does not bound the fit may still not go below nothing */
            free->amount = before / each < part->replicas ? 0 : before - each * part->replicas;
            part->amounts[i] = before - free->amount;
        }
    }
}

/* `count` nodes of a kind as one of their own; the kind itself when it has no others. */
static uint32_t
split(struct rooms *rooms, uint32_t from, uint32_t count)
{
    if (rooms->kinds[from].count == count) {
        return from;
    }
    struct kind *kind = rooms_push_kind(rooms);

    *kind = rooms->kinds[from];
    kind->room = rooms_copy_room(rooms->arena, &kind->room);
    kind->count = count;
    kind->parent = from;
    rooms->kinds[from].count -= count;
    return (uint32_t)(kind - rooms->kinds);
}

/* `each` replicas on `count` nodes of a kind. */
static struct room_part *
take_from(struct rooms *rooms, struct arena *arena, const struct requirements *requirements,
          uint32_t from, uint32_t count, int32_t each)
{
    struct room_part *part = ARENA_NEW(arena, struct room_part);
    uint32_t index = split(rooms, from, count);

    *part = (struct room_part){
        .kind = index,
        .born = rooms->n_kinds,
        .replicas = each,
        .requirements = requirements,
        .amounts = ARENA_ARRAY(arena, int64_t, requirements->request.count),
    };
    take_from_room(&rooms->kinds[index].room, part);
    return part;
}

/* So many were taken from each node of the best kind. Returns how many offers are left. */
static uint32_t
update_best(struct rooms *rooms, uint32_t count, const struct requirements *requirements,
            int32_t taken)
{
    struct offer *best = rooms->offers;

    best->fit -= taken;
    if (best->fit > 0) {
        best->score = score_of(&rooms->kinds[best->kind].room, requirements);
    } else {
        *best = rooms->offers[--count];
    }
    sink(rooms, count, 0);
    return count;
}

static int32_t
smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

const struct room_part *
rooms_take(struct rooms *rooms, struct arena *arena, const struct requirements *requirements,
           int32_t replicas)
{
    uint32_t n_offers = gather_offers(rooms, requirements);
    const struct offer *best = rooms->offers;
    struct room_part *parts = NULL;

    while (replicas > 0 && n_offers > 0) {
        /* a node that holds thousands is not filled one by one */
        int32_t each = smaller(best->fit > ROUNDS ? best->fit / ROUNDS : 1, replicas);
        uint32_t count = rooms->kinds[best->kind].count, wanted = (uint32_t)(replicas / each);

        count = wanted < count ? wanted : count;
        struct room_part *part = take_from(rooms, arena, requirements, best->kind, count, each);

        part->next = parts;
        parts = part;
        replicas -= (int32_t)count * each;
        if (part->kind == best->kind) {
            n_offers = update_best(rooms, n_offers, requirements, each);
        }
    }
    return parts;
}

/* --- giving back --- */

/* Nodes of the kind were of the part's kind when it was taken: not those that had left it before.
 */
static bool
stems_from(const struct rooms *rooms, uint32_t kind, const struct room_part *part)
{
    while (kind != KIND_NONE && kind >= part->born) {
        kind = rooms->kinds[kind].parent;
    }
    return kind == part->kind;
}

static void
give_back(struct node_room *room, const struct room_part *part)
{
    const struct resource_list *request = &part->requirements->request;

    room->pods += part->replicas;
    for (uint32_t i = 0; i < request->count; i++) {
        struct resource_amount *free = find_free(room, request->items[i].name);

        if (free != NULL) {
            free->amount += part->amounts[i];
        }
    }
}

void
rooms_give_back(struct rooms *rooms, const struct room_part *part)
{
    for (; part != NULL; part = part->next) {
        give_back(&rooms->kinds[part->kind].room, part);
        for (uint32_t i = part->born; i < rooms->n_kinds; i++) {
            if (stems_from(rooms, i, part)) {
                give_back(&rooms->kinds[i].room, part);
            }
        }
    }
}
