/* SPDX-License-Identifier: Apache-2.0
 *
 * Reasons that name clusters which do not exist: before all others, since they
 * are why there seems to be no room.
 */
#include <string.h>

#include "ballast/diagnose/unknown_clusters.h"
#include "planner.h"

#define UNKNOWN_MAX 5 /* clusters named in one decision */

struct telling {
    struct planner *planner;
    uint32_t count;
};

static void
tell(void *context, const struct unknown_cluster *unknown)
{
    struct telling *telling = context;
    struct planner *planner = telling->planner;

    if (telling->count++ < UNKNOWN_MAX) {
        reason_add(planner, "UnknownCluster", unknown->cluster,
                   "%s names cluster %s, which does not exist%s", unknown->who, unknown->cluster,
                   cluster_hint(planner->scratch, planner->fleet, unknown->cluster));
    }
}

void
reason_add_unknown_clusters(struct planner *planner, const struct binding *binding)
{
    struct telling telling = {.planner = planner};
    size_t before = planner->reasons.count;

    binding_unknown_clusters(planner->policy, planner->fleet, binding, tell, &telling);
    size_t added = planner->reasons.count - before;

    if (before == 0 || added == 0) {
        return;
    }
    const struct reason *moved = arena_memdup(planner->scratch, planner->reasons.items + before,
                                              added * sizeof(*planner->reasons.items));

    memmove(planner->reasons.items + added, planner->reasons.items,
            before * sizeof(*planner->reasons.items));
    memcpy(planner->reasons.items, moved, added * sizeof(*moved));
}
