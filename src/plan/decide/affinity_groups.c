/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the targets that bindings of workload affinity groups are about to leave. These do not bind
 * other bindings of the group.
 */
#include "ballast/schedule/workload_groups.h"
#include "decide.h"
#include "plan/move/move.h"

/* True if application failover would move all replicas there. If some stay, so does the group. */
static bool
fails_altogether(const struct move *move, uint32_t target)
{
    int32_t replicas = move->binding->clusters.items[target].replicas;

    return eviction_is_failover(move, target) && eviction_state_problem(move, target) == NULL &&
           !move_is_frozen(move, target) && !move_holds_claims(move, target) && replicas > 0 &&
           move_stuck_replicas(move, target) == replicas;
}

static bool
is_about_to_leave(const struct move *move, uint32_t target)
{
    return move_asks_to_leave(move, target) || fails_altogether(move, target);
}

/* Returns, by target and in the plan's memory, which ones the binding leaves; NULL: none. A binding
 * that Ballast may not move stays, and its group with it. */
static const bool *
leaving_targets(const struct planner *planner, uint32_t index)
{
    const struct binding *binding = &planner->fleet->bindings[index];
    const struct binding_state *state = &planner->diagnosis->bindings[index];
    const struct move move = move_read(planner, index);
    bool *leaves = NULL;

    if (state->n_findings == 0 || state->left_alone != LEFT_ALONE_NOT ||
        planner->diagnosis->guards_all || planner->policy->mode != MODE_PLACE ||
        planner->policy->reschedule_all) {
        return NULL;
    }
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        if (is_about_to_leave(&move, i)) {
            leaves = leaves != NULL ? leaves
                                    : ARENA_ARRAY(planner->arena, bool, binding->clusters.count);
            leaves[i] = true;
        }
    }
    return leaves;
}

void
affinity_groups_look(struct planner *planner)
{
    struct workload_groups *groups = ledger_groups(planner->ledger);
    const struct fleet *fleet = planner->fleet;

    scheduler_heed_groups(planner->scheduler, groups);
    if (groups == NULL) {
        return;
    }
    /* a binding that was read again may have left its group */
    bool again = fleet->bindings != workload_groups_fleet(groups)->bindings;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (again || binding_is_grouped(&fleet->bindings[i])) {
            workload_groups_see(groups, &fleet->bindings[i], leaving_targets(planner, i));
        }
    }
}
