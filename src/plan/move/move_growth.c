/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the replicas of a move that wait for nodes that an autoscaler has to add.
 */
#include "ballast/base/wide.h"
#include "move.h"

int64_t
move_lost_replicas(const struct move *move)
{
    int64_t lost = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        lost += move->leaves[i] && move->targets[i].lost ? move->take[i] : 0;
    }
    return lost;
}

struct move
move_on_growth(const struct move *move, const struct target_list *given)
{
    struct move growing = *move;

    growing.on_growth = true;
    growing.given = given;
    return growing;
}

/* Returns the replicas, or copies and sets, that a target gets beyond its present capacity. */
static int32_t
beyond_room(struct planner *planner, const struct move *move, const struct target *target,
            int32_t more)
{
    const char *source;
    int32_t room = ledger_room_for(planner->ledger, target->cluster, move->binding, &source);

    if (binding_is_set(move->binding)) {
        return room > 0 ? 0 : more;
    }
    room = pin_int32((wide_int)room + move->surplus[target->cluster]);
    return more > room ? more - room : 0;
}

int32_t
move_grows_by(struct planner *planner, const struct move *move, const struct target *target,
              int32_t more)
{
    return move->assumed.grows && target->cluster != CLUSTER_NONE && more > 0
               ? beyond_room(planner, move, target, more)
               : 0;
}

void
explain_growth(struct planner *planner, const struct move *move, struct decision *decision)
{
    int64_t sum = 0;

    for (uint32_t i = 0, at = 0; i < decision->after.count && move->assumed.grows; i++) {
        const struct target *target = &decision->after.items[i];
        int32_t more = target->replicas - targets_find_next(&decision->before, target->name, &at);
        int32_t beyond = move_grows_by(planner, move, target, more);

        if (beyond > 0) {
            const struct cluster *cluster = &planner->fleet->clusters[target->cluster];

            sum += beyond;
            reason_add(
                planner, decision, "WaitsForNodes", target->name,
                "%d of %d wait there for nodes that its autoscaler has to add: it may have up to "
                "%d nodes (growth)",
                beyond, more, policy_growth(planner->policy, cluster));
        }
    }
    decision->growing = pin_int32(sum);
}
