/* SPDX-License-Identifier: Apache-2.0
 *
 * Seats of a packing: tries, each with those items settled beforehand that the
 * last one could not round.
 */
#include "pack_lp.h"
#include "pack_round.h"

#define TRIES_MAX 12
#define LOOKS_EACH 16  /* of an option: how often it is looked at for what is left over, about */
#define NEARLY_ALL 400 /* one in so many short of the bound is near enough */
#define FAR 4          /* times as many are not, though the last try gained no more */

/* What is settled of items is out of the packing, and what it takes of the rooms is not free. */
struct settling {
    struct packing *packing;
    const struct pack_item *items; /* as they were */
    const struct pack_option *had;
    const struct room_lists *lists;
    int32_t *seats;  /* by option, of the items that are settled */
    bool is_careful; /* only where they were */
    int32_t *best;   /* by option: the seats by which most is gained so far */
    int64_t gain;
    struct pack_lp *relaxation;
    int64_t bound; /* of the gain, by the first relaxation */
    int64_t slack; /* so many less than the bound are near enough */
    int64_t looks; /* that are left */
};

/* The option with the largest fraction beyond its seats; UINT32_MAX: there is room in none. */
static uint32_t
largest_rest(const struct settling *settling, const struct pack_item *item, const double *shares)
{
    const struct packing *packing = settling->packing;
    uint32_t ret = UINT32_MAX;
    double most = 0;

    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        const int64_t *free = packing->free[packing->options[i].room];
        double rest = 1 + shares[i] - settling->seats[i];
        bool fits = packing->options[i].most > 0;

        for (int j = 0; j < N_LEDGER_RESOURCES; j++) {
            fits = fits && item->each[j] <= free[j];
        }
        if (fits && rest > most) {
            most = rest;
            ret = i;
        }
    }
    return ret;
}

static void
seat(struct settling *settling, const struct pack_item *item, uint32_t option, int32_t replicas)
{
    int64_t *free = settling->packing->free[settling->packing->options[option].room];

    settling->seats[option] += replicas;
    settling->packing->options[option].most -= replicas;
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        if (free[i] != INT64_MAX) {
            free[i] -= pack_amount(item->each[i], replicas);
        }
    }
}

/* Of the missing ones as much as the relaxation has there and fits; returns how many. */
static int32_t
seat_whole(struct settling *settling, const struct pack_item *item, uint32_t option, double share,
           int32_t missing)
{
    const int64_t *free = settling->packing->free[settling->packing->options[option].room];
    int64_t room = settling->packing->options[option].most;

    room = room < missing ? room : missing;
    room = share < (double)room ? (int64_t)share : room;
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        if (item->each[i] > 0 && free[i] != INT64_MAX && free[i] / item->each[i] < room) {
            room = free[i] / item->each[i];
        }
    }
    if (room <= 0) {
        return 0;
    }
    seat(settling, item, option, (int32_t)room);
    return (int32_t)room;
}

/* At its floor, where the relaxation has most of it; or where it was. false: there is no room. */
static bool
settle(struct settling *settling, uint32_t index, const double *shares)
{
    struct pack_item *item = &settling->packing->items[index];
    int32_t missing = item->floor;

    for (uint32_t i = item->first; settling->is_careful && i < item->first + item->n_options; i++) {
        seat(settling, item, i, settling->had[i].seats);
        missing -= settling->had[i].seats;
    }
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        missing -= seat_whole(settling, item, i, shares[i], missing);
    }
    while (missing > 0) {
        uint32_t option = largest_rest(settling, item, shares);

        if (option == UINT32_MAX) {
            return false;
        }
        seat(settling, item, option, 1);
        missing--;
    }
    item->wanted -= item->floor;
    item->floor = 0;
    return true;
}

/* What is settled is so no more. */
static void
unsettle(struct settling *settling)
{
    struct packing *packing = settling->packing;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        struct pack_item *item = &packing->items[i];

        *item = settling->items[i];
        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            seat(settling, item, j, -settling->seats[j]);
        }
    }
}

static void
note_best(struct settling *settling, const struct rounding *rounding)
{
    const struct packing *packing = settling->packing;
    int64_t gain = 0;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        gain += rounding->placed[i] - packing->items[i].floor;
    }
    for (uint32_t i = 0; i < packing->n_options && gain > settling->gain; i++) {
        settling->best[i] = settling->seats[i] + packing->options[i].seats;
    }
    settling->gain = gain > settling->gain ? gain : settling->gain;
}

/* Those that are short of their floor are settled, so that the rest can be reckoned anew; where
 * there is no room for that, from the beginning, and where they were. */
static void
settle_short(struct settling *settling, const int32_t *placed, const double *shares)
{
    for (uint32_t i = 0; i < settling->packing->n_items; i++) {
        if (placed[i] < settling->packing->items[i].floor && !settle(settling, i, shares)) {
            unsettle(settling);
            settling->is_careful = true;
            return;
        }
    }
}

static int64_t
count_wanted(const struct packing *packing)
{
    int64_t wanted = 0;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        wanted += packing->items[i].wanted - packing->items[i].floor;
    }
    return wanted;
}

/* Of seats beyond the floors. */
static int64_t
bound_of(const struct packing *packing, const struct pack_lp_result *relaxed)
{
    return (int64_t)((double)count_wanted(packing) - relaxed->left + ROUNDING);
}

int64_t
pack_bound(const struct packing *packing, int64_t *work)
{
    struct arena *arena = arena_new();
    const struct pack_lp_result relaxed = pack_relax(arena, packing, work);

    arena_free(arena);
    return bound_of(packing, &relaxed);
}

/* false: there is nothing more to be tried. */
static bool
try_seats(struct arena *arena, struct settling *settling, int64_t *work)
{
    struct packing *packing = settling->packing;
    int64_t floors = 0;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        floors += packing->items[i].floor;
    }
    struct pack_lp_result relaxed = pack_lp_solve(arena, settling->relaxation, work);
    int64_t gain = settling->gain;
    bool was_careful = settling->is_careful;
    int64_t most = bound_of(packing, &relaxed);

    settling->bound = settling->bound < 0 ? most : settling->bound;
    if (!relaxed.is_solved || most - settling->gain <= 0) {
        unsettle(settling);
        settling->is_careful = true;
        return relaxed.is_solved && !was_careful && settling->gain == 0;
    }
    struct rounding rounding =
        rounding_new(arena, packing, settling->lists, work, &settling->looks);

    round_down(&rounding, relaxed.shares);
    bool all = reach_floors(&rounding, false);
    const int32_t *placed =
        arena_memdup(arena, rounding.placed, packing->n_items * sizeof(*rounding.placed));

    if (all || reach_floors(&rounding, true)) {
        place_left(&rounding, relaxed.shares, floors + most - settling->slack);
        note_best(settling, &rounding);
    }
    int64_t lacking = most - settling->gain;

    if (!all && lacking > (settling->gain > gain ? 1 : FAR) * settling->slack) {
        settle_short(settling, placed, relaxed.shares);
        return true;
    }
    return false;
}

bool
pack_seats(struct packing *packing, int64_t *work, int64_t *ret_bound)
{
    struct arena *arena = arena_new(), *scratch = arena_new();
    const struct room_lists lists = room_lists_new(arena, packing);
    struct settling settling = {
        .packing = packing,
        .lists = &lists,
        .items = arena_memdup(arena, packing->items, packing->n_items * sizeof(*packing->items)),
        .had =
            arena_memdup(arena, packing->options, packing->n_options * sizeof(*packing->options)),
        .seats = ARENA_ARRAY(arena, int32_t, packing->n_options),
        .relaxation = pack_lp_new(arena, packing),
        .best = ARENA_ARRAY(arena, int32_t, packing->n_options),
        .bound = -1,
        .looks = LOOKS_EACH * (int64_t)packing->n_options,
    };

    for (uint32_t i = 0; i < packing->n_items; i++) {
        settling.slack += packing->items[i].floor;
    }
    settling.slack /= NEARLY_ALL;
    for (int try = 0; try < TRIES_MAX && try_seats(scratch, &settling, work); try++) {
        arena_reset(scratch);
    }
    *ret_bound = settling.bound;
    unsettle(&settling);
    for (uint32_t i = 0; i < packing->n_options; i++) {
        packing->options[i].seats = settling.gain > 0 ? settling.best[i] : settling.had[i].seats;
    }
    arena_free(scratch);
    arena_free(arena);
    return settling.gain > 0;
}
