/* SPDX-License-Identifier: Apache-2.0
 *
 * Reasons that name clusters which do not exist: before all others, since they
 * are why there seems to be no room.
 */
#include "ballast/diagnose/unknown_clusters.h"
#include "planner.h"

#define UNKNOWN_MAX 5 /* clusters named in one decision */

struct telling {
    struct planner *planner;
    struct decision *decision;
    uint32_t count;
};

static void
tell(void *context, const struct unknown_cluster *unknown)
{
    struct telling *telling = context;
    struct planner *planner = telling->planner;

    if (telling->count++ < UNKNOWN_MAX) {
        reason_add(planner, telling->decision, "UnknownCluster", unknown->cluster,
                   "%s names cluster %s, which does not exist%s", unknown->who, unknown->cluster,
                   cluster_hint(planner->scratch, planner->fleet, unknown->cluster));
    }
}

void
tell_unknown_clusters(struct planner *planner, const struct binding *binding,
                      struct decision *decision)
{
    struct decision first = {.n_reasons = 0};
    struct telling telling = {.planner = planner, .decision = &first};

    binding_unknown_clusters(planner->policy, planner->fleet, binding, tell, &telling);
    reasons_begin_with(planner, &first, decision);
}
