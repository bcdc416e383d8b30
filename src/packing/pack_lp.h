/* SPDX-License-Identifier: Apache-2.0
 *
 * Solves the relaxation of a packing: the fractions of each item in each room that leave fewest
 * replicas unplaced.
 */
#ifndef BALLAST_PACKING_PACK_LP_H
#define BALLAST_PACKING_PACK_LP_H

#include "ballast/base/arena.h"
#include "ballast/packing/packing.h"

struct pack_lp_result {
    double *shares; /* by option, replicas */
    double left;    /* unplaced replicas of any placement that keeps the floors; always set */
    bool is_solved; /* false: the work ran out first, and shares are 0 */
};

/* Solves the relaxation; the result is in `arena`. Subtracts its work from *work. */
struct pack_lp_result pack_relax(struct arena *arena, const struct packing *packing, int64_t *work);

#endif
