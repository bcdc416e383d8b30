/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the basis of a packing's relaxation, and the inverse of its kernel.
 */
#include "pack_basis.h"

#include <string.h>

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

static inline void
add_column(const struct lp *lp, const struct group *group, uint32_t index, double times,
           double *vector)
{
    if (index < group->item->n_options) {
        const struct loads *loads = &lp->loads[group->item->first + index];

        for (uint32_t i = 0; i < loads->count; i++) {
            vector[loads->rows[i]] += times * loads->of[i];
        }
    }
}

void
simplex_add_column(const struct lp *lp, const struct group *group, uint32_t index, double times,
                   double *vector)
{
    add_column(lp, group, index, times, vector);
}

double
simplex_priced(const struct lp *lp, const struct group *group, uint32_t index)
{
    const struct loads *loads = simplex_loads_of(lp, group, index);

    return loads != NULL ? -simplex_take(loads, lp->prices) : group->cost;
}

/* Subtracts the key's column, since the key keeps the group's sum. */
static void
add_beside_key(const struct lp *lp, const struct basic *variable, double times, double *vector)
{
    add_column(lp, variable->group, variable->index, times, vector);
    add_column(lp, variable->group, variable->group->key, -times, vector);
}

/* Fills `ret` with the basis values that make up the vector in tight rows. `vector` keeps the
 * remainder in loose rows. */
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

        basic->value = lp->column[i];
        basic->group->key_value -= basic->value;
    }
}

void
simplex_set_prices(struct lp *lp)
{
    lp->is_priced = false;
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

void
basis_express(struct lp *lp, const struct basic *variable)
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

void
basis_advance(struct lp *lp, const struct basic *entering, double amount)
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

void
basis_change_key(struct lp *lp, uint32_t at)
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

    simplex_set_key(lp, group, lp->basis[at].index);
    group->key_value = lp->basis[at].value;
    lp->basis[at].index = key;
    lp->basis[at].value = value;
}

/* Returns what a unit of a basis variable takes of a loose row, beyond its group's key. */
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
            double of = loads[side]->rows[i] == row ? loads[side]->of[i] : 0;

            sum += side == 0 ? of : -of;
        }
    }
    return sum;
}

/* Works by SIMPLEX_PIECE so that the compiler vectorises. Values behind the end do not matter. */
static void
subtract(double *restrict from, const double *restrict row, double times, uint32_t count)
{
    for (const double *end = from + count; from < end;
         from += SIMPLEX_PIECE, row += SIMPLEX_PIECE) {
        from[0] -= times * row[0];
        from[1] -= times * row[1];
        from[2] -= times * row[2];
        from[3] -= times * row[3];
    }
}

/* Makes the row the kernel's last column, which is still empty. */
static void
tighten(struct lp *lp, uint32_t row)
{
    for (uint32_t i = 0; i < lp->n_tight; i++) {
        lp->inverse[(size_t)i * lp->stride + lp->n_tight] = 0;
    }
    lp->column_of[row] = lp->n_tight;
    lp->tight[lp->n_tight] = row;
}

/* Moves the last of `n` columns to the row's place. */
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
    lp->prices[row] = 0; /* up to rounding errors, it is 0 already */
}

/* Copies the inverse's row of the leaving variable to `pivot_row`. Returns its number of columns:
 * one more if a slack leaves. */
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

void
basis_pivot(struct lp *lp, const struct leaving *leaving, const struct basic *entering, double gain)
{
    uint32_t n = take_row(lp, leaving), at = leaving->at;
    double scale = 1 / leaving->pivot, *row = lp->pivot_row;

    lp->is_priced = false;
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
    if (at != NO_VARIABLE) { /* the last variable takes its place */
        lp->n_tight--;
        memcpy(lp->inverse + (size_t)at * lp->stride,
               lp->inverse + (size_t)lp->n_tight * lp->stride, n * sizeof(*row));
        lp->basis[at] = lp->basis[lp->n_tight];
    }
    loosen(lp, entering->index, n);
    lp->slack[entering->index] = entering->value;
}
