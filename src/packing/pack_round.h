/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds the relaxation of a packing to whole replicas.
 */
#ifndef BALLAST_PACKING_PACK_ROUND_H
#define BALLAST_PACKING_PACK_ROUND_H

#include "ballast/base/arena.h"
#include "ballast/packing/packing.h"
#include "pack_lists.h"

#define ROUNDING 1e-6
#define STEPS_MAX 256 /* single replicas put or taken to fit one more */
#define DEPTH_MAX 2   /* longest chain in which one replica displaces another */

/* One replica more at an option, or one less. */
struct replica_step {
    uint32_t option;
    int32_t by;
};

struct rounding {
    struct packing *packing;
    const struct room_lists *lists;
    int64_t (*left)[N_PACK_RESOURCES]; /* by room: free resources */
    int32_t *placed;                   /* by item */
    struct taken_places taken;
    int64_t n_placed; /* sum over all items */
    int64_t *work, *looks;
    int64_t patience; /* left for the present search, in options to look at */
    struct replica_step steps[STEPS_MAX + 4 * DEPTH_MAX]; /* of the present search */
    uint32_t n_steps;
};

/* Returns a rounding of an unplaced packing, in `arena`. Both budgets count options to look at:
 * `work` all of them, `looks` those for unplaced replicas that no priority demands. */
struct rounding rounding_new(struct arena *arena, struct packing *packing,
                             const struct room_lists *lists, int64_t *work, int64_t *looks);
/* Places the whole replicas of the relaxation. */
void round_down(struct rounding *rounding, const double *shares);
/* Brings every item to its floor. False: some item stays below. `may_drop`: others' replicas above
 * their floors may become unplaced for it. */
bool reach_floors(struct rounding *rounding, bool may_drop);
/* Places unplaced replicas, first each item's share of the relaxation. From `enough` placed
 * replicas on, others give way only to items of higher priority. */
void place_left(struct rounding *rounding, const double *shares, int64_t enough);

#endif
