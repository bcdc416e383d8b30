/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps of the simplex by which packings are relaxed.
 */
#include "pack_simplex.h"

#include <float.h>
#include <string.h>

#define NEARLY_NOTHING 1e-9
#define NEARLY_NO_GAIN 1e-7
#define PIECE SIMPLEX_PIECE

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

static double
value_of(const struct lp *lp, const struct loads *loads)
{
    double sum = 0;

    for (uint32_t i = 0; i < loads->count; i++) {
        sum += loads->items[i].of * lp->prices[loads->items[i].row];
    }
    return sum;
}

double
simplex_priced(const struct lp *lp, const struct group *group, uint32_t index)
{
    const struct loads *loads = simplex_loads_of(lp, group, index);

    return loads != NULL ? -value_of(lp, loads) : group->cost;
}

/* The column of a variable as it is while the group's sum is told by the key. */
static void
add_beside_key(const struct lp *lp, const struct basic *variable, double times, double *vector)
{
    simplex_add_column(lp, variable->group, variable->index, times, vector);
    simplex_add_column(lp, variable->group, variable->group->key, -times, vector);
}

/* The basis' values that make up the vector, by row, as far as rows are tight; what is left of it
 * in those that are loose stays there. */
static void
solve(const struct lp *lp, double *vector, double *ret)
{
    uint32_t count = 0;

    for (uint32_t j = 0; j < lp->n_tight; j++) {
        lp->at[count] = j;
        lp->times[count] = vector[lp->tight[j]];
        count += lp->times[count] != 0 ? 1 : 0;
    }
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        const double *row = lp->inverse + (size_t)i * lp->stride;
        double sum = 0;

        for (uint32_t j = 0; j < count; j++) {
            sum += row[lp->at[j]] * lp->times[j];
        }
        ret[i] = sum;
    }
    for (uint32_t i = 0; i < lp->n_tight && lp->n_tight < lp->n_rows; i++) {
        if (ret[i] != 0) {
            add_beside_key(lp, &lp->basis[i], -ret[i], vector);
        }
    }
}

void
simplex_evaluate(struct lp *lp)
{
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->slack[i] = 1;
    }
    for (uint32_t i = 0; i < lp->n_groups; i++) {
        struct group *group = &lp->groups[i];

        group->key_value = group->size;
        simplex_add_column(lp, group, group->key, -group->size, lp->slack);
    }
    solve(lp, lp->slack, lp->column);
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        struct basic *basic = &lp->basis[i];

        basic->value = lp->column[i] > 0 ? lp->column[i] : 0;
        basic->group->key_value -= basic->value;
    }
}

void
simplex_set_prices(struct lp *lp)
{
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->prices[i] = 0;
    }
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        const struct basic *basic = &lp->basis[i];
        const double *row = lp->inverse + (size_t)i * lp->stride;
        double cost =
            cost_of(basic->group, basic->index) - cost_of(basic->group, basic->group->key);

        for (uint32_t j = 0; j < lp->n_tight && cost != 0; j++) {
            lp->prices[lp->tight[j]] += cost * row[j];
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
    const struct pack_item *item = group->item;
    double of_key = simplex_priced(lp, group, group->key), least = of_key + *best;
    uint32_t index = NO_VARIABLE;

    for (uint32_t j = 0; j < item->n_options; j++) {
        double price = -value_of(lp, &lp->loads[item->first + j]);

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

/* What enters, in terms of the basis. */
static void
express(struct lp *lp, const struct basic *variable)
{
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->entering[i] = 0;
    }
    if (variable->group == NULL) {
        lp->entering[variable->index] = 1;
    } else {
        add_beside_key(lp, variable, 1, lp->entering);
    }
    solve(lp, lp->entering, lp->column);
}

/* What falls to nothing first; by how much of what enters. */
struct leaving {
    uint32_t at;      /* of the basis; NO_VARIABLE: it is another one */
    uint32_t row;     /* whose slack; NO_VARIABLE: likewise */
    struct group *of; /* whose key; NULL: likewise */
    double after;
    double pivot; /* how fast it falls, but of a key */
};

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

/* So much of it enters. */
static void
advance(struct lp *lp, const struct basic *entering, double amount)
{
    if (entering->group != NULL) {
        entering->group->key_value -= amount;
    }
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        lp->basis[i].value -= amount * lp->column[i];
        lp->basis[i].group->key_value += amount * lp->column[i];
    }
    for (uint32_t i = 0; i < lp->n_rows; i++) {
        lp->slack[i] -= amount * lp->entering[i];
    }
}

/* The key of a group and another variable of it, in the basis, change places. */
static void
change_key(struct lp *lp, uint32_t at)
{
    struct group *group = lp->basis[at].group;
    uint32_t key = group->key;
    double *row = lp->inverse + (size_t)at * lp->stride;

    for (uint32_t i = 0; i < lp->n_tight; i++) {
        const double *other = lp->inverse + (size_t)i * lp->stride;

        for (uint32_t j = 0; i != at && lp->basis[i].group == group && j < lp->n_tight; j++) {
            row[j] += other[j];
        }
    }
    for (uint32_t j = 0; j < lp->n_tight; j++) {
        row[j] = -row[j];
    }
    double value = group->key_value;

    group->key = lp->basis[at].index;
    group->key_value = lp->basis[at].value;
    lp->basis[at].index = key;
    lp->basis[at].value = value;
}

/* How much of a loose row a variable of the basis takes. */
static double
load_on(const struct lp *lp, const struct basic *basic, uint32_t row)
{
    const struct loads *loads[] = {
        simplex_loads_of(lp, basic->group, basic->index),
        simplex_loads_of(lp, basic->group, basic->group->key),
    };
    double sum = 0;

    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; loads[side] != NULL && i < loads[side]->count; i++) {
            const struct load *load = &loads[side]->items[i];

            sum += load->row == row ? (side == 0 ? load->of : -load->of) : 0;
        }
    }
    return sum;
}

/* PIECE at once, so that the compiler takes them as vectors: what is behind the end is of no
 * account. */
static void
subtract(double *restrict from, const double *restrict row, double times, uint32_t count)
{
    for (const double *end = from + count; from < end; from += PIECE, row += PIECE) {
        from[0] -= times * row[0];
        from[1] -= times * row[1];
        from[2] -= times * row[2];
        from[3] -= times * row[3];
    }
}

/* The row becomes the kernel's last column: nothing is in it yet. */
static void
tighten(struct lp *lp, uint32_t row)
{
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        lp->inverse[(size_t)i * lp->stride + lp->n_tight] = 0;
    }
    lp->column_of[row] = lp->n_tight;
    lp->tight[lp->n_tight] = row;
}

/* The last column of `n` takes the place of the row's. */
static void
loosen(struct lp *lp, uint32_t row, uint32_t n)
{
    uint32_t at = lp->column_of[row];

    for (uint32_t i = 0; i < lp->n_tight; i++) {
        double *of = lp->inverse + (size_t)i * lp->stride;

        of[at] = of[n - 1];
    }
    lp->tight[at] = lp->tight[n - 1];
    lp->column_of[lp->tight[at]] = at;
    lp->column_of[row] = NO_VARIABLE;
    lp->prices[row] = 0; /* nearly it is already */
}

/* The inverse's row of what leaves, and how many columns it has: one more for the slack. */
static uint32_t
take_row(struct lp *lp, const struct leaving *leaving)
{
    double *row = lp->pivot_row;

    if (leaving->row == NO_VARIABLE) {
        memcpy(row, lp->inverse + (size_t)leaving->at * lp->stride, lp->n_tight * sizeof(*row));
        return lp->n_tight;
    }
    memset(row, 0, lp->stride * sizeof(*row));
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        double times = load_on(lp, &lp->basis[i], leaving->row);

        if (times != 0) {
            subtract(row, lp->inverse + (size_t)i * lp->stride, times, lp->n_tight);
        }
    }
    row[lp->n_tight] = 1;
    tighten(lp, leaving->row);
    return lp->n_tight + 1;
}

/* It enters for what is there; `gain`: by how much the cost falls with each unit, below 0. */
static void
pivot(struct lp *lp, const struct leaving *leaving, const struct basic *entering, double gain)
{
    uint32_t n = take_row(lp, leaving), at = leaving->at;
    double scale = 1 / leaving->pivot, *row = lp->pivot_row;

    for (uint32_t j = 0; j < n; j++) {
        row[j] *= scale;
        lp->prices[lp->tight[j]] += gain * row[j];
    }
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        if (i != at && lp->column[i] != 0) {
            subtract(lp->inverse + (size_t)i * lp->stride, row, lp->column[i], n);
        }
    }
    if (entering->group != NULL) {
        at = at == NO_VARIABLE ? lp->n_tight++ : at;
        memcpy(lp->inverse + (size_t)at * lp->stride, row, n * sizeof(*row));
        lp->basis[at] = *entering;
        return;
    }
    if (at != NO_VARIABLE) { /* the last one takes its place */
        lp->n_tight--;
        memcpy(lp->inverse + (size_t)at * lp->stride,
               lp->inverse + (size_t)lp->n_tight * lp->stride, n * sizeof(*row));
        lp->basis[at] = lp->basis[lp->n_tight];
    }
    loosen(lp, entering->index, n);
    lp->slack[entering->index] = entering->value;
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
    change_key(lp, leaving.at);
    express(lp, entering);
    leaving.pivot = lp->column[leaving.at];
    if (leaving.pivot < NEARLY_NOTHING && leaving.pivot > -NEARLY_NOTHING) {
        return false;
    }
    pivot(lp, &leaving, entering, gain);
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

    if (leaving.after == DBL_MAX) {
        return false;
    }
    advance(lp, &entering, leaving.after);
    entering.value = leaving.after;
    if (leaving.of != NULL) {
        return replace_key(lp, leaving.of, &entering, gain);
    }
    pivot(lp, &leaving, &entering, gain);
    return true;
}
