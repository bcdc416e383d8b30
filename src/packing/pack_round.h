/* SPDX-License-Identifier: Apache-2.0
 *
 * The relaxation of a packing rounded to whole replicas.
 */
#ifndef BALLAST_PACKING_PACK_ROUND_H
#define BALLAST_PACKING_PACK_ROUND_H

#include "ballast/base/arena.h"
#include "ballast/packing/packing.h"
#include "pack_lists.h"

#define ROUNDING 1e-6
#define STEPS_MAX 256 /* single replicas that are put or taken so that one more fits */
#define DEPTH_MAX 2   /* for what gives way others may give way, and so on */

/* One replica more at an option, or one less. */
struct replica_step {
    uint32_t option;
    int32_t by;
};

struct rounding {
    struct packing *packing;
    const struct room_lists *lists;
    int64_t (*left)[N_PACK_RESOURCES]; /* by room */
    int32_t *placed;                   /* by item */
    struct taken_places taken;
    int64_t n_placed; /* of all */
    int64_t *work, *looks;
    int64_t patience;                                     /* what is left of one search's work */
    struct replica_step steps[STEPS_MAX + 4 * DEPTH_MAX]; /* of one search */
    uint32_t n_steps;
};

/* In `arena`; `work` as with pack_relax(). `looks`: options that may be looked at for what is left
 * over, beyond what priority asks for. */
struct rounding rounding_new(struct arena *arena, struct packing *packing,
                             const struct room_lists *lists, int64_t *work, int64_t *looks);
/* The replicas of the relaxation, as far as they are whole. */
void round_down(struct rounding *rounding, const double *shares);
/* Everybody has the floor; false: not so. `may_drop`: where others are left over for it, of what
 * has more than its floor. */
bool reach_floors(struct rounding *rounding, bool may_drop);
/* What is left over: first as much as the relaxation has of it. Once so many are placed that it is
 * enough nobody gives way any more, but for what has more priority. */
void place_left(struct rounding *rounding, const double *shares, int64_t enough);

#endif
