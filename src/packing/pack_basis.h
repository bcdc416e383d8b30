/* SPDX-License-Identifier: Apache-2.0
 *
 * The basis of a packing's relaxation, which the simplex steps change.
 */
#ifndef BALLAST_PACKING_PACK_BASIS_H
#define BALLAST_PACKING_PACK_BASIS_H

#include "pack_simplex.h"

/* The variable that leaves the basis: exactly one of `at`, `row` and `of` is set. */
struct leaving {
    uint32_t at;      /* place in the basis; NO_VARIABLE: not set */
    uint32_t row;     /* the row whose slack leaves; NO_VARIABLE: not set */
    struct group *of; /* the group whose key leaves; NULL: not set */
    double after;
    double pivot; /* fall with each unit of what enters; not set for a key */
};

/* Expresses an entering variable by the basis: fills `column` and `entering`. */
void basis_express(struct lp *lp, const struct basic *variable);
/* Lets `amount` of the expressed variable enter, and updates all values. */
void basis_advance(struct lp *lp, const struct basic *entering, double amount);
/* Swaps a group's key with the variable of that group at place `at` of the basis. */
void basis_change_key(struct lp *lp, uint32_t at);
/* Swaps the expressed variable with the leaving one. `gain`: change of the cost with each unit. */
void basis_pivot(struct lp *lp, const struct leaving *leaving, const struct basic *entering,
                 double gain);

#endif
