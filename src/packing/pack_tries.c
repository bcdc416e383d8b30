/* SPDX-License-Identifier: Apache-2.0
 *
 * Tries to round the relaxation several times. Each try first fixes the items that the last one
 * left below their floors.
 */
#include "pack_tries.h"

#include <string.h>

#include "ballast/base/wide.h"
#include "pack_enough.h"
#include "pack_lp.h"
#include "pack_round.h"

#define TRIES_MAX 12
#define LOOKS_EACH 16 /* looks for unplaced replicas, on average for each option */

/* Fixed items: their floors are out of the packing, and their resources are not free. */
struct fixing {
    struct packing *packing;
    const struct pack_item *items; /* before any fixing */
    const struct pack_option *had;
    struct room_lists lists;
    int32_t *replicas; /* by option: fixed replicas */
    bool is_careful;   /* items are fixed where they were */
    int32_t *best;     /* by option: replicas of the try with the most gain */
    int64_t gain;
    const double *relaxed; /* by option, in replicas, of all items */
    double *shares;        /* by option, in replicas beyond the fixed ones */
    int64_t bound;         /* of the gain, by the relaxation */
    int64_t slack;         /* replicas below the bound that are near enough */
    uint32_t n_far;        /* tries that came to far less */
    int64_t looks;         /* left */
};

/* Returns the option whose share exceeds its fixed replicas most; UINT32_MAX: no replica fits. */
static uint32_t
largest_rest(const struct fixing *fixing, const struct pack_item *item)
{
    const struct packing *packing = fixing->packing;
    uint32_t ret = UINT32_MAX;
    double most = 0;

    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        const int64_t *free = packing->free[packing->options[i].room];
        double rest = 1 + fixing->relaxed[i] - fixing->replicas[i];
        bool fits = packing->options[i].most > 0;

        for (int j = 0; j < N_PACK_RESOURCES; j++) {
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
assign(struct fixing *fixing, const struct pack_item *item, uint32_t option, int32_t replicas)
{
    int64_t *free = fixing->packing->free[fixing->packing->options[option].room];

    fixing->replicas[option] += replicas;
    fixing->packing->options[option].most -= replicas;
    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        if (free[i] != INT64_MAX) {
            free[i] -= pack_amount(item->each[i], replicas);
        }
    }
}

/* Fixes missing replicas at the option, up to its share. Returns how many. */
static int32_t
assign_whole(struct fixing *fixing, const struct pack_item *item, uint32_t option, double share,
             int32_t missing)
{
    const int64_t *free = fixing->packing->free[fixing->packing->options[option].room];
    int64_t room = fixing->packing->options[option].most;

    room = room < missing ? room : missing;
    room = share < (double)room ? pin_real(share) : room;
    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        if (item->each[i] > 0 && free[i] != INT64_MAX && free[i] / item->each[i] < room) {
            room = free[i] / item->each[i];
        }
    }
    if (room <= 0) {
        return 0;
    }
    assign(fixing, item, option, pin_int32(room));
    return pin_int32(room);
}

/* Fixes an item at its floor: where it was if is_careful, then by its shares. False: no
 * capacity. */
static bool
fix(struct fixing *fixing, uint32_t index)
{
    struct pack_item *item = &fixing->packing->items[index];
    int32_t missing = item->floor;

    for (uint32_t i = item->first; fixing->is_careful && i < item->first + item->n_options; i++) {
        assign(fixing, item, i, fixing->had[i].replicas);
        missing -= fixing->had[i].replicas;
    }
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        missing -= assign_whole(fixing, item, i, fixing->relaxed[i], missing);
    }
    while (missing > 0) {
        uint32_t option = largest_rest(fixing, item);

        if (option == UINT32_MAX) {
            return false;
        }
        assign(fixing, item, option, 1);
        missing--;
    }
    item->wanted -= item->floor;
    item->floor = 0;
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        double rest = fixing->relaxed[i] - fixing->replicas[i];

        fixing->shares[i] = rest > 0 ? rest : 0;
    }
    return true;
}

static void
unfix(struct fixing *fixing)
{
    struct packing *packing = fixing->packing;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        struct pack_item *item = &packing->items[i];

        *item = fixing->items[i];
        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            if (fixing->replicas[j] != 0) {
                assign(fixing, item, j, -fixing->replicas[j]);
            }
            fixing->shares[j] = fixing->relaxed[j];
        }
    }
}

static void
note_best(struct fixing *fixing, const struct rounding *rounding)
{
    const struct packing *packing = fixing->packing;
    int64_t gain = 0;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        gain += rounding->placed[i] - packing->items[i].floor;
    }
    for (uint32_t i = 0; i < packing->n_options && gain > fixing->gain; i++) {
        fixing->best[i] = fixing->replicas[i] + packing->options[i].replicas;
    }
    fixing->gain = gain > fixing->gain ? gain : fixing->gain;
}

/* Fixes the items below their floors, so that the next try rounds around them. If one does not fit,
 * undoes all and fixes items where they were from then on. */
static void
fix_short(struct fixing *fixing, const int32_t *placed)
{
    for (uint32_t i = 0; i < fixing->packing->n_items; i++) {
        if (placed[i] < fixing->packing->items[i].floor && !fix(fixing, i)) {
            unfix(fixing);
            fixing->is_careful = true;
            return;
        }
    }
}

int64_t
pack_floors(const struct packing *packing)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        sum += packing->items[i].floor;
    }
    return sum;
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

/* Returns the most replicas beyond the floors. */
static int64_t
bound_of(const struct packing *packing, const struct pack_lp_result *relaxed)
{
    return pin_real((double)count_wanted(packing) - relaxed->left + ROUNDING);
}

/* Relaxes what is not fixed. False: the work ran out first. */
static bool
relax_again(struct arena *arena, struct fixing *fixing, int64_t *work)
{
    const struct packing *packing = fixing->packing;
    const struct pack_lp_result relaxed = pack_relax(arena, packing, work);

    memcpy(fixing->shares, relaxed.shares, packing->n_options * sizeof(*fixing->shares));
    return relaxed.is_solved;
}

/* Rounds once, and fixes the items below their floors. False: another try is of no use. */
static bool
try_once(struct arena *arena, struct fixing *fixing, int64_t *work)
{
    struct packing *packing = fixing->packing;
    int64_t floors = pack_floors(packing), gain = fixing->gain;
    struct rounding rounding = rounding_new(arena, packing, &fixing->lists, work, &fixing->looks);

    round_down(&rounding, fixing->shares);
    bool all = reach_floors(&rounding, false);
    const int32_t *placed =
        arena_memdup(arena, rounding.placed, packing->n_items * sizeof(*rounding.placed));

    if (all || (pack_is_worth(fixing->bound, fixing->slack) && reach_floors(&rounding, true))) {
        place_left(&rounding, fixing->shares, floors + fixing->bound - fixing->slack);
        note_best(fixing, &rounding);
    }
    bool gained = fixing->gain > gain;

    switch (all ? PACK_DONE
                : pack_next(fixing->bound - fixing->gain, fixing->slack, gained, &fixing->n_far)) {
    case PACK_DONE:
        return false;
    case PACK_FIX:
        fix_short(fixing, placed);
        return *work > 0;
    case PACK_RELAX:
        break;
    }
    fix_short(fixing, placed);
    return relax_again(arena, fixing, work);
}

static void
try_all(struct arena *arena, struct fixing *fixing, int64_t *work)
{
    struct arena *scratch = arena_new();

    fixing->lists = room_lists_new(arena, fixing->packing);
    fixing->slack = pack_slack(pack_floors(fixing->packing));
    for (int try = 0; try < TRIES_MAX && try_once(scratch, fixing, work); try++) {
        arena_reset(scratch);
    }
    unfix(fixing);
    arena_free(scratch);
}

bool
pack_in_tries(struct packing *packing, int64_t *work, int64_t *ret_bound)
{
    struct arena *arena = arena_new();
    const struct pack_lp_result relaxed = pack_relax(arena, packing, work);
    struct fixing fixing = {
        .packing = packing,
        .items = arena_memdup(arena, packing->items, packing->n_items * sizeof(*packing->items)),
        .had =
            arena_memdup(arena, packing->options, packing->n_options * sizeof(*packing->options)),
        .replicas = ARENA_ARRAY(arena, int32_t, packing->n_options),
        .relaxed = relaxed.shares,
        .shares = arena_memdup(arena, relaxed.shares, packing->n_options * sizeof(*relaxed.shares)),
        .best = ARENA_ARRAY(arena, int32_t, packing->n_options),
        .bound = bound_of(packing, &relaxed),
        .looks = LOOKS_EACH * (int64_t)packing->n_options,
    };

    if (relaxed.is_solved && fixing.bound > 0) {
        try_all(arena, &fixing, work);
    }
    *ret_bound = fixing.bound;
    for (uint32_t i = 0; i < packing->n_options; i++) {
        packing->options[i].replicas = fixing.gain > 0 ? fixing.best[i] : fixing.had[i].replicas;
    }
    arena_free(arena);
    return fixing.gain > 0;
}
