/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides when a packing is good enough. Fixed items stand where the relaxation has most of them,
 * so its other shares stay good. A new relaxation pays only after fixing alone has failed once.
 */
#include "pack_enough.h"

#define NEARLY_ALL 400 /* near enough: 1 in 400 replicas below the bound */
#define FAR 4          /* times the slack: try again even without a gain */
#define MUCH 50        /* worth more tries: 1 in 50 of the placed replicas */

int64_t
pack_slack(int64_t floors)
{
    return floors / NEARLY_ALL;
}

bool
pack_is_worth(int64_t bound, int64_t slack)
{
    return bound > slack;
}

enum pack_next
pack_next(int64_t lacking, int64_t slack, bool gained, uint32_t *n_far)
{
    if (lacking > FAR * slack) {
        return (*n_far)++ == 0 ? PACK_FIX : PACK_RELAX;
    }
    return gained && lacking > slack ? PACK_FIX : PACK_DONE;
}

bool
pack_is_far(int64_t lacking, int64_t placed)
{
    return lacking > placed / MUCH;
}
