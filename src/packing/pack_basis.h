/* SPDX-License-Identifier: Apache-2.0
 *
 * The basis of a packing's relaxation: what its steps change.
 */
#ifndef BALLAST_PACKING_PACK_BASIS_H
#define BALLAST_PACKING_PACK_BASIS_H

#include "pack_simplex.h"

/* What leaves the basis; by how much of what enters. */
struct leaving {
    uint32_t at;      /* of the basis; NO_VARIABLE: it is another one */
    uint32_t row;     /* whose slack; NO_VARIABLE: likewise */
    struct group *of; /* whose key; NULL: likewise */
    double after;
    double pivot; /* how fast it falls, but of a key */
};

/* What enters, in terms of the basis: `column` and `entering`. */
void basis_express(struct lp *lp, const struct basic *variable);
/* So much of what is expressed enters: values follow. */
void basis_advance(struct lp *lp, const struct basic *entering, double amount);
/* The key of a group and another variable of it, in the basis, change places. */
void basis_change_key(struct lp *lp, uint32_t at);
/* What is expressed enters for what leaves; `gain`: by how much the cost rises with each unit. */
void basis_pivot(struct lp *lp, const struct leaving *leaving, const struct basic *entering,
                 double gain);

#endif
