/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds and solves the relaxation of a packing.
 */
#include "pack_lp.h"

#include <float.h>
#include <math.h>

#include "ballast/base/wide.h"
#include "pack_simplex.h"

#define STEPS_BETWEEN_LOOKS 64
#define AT_ONCE_MIN 48
#define AT_ONCE_MAX 1000
#define NEARLY_NOTHING 1e-9
#define COST_OF_FLOOR 64.0 /* of a replica below the floor; any other unplaced replica costs 1 */

/* True if a replica fits into the empty room. A resource with nothing free has no row to check. */
static bool
fits_whole(const struct packing *packing, const struct pack_item *item, uint32_t option)
{
    const int64_t *free = packing->free[packing->options[option].room];
    bool fits = packing->options[option].most > 0;

    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        fits = fits && (item->each[i] == 0 || item->each[i] <= free[i]);
    }
    return fits;
}

/* Numbers the rows: the resources of rooms that could run short. By room; NO_VARIABLE: no row. */
static uint32_t (*rows_new(struct arena *arena, const struct packing *packing,
                           uint32_t *ret_count))[N_PACK_RESOURCES]
{
    uint32_t(*rows)[N_PACK_RESOURCES] = arena_calloc(arena, packing->n_rooms, sizeof(*rows));
    double(*asked)[N_PACK_RESOURCES] = arena_calloc(arena, packing->n_rooms, sizeof(*asked));

    for (uint32_t i = 0; i < packing->n_items; i++) {
        const struct pack_item *item = &packing->items[i];

        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            const struct pack_option *option = &packing->options[j];
            int32_t most = fits_whole(packing, item, j) ? item->wanted : 0;

            for (int k = 0; k < N_PACK_RESOURCES; k++) {
                asked[option->room][k] += (double)most * (double)item->each[k];
            }
        }
    }
    for (uint32_t i = 0; i < packing->n_rooms; i++) {
        for (int k = 0; k < N_PACK_RESOURCES; k++) {
            bool is_bound = packing->free[i][k] > 0 && packing->free[i][k] != INT64_MAX &&
                            asked[i][k] > (double)packing->free[i][k];

            rows[i][k] = is_bound ? (*ret_count)++ : NO_VARIABLE;
        }
    }
    return rows;
}

static void
set_rows(struct arena *arena, struct lp *lp)
{
    const struct packing *packing = lp->packing;

    lp->rows = rows_new(arena, packing, &lp->n_rows);
    lp->units = arena_calloc(arena, packing->n_rooms, sizeof(*lp->units));
    lp->room_prices = arena_calloc(arena, packing->n_rooms + 1, sizeof(*lp->room_prices));
    for (uint32_t i = 0; i < packing->n_rooms; i++) {
        for (int j = 0; j < N_PACK_RESOURCES; j++) {
            bool has_row = lp->rows[i][j] != NO_VARIABLE;

            lp->units[i][j] = has_row ? 1 / (double)packing->free[i][j] : 0;
        }
    }
}

static void
set_loads(struct lp *lp, const struct pack_item *item, struct item_groups *groups)
{
    uint32_t *open = lp->open + item->first;

    groups->open = open;
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        uint32_t room = lp->packing->options[i].room;
        struct loads *loads = &lp->loads[i];

        lp->is_open[i] = fits_whole(lp->packing, item, i);
        if (lp->is_open[i]) {
            open[groups->n_open++] = room;
        }
        for (int j = 0; j < N_PACK_RESOURCES; j++) {
            if (item->each[j] > 0 && lp->rows[room][j] != NO_VARIABLE) {
                loads->rows[loads->count] = lp->rows[room][j];
                loads->of[loads->count++] = (double)item->each[j] * lp->units[room][j];
            }
        }
    }
}

/* Returns how many replicas an item's rooms hold together. */
static int64_t
most_of(const struct packing *packing, const struct pack_item *item)
{
    int64_t sum = 0;

    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        sum += packing->options[i].most > 0 ? packing->options[i].most : 0;
    }
    return sum;
}

/* Returns the rest of the scarcest row with the whole group there; below 0: it does not fit. */
static double
rest_with(const struct lp *lp, const struct group *group, uint32_t index, const double *left)
{
    const struct loads *loads = simplex_loads_of(lp, group, index);
    double rest = simplex_is_open(lp, group, index) ? 1 : -1;

    for (uint32_t i = 0; i < loads->count; i++) {
        double after = left[loads->rows[i]] - group->size * loads->of[i];

        rest = after < rest ? after : rest;
    }
    return rest;
}

/* Returns the option that leaves most with the whole group there; n_options: it fits nowhere. */
static uint32_t
roomiest_for(const struct lp *lp, const struct group *group, const double *left)
{
    uint32_t ret = group->item->n_options;
    double most = 0;

    for (uint32_t i = 0; i < group->item->n_options; i++) {
        double rest = rest_with(lp, group, i, left);

        if (rest > most) {
            most = rest;
            ret = i;
        }
    }
    return ret;
}

static void
add_group(struct lp *lp, const struct group *group, double *left)
{
    struct group *added = &lp->groups[lp->n_groups++];

    *added = *group;
    simplex_set_key(lp, added, group->key);
    simplex_add_column(lp, added, added->key, -added->size, left);
}

/* Groups replicas by their rooms, so that the relaxation moves few of them. */
static void
add_groups(struct lp *lp, const struct pack_item *item, int32_t within, double *left)
{
    struct group parts[] = {
        {.item = item, .cost = COST_OF_FLOOR},
        {.item = item, .cost = 1},
    };
    int32_t wanted[] = {item->floor, within > item->floor ? within - item->floor : 0};

    for (uint32_t i = 0; i < item->n_options; i++) {
        int32_t replicas = lp->packing->options[item->first + i].replicas;

        for (int part = 0; part < 2; part++) {
            int32_t size = replicas < wanted[part] ? replicas : wanted[part];

            parts[part].key = i;
            parts[part].size = size;
            if (size > 0 && rest_with(lp, &parts[part], i, left) > -NEARLY_NOTHING) {
                add_group(lp, &parts[part], left);
                replicas -= size;
                wanted[part] -= size;
            }
        }
    }
    for (int part = 0; part < 2; part++) {
        parts[part].key = item->n_options;
        parts[part].size = wanted[part];
        if (wanted[part] > 0) {
            add_group(lp, &parts[part], left);
        }
    }
}

/* Starts near the optimum: puts each unplaced group where it fits whole, floors first. */
static void
begin(struct lp *lp, double *left)
{
    for (int dear = 1; dear >= 0; dear--) {
        for (uint32_t i = 0; i < lp->n_groups; i++) {
            struct group *group = &lp->groups[i];

            if (group->key == group->item->n_options && (group->cost > 1) == (dear == 1)) {
                simplex_set_key(lp, group, roomiest_for(lp, group, left));
                simplex_add_column(lp, group, group->key, -group->size, left);
            }
        }
    }
}

static void
set_arrays(struct arena *arena, struct lp *lp)
{
    size_t n_rows = lp->n_rows;

    lp->basis = ARENA_ARRAY(arena, struct basic, n_rows);
    lp->tight = ARENA_ARRAY(arena, uint32_t, n_rows);
    lp->column_of = ARENA_ARRAY(arena, uint32_t, n_rows);
    lp->slack = ARENA_ARRAY(arena, double, n_rows);
    lp->stride = (lp->n_rows / SIMPLEX_PIECE + 1) * SIMPLEX_PIECE;
    lp->inverse = ARENA_ARRAY(arena, double, n_rows * lp->stride);
    lp->prices = ARENA_ARRAY(arena, double, n_rows);
    lp->column = ARENA_ARRAY(arena, double, n_rows);
    lp->entering = ARENA_ARRAY(arena, double, n_rows);
    lp->at = ARENA_ARRAY(arena, uint32_t, n_rows);
    lp->times = ARENA_ARRAY(arena, double, n_rows);
    lp->pivot_row = ARENA_ARRAY(arena, double, lp->stride);
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->column_of[i] = NO_VARIABLE;
    }
}

/* Few looks find variables of little worth; many take as long as several steps. */
static uint32_t
items_at_once(uint32_t n_items)
{
    uint32_t part = n_items / 2;

    return part < AT_ONCE_MIN ? AT_ONCE_MIN : part > AT_ONCE_MAX ? AT_ONCE_MAX : part;
}

/* The less a replica takes of its rooms, the larger its weight. */
static double
weight_of(const struct lp *lp, const struct pack_item *item)
{
    double sum = 0;

    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        for (uint32_t j = 0; j < lp->loads[i].count; j++) {
            sum += lp->loads[i].of[j];
        }
    }
    return sum > 0 ? 1 / sqrt(sum / item->n_options) : 1;
}

static void
add_item(struct lp *lp, uint32_t index, double *left)
{
    const struct pack_item *item = &lp->packing->items[index];
    int64_t most = most_of(lp->packing, item);
    int32_t within = most < item->wanted ? pin_int32(most) : item->wanted;
    struct item_groups *groups = &lp->items[index];

    set_loads(lp, item, groups);
    groups->first = lp->n_groups;
    add_groups(lp, item, within, left);
    groups->count = lp->n_groups - groups->first;
    groups->weight = weight_of(lp, item);
    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        groups->each[i] = (double)item->each[i];
    }
    lp->beyond += item->wanted - (within > item->floor ? within : item->floor);
}

static struct lp
lp_new(struct arena *arena, const struct packing *packing)
{
    struct lp lp = {.packing = packing, .at_once = items_at_once(packing->n_items)};

    set_rows(arena, &lp);
    double *left = ARENA_ARRAY(arena, double, lp.n_rows);

    lp.items = ARENA_ARRAY(arena, struct item_groups, packing->n_items);
    lp.groups = ARENA_ARRAY(arena, struct group, packing->n_options + 3 * (size_t)packing->n_items);
    lp.loads = ARENA_ARRAY(arena, struct loads, packing->n_options);
    lp.is_open = ARENA_ARRAY(arena, bool, packing->n_options);
    lp.open = ARENA_ARRAY(arena, uint32_t, packing->n_options);
    set_arrays(arena, &lp);
    for (uint32_t i = 0; i < lp.n_rows; i++) {
        left[i] = 1;
    }
    for (uint32_t i = 0; i < packing->n_items; i++) {
        add_item(&lp, i, left);
    }
    begin(&lp, left);
    return lp;
}

static void
add_share(const struct group *group, uint32_t index, double value, struct pack_lp_result *ret)
{
    if (index < group->item->n_options && value > 0) { /* rounding errors may exceed both bounds */
        ret->shares[group->item->first + index] += value < group->size ? value : group->size;
    }
}

/* Returns the lower bound that the prices prove despite rounding errors. */
static double
least_left(const struct lp *lp)
{
    double sum = lp->beyond;

    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->prices[i] = lp->prices[i] < 0 ? lp->prices[i] : 0;
        sum += lp->prices[i];
    }
    for (uint32_t i = 0; i < lp->n_groups; i++) {
        const struct group *group = &lp->groups[i];
        double least = DBL_MAX;

        for (uint32_t j = 0; j <= group->item->n_options; j++) {
            double price = simplex_is_open(lp, group, j) ? simplex_priced(lp, group, j) : DBL_MAX;

            least = price < least ? price : least;
        }
        sum += group->size * least;
    }
    return sum > lp->beyond ? sum : lp->beyond;
}

/* Steps to the optimum. False: the work ran out first. */
static bool
take_steps(struct lp *lp, int64_t *work)
{
    int64_t each = (int64_t)lp->n_rows * (lp->n_rows + 8), looked = 0;
    int64_t each_look = (int64_t)N_PACK_RESOURCES * (lp->packing->n_rooms + 1);
    bool goes_on = true;

    for (uint32_t n = 0; goes_on && *work >= 0; n++) {
        if (n % STEPS_BETWEEN_LOOKS == 0) { /* clears accumulated rounding errors */
            simplex_evaluate(lp);
            simplex_set_prices(lp);
        }
        goes_on = simplex_step(lp);
        *work -= each + each_look * (lp->n_looked - looked);
        looked = lp->n_looked;
    }
    if (*work < 0) {
        return false;
    }
    simplex_evaluate(lp);
    simplex_set_prices(lp);
    return true;
}

struct pack_lp_result
pack_relax(struct arena *arena, const struct packing *packing, int64_t *work)
{
    struct lp lp = lp_new(arena, packing);
    struct pack_lp_result ret = {.shares = ARENA_ARRAY(arena, double, packing->n_options)};

    ret.is_solved = take_steps(&lp, work);
    ret.left = least_left(&lp);
    for (uint32_t i = 0; i < lp.n_groups && ret.is_solved; i++) {
        add_share(&lp.groups[i], lp.groups[i].key, lp.groups[i].key_value, &ret);
    }
    for (uint32_t i = 0; i < lp.n_tight && ret.is_solved; i++) {
        add_share(lp.basis[i].group, lp.basis[i].index, lp.basis[i].value, &ret);
    }
    return ret;
}
