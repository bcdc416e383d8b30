/* SPDX-License-Identifier: Apache-2.0
 *
 * A reschedule that cannot be met, since the fleet lacks room for all of it, no
 * cluster suits, or a limit never allows it (planner.c), waits; what is lost, and
 * what is scaled, does not wait for it. What is stuck does: were it gone, the
 * reschedule would find its cluster open.
 */
#include "planner.h"

bool
move_need_not_wait(const struct move *move)
{
    return move_is_whole(move) && (move->triggered[FINDING_UNHEALTHY_CLUSTER] ||
                                   move->triggered[FINDING_REPLICA_MISMATCH]);
}

struct proposal
decide_reschedule(struct planner *planner, const struct move *move)
{
    struct proposal anew = decide_moves(planner, move);

    if (str_is_empty(anew.decision.error_type) || !move_need_not_wait(move)) {
        return anew;
    }
    struct proposal others =
        decide_moves(planner, move_new(planner, move->index, ASSUME_NO_RESCHEDULE));

    if (!str_is_empty(others.decision.error_type) ||
        targets_equal(&others.decision.before, &others.decision.after)) {
        return anew;
    }
    reason_add(planner, &others.decision, "NotRescheduled", "", "it cannot be divided anew: %s: %s",
               anew.decision.error_type, anew.decision.error_message);
    return others;
}
