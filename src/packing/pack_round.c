/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds the relaxation down and fills up the rooms; replicas move aside in chains.
 */
#include "pack_round.h"

#include "ballast/base/wide.h"
#include "pack_level.h"

#define PATIENCE 300              /* options to look at in one search */
#define PATIENCE_OF_FLOORS 200000 /* in a search without which the try fails */
#define PATIENCE_OF_CHEAPER 3000  /* in a search for a cheaper way than a known one */
#define OVERDRAFT 50000000        /* of work, in options to look at */
#define DROPS_NOBODY INT64_MIN
#define DROPS_ANYBODY INT64_MAX

static void
put(struct rounding *rounding, uint32_t option, int32_t replicas)
{
    struct pack_option *to = &rounding->packing->options[option];
    const struct pack_item *item = &rounding->packing->items[rounding->lists->item_of[option]];

    if ((to->replicas == 0) != (to->replicas + replicas == 0)) {
        taken_places_turn(&rounding->taken, rounding->lists, option);
    }
    to->replicas += replicas;
    rounding->placed[rounding->lists->item_of[option]] += replicas;
    rounding->n_placed += replicas;
    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        if (rounding->left[to->room][i] != INT64_MAX) {
            rounding->left[to->room][i] -= pack_amount(item->each[i], replicas);
        }
    }
}

/* Returns how many more replicas fit at the option. */
static int64_t
room_in(const struct rounding *rounding, uint32_t option)
{
    const struct pack_option *at = &rounding->packing->options[option];
    const struct pack_item *item = &rounding->packing->items[rounding->lists->item_of[option]];
    int64_t room = at->most - at->replicas;

    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        int64_t left = rounding->left[at->room][i];

        if (item->each[i] > 0 && left != INT64_MAX && left / item->each[i] < room) {
            room = left / item->each[i];
        }
    }
    return room;
}

/* Free resources that one more replica needs. */
struct asked {
    int64_t of[N_PACK_RESOURCES];
};

static struct asked
asked_by(const struct pack_item *item)
{
    struct asked ret;

    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        ret.of[i] = item->each[i] > 0 ? item->each[i] : INT64_MIN;
    }
    return ret;
}

/* True if room_in() > 0; without divisions, and without branches, which mispredict. */
static inline bool
fits_at(const struct rounding *rounding, const struct asked *asked, const struct pack_option *at)
{
    unsigned fits = at->replicas < at->most;

    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        fits &= asked->of[i] <= rounding->left[at->room][i];
    }
    return fits != 0;
}

static bool
has_room(const struct rounding *rounding, uint32_t option)
{
    const struct asked asked =
        asked_by(&rounding->packing->items[rounding->lists->item_of[option]]);

    return fits_at(rounding, &asked, &rounding->packing->options[option]);
}

/* Returns a bit for each option of the item where one more replica fits. */
static uint64_t
fitting_options(const struct rounding *rounding, const struct pack_item *item)
{
    const struct pack_option *options = rounding->packing->options + item->first;
    const struct asked asked = asked_by(item);
    uint64_t found = 0;

    for (uint32_t i = 0; i < item->n_options; i++) {
        found |= (uint64_t)fits_at(rounding, &asked, &options[i]) << i;
    }
    return found;
}

/* Sets the option where most replicas fit, outside the room `but`. False: there is none. */
static bool
roomiest(struct rounding *rounding, const struct pack_item *item, uint32_t but,
         uint32_t *ret_option)
{
    int64_t most = 0;

    rounding->patience -= item->n_options;
    for (uint64_t rest = fitting_options(rounding, item); rest != 0; rest &= rest - 1) {
        uint32_t option = item->first + (uint32_t)__builtin_ctzll(rest);
        bool is_meant = rounding->packing->options[option].room != but;
        int64_t room = is_meant ? room_in(rounding, option) : 0;

        if (room > most) {
            most = room;
            *ret_option = option;
        }
    }
    return most > 0;
}

static void
measure_rooms(const struct rounding *rounding, const struct pack_item *item, int64_t *ret)
{
    for (uint32_t i = 0; i < item->n_options; i++) {
        ret[i] = room_in(rounding, item->first + i);
    }
}

/* Does at once what fill() does one by one; fewer replicas than options may remain. */
static void
fill_most(struct rounding *rounding, uint32_t index, int32_t upto)
{
    const struct pack_item *item = &rounding->packing->items[index];
    int64_t rooms[PACK_ROOMS_MAX];

    measure_rooms(rounding, item, rooms);
    int64_t level = pack_level(rooms, item->n_options, (int64_t)upto - rounding->placed[index]);

    for (uint32_t i = 0; i < item->n_options; i++) {
        if (rooms[i] > level) {
            put(rounding, item->first + i, pin_int32(rooms[i] - level));
        }
    }
}

/* Places replicas one by one, each where most fit. */
static void
fill(struct rounding *rounding, uint32_t index, int32_t upto)
{
    const struct pack_item *item = &rounding->packing->items[index];
    uint32_t option;

    if ((int64_t)upto - rounding->placed[index] > item->n_options) {
        fill_most(rounding, index, upto);
    }
    while (rounding->placed[index] < upto && roomiest(rounding, item, UINT32_MAX, &option)) {
        put(rounding, option, 1);
    }
}

/* Puts replicas, and records the step for step_back(). */
static void
step(struct rounding *rounding, uint32_t option, int32_t by)
{
    rounding->steps[rounding->n_steps++] = (struct replica_step){option, by};
    put(rounding, option, by);
}

static void
step_back(struct rounding *rounding, uint32_t upto)
{
    while (rounding->n_steps > upto) {
        const struct replica_step *last = &rounding->steps[--rounding->n_steps];

        put(rounding, last->option, -last->by);
    }
}

/* How a replica leaves its room. */
enum way {
    WAY_ELSEWHERE, /* it moves where it fits */
    WAY_LEFT,      /* it becomes unplaced, above its floor */
    WAY_CHAIN,     /* it moves where others leave for it */
};

struct search {
    uint32_t room;       /* where no replica may move to */
    int64_t drops_below; /* below this priority, replicas above floors may become unplaced */
    bool only_drops;     /* no replica moves */
};

static bool make_room(struct rounding *rounding, uint32_t option, const struct search *search,
                      int depth);

static bool
chain(struct rounding *rounding, uint32_t from, const struct search *search, int depth)
{
    const struct pack_item *item = &rounding->packing->items[rounding->lists->item_of[from]];
    const struct pack_option *options = rounding->packing->options;

    for (uint32_t i = item->first; depth > 0 && i < item->first + item->n_options; i++) {
        if (options[i].room != options[from].room && options[i].room != search->room &&
            make_room(rounding, i, search, depth - 1)) {
            step(rounding, from, -1);
            return true;
        }
    }
    return false;
}

static bool
give_way(struct rounding *rounding, uint32_t from, const struct search *search, enum way way,
         int depth)
{
    uint32_t index = rounding->lists->item_of[from], to;
    const struct pack_item *item = &rounding->packing->items[index];
    const struct pack_option *options = rounding->packing->options;

    switch (way) {
    case WAY_ELSEWHERE:
        if (!roomiest(rounding, item, search->room, &to) ||
            options[to].room == options[from].room) {
            return false;
        }
        step(rounding, from, -1);
        step(rounding, to, 1);
        return true;
    case WAY_LEFT:
        if (item->priority >= search->drops_below || rounding->placed[index] <= item->floor) {
            return false;
        }
        step(rounding, from, -1);
        return true;
    case WAY_CHAIN:
        break;
    }
    return chain(rounding, from, search, depth);
}

/* Returns the resource of which the fewest replicas of the option fit. */
static int
scarcest(const struct rounding *rounding, uint32_t option)
{
    const struct pack_item *item = &rounding->packing->items[rounding->lists->item_of[option]];
    const int64_t *left = rounding->left[rounding->packing->options[option].room];
    int ret = 0;

    for (int i = 1; i < N_PACK_RESOURCES; i++) {
        if (item->each[i] > 0 &&
            (item->each[ret] == 0 || left[i] / item->each[i] < left[ret] / item->each[ret])) {
            ret = i;
        }
    }
    return ret;
}

/* Finds the next earlier place of the list that has replicas. Skipped places cost patience. */
static bool
next_taken(struct rounding *rounding, uint32_t room, int resource, uint32_t *at)
{
    uint32_t from = *at;
    bool found = taken_places_before(&rounding->taken, rounding->lists, room, resource, at);

    if (from - *at > rounding->patience) {
        rounding->patience = rounding->patience > 0 ? -1 : rounding->patience - 1;
        return false;
    }
    rounding->patience -= from - *at;
    return found;
}

/* Charges the patience of a vain search through the room's list. False: not enough is left. */
static bool
pass_over(struct rounding *rounding, uint32_t room, int resource)
{
    const struct room_lists *lists = rounding->lists;
    uint32_t count = lists->first_in[room + 1] - lists->first_with[resource][room];

    if (count > rounding->patience) {
        return false;
    }
    rounding->patience -= count;
    return true;
}

/* Makes another item leave the room by one replica: large users of the scarcest resource first. */
static bool
anybody_gives_way(struct rounding *rounding, uint32_t option, const struct search *search,
                  int depth)
{
    const struct packing *packing = rounding->packing;
    uint32_t room = packing->options[option].room;
    int resource = scarcest(rounding, option);

    for (int way = search->only_drops ? WAY_LEFT : WAY_ELSEWHERE;
         way <= (depth > 0 ? WAY_CHAIN : WAY_LEFT); way++) {
        uint32_t at = rounding->lists->first_in[room + 1];

        if (way == WAY_LEFT && search->drops_below == DROPS_NOBODY &&
            pass_over(rounding, room, resource)) {
            continue;
        }
        while (next_taken(rounding, room, resource, &at)) {
            uint32_t other = rounding->lists->in_room[resource][at];

            if (rounding->lists->item_of[other] != rounding->lists->item_of[option] &&
                give_way(rounding, other, search, (enum way)way, depth)) {
                return true;
            }
        }
    }
    return false;
}

/* Places one more replica at an option by moving others aside. False: nothing has changed. */
static bool
make_room(struct rounding *rounding, uint32_t option, const struct search *search, int depth)
{
    const struct pack_option *at = &rounding->packing->options[option];
    uint32_t begun = rounding->n_steps;

    if (at->replicas >= at->most) {
        return false;
    }
    while (!has_room(rounding, option)) {
        if (rounding->n_steps >= STEPS_MAX || !anybody_gives_way(rounding, option, search, depth)) {
            step_back(rounding, begun);
            return false;
        }
    }
    step(rounding, option, 1);
    return true;
}

/* A way to place one more replica of an item. */
struct bargain {
    uint32_t option;
    int depth;
    int64_t lost; /* replicas of others that become unplaced */
    bool only_drops;
    bool is_known; /* a way of less depth is known; this one may be cheaper */
};

struct terms {
    int64_t drops_below;
    int depth_max;
    bool is_brief; /* spends `looks` */
};

static int64_t
sum_of_steps(const struct rounding *rounding)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < rounding->n_steps; i++) {
        sum += rounding->steps[i].by;
    }
    return sum;
}

static int64_t
patience_for(const struct terms *terms, const struct bargain *bargain)
{
    bool has_time = terms->drops_below == DROPS_ANYBODY || bargain->only_drops;

    if (!has_time) {
        return PATIENCE;
    }
    return bargain->is_known ? PATIENCE_OF_CHEAPER : PATIENCE_OF_FLOORS;
}

static bool
try_bargain(struct rounding *rounding, const struct terms *terms, struct bargain *bargain)
{
    const struct search search = {rounding->packing->options[bargain->option].room,
                                  terms->drops_below, bargain->only_drops};
    rounding->n_steps = 0;
    int64_t patience = patience_for(terms, bargain);

    rounding->patience = patience;
    bool found = make_room(rounding, bargain->option, &search, bargain->depth);

    *rounding->work -= patience - rounding->patience;
    *rounding->looks -= terms->is_brief ? patience - rounding->patience : 0;
    if (!found) {
        return false;
    }
    bargain->lost = 1 - sum_of_steps(rounding);
    return true;
}

/* Looks at all options for a way cheaper than *best. False: there is none. */
static bool
look_for_bargain(struct rounding *rounding, const struct pack_item *item, const struct terms *terms,
                 const struct bargain *like, struct bargain *best)
{
    bool found = false;

    for (uint32_t i = item->first; i < item->first + item->n_options && best->lost > 0; i++) {
        struct bargain bargain = *like;

        bargain.option = i;
        if (!try_bargain(rounding, terms, &bargain)) {
            continue;
        }
        step_back(rounding, 0);
        if (bargain.lost < best->lost) {
            *best = bargain;
            found = true;
        }
    }
    return found;
}

/* Finds the cheapest way to place one more replica; if there is none, only drops replicas. */
static bool
find_bargain(struct rounding *rounding, const struct pack_item *item, const struct terms *terms,
             struct bargain *ret)
{
    bool found = false;
    int depth_max = *rounding->work > 0 ? terms->depth_max : 0;

    ret->lost = INT64_MAX;
    for (int depth = 0; depth <= depth_max && ret->lost > 1; depth++) {
        const struct bargain like = {.depth = depth, .is_known = found};

        found = look_for_bargain(rounding, item, terms, &like, ret) || found;
    }
    if (!found && terms->drops_below != DROPS_NOBODY) {
        const struct bargain like = {.only_drops = true};

        found = look_for_bargain(rounding, item, terms, &like, ret);
    }
    return found;
}

/* When the work is spent, only searches that drop replicas go on, for priority, up to OVERDRAFT. */
static bool
may_look(const struct rounding *rounding, const struct terms *terms)
{
    return *rounding->work > (terms->drops_below > DROPS_NOBODY ? -OVERDRAFT : 0) &&
           (!terms->is_brief || *rounding->looks > 0);
}

static void
make_rooms(struct rounding *rounding, uint32_t index, int32_t upto, const struct terms *terms)
{
    const struct pack_item *item = &rounding->packing->items[index];
    struct bargain bargain;

    while (rounding->placed[index] < upto && may_look(rounding, terms) &&
           find_bargain(rounding, item, terms, &bargain) &&
           try_bargain(rounding, terms, &bargain)) {
        fill(rounding, index, upto);
    }
}

struct rounding
rounding_new(struct arena *arena, struct packing *packing, const struct room_lists *lists,
             int64_t *work, int64_t *looks)
{
    return (struct rounding){
        .packing = packing,
        .lists = lists,
        .left = arena_memdup(arena, packing->free, packing->n_rooms * sizeof(*packing->free)),
        .placed = ARENA_ARRAY(arena, int32_t, packing->n_items),
        .taken = taken_places_new(arena, packing),
        .work = work,
        .looks = looks,
    };
}

void
round_down(struct rounding *rounding, const double *shares)
{
    struct packing *packing = rounding->packing;

    for (uint32_t i = 0; i < packing->n_options; i++) {
        packing->options[i].replicas = 0;
    }
    for (uint32_t i = 0; i < packing->n_options; i++) {
        int64_t replicas = pin_real(shares[i] + ROUNDING),
                room = replicas > 0 ? room_in(rounding, i) : 0;

        if (room > 0) {
            put(rounding, i, pin_int32(replicas < room ? replicas : room));
        }
    }
}

bool
reach_floors(struct rounding *rounding, bool may_drop)
{
    const struct terms gently = {DROPS_NOBODY, may_drop ? DEPTH_MAX : 0, false};
    static const struct terms firmly = {DROPS_ANYBODY, DEPTH_MAX, false};
    const struct packing *packing = rounding->packing;
    bool all = true;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        fill(rounding, i, packing->items[i].floor);
    }
    for (uint32_t i = 0; i < packing->n_items; i++) {
        make_rooms(rounding, i, packing->items[i].floor, &gently);
        if (may_drop) {
            make_rooms(rounding, i, packing->items[i].floor, &firmly);
        }
        all = all && rounding->placed[i] >= packing->items[i].floor;
    }
    return all;
}

/* Returns the lowest priority of items above their floors. */
static int64_t
least_priority(const struct rounding *rounding)
{
    int64_t least = INT64_MAX;

    for (uint32_t i = 0; i < rounding->packing->n_items; i++) {
        const struct pack_item *item = &rounding->packing->items[i];

        if (rounding->placed[i] > item->floor && item->priority < least) {
            least = item->priority;
        }
    }
    return least;
}

/* Moves others aside for unplaced replicas, in chains of that depth. Items that outrank placed ones
 * get any depth, and spend no looks. */
static void
make_way(struct rounding *rounding, int depth, int64_t enough)
{
    const struct packing *packing = rounding->packing;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        const struct pack_item *item = &packing->items[i];

        if (rounding->placed[i] >= item->wanted) {
            continue;
        }
        bool comes_first = item->priority > rounding->lists->lowest_priority &&
                           item->priority > least_priority(rounding);
        const struct terms terms = {
            .drops_below = comes_first ? item->priority : DROPS_NOBODY,
            .depth_max = comes_first ? DEPTH_MAX : depth,
            .is_brief = !comes_first,
        };

        if (comes_first ? depth == 0 : rounding->n_placed < enough) {
            make_rooms(rounding, i, item->wanted, &terms);
        }
    }
}

void
place_left(struct rounding *rounding, const double *shares, int64_t enough)
{
    const struct packing *packing = rounding->packing;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        const struct pack_item *item = &packing->items[i];
        double sum = 0;

        for (uint32_t j = 0; j < item->n_options; j++) {
            sum += shares[item->first + j];
        }
        int32_t share = pin_int32(pin_real(sum + 0.5));

        fill(rounding, i, share < item->wanted ? share : item->wanted);
    }
    for (uint32_t i = 0; i < packing->n_items; i++) {
        fill(rounding, i, packing->items[i].wanted);
    }
    for (int depth = 0; depth <= DEPTH_MAX; depth++) {
        make_way(rounding, depth, enough);
    }
}
