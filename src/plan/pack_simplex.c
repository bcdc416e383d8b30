/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the simplex by which packings are relaxed.
 */
#include "pack_simplex.h"

#include <float.h>

#define NEARLY_NOTHING 1e-9
#define NEARLY_NO_GAIN 1e-7

const struct loads *
simplex_loads_of(const struct lp *lp, const struct group *group, uint32_t index)
{
    return index < group->item->n_options ? &lp->loads[group->item->first + index] : NULL;
}

static double
cost_of(const struct group *group, uint32_t index)
{
    return index == group->item->n_options ? group->cost : 0;
}

void
simplex_add_column(const struct lp *lp, const struct group *group, uint32_t index, double times,
                   double *vector)
{
    const struct loads *loads = simplex_loads_of(lp, group, index);

    for (uint32_t i = 0; loads != NULL && i < loads->count; i++) {
        vector[loads->items[i].row] += times * loads->items[i].of;
    }
}

double
simplex_priced(const struct lp *lp, const struct group *group, uint32_t index)
{
    const struct loads *loads = simplex_loads_of(lp, group, index);
    double sum = cost_of(group, index);

    for (uint32_t i = 0; loads != NULL && i < loads->count; i++) {
        sum -= loads->items[i].of * lp->prices[loads->items[i].row];
    }
    return sum;
}

/* The inverse times the vector, most of which is 0. */
static void
multiply(const struct lp *lp, const double *vector, double *ret)
{
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        ret[i] = 0;
    }
    for (uint32_t j = 0; j < lp->n_rows; j++) {
        for (uint32_t i = 0; vector[j] != 0 && i < lp->n_rows; i++) {
            ret[i] += lp->inverse[(size_t)i * lp->n_rows + j] * vector[j];
        }
    }
}

void
simplex_evaluate(struct lp *lp)
{
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->entering[i] = 1;
    }
    for (uint32_t i = 0; i < lp->n_groups; i++) {
        struct group *group = &lp->groups[i];

        group->key_value = group->size;
        simplex_add_column(lp, group, group->key, -group->size, lp->entering);
    }
    multiply(lp, lp->entering, lp->column);
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        struct basic *basic = &lp->basis[i];

        basic->value = lp->column[i] > 0 ? lp->column[i] : 0;
        if (basic->group != NULL) {
            basic->group->key_value -= basic->value;
        }
    }
}

void
simplex_set_prices(struct lp *lp)
{
    for (uint32_t j = 0; j < lp->n_rows; j++) {
        lp->prices[j] = 0;
    }
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        const struct basic *basic = &lp->basis[i];
        const double *row = lp->inverse + (size_t)i * lp->n_rows;
        double cost = basic->group != NULL ? cost_of(basic->group, basic->index) -
                                                 cost_of(basic->group, basic->group->key)
                                           : 0;

        for (uint32_t j = 0; j < lp->n_rows && cost != 0; j++) {
            lp->prices[j] += cost * row[j];
        }
    }
}

bool
simplex_is_open(const struct lp *lp, const struct group *group, uint32_t index)
{
    return index == group->item->n_options || lp->is_open[group->item->first + index];
}

/* The best of the group's, if better than what is known. */
static void
look_for_entering(const struct lp *lp, struct group *group, double *best, struct basic *ret)
{
    double of_key = simplex_priced(lp, group, group->key);

    for (uint32_t j = 0; j <= group->item->n_options; j++) {
        double gain = j != group->key && simplex_is_open(lp, group, j)
                          ? simplex_priced(lp, group, j) - of_key
                          : 0;

        if (gain < *best) {
            *best = gain;
            *ret = (struct basic){.group = group, .index = j};
        }
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

/* The column of what enters, in terms of the basis. */
static void
express(struct lp *lp, const struct basic *variable)
{
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->entering[i] = 0;
    }
    if (variable->group == NULL) {
        lp->entering[variable->index] = 1;
    } else {
        simplex_add_column(lp, variable->group, variable->index, 1, lp->entering);
        simplex_add_column(lp, variable->group, variable->group->key, -1, lp->entering);
    }
    multiply(lp, lp->entering, lp->column);
}

/* What falls to nothing first: a position in the basis, or a key; by how much of what enters. */
struct leaving {
    uint32_t at;      /* NO_VARIABLE: it is a key */
    struct group *of; /* whose */
    double after;
};

/* By how much the keys fall with what enters. */
static void
drain(struct lp *lp, const struct basic *entering)
{
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        if (lp->basis[i].group != NULL) {
            lp->basis[i].group->drained = 0;
        }
    }
    if (entering->group != NULL) {
        entering->group->drained = 1;
    }
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        if (lp->basis[i].group != NULL) {
            lp->basis[i].group->drained -= lp->column[i];
        }
    }
}

static void
look_at_key(struct group *group, struct leaving *ret)
{
    double value = group != NULL && group->key_value > 0 ? group->key_value : 0;

    if (group != NULL && group->drained > NEARLY_NOTHING && value / group->drained < ret->after) {
        *ret = (struct leaving){NO_VARIABLE, group, value / group->drained};
    }
}

static struct leaving
choose_leaving(struct lp *lp, const struct basic *entering)
{
    struct leaving ret = {NO_VARIABLE, NULL, DBL_MAX};
    double pivot = 0;

    drain(lp, entering);
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        double alpha = lp->column[i];
        double value = lp->basis[i].value > 0 ? lp->basis[i].value : 0;
        double step = alpha > NEARLY_NOTHING ? value / alpha : DBL_MAX;

        if (step < ret.after - NEARLY_NOTHING ||
            (step < ret.after + NEARLY_NOTHING && alpha > pivot)) {
            ret.after = step < ret.after ? step : ret.after;
            pivot = alpha;
            ret.at = i;
        }
    }
    look_at_key(entering->group, &ret);
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        look_at_key(lp->basis[i].group, &ret);
    }
    return ret;
}

/* So much of it enters. */
static void
advance(struct lp *lp, const struct basic *entering, double amount)
{
    if (entering->group != NULL) {
        entering->group->key_value -= amount;
    }
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->basis[i].value -= amount * lp->column[i];
        if (lp->basis[i].group != NULL) {
            lp->basis[i].group->key_value += amount * lp->column[i];
        }
    }
}

/* The key of a group and another variable of it, in the basis, change places. */
static void
change_key(struct lp *lp, uint32_t at)
{
    struct group *group = lp->basis[at].group;
    uint32_t key = group->key;
    double *row = lp->inverse + (size_t)at * lp->n_rows;

    for (uint32_t i = 0; i < lp->n_rows; i++) {
        const double *other = lp->inverse + (size_t)i * lp->n_rows;

        for (uint32_t j = 0; i != at && lp->basis[i].group == group && j < lp->n_rows; j++) {
            row[j] += other[j];
        }
    }
    for (uint32_t j = 0; j < lp->n_rows; j++) {
        row[j] = -row[j];
    }
    double value = group->key_value;

    group->key = lp->basis[at].index;
    group->key_value = lp->basis[at].value;
    lp->basis[at].index = key;
    lp->basis[at].value = value;
}

/* It enters for what is there; `gain`: by how much the cost falls with each unit, below 0. Most of
 * the inverse is 0, as most columns are. */
static void
pivot(struct lp *lp, uint32_t at, const struct basic *entering, double gain)
{
    double *row = lp->inverse + (size_t)at * lp->n_rows;
    double scale = 1 / lp->column[at];
    uint32_t count = 0;

    for (uint32_t j = 0; j < lp->n_rows; j++) {
        if (row[j] != 0) {
            row[j] *= scale;
            lp->prices[j] += gain * row[j];
            lp->at[count++] = j;
        }
    }
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        double *other = lp->inverse + (size_t)i * lp->n_rows;
        double times = lp->column[i];

        for (uint32_t j = 0; i != at && times != 0 && j < count; j++) {
            other[lp->at[j]] -= times * row[lp->at[j]];
        }
    }
    lp->basis[at] = *entering;
}

/* A key leaves: another variable of its group takes its place. false: the numbers say nothing any
 * more. */
static bool
replace_key(struct lp *lp, struct group *group, const struct basic *entering, double gain)
{
    uint32_t at = NO_VARIABLE;

    for (uint32_t i = 0; i < lp->n_rows; i++) {
        if (lp->basis[i].group == group &&
            (at == NO_VARIABLE || lp->column[i] < lp->column[at])) { /* it grows most */
            at = i;
        }
    }
    if (at == NO_VARIABLE) { /* then what enters is the group's */
        group->key = entering->index;
        group->key_value = entering->value;
        return entering->group == group;
    }
    change_key(lp, at);
    express(lp, entering);
    double size = lp->column[at] < 0 ? -lp->column[at] : lp->column[at];

    if (size < NEARLY_NOTHING) {
        return false;
    }
    pivot(lp, at, entering, gain);
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
    express(lp, &entering);
    struct leaving leaving = choose_leaving(lp, &entering);

    if (leaving.of == NULL && leaving.at == NO_VARIABLE) {
        return false;
    }
    advance(lp, &entering, leaving.after);
    entering.value = leaving.after;
    if (leaving.of != NULL) {
        return replace_key(lp, leaving.of, &entering, gain);
    }
    pivot(lp, leaving.at, &entering, gain);
    return true;
}
