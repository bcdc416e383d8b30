/* SPDX-License-Identifier: Apache-2.0
 *
 * Ruin and recreate: some replicas are taken out of some rooms, and with those
 * that are left over they are put again, each anywhere. What places no fewer
 * stays, and so in time the rooms come to be filled as no chain of single
 * replicas would have filled them. Which ones is drawn, always alike.
 */
#include "pack_ruin.h"

#include <stdlib.h>

#include "ballast/base/wide.h"
#include "pack_round.h"

#define ROOMS_AT_ONCE 3
#define REPLICAS_AT_ONCE 20
#define WORK_OF_LOOK 8 /* at one option: what is put there, and in which order, is in it */
#define LOOKS_OF_RUIN 16
#define DICE_SEED UINT64_C(0x9E3779B97F4A7C15)

/* An item of which a replica was taken, or is left over. */
struct ruined {
    uint32_t item;
    int32_t before; /* replicas that were placed */
    uint32_t key;   /* the least is put first */
};

struct ruin {
    struct rounding rounding;
    uint64_t dice;
    uint32_t *class_of; /* by item: its priority, 0 for the highest */
    uint32_t n_classes;
    int64_t *more; /* by class: that are placed now, and were not */
    struct ruined *ruined;
    uint32_t n_ruined;
    uint32_t *round_of; /* by item: in which it was ruined last */
    uint32_t round;
    int64_t n_looked;
};

/* Below `bound`. */
static uint32_t
draw(struct ruin *ruin, uint32_t bound)
{
    ruin->dice ^= ruin->dice >> 12;
    ruin->dice ^= ruin->dice << 25;
    ruin->dice ^= ruin->dice >> 27;
    return pin_uint32((ruin->dice * UINT64_C(0x2545F4914F6CDD1D) >> 32) * bound >> 32);
}

static int
by_priority(const void *a, const void *b)
{
    const struct pack_item *const *x = a, *const *y = b;

    return ((*x)->priority < (*y)->priority) - ((*x)->priority > (*y)->priority);
}

static void
set_classes(struct arena *arena, const struct packing *packing, struct ruin *ruin)
{
    const struct pack_item **sorted =
        ARENA_ARRAY(arena, const struct pack_item *, packing->n_items);

    for (uint32_t i = 0; i < packing->n_items; i++) {
        sorted[i] = &packing->items[i];
    }
    qsort(sorted, packing->n_items, sizeof(const struct pack_item *), by_priority);
    ruin->class_of = ARENA_ARRAY(arena, uint32_t, packing->n_items);
    for (uint32_t i = 0; i < packing->n_items; i++) {
        ruin->n_classes += i == 0 || sorted[i]->priority != sorted[i - 1]->priority ? 1 : 0;
        ruin->class_of[sorted[i] - packing->items] = ruin->n_classes - 1;
    }
    ruin->more = ARENA_ARRAY(arena, int64_t, ruin->n_classes);
}

static void
note_ruined(struct ruin *ruin, uint32_t item)
{
    if (ruin->round_of[item] != ruin->round) {
        ruin->round_of[item] = ruin->round;
        ruin->ruined[ruin->n_ruined++] =
            (struct ruined){.item = item, .before = ruin->rounding.placed[item]};
    }
}

/* So many replicas at most are taken from the room, beginning anywhere. */
static void
ruin_room(struct ruin *ruin, uint32_t room, uint32_t replicas)
{
    const struct room_lists *lists = ruin->rounding.lists;
    uint32_t first = lists->first_in[room], count = lists->first_in[room + 1] - first;
    uint32_t begin = count > 0 ? draw(ruin, count) : 0;

    for (uint32_t i = 0; i < count && replicas > 0; i++) {
        uint32_t option = lists->in_room[LEDGER_CPU][first + (begin + i) % count];
        uint32_t seats = (uint32_t)ruin->rounding.packing->options[option].seats;
        uint32_t most = seats < replicas ? seats : replicas;

        ruin->n_looked++;
        if (most > 0) {
            uint32_t some = 1 + draw(ruin, most);

            note_ruined(ruin, lists->item_of[option]);
            rounding_step(&ruin->rounding, option, -pin_int32(some));
            replicas -= some;
        }
    }
}

static bool
is_short_of(const struct ruin *ruin, uint32_t item, int32_t replicas)
{
    return ruin->rounding.placed[item] < replicas;
}

/* What is left over and may come to the room. */
static void
note_left_over(struct ruin *ruin, uint32_t room)
{
    const struct room_lists *lists = ruin->rounding.lists;

    for (uint32_t i = lists->first_in[room]; i < lists->first_in[room + 1]; i++) {
        uint32_t item = lists->item_of[lists->in_room[LEDGER_CPU][i]];

        ruin->n_looked++;
        if (is_short_of(ruin, item, ruin->rounding.packing->items[item].wanted)) {
            note_ruined(ruin, item);
        }
    }
}

static int
by_key(const void *a, const void *b)
{
    const struct ruined *x = a, *y = b;

    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->item < y->item ? -1 : 1;
}

/* Who is short of the floor first, then who has few rooms; the rest falls as the dice do. */
static void
set_order(struct ruin *ruin)
{
    for (uint32_t i = 0; i < ruin->n_ruined; i++) {
        struct ruined *ruined = &ruin->ruined[i];
        const struct pack_item *item = &ruin->rounding.packing->items[ruined->item];
        uint32_t dice = 64 + draw(ruin, 64);

        ruined->key = item->n_options * dice +
                      (is_short_of(ruin, ruined->item, item->floor) ? 0 : UINT32_MAX / 2);
    }
    qsort(ruin->ruined, ruin->n_ruined, sizeof(*ruin->ruined), by_key);
}

/* Any bit of these. */
static uint32_t
draw_bit(struct ruin *ruin, uint64_t bits)
{
    for (uint32_t n = draw(ruin, (uint32_t)__builtin_popcountll(bits)); n > 0; n--) {
        bits &= bits - 1;
    }
    return (uint32_t)__builtin_ctzll(bits);
}

/* Each replica anywhere. false: not even the floor is reached. */
static bool
fill_again(struct ruin *ruin, uint32_t index)
{
    struct rounding *rounding = &ruin->rounding;
    const struct pack_item *item = &rounding->packing->items[index];

    while (is_short_of(ruin, index, item->wanted) && rounding->n_steps < STEPS_MAX) {
        uint64_t fitting = rounding_fitting(rounding, item);

        ruin->n_looked += item->n_options;
        if (fitting == 0) {
            break;
        }
        rounding_step(rounding, item->first + draw_bit(ruin, fitting), 1);
    }
    return !is_short_of(ruin, index, item->floor);
}

static bool
fill_all(struct ruin *ruin)
{
    set_order(ruin);
    for (uint32_t i = 0; i < ruin->n_ruined; i++) {
        if (!fill_again(ruin, ruin->ruined[i].item)) {
            return false;
        }
    }
    return true;
}

/* No fewer of all, and where some priority has fewer now, a higher one has more. */
static bool
is_no_worse(struct ruin *ruin)
{
    int64_t more = 0;
    bool higher_has_more = false, fine = true;

    for (uint32_t i = 0; i < ruin->n_classes; i++) {
        ruin->more[i] = 0;
    }
    for (uint32_t i = 0; i < ruin->n_ruined; i++) {
        const struct ruined *ruined = &ruin->ruined[i];

        ruin->more[ruin->class_of[ruined->item]] +=
            ruin->rounding.placed[ruined->item] - ruined->before;
    }
    for (uint32_t i = 0; i < ruin->n_classes; i++) {
        fine = fine && (ruin->more[i] >= 0 || higher_has_more);
        higher_has_more = higher_has_more || ruin->more[i] > 0;
        more += ruin->more[i];
    }
    ruin->n_looked += ruin->n_classes;
    return fine && more >= 0;
}

static void
ruin_once(struct ruin *ruin)
{
    uint32_t rooms[ROOMS_AT_ONCE], n_rooms = 1 + draw(ruin, ROOMS_AT_ONCE);
    uint32_t replicas = 1 + draw(ruin, REPLICAS_AT_ONCE);

    ruin->round++;
    ruin->n_ruined = 0;
    ruin->rounding.n_steps = 0; /* those before stay */
    for (uint32_t i = 0; i < n_rooms; i++) {
        rooms[i] = draw(ruin, ruin->rounding.packing->n_rooms);
        ruin_room(ruin, rooms[i], (replicas + n_rooms - 1) / n_rooms);
    }
    for (uint32_t i = 0; i < n_rooms; i++) {
        note_left_over(ruin, rooms[i]);
    }
    if (!fill_all(ruin) || !is_no_worse(ruin)) {
        rounding_step_back(&ruin->rounding, 0);
    }
}

/* As they are; false: they do not fit. */
static bool
begin(struct arena *arena, struct ruin *ruin)
{
    const struct packing *packing = ruin->rounding.packing;
    double *seats = ARENA_ARRAY(arena, double, packing->n_options);
    bool fine = true;

    for (uint32_t i = 0; i < packing->n_options; i++) {
        seats[i] = packing->options[i].seats;
    }
    round_down(&ruin->rounding, seats);
    for (uint32_t i = 0; i < packing->n_options; i++) {
        fine = fine && packing->options[i].seats == pin_int32(pin_real(seats[i]));
        packing->options[i].seats = pin_int32(pin_real(seats[i]));
    }
    return fine;
}

void
ruin_and_fill(struct arena *arena, struct packing *packing, int64_t enough, int64_t *work)
{
    int64_t no_looks = 0;
    const struct room_lists lists = room_lists_new(arena, packing);
    struct ruin ruin = {
        .rounding = rounding_new(arena, packing, &lists, work, &no_looks),
        .dice = DICE_SEED,
        .ruined = ARENA_ARRAY(arena, struct ruined, packing->n_items),
        .round_of = ARENA_ARRAY(arena, uint32_t, packing->n_items),
    };

    set_classes(arena, packing, &ruin);
    bool goes_on = begin(arena, &ruin);

    while (goes_on && *work > 0 && ruin.rounding.n_placed < enough) {
        ruin.n_looked = LOOKS_OF_RUIN;
        ruin_once(&ruin);
        *work -= WORK_OF_LOOK * ruin.n_looked;
    }
}
