/* SPDX-License-Identifier: Apache-2.0
 *
 * The same world, of whichever control plane, in another order and out of a
 * snapshot: the plan is the same.
 */
#include <stdlib.h>

#include "run.h"
#include "story.h"

void
check_order(struct judge *judge, const struct world *world, const struct run *run, uint64_t seed)
{
    struct random shuffle = random_from(seed);
    struct run other;

    run_world(world, 0, &shuffle, &other);
    judge_met(judge, INV_ORDER);
    if (!json_equal(run->plan, other.plan) || !json_equal(run->patches, other.patches)) {
        judge_fail(judge, INV_ORDER, NULL, -1, "the plan is another one");
    }
    run_release(&other);
}

void
check_snapshot(struct judge *judge, const struct world *world)
{
    char *found = run_compare_snapshot(world, 0);

    judge_met(judge, INV_SNAPSHOT);
    if (found != NULL) {
        judge_fail(judge, INV_SNAPSHOT, NULL, -1, "%s", found);
    }
    free(found);
}
