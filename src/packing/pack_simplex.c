/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes the steps of the simplex that relaxes packings.
 */
#include "pack_basis.h"

#include <float.h>

#define NEARLY_NOTHING 1e-9
#define NEARLY_NO_GAIN 1e-7
#define STILL_WORTH 0.15 /* of the best worth at the last listing */

/* A variable that may enter. */
struct offer {
    struct basic variable;
    double gain;  /* change of the cost with each unit; 0: no offer */
    double worth; /* change of the cost with a whole group (weighed) or row */
};

static void
price_rooms(struct lp *lp)
{
    lp->is_priced = true;
    for (uint32_t i = 0; i < lp->n_listed; i++) {
        lp->listed[i].is_known = false;
    }
    for (uint32_t i = 0; i < lp->packing->n_rooms; i++) {
        for (int j = 0; j < N_PACK_RESOURCES; j++) {
            uint32_t row = lp->rows[i][j];

            lp->room_prices[i][j] = row != NO_VARIABLE ? -lp->prices[row] * lp->units[i][j] : 0;
        }
    }
}

static inline double
price_at(const struct lp *lp, const struct item_groups *of, uint32_t room)
{
    double price = 0;

    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        price += of->each[i] * lp->room_prices[room][i];
    }
    return price;
}

/* Returns the lowest price of the open options; without branches, which mispredict. */
static inline double
least_price(const struct lp *lp, const struct item_groups *of)
{
    double least = DBL_MAX;

    for (const uint32_t *room = of->open, *end = room + of->n_open; room < end; room++) {
        double price = price_at(lp, of, *room);

        least = price < least ? price : least;
    }
    return least;
}

/* Returns the change of the cost if a unit of the group goes where it is cheapest. */
static inline double
gain_of(const struct lp *lp, const struct item_groups *of, const struct group *group, double least)
{
    double of_key = price_at(lp, of, group->room) + group->key_cost;

    return (least < group->cost ? least : group->cost) - of_key;
}

/* Returns the worth of an item's best group; offer_of() finds the group and its place. */
static double
look_at_item(struct lp *lp, uint32_t index)
{
    const struct item_groups *of = &lp->items[index];
    double least = least_price(lp, of), ret = 0;

    lp->n_looked++;
    for (uint32_t i = of->first; i < of->first + of->count; i++) {
        double gain = gain_of(lp, of, &lp->groups[i], least);
        double worth = gain * lp->groups[i].size;

        worth = worth < ret ? worth : ret; /* this order needs no branch */
        ret = gain < -NEARLY_NO_GAIN ? worth : ret;
    }
    return ret * of->weight;
}

/* Returns the first open option of that price. */
static uint32_t
find_price(const struct lp *lp, const struct item_groups *of, const struct pack_item *item,
           double price)
{
    const struct pack_option *options = lp->packing->options + item->first;
    uint32_t ret = 0;

    while (ret < item->n_options &&
           (price_at(lp, of, options[ret].room) != price || !lp->is_open[item->first + ret])) {
        ret++;
    }
    return ret;
}

/* Returns the offer that look_at_item() has valued. */
static struct offer
offer_of(struct lp *lp, uint32_t index)
{
    const struct item_groups *of = &lp->items[index];
    double least = least_price(lp, of);
    struct offer ret = {.gain = 0};

    for (uint32_t i = of->first; i < of->first + of->count; i++) {
        struct group *group = &lp->groups[i];
        double gain = gain_of(lp, of, group, least);

        if (gain < -NEARLY_NO_GAIN && gain * group->size < ret.worth) {
            ret = (struct offer){{.group = group}, gain, gain * group->size};
        }
    }
    if (ret.variable.group != NULL) {
        const struct pack_item *item = ret.variable.group->item;

        ret.variable.index =
            least < ret.variable.group->cost ? find_price(lp, of, item, least) : item->n_options;
        ret.worth *= of->weight;
    }
    return ret;
}

static struct offer
look_at_slacks(const struct lp *lp)
{
    struct offer ret = {.gain = 0};

    for (uint32_t i = 0; i < lp->n_rows; i++) {
        double gain = -lp->prices[i];

        if (gain < -NEARLY_NO_GAIN && gain < ret.gain) {
            ret = (struct offer){{.group = NULL, .index = i}, gain, gain};
        }
    }
    return ret;
}

/* Returns the best offer of the listed items, and drops items without one from the list. */
static struct offer
look_at_listed(struct lp *lp)
{
    double worth = 0;
    uint32_t best = 0, count = 0;

    for (uint32_t i = 0; i < lp->n_listed; i++) {
        const struct listed *listed = &lp->listed[i];
        const struct listed known = {
            listed->item, true, listed->is_known ? listed->worth : look_at_item(lp, listed->item)};

        best = known.worth < worth ? known.item : best;
        worth = known.worth < worth ? known.worth : worth;
        lp->listed[count] = known;
        count += known.worth < 0 ? 1 : 0;
    }
    lp->n_listed = count;
    return worth < 0 ? offer_of(lp, best) : (struct offer){.gain = 0};
}

/* Forgets an item's worth, since its offer is taken while prices stay. */
static void
look_anew(struct lp *lp, const struct pack_item *item)
{
    for (uint32_t i = 0; i < lp->n_listed; i++) {
        struct listed *listed = &lp->listed[i];

        listed->is_known = listed->is_known && &lp->packing->items[listed->item] != item;
    }
}

/* Lists the best of the next `at_once` items, and goes on while none offers anything. */
static void
list_items(struct lp *lp)
{
    lp->n_listed = 0;
    for (uint32_t n = 0; n < lp->packing->n_items; n++) {
        if (n % lp->at_once == 0 && lp->n_listed > 0) {
            return;
        }
        const struct listed looked = {lp->next_item, true, look_at_item(lp, lp->next_item)};
        bool is_full = lp->n_listed == SIMPLEX_LISTED_MAX;

        lp->next_item = looked.item + 1 < lp->packing->n_items ? looked.item + 1 : 0;
        if (looked.worth < 0 && (!is_full || looked.worth < lp->listed[lp->n_listed - 1].worth)) {
            uint32_t at = is_full ? lp->n_listed - 1 : lp->n_listed++;

            for (; at > 0 && looked.worth < lp->listed[at - 1].worth; at--) {
                lp->listed[at] = lp->listed[at - 1];
            }
            lp->listed[at] = looked;
        }
    }
}

/* Returns the best offer of slacks and listed items. Listing anew only when worth has dropped keeps
 * both steps and looks few. No offer: the cost is lowest. */
static struct offer
choose_entering(struct lp *lp)
{
    if (!lp->is_priced) {
        price_rooms(lp);
    }
    struct offer slack = look_at_slacks(lp), group = look_at_listed(lp);

    if (group.gain == 0 || group.worth > lp->worth_listed * STILL_WORTH) {
        list_items(lp);
        group = look_at_listed(lp);
        lp->worth_listed = group.worth;
    }
    return slack.worth < group.worth ? slack : group;
}

/* Sets how fast each key falls with what enters. */
static void
drain(struct lp *lp, const struct basic *entering)
{
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        lp->basis[i].group->drained = 0;
    }
    if (entering->group != NULL) {
        entering->group->drained = 1;
    }
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        lp->basis[i].group->drained -= lp->column[i];
    }
}

static void
look_at_key(struct group *group, struct leaving *ret)
{
    double value = group != NULL && group->key_value > 0 ? group->key_value : 0;

    if (group != NULL && group->drained > NEARLY_NOTHING && value / group->drained < ret->after) {
        *ret = (struct leaving){NO_VARIABLE, NO_VARIABLE, group, value / group->drained, 0};
    }
}

/* If values reach 0 nearly together, the fastest one leaves. */
static void
look_at(double value, double pivot, uint32_t at, uint32_t row, struct leaving *ret)
{
    double step = (value > 0 ? value : 0) / pivot;

    if (step < ret->after - NEARLY_NOTHING ||
        (step < ret->after + NEARLY_NOTHING && pivot > ret->pivot)) {
        *ret = (struct leaving){at, row, NULL, step < ret->after ? step : ret->after, pivot};
    }
}

/* Lists the falling values in advance; without branches, which mispredict. */
static uint32_t
list_falling(struct lp *lp, const double *pivots, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        lp->at[n] = i;
        n += pivots[i] > NEARLY_NOTHING ? 1 : 0;
    }
    return n;
}

static struct leaving
choose_leaving(struct lp *lp, const struct basic *entering)
{
    struct leaving ret = {NO_VARIABLE, NO_VARIABLE, NULL, DBL_MAX, 0};
    uint32_t n = list_falling(lp, lp->column, lp->n_tight);

    drain(lp, entering);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = lp->at[i];

        look_at(lp->basis[at].value, lp->column[at], at, NO_VARIABLE, &ret);
    }
    n = list_falling(lp, lp->entering, lp->n_rows);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = lp->at[i];

        if (lp->column_of[row] == NO_VARIABLE) {
            look_at(lp->slack[row], lp->entering[row], NO_VARIABLE, row, &ret);
        }
    }
    look_at_key(entering->group, &ret);
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        look_at_key(lp->basis[i].group, &ret);
    }
    return ret;
}

/* Makes another variable of the group its key. False: rounding errors left no usable pivot. */
static bool
replace_key(struct lp *lp, struct group *group, const struct basic *entering, double gain)
{
    struct leaving leaving = {NO_VARIABLE, NO_VARIABLE, NULL, 0, 0};

    for (uint32_t i = 0; i < lp->n_tight; i++) {
        if (lp->basis[i].group == group &&
            (leaving.at == NO_VARIABLE || lp->column[i] < lp->column[leaving.at])) {
            leaving.at = i; /* it grows fastest */
        }
    }
    if (leaving.at == NO_VARIABLE) { /* the group's own variable enters */
        simplex_set_key(lp, group, entering->index);
        group->key_value = entering->value;
        look_anew(lp, group->item);
        return entering->group == group;
    }
    basis_change_key(lp, leaving.at);
    basis_express(lp, entering);
    leaving.pivot = lp->column[leaving.at];
    if (leaving.pivot < NEARLY_NOTHING && leaving.pivot > -NEARLY_NOTHING) {
        return false;
    }
    basis_pivot(lp, &leaving, entering, gain);
    return true;
}

bool
simplex_step(struct lp *lp)
{
    const struct offer offer = choose_entering(lp);
    struct basic entering = offer.variable;

    if (offer.gain == 0) {
        return false;
    }
    basis_express(lp, &entering);
    struct leaving leaving = choose_leaving(lp, &entering);

    if (leaving.after == DBL_MAX) {
        return false;
    }
    basis_advance(lp, &entering, leaving.after);
    entering.value = leaving.after;
    if (leaving.of != NULL) {
        return replace_key(lp, leaving.of, &entering, offer.gain);
    }
    basis_pivot(lp, &leaving, &entering, offer.gain);
    return true;
}
