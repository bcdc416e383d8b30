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

void
decide_reschedule(struct planner *planner, uint32_t index, struct move *move,
                  struct decision *decision)
{
    size_t n_reasons = planner->reasons.count;

    decide_moves(planner, index, move, decision);
    if (str_is_empty(decision->error_type) || !move_need_not_wait(move)) {
        return;
    }
    const char *type = decision->error_type, *message = decision->error_message;

    planner->reasons.count = n_reasons;
    *decision = decision_unchanged(planner->scratch, planner->fleet, index);
    move_init(planner, index, ASSUME_NO_RESCHEDULE, move);
    decide_moves(planner, index, move, decision);
    if (str_is_empty(decision->error_type) && !targets_equal(&decision->before, &decision->after)) {
        reason_add(planner, "NotRescheduled", "", "it cannot be divided anew: %s: %s", type,
                   message);
        return;
    }
    planner->reasons.count = n_reasons;
    *decision = decision_unchanged(planner->scratch, planner->fleet, index);
    move_init(planner, index, (struct assumptions){0}, move);
    decide_moves(planner, index, move, decision);
}
