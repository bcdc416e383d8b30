/* SPDX-License-Identifier: Apache-2.0
 *
 * When a packing is good enough. What is fixed stands where the relaxation has
 * most of it, so that the rest of the relaxation is still as good as any; only
 * where that led nowhere once is it worth another one.
 */
#include "pack_enough.h"

#define NEARLY_ALL 400 /* one in so many short of the bound is near enough */
#define FAR 4          /* times as many are not, though the last try gained no more */
#define MUCH 50        /* one in so many of what is placed is worth all that can be tried */

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
