/* SPDX-License-Identifier: Apache-2.0
 *
 * When a packing is good enough, and what comes next where it is not.
 */
#ifndef BALLAST_PACKING_PACK_ENOUGH_H
#define BALLAST_PACKING_PACK_ENOUGH_H

#include <stdbool.h>
#include <stdint.h>

/* What comes after a try that left somebody short of their floor. */
enum pack_next {
    PACK_DONE,  /* nothing more is tried */
    PACK_FIX,   /* who is short is fixed, and the relaxation is rounded again beside them */
    PACK_RELAX, /* likewise, but what is not fixed is relaxed anew before */
};

/* So many less than the bound are near enough, of items that have so many by now. */
int64_t pack_slack(int64_t floors);
/* So many may be gained at most: is a search for the floors worth it that others give way to? */
bool pack_is_worth(int64_t bound, int64_t slack);
/* By what a try lacks of the bound, and whether it gained more than those before; `n_far`: tries
 * that came to far less, which it counts. */
enum pack_next pack_next(int64_t lacking, int64_t slack, bool gained, uint32_t *n_far);
/* Is what it comes to after all tries worth more than these? */
bool pack_is_far(int64_t lacking, int64_t placed);

#endif
