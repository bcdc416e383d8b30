/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the simplex by which packings are relaxed.
 */
#include "pack_basis.h"

#include <float.h>

#define NEARLY_NOTHING 1e-9
#define NEARLY_NO_GAIN 1e-7

/* The best of the group's, if better than what is known. */
static void
look_for_entering(const struct lp *lp, struct group *group, double *best, struct basic *ret)
{
    const struct pack_item *item = group->item;
    double of_key = simplex_priced(lp, group, group->key), least = of_key + *best;
    uint32_t index = NO_VARIABLE;

    for (uint32_t j = 0; j < item->n_options; j++) {
        double price = -simplex_take(&lp->loads[item->first + j], lp->prices);

        if (price < least && lp->is_open[item->first + j]) {
            least = price;
            index = j;
        }
    }
    if (group->cost < least) {
        least = group->cost;
        index = item->n_options;
    }
    if (index != NO_VARIABLE) {
        *best = least - of_key;
        *ret = (struct basic){.group = group, .index = index};
    }
}

/* A variable by which the cost falls: of the slacks or some groups, those after the last ones that
 * were looked at, that by which it falls fastest; false: none. */
static bool
choose_entering(struct lp *lp, struct basic *ret, double *ret_gain)
{
    double best = -NEARLY_NO_GAIN;

    *ret = (struct basic){.group = NULL, .index = NO_VARIABLE};
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        if (-lp->prices[i] < best) {
            best = -lp->prices[i];
            *ret = (struct basic){.group = NULL, .index = i};
        }
    }
    for (uint32_t n = 0; n < lp->n_groups; n++) {
        if (n % GROUPS_AT_ONCE == 0 && n > 0 && ret->index != NO_VARIABLE) {
            break;
        }
        look_for_entering(lp, &lp->groups[lp->next_group], &best, ret);
        lp->next_group = lp->next_group + 1 < lp->n_groups ? lp->next_group + 1 : 0;
    }
    *ret_gain = best;
    return ret->index != NO_VARIABLE;
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
    struct basic entering;
    double gain;

    if (!choose_entering(lp, &entering, &gain)) {
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
        return replace_key(lp, leaving.of, &entering, gain);
    }
    basis_pivot(lp, &leaving, &entering, gain);
    return true;
}
