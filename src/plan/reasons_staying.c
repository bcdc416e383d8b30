/* SPDX-License-Identifier: Apache-2.0
 *
 * Why something stays that is wrong where it is: the binding is left alone, only
 * what is lost of it may move, or it would leave more behind than it takes away.
 */
#include "ballast/base/wide.h"
#include "planner.h"

void
tell_only_lost(struct planner *planner, const struct move *move, struct decision *decision)
{
    bool waits = false;

    for (uint32_t i = 0; i < move->n_findings && move->state->only_lost != LEFT_ALONE_NOT; i++) {
        const struct finding *finding = &move->findings[i];

        waits = waits || (finding->type != FINDING_UNHEALTHY_CLUSTER && !finding->triggers &&
                          planner->policy->triggers[finding->type]);
    }
    if (waits) {
        decision->action = ACTION_BLOCKED;
        reason_add(planner, decision, left_alone_reason(move->state->only_lost), "", "%s",
                   move->state->left_alone_reason);
    }
}

void
tell_ordinals(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target_state *state = &move->targets[i];

        if (state->below_stuck <= 0 || state->lost) {
            continue;
        }
        int32_t stuck = move->triggered[FINDING_UNSCHEDULABLE_REPLICAS] && state->unschedulable > 0
                            ? state->unschedulable
                            : 0;

        stuck += move->triggered[FINDING_FAILED_REPLICAS] && state->failed > 0 ? state->failed : 0;
        stuck = pin_int32(stuck + move_silent_replicas(move, i));
        int32_t stay = stuck - move_stuck_replicas(move, i);

        if (stay > 0) {
            reason_add(planner, decision, "HigherOrdinalRuns",
                       move->binding->clusters.items[i].name,
                       "%d that %s stuck there %s: a StatefulSet ends its highest ordinals first, "
                       "and one of these is not stuck",
                       stay, stay == 1 ? "is" : "are", stay == 1 ? "stays" : "stay");
        }
    }
}

void
tell_left_alone(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->n_findings; i++) {
        if (planner->policy->triggers[move->findings[i].type]) {
            decision->action = ACTION_BLOCKED;
        }
    }
    reason_add(planner, decision, left_alone_reason(move->state->left_alone), "", "%s",
               move->state->left_alone_reason);
}
