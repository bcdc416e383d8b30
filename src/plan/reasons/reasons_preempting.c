/* SPDX-License-Identifier: Apache-2.0
 *
 * Names clusters in which kube-scheduler would preempt pods of lower priority for replicas without
 * a place. Ballast places nothing there, since the preempted pods would need a place themselves.
 */
#include "ballast/model/closed_clusters.h"
#include "plan/move/move.h"
#include "reasons.h"

#define TOLD_MAX 10 /* clusters named in one decision */

/* Clusters that are closed since replicas are stuck there count, too. */
static bool
may_preempt(struct planner *planner, const struct move *move, uint32_t index)
{
    return !planner->no_destination[index] && move_owner_in(move, index) == NULL &&
           !binding_is_suspended_in(move->binding, planner->fleet->clusters[index].name) &&
           move_passes(planner, move, move->affinity, index);
}

static int64_t
smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void
explain_preempting(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct binding *binding = move->binding;
    const int64_t missing = decision->unplaced > 0 ? decision->unplaced : move->taken;
    uint32_t told = 0;

    if (planner->policy->mode != MODE_PLACE || !move_is_divided(move) || missing <= 0) {
        return;
    }
    for (uint32_t i = 0; i < planner->fleet->n_clusters && told < TOLD_MAX; i++) {
        const char *source;
        int64_t fit = may_preempt(planner, move, i)
                          ? ledger_room_preempting(planner->ledger, i, binding)
                          : -1;

        fit = smaller(fit, quotas_room(planner->quotas, binding, i, NULL, NULL));
        int64_t more = fit > 0 ? fit - ledger_room_for(planner->ledger, i, binding, &source) : 0;

        if (more > 0) {
            reason_add(planner, decision, "LowerPriority", planner->fleet->clusters[i].name,
                       "%lld of %lld would fit if pods of lower priority were preempted; no run "
                       "counts on that",
                       (long long)smaller(more, missing), (long long)missing);
            told++;
        }
    }
}
