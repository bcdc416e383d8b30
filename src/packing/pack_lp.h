/* SPDX-License-Identifier: Apache-2.0
 *
 * The relaxation of a packing: how much of each item goes to which room, in
 * fractions, so that as few as can be are left over.
 */
#ifndef BALLAST_PACKING_PACK_LP_H
#define BALLAST_PACKING_PACK_LP_H

#include "ballast/base/arena.h"
#include "ballast/packing/packing.h"

struct pack_lp_result {
    double *shares; /* by option, replicas */
    double left;    /* at least so many of all that is wanted are left over, solved or not */
    bool is_solved; /* else the work was spent before */
};

/* In `arena`; `work` as with pack_replicas(). */
struct pack_lp_result pack_relax(struct arena *arena, const struct packing *packing, int64_t *work);

#endif
