/* SPDX-License-Identifier: Apache-2.0
 *
 * Mode Evict takes stuck replicas away, as karmada-descheduler does, and the scheduler places them
 * again.
 */
#include "decide.h"
#include "evict.h"
#include "plan/history/history.h"
#include "plan/move/move.h"

/* The scheduler does not place replicas that are assigned to a lost cluster, and running replicas
 * of an infeasible one are not taken. */
static void
explain_not_left(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        bool ends = move->ends[i] > 0 && move->take[i] == 0;

        if (move->leaves[i] && !ends) {
            reason_add(
                planner, decision, "NotEvictable", move->binding->clusters.items[i].name,
                move->targets[i].lost
                    ? "mode Evict never leaves a lost cluster, mode Place does"
                    : "mode Evict only takes unschedulable replicas, mode Place takes these, too");
        }
    }
}

/* Pending replicas of a lost cluster wait, with all its others, for cluster failover. */
static int32_t
evictable_replicas(const struct planner *planner, const struct move *move, uint32_t target)
{
    const char *cluster = move->binding->clusters.items[target].name;

    if (!move->triggered[FINDING_UNSCHEDULABLE_REPLICAS] || move->targets[target].lost ||
        move_is_frozen(move, target) || move_holds_claims(move, target) ||
        move_history_keeps_until(planner, move, cluster) > planner->policy->now) {
        return 0;
    }
    return move_takes_with(move, target, move->targets[target].unschedulable);
}

/* The scheduler scales down without a look at pods, so Ballast takes away those that end first. */
static bool
take_endings(const struct move *move, int32_t *replicas)
{
    bool changes = false;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        int32_t left = move->binding->clusters.items[i].replicas - move->ends[i];

        changes = changes || left < replicas[i];
        replicas[i] = left < replicas[i] ? left : replicas[i];
    }
    return changes;
}

void
decide_evict(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct binding *binding = move->binding;
    uint32_t count = binding->clusters.count;
    int32_t *unschedulable = ARENA_ARRAY(planner->scratch, int32_t, count);
    int32_t *replicas = ARENA_ARRAY(planner->scratch, int32_t, count);

    if (binding_is_set(binding)) {
        reason_add(planner, decision, "NotEvictable", "",
                   "mode Evict takes replicas one by one, and several components move as a whole");
        return;
    }
    if (!evict_eligible(binding)) {
        reason_add(planner, decision, "NotEvictable", "",
                   "mode Evict takes replicas from Deployments divided by dynamic weight or "
                   "Aggregated only");
        return;
    }
    explain_not_left(planner, move, decision);
    for (uint32_t i = 0; i < count; i++) {
        unschedulable[i] = evictable_replicas(planner, move, i);
    }
    bool evicts = evict_replicas(binding, unschedulable, replicas);

    if (!take_endings(move, replicas) && !evicts) {
        reason_add(planner, decision, "LeftToScheduler", "",
                   "there is nothing to take away, and the scheduler places the rest");
        return;
    }
    decision->after = targets_sorted(
        planner->scratch, targets_counted(planner->scratch, &binding->clusters, replicas, 0));
}
