/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations of a world, of whichever control plane, against the plan that
 * nobody asked about.
 */
#include <stdlib.h>

#include "run.h"
#include "story.h"

void
check_explained(const struct world *world, struct judge *judge)
{
    unsigned met;
    char *found = run_explained(world, &met);

    if (met > 0) {
        judge_met(judge, INV_EXPLAINED);
    }
    if (found != NULL) {
        judge_fail(judge, INV_EXPLAINED, NULL, -1, "%s", found);
    }
    free(found);
}
