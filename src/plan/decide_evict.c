/* SPDX-License-Identifier: Apache-2.0
 *
 * Mode Evict: stuck replicas are taken away, as karmada-descheduler does, and
 * the scheduler places them again.
 */
#include "ballast/evict.h"
#include "memory.h"
#include "planner.h"

/* The replicas of a lost cluster are nobody's to place while they are assigned there. */
static void
tell_lost(struct planner *planner, const struct move *move)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        if (move_is_lost(move, i)) {
            reason_add(planner, "NotEvictable", move->binding->clusters.items[i].name,
                       "mode Evict leaves no lost cluster: mode Place does");
        }
    }
}

void
decide_evict(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct binding *binding = move->binding;
    uint32_t count = binding->clusters.count;
    int32_t *unschedulable = ARENA_ARRAY(planner->scratch, int32_t, count);
    int32_t *replicas = ARENA_ARRAY(planner->scratch, int32_t, count);

    if (!evict_eligible(binding)) {
        reason_add(planner, "NotEvictable", "",
                   "mode Evict takes replicas from Deployments divided by dynamic weight or "
                   "Aggregated only");
        return;
    }
    tell_lost(planner, move);
    for (uint32_t i = 0; i < count; i++) {
        bool counts = move->triggered[FINDING_UNSCHEDULABLE_REPLICAS] &&
                      memory_keeps_until(planner, move, binding->clusters.items[i].name) <=
                          planner->policy->now;

        unschedulable[i] = counts ? move->targets[i].unschedulable : 0;
    }
    if (!evict_replicas(binding, unschedulable, replicas)) {
        reason_add(planner, "LeftToScheduler", "",
                   "nothing to take away; placing is the scheduler's");
        return;
    }
    struct target *after = arena_memdup(planner->scratch, binding->clusters.items,
                                        count * sizeof(binding->clusters.items[0]));

    for (uint32_t i = 0; i < count; i++) {
        after[i].replicas = replicas[i];
    }
    struct target_list list = {.items = after, .count = count};

    decision->after = targets_sorted(planner->scratch, &list);
}
