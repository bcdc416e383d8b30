/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes capacity as kube-scheduler does by default: each replica goes where the largest share of
 * cpu and memory stays free (kubernetes pkg/scheduler/framework/plugins/noderesources,
 * LeastAllocated). So the rest is scattered as it will be, and no large replica is promised a node
 * that small ones will fill. Nodes of a kind that are taken from split off as a kind of their own.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "node_pools_kinds.h"

#define SCORE_MAX 100000 /* for each resource */
#define FLOATS_LOSE 1e-5F
#define ROUNDS 64 /* most steps to fill a node */

/* Nodes of one kind, and what each of them gave. */
struct room_part {
    uint32_t kind;
    uint32_t born; /* later kinds that stem from this one gave as well */
    int32_t replicas;
};

/* A node had less of a resource than its replicas ask for. */
struct short_amount {
    uint32_t part, resource; /* resource: index into the request */
    int64_t amount;          /* all that it had */
    struct short_amount *next;
};

/* Kept small: the plan keeps one for each target with replicas. */
struct room_taken {
    const struct requirements *requirements;
    const struct short_amount *shorts; /* NULL: none */
    uint32_t n_parts;
    struct room_part parts[];
};

struct taking {
    struct arena *arena;
    const struct requirements *requirements;
    struct short_amount *shorts;
    VEC_OF(struct room_part) parts;
};

struct resource_amount *
node_room_find(struct node_room *room, const char *name)
{
    for (uint32_t i = 0; i < room->n_free; i++) {
        if (str_eq(room->free[i].name, name)) {
            return &room->free[i];
        }
    }
    return NULL;
}

/* --- order of kube-scheduler --- */

static const char *const weighed[N_WEIGHED] = {"cpu", "memory"};

/* The request in the weighed resources. */
struct weighing {
    const struct requirements *requirements;
    int64_t amounts[N_WEIGHED]; /* of a replica */
    float about[N_WEIGHED];     /* the amounts as floats */
};

static int64_t
requested(const struct requirements *requirements, const char *name)
{
    const struct quantity *amount = resource_list_find(&requirements->request, name);

    return amount != NULL ? resource_amount_of(name, *amount) : 0;
}

static struct weighing
weighing_of(const struct requirements *requirements)
{
    struct weighing weighing = {.requirements = requirements};

    for (size_t i = 0; i < N_WEIGHED; i++) {
        weighing.amounts[i] = requested(requirements, weighed[i]);
        weighing.about[i] = (float)weighing.amounts[i];
    }
    return weighing;
}

/* Returns a share in SCORE_MAX-ths. `whole` is above 0. */
static int64_t
share_of(wide_int left, int64_t whole)
{
    if (left <= 0) {
        return 0;
    }
    if (left <= INT64_MAX / SCORE_MAX) { /* wide division is many times slower */
        return pin_int64(left) * SCORE_MAX / whole;
    }
    return pin_int64(left * SCORE_MAX / whole);
}

static int64_t
score_of(const struct pool_kind *kind, const struct weighing *weighing)
{
    int64_t score = 0;

    for (size_t i = 0; i < N_WEIGHED; i++) {
        const struct pool_weight *weight = &kind->weights[i];

        if (weight->whole > 0) {
            score += share_of((wide_int)weight->free - weighing->amounts[i], weight->whole);
        }
    }
    return score;
}

/* Returns an upper bound of score_of(), from few bytes: it rules most kinds out. */
static float
score_at_most(const struct pool_level *level, const struct weighing *weighing)
{
    float score = level->idle;

    for (size_t i = 0; i < N_WEIGHED; i++) {
        score -= weighing->about[i] * level->unit[i];
    }
    return score * (1 + FLOATS_LOSE) + 1;
}

static float
unit_of(const struct pool_weight *weight)
{
    return weight->whole > 0 ? (float)SCORE_MAX / (float)weight->whole : 0;
}

/* Call it after every change of the kind's capacity. */
static void
weigh(struct node_pools *pools, uint32_t kind)
{
    struct pool_kind *changed = &pools->kinds[kind];
    struct pool_level level = {.idle = 0};

    for (size_t i = 0; i < N_WEIGHED; i++) {
        struct pool_weight *weight = &changed->weights[i];

        weight->free = weight->whole > 0 ? changed->room.free[weight->at].amount : 0;
        level.unit[i] = unit_of(weight);
        level.idle += (float)weight->free * level.unit[i];
    }
    pools->levels[kind] = level;
}

/* Free amounts have the order of the allocatable ones. */
static struct pool_weight
whole_of(const struct resource_amounts *allocatable, const char *resource)
{
    const struct resource_amount *whole = resource_amounts_get(allocatable, resource);

    return whole != NULL && whole->amount > 0
               ? (struct pool_weight){.whole = whole->amount,
                                      .at = pin_uint32(whole - allocatable->items)}
               : (struct pool_weight){.whole = 0};
}

void
node_pools_begin_weighing(struct node_pools *pools)
{
    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        struct pool_kind *kind = &pools->kinds[i];

        for (size_t j = 0; j < N_WEIGHED; j++) {
            kind->weights[j] = whole_of(&kind->room.node->kind->allocatable, weighed[j]);
        }
        weigh(pools, i);
    }
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

uint32_t
node_pools_root(const struct node_pools *pools, uint32_t kind)
{
    while (pools->kinds[kind].parent != KIND_NONE) {
        kind = pools->kinds[kind].parent;
    }
    return kind;
}

/* Depends on nodes and their capacity only, not on what was taken and given back before. */
static bool
comes_first(const struct node_pools *pools, const struct pool_offer *a, const struct pool_offer *b)
{
    if (a->score != b->score) {
        return a->score > b->score;
    }
    uint32_t root_a = node_pools_root(pools, a->kind), root_b = node_pools_root(pools, b->kind);

    return root_a != root_b
               ? root_a < root_b
               : room_cmp(&pools->kinds[a->kind].room, &pools->kinds[b->kind].room) < 0;
}

enum heap_order { BEST_FIRST, WORST_FIRST };

/* Restores the heap's order below `at`. */
static void
sink(const struct node_pools *pools, enum heap_order order, uint32_t count, uint32_t at)
{
    struct pool_offer *offers = pools->offers;

    for (;;) {
        uint32_t first = at;

        for (uint32_t child = 2 * at + 1; child < count && child <= 2 * at + 2; child++) {
            bool is_better = comes_first(pools, &offers[child], &offers[first]);

            first = is_better == (order == BEST_FIRST) ? child : first;
        }
        if (first == at) {
            return;
        }
        struct pool_offer swapped = offers[at];

        offers[at] = offers[first];
        offers[first] = swapped;
        at = first;
    }
}

static void
make_heap(const struct node_pools *pools, enum heap_order order, uint32_t count)
{
    for (uint32_t i = count / 2; i > 0; i--) {
        sink(pools, order, count, i - 1);
    }
}

/* The best `most` offers of a take of `most` replicas, in a heap with the worst on top. */
struct gathering {
    struct node_pools *pools;
    const struct weighing *weighing;
    uint32_t most, count;
};

static void
gather(struct gathering *gathering, uint32_t index)
{
    struct node_pools *pools = gathering->pools;
    const struct pool_kind *kind = &pools->kinds[index];
    struct pool_offer offer = {.kind = index, .score = score_of(kind, gathering->weighing)};
    bool is_full = gathering->count == gathering->most;

    if (is_full && !comes_first(pools, &offer, &pools->offers[0])) {
        return;
    }
    offer.fit = node_pools_fit_of(pools, kind, gathering->weighing->requirements);
    if (offer.fit > 0 && is_full) {
        pools->offers[0] = offer;
        sink(pools, WORST_FIRST, gathering->count, 0);
    } else if (offer.fit > 0) {
        pools->offers[gathering->count++] = offer;
        make_heap(pools, WORST_FIRST, gathering->count == gathering->most ? gathering->count : 0);
    }
}

static uint32_t
gather_offers(struct node_pools *pools, const struct weighing *weighing, uint32_t most)
{
    struct gathering gathering = {.pools = pools, .weighing = weighing, .most = most};

    if (pools->n_offers < pools->n_kinds) {
        pools->offers = ARENA_ARRAY(pools->arena, struct pool_offer, pools->capacity);
        pools->n_offers = pools->capacity;
    }
    node_pools_ask_anew(pools, weighing->requirements);
    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        if (gathering.count < most ||
            score_at_most(&pools->levels[i], weighing) >= (float)pools->offers[0].score) {
            gather(&gathering, i);
        }
    }
    make_heap(pools, BEST_FIRST, gathering.count);
    return gathering.count;
}

/* --- taking --- */

static void
note_short(struct taking *taking, uint32_t resource, int64_t amount)
{
    struct short_amount *noted = ARENA_NEW(taking->arena, struct short_amount);

    *noted =
        (struct short_amount){pin_uint32(taking->parts.count), resource, amount, taking->shorts};
    taking->shorts = noted;
}

static void
take_from_room(struct taking *taking, struct node_room *room, int32_t replicas)
{
    const struct resource_list *request = &taking->requirements->request;

    room->pods -= replicas;
    for (uint32_t i = 0; i < request->count; i++) {
        int64_t each = resource_amount_of(request->items[i].name, request->items[i].amount);
        struct resource_amount *free =
            each > 0 ? node_room_find(room, request->items[i].name) : NULL;

        if (free != NULL) {
            /* a resource that does not bound the fit must not go below 0 either */
            if (free->amount / each < replicas) {
                note_short(taking, i, free->amount);
                free->amount = 0;
            } else {
                free->amount -= each * replicas;
            }
        }
    }
}

/* Splits `count` nodes off a kind. Returns their kind: the kind itself if it has no others. */
static uint32_t
split(struct node_pools *pools, uint32_t from, uint32_t count)
{
    if (pools->kinds[from].count == count) {
        return from;
    }
    struct pool_kind *kind = node_pools_push_kind(pools);

    *kind = pools->kinds[from];
    kind->room = node_pools_copy_room(pools->arena, &kind->room);
    kind->count = count;
    kind->parent = from;
    pools->kinds[from].count -= count;
    return pin_uint32(kind - pools->kinds);
}

/* Takes `each` replicas from `count` nodes of a kind. Returns the kind of these nodes. */
static uint32_t
take_from(struct taking *taking, struct node_pools *pools, uint32_t from, uint32_t count,
          int32_t each)
{
    uint32_t index = split(pools, from, count);
    const struct room_part part = {.kind = index, .born = pools->n_kinds, .replicas = each};

    node_pools_begin_change(pools, index);
    take_from_room(taking, &pools->kinds[index].room, each);
    weigh(pools, index);
    node_pools_end_change(pools, index);
    vec_add(&taking->parts, part);
    return index;
}

/* Returns what was taken, kept in the taking's arena; NULL: nothing. */
static const struct room_taken *
end_taking(struct taking *taking)
{
    size_t size = taking->parts.count * sizeof(struct room_part);
    struct room_taken *taken = NULL;

    if (taking->parts.count > 0) {
        taken = arena_alloc(taking->arena, sizeof(*taken) + size);
        taken->requirements = taking->requirements;
        taken->shorts = taking->shorts;
        taken->n_parts = pin_uint32(taking->parts.count);
        memcpy(taken->parts, taking->parts.items, size);
    }
    vec_free(&taking->parts);
    return taken;
}

/* Updates the best offer after a take from each of its nodes. Returns how many offers are left. */
static uint32_t
update_best(struct node_pools *pools, uint32_t count, const struct weighing *weighing,
            int32_t taken)
{
    struct pool_offer *best = pools->offers;

    best->fit -= taken;
    if (best->fit > 0) {
        best->score = score_of(&pools->kinds[best->kind], weighing);
    } else {
        *best = pools->offers[--count];
    }
    sink(pools, BEST_FIRST, count, 0);
    return count;
}

static int32_t
smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

const struct room_taken *
node_pools_take(struct node_pools *pools, struct arena *arena,
                const struct requirements *requirements, int32_t replicas)
{
    struct weighing weighing = weighing_of(requirements);
    uint32_t n_offers = replicas > 0 ? gather_offers(pools, &weighing, (uint32_t)replicas) : 0;
    const struct pool_offer *best = pools->offers;
    struct taking taking = {.arena = arena, .requirements = requirements};

    while (replicas > 0 && n_offers > 0) {
        /* a node that holds thousands is filled in larger steps */
        int32_t each = smaller(best->fit > ROUNDS ? best->fit / ROUNDS : 1, replicas);
        uint32_t count = pools->kinds[best->kind].count, wanted = (uint32_t)(replicas / each);

        count = wanted < count ? wanted : count;
        uint32_t kind = take_from(&taking, pools, best->kind, count, each);

        replicas -= pin_int32(count) * each;
        if (kind == best->kind) {
            n_offers = update_best(pools, n_offers, &weighing, each);
        }
    }
    return end_taking(&taking);
}

const struct room_taken *
node_pools_take_on(struct node_pools *pools, struct arena *arena,
                   const struct requirements *requirements, uint32_t kind, int32_t replicas)
{
    struct taking taking = {.arena = arena, .requirements = requirements};

    take_from(&taking, pools, kind, 1, replicas);
    return end_taking(&taking);
}

/* --- giving back --- */

/* True if the kind's nodes were of the part's kind when that was taken. */
static bool
stems_from(const struct node_pools *pools, uint32_t kind, const struct room_part *part)
{
    while (kind != KIND_NONE && kind >= part->born) {
        kind = pools->kinds[kind].parent;
    }
    return kind == part->kind;
}

/* Returns what each node of a part gave of a resource. */
static int64_t
amount_of(const struct room_taken *taken, uint32_t part, uint32_t resource)
{
    const struct resource_quantity *asked = &taken->requirements->request.items[resource];
    int64_t each = resource_amount_of(asked->name, asked->amount);

    for (const struct short_amount *at = taken->shorts; at != NULL; at = at->next) {
        if (at->part == part && at->resource == resource) {
            return at->amount;
        }
    }
    return each > 0 ? each * taken->parts[part].replicas : 0;
}

static void
give_back(struct node_pools *pools, uint32_t kind, const struct room_taken *taken, uint32_t part)
{
    const struct resource_list *request = &taken->requirements->request;
    struct node_room *room = &pools->kinds[kind].room;

    node_pools_begin_change(pools, kind);
    room->pods += taken->parts[part].replicas;
    for (uint32_t i = 0; i < request->count; i++) {
        struct resource_amount *free = node_room_find(room, request->items[i].name);

        if (free != NULL) {
            free->amount += amount_of(taken, part, i);
        }
    }
    weigh(pools, kind);
    node_pools_end_change(pools, kind);
}

void
node_pools_give_back(struct node_pools *pools, const struct room_taken *taken)
{
    for (uint32_t p = taken != NULL ? taken->n_parts : 0; p > 0; p--) {
        const struct room_part *part = &taken->parts[p - 1];

        give_back(pools, part->kind, taken, p - 1);
        for (uint32_t i = part->born; i < pools->n_kinds; i++) {
            if (stems_from(pools, i, part)) {
                give_back(pools, i, taken, p - 1);
            }
        }
    }
}
