/* SPDX-License-Identifier: Apache-2.0
 *
 * The relaxation of a packing: how much of each item goes to which room, in
 * fractions, so that as few as can be are left over.
 */
#ifndef BALLAST_PLAN_PACK_LP_H
#define BALLAST_PLAN_PACK_LP_H

#include "ballast/base/arena.h"
#include "pack.h"

struct pack_lp_result {
    double *shares; /* by option, replicas */
    double left;    /* at least so many of all that is wanted are left over, solved or not */
    bool is_solved; /* else the work was spent before */
};

struct pack_lp;

/* In `arena`, of the packing as it is; it is read again whenever it is solved. */
struct pack_lp *pack_lp_new(struct arena *arena, const struct packing *packing);
/* In `arena`. Since the last time floors may have become 0 with as much less wanted, or be back,
 * and `free` and `most` may be other ones below those at first: it begins where it was. `work` as
 * with pack_seats(). */
struct pack_lp_result pack_lp_solve(struct arena *arena, struct pack_lp *relaxation, int64_t *work);
/* Both at once. */
struct pack_lp_result pack_relax(struct arena *arena, const struct packing *packing, int64_t *work);

#endif
