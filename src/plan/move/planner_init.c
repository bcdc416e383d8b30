/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the planner's members about clusters.
 */
#include "move.h"

void
planner_init(struct planner *planner)
{
    planner->quotas = ledger_quotas(planner->ledger);
    planner->said = recent_texts_new(planner->arena);
    planner->scheduler = scheduler_new(planner->arena, planner->fleet);
    planner->no_destination = ARENA_ARRAY(planner->arena, bool, planner->fleet->n_clusters);
    planner->tainted = ARENA_ARRAY(planner->arena, uint32_t, planner->fleet->n_clusters);
    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        const struct cluster_health *health = &planner->diagnosis->clusters[i];

        planner->no_destination[i] = !cluster_may_receive(health);
        if (taint_list_has_no_execute(&planner->fleet->clusters[i].taints)) {
            planner->tainted[planner->n_tainted++] = i;
        }
    }
    find_spent_quotas(planner);
}
