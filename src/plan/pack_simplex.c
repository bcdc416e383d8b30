/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the simplex by which packings are relaxed.
 */
#include "pack_basis.h"

#include <float.h>

#define NEARLY_NOTHING 1e-9
#define NEARLY_NO_GAIN 1e-7
#define STILL_WORTH 0.15 /* of what the best was worth when groups were listed */

/* What may enter. */
struct offer {
    struct basic variable;
    double gain;  /* by how much the cost rises with each unit: below 0, or nothing is offered */
    double worth; /* likewise with all that there may be of it, a whole group or a whole row */
};

/* What a unit of each room's resources costs. */
static void
price_rooms(struct lp *lp)
{
    for (uint32_t i = 0; i < lp->packing->n_rooms; i++) {
        for (int j = 0; j < N_LEDGER_RESOURCES; j++) {
            uint32_t row = lp->rows[i][j];

            lp->room_prices[i][j] = row != NO_VARIABLE ? -lp->prices[row] * lp->units[i][j] : 0;
        }
    }
}

/* The best of the group's, as rooms are priced. */
static struct offer
look_at_group(struct lp *lp, struct group *group)
{
    const struct pack_item *item = group->item;
    const struct pack_option *options = lp->packing->options + item->first;
    double each[N_LEDGER_RESOURCES];
    double of_key = simplex_priced(lp, group, group->key), least = of_key - NEARLY_NO_GAIN;
    uint32_t index = NO_VARIABLE;

    lp->n_looked++;
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        each[i] = (double)item->each[i];
    }
    for (uint32_t j = 0; j < item->n_options; j++) {
        const double *prices = lp->room_prices[options[j].room];
        double price = 0;

        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            price += each[i] * prices[i];
        }
        if (price < least && lp->is_open[item->first + j]) {
            least = price;
            index = j;
        }
    }
    if (group->cost < least) {
        least = group->cost;
        index = item->n_options;
    }
    double gain = index != NO_VARIABLE ? least - of_key : 0;

    return (struct offer){{.group = group, .index = index}, gain, gain * group->size};
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

/* The best of the listed groups; those that offer nothing any more are listed no longer. */
static struct offer
look_at_listed(struct lp *lp)
{
    struct offer ret = {.gain = 0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < lp->n_listed; i++) {
        struct offer offer = look_at_group(lp, lp->listed[i]);

        lp->listed[count] = lp->listed[i];
        count += offer.gain < 0 ? 1 : 0;
        ret = offer.worth < ret.worth ? offer : ret;
    }
    lp->n_listed = count;
    return ret;
}

/* Of some groups, those after the last ones that were looked at, the best are listed; where none
 * of these offers anything, of those after them. */
static void
list_groups(struct lp *lp)
{
    double worth[SIMPLEX_LISTED_MAX] = {0};

    lp->n_listed = 0;
    for (uint32_t n = 0; n < lp->n_groups; n++) {
        if (n % lp->at_once == 0 && lp->n_listed > 0) {
            return;
        }
        struct offer offer = look_at_group(lp, &lp->groups[lp->next_group]);
        bool is_full = lp->n_listed == SIMPLEX_LISTED_MAX;

        lp->next_group = lp->next_group + 1 < lp->n_groups ? lp->next_group + 1 : 0;
        if (offer.gain < 0 && (!is_full || offer.worth < worth[lp->n_listed - 1])) {
            uint32_t at = is_full ? lp->n_listed - 1 : lp->n_listed++;

            for (; at > 0 && offer.worth < worth[at - 1]; at--) {
                worth[at] = worth[at - 1];
                lp->listed[at] = lp->listed[at - 1];
            }
            worth[at] = offer.worth;
            lp->listed[at] = offer.variable.group;
        }
    }
}

/* What is worth most of the slacks and of the groups that are listed. These are listed anew once
 * they are worth much less than they were: so there are few steps, and few groups are looked at for
 * each. What offers nothing: nothing is left by which the cost falls. */
static struct offer
choose_entering(struct lp *lp)
{
    price_rooms(lp);
    struct offer slack = look_at_slacks(lp), group = look_at_listed(lp);

    if (group.gain == 0 || group.worth > lp->worth_listed * STILL_WORTH) {
        list_groups(lp);
        group = look_at_listed(lp);
        lp->worth_listed = group.worth;
    }
    return slack.worth < group.worth ? slack : group;
}

/* By how much the keys fall with what enters. */
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

/* Of what is nearly as soon, what falls fastest. */
static bool
falls_sooner(double value, double pivot, const struct leaving *than)
{
    double step = pivot > NEARLY_NOTHING ? (value > 0 ? value : 0) / pivot : DBL_MAX;

    return step < than->after - NEARLY_NOTHING ||
           (step < than->after + NEARLY_NOTHING && pivot > than->pivot);
}

static void
look_at(double value, double pivot, uint32_t at, uint32_t row, struct leaving *ret)
{
    if (falls_sooner(value, pivot, ret)) {
        double step = (value > 0 ? value : 0) / pivot;

        *ret = (struct leaving){at, row, NULL, step < ret->after ? step : ret->after, pivot};
    }
}

static struct leaving
choose_leaving(struct lp *lp, const struct basic *entering)
{
    struct leaving ret = {NO_VARIABLE, NO_VARIABLE, NULL, DBL_MAX, 0};

    drain(lp, entering);
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        look_at(lp->basis[i].value, lp->column[i], i, NO_VARIABLE, &ret);
    }
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        if (lp->column_of[i] == NO_VARIABLE) {
            look_at(lp->slack[i], lp->entering[i], NO_VARIABLE, i, &ret);
        }
    }
    look_at_key(entering->group, &ret);
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        look_at_key(lp->basis[i].group, &ret);
    }
    return ret;
}

/* A key leaves: another variable of its group takes its place. false: the numbers say nothing any
 * more. */
static bool
replace_key(struct lp *lp, struct group *group, const struct basic *entering, double gain)
{
    struct leaving leaving = {NO_VARIABLE, NO_VARIABLE, NULL, 0, 0};

    for (uint32_t i = 0; i < lp->n_tight; i++) {
        if (lp->basis[i].group == group &&
            (leaving.at == NO_VARIABLE || lp->column[i] < lp->column[leaving.at])) {
            leaving.at = i; /* it grows most */
        }
    }
    if (leaving.at == NO_VARIABLE) { /* then what enters is the group's */
        group->key = entering->index;
        group->key_value = entering->value;
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
