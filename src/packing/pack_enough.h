/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides when a packing is good enough, and what to try next.
 */
#ifndef BALLAST_PACKING_PACK_ENOUGH_H
#define BALLAST_PACKING_PACK_ENOUGH_H

#include <stdbool.h>
#include <stdint.h>

/* The next step after a try that left items below their floors. */
enum pack_next {
    PACK_DONE,  /* stop */
    PACK_FIX,   /* fix the items below their floors, and round the relaxation around them */
    PACK_RELAX, /* fix these items, and relax the others anew */
};

/* Returns how many replicas below the bound are near enough. `floors`: sum of all floors. */
int64_t pack_slack(int64_t floors);
/* True if gaining `bound` replicas is worth a search that drops replicas of other items. */
bool pack_is_worth(int64_t bound, int64_t slack);
/* Returns what to try next. `lacking`: replicas below the bound; `gained`: this try placed more
 * than those before. Counts tries that lack far more than `slack` in *n_far. */
enum pack_next pack_next(int64_t lacking, int64_t slack, bool gained, uint32_t *n_far);
/* True if `lacking` replicas below the bound are worth more tries. */
bool pack_is_far(int64_t lacking, int64_t placed);

#endif
