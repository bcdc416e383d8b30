/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations and reports of a world, of whichever control plane, against the
 * plan that nobody asked about, and against each other.
 */
#include <stdlib.h>

#include "run.h"
#include "story.h"

/* `found` is freed. */
static void
judge_text(struct judge *judge, enum invariant invariant, char *found, unsigned met)
{
    if (met > 0) {
        judge_met(judge, invariant);
    }
    if (found != NULL) {
        judge_fail(judge, invariant, NULL, -1, "%s", found);
    }
    free(found);
}

void
check_explained(const struct world *world, struct judge *judge)
{
    unsigned met;
    char *found = run_explained(world, &met);

    judge_text(judge, INV_EXPLAINED, found, met);
}

void
check_numbers(const struct world *world, struct judge *judge)
{
    unsigned met;
    char *found = run_numbers(world, &met);

    judge_text(judge, INV_NUMBERS_AGREE, found, met);
}
