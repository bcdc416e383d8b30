/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the simplex by which packings are relaxed.
 */
#include "pack_basis.h"

#include <float.h>

#define NEARLY_NOTHING 1e-9
#define NEARLY_NO_GAIN 1e-7
#define SLACK_COUNTS 64.0

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

/* What is furthest below 0. A slack counts as so many replicas as half of the row would take. */
static struct leaving
choose_below(const struct lp *lp)
{
    struct leaving ret = {NO_VARIABLE, NO_VARIABLE, NULL, -NEARLY_NO_GAIN, 0};

    for (uint32_t i = 0; i < lp->n_tight; i++) {
        struct group *group = lp->basis[i].group;

        if (lp->basis[i].value < ret.after) {
            ret = (struct leaving){i, NO_VARIABLE, NULL, lp->basis[i].value, 0};
        }
        if (group->key_value < ret.after) {
            ret = (struct leaving){NO_VARIABLE, NO_VARIABLE, group, group->key_value, 0};
        }
    }
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        if (lp->column_of[i] == NO_VARIABLE && SLACK_COUNTS * lp->slack[i] < ret.after) {
            ret = (struct leaving){NO_VARIABLE, i, NULL, SLACK_COUNTS * lp->slack[i], 0};
        }
    }
    return ret;
}

bool
simplex_is_feasible(const struct lp *lp)
{
    struct leaving below = choose_below(lp);

    return below.after >= -NEARLY_NO_GAIN;
}

/* A key is below 0: the largest of its group's other variables takes its place, so that it is in
 * the basis. */
static void
yield_key(struct lp *lp, struct leaving *leaving)
{
    uint32_t at = NO_VARIABLE;

    for (uint32_t i = 0; i < lp->n_tight; i++) {
        if (lp->basis[i].group == leaving->of &&
            (at == NO_VARIABLE || lp->basis[i].value > lp->basis[at].value)) {
            at = i;
        }
    }
    basis_change_key(lp, at);
    leaving->at = at;
    leaving->of = NULL;
}

/* How what leaves changes with what is in the rows. */
static void
set_pull(struct lp *lp, const struct leaving *leaving)
{
    basis_copy_row(lp, leaving);
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->pull[i] = i == leaving->row ? 1 : 0;
    }
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        lp->pull[lp->tight[i]] = lp->pivot_row[i];
    }
}

/* What raises it for the least that the cost rises by. */
struct raising {
    struct basic variable;
    double gain, pivot, ratio; /* gain: not below 0, but for what sums lost */
};

static void
look_at_raising(const struct basic *variable, double gain, double pivot, struct raising *ret)
{
    double ratio = (gain > 0 ? gain : 0) / -pivot;

    if (pivot < -NEARLY_NO_GAIN && (ratio < ret->ratio - NEARLY_NOTHING ||
                                    (ratio < ret->ratio + NEARLY_NOTHING && pivot < ret->pivot))) {
        *ret = (struct raising){*variable, gain, pivot, ratio};
    }
}

static double
pull_of(const struct lp *lp, const struct group *group, uint32_t index)
{
    const struct loads *loads = simplex_loads_of(lp, group, index);

    return loads != NULL ? simplex_take(loads, lp->pull) : 0;
}

static struct raising
choose_raising(struct lp *lp)
{
    struct raising ret = {.ratio = DBL_MAX};

    for (uint32_t i = 0; i < lp->n_tight; i++) {
        const struct basic slack = {.group = NULL, .index = lp->tight[i]};

        look_at_raising(&slack, -lp->prices[slack.index], lp->pull[slack.index], &ret);
    }
    for (uint32_t i = 0; i < lp->n_groups; i++) {
        struct group *group = &lp->groups[i];
        double pull = pull_of(lp, group, group->key), price = simplex_priced(lp, group, group->key);

        for (uint32_t j = 0; j <= group->item->n_options && group->size > 0; j++) {
            const struct basic variable = {.group = group, .index = j};

            if (j != group->key && simplex_is_open(lp, group, j)) {
                look_at_raising(&variable, simplex_priced(lp, group, j) - price,
                                pull_of(lp, group, j) - pull, &ret);
            }
        }
    }
    return ret;
}

bool
simplex_dual_step(struct lp *lp)
{
    struct leaving leaving = choose_below(lp);

    if (leaving.after >= -NEARLY_NO_GAIN) {
        return false;
    }
    if (leaving.of != NULL) {
        yield_key(lp, &leaving);
    }
    set_pull(lp, &leaving);
    struct raising raising = choose_raising(lp);

    if (raising.ratio == DBL_MAX) {
        return false;
    }
    basis_express(lp, &raising.variable);
    bool of_basis = leaving.row == NO_VARIABLE;

    leaving.pivot = of_basis ? lp->column[leaving.at] : lp->entering[leaving.row];
    if (leaving.pivot > -NEARLY_NOTHING) {
        return false;
    }
    raising.variable.value =
        (of_basis ? lp->basis[leaving.at].value : lp->slack[leaving.row]) / leaving.pivot;
    basis_advance(lp, &raising.variable, raising.variable.value);
    basis_pivot(lp, &leaving, &raising.variable, raising.gain);
    return true;
}
