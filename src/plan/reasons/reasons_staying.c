/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains why replicas stay although something is wrong with them.
 */
#include "ballast/base/wide.h"
#include "plan/move/move.h"
#include "reasons.h"

void
explain_only_lost(struct planner *planner, const struct move *move, struct decision *decision)
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

/* Counts the stuck replicas of the target that do not go. */
static int32_t
stuck_staying(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];
    int64_t stuck = move_silent_replicas(move, target);

    if (move->triggered[FINDING_UNSCHEDULABLE_REPLICAS] && state->unschedulable > 0) {
        stuck += state->unschedulable;
    }
    if (move->triggered[FINDING_FAILED_REPLICAS] && state->failed > 0) {
        stuck += state->failed;
    }
    return pin_int32(stuck - move_stuck_replicas(move, target));
}

void
explain_stuck_staying(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target_state *state = &move->targets[i];
        bool is_job = state->job_part == JOB_PART_COMPLETIONS;

        if (state->lost || (state->below_stuck <= 0 && !is_job)) {
            continue;
        }
        const char *name = move->binding->clusters.items[i].name;
        int32_t stay = stuck_staying(move, i);
        const char *text = stay == 1 ? "is stuck there stays" : "are stuck there stay";

        if (stay > 0 && state->below_stuck > 0) {
            reason_add(planner, decision, "HigherOrdinalRuns", name,
                       "%d that %s: a StatefulSet ends its highest ordinals first, and one of "
                       "these is not stuck",
                       stay, text);
        }
        if (stay > 0 && is_job) {
            reason_add(planner, decision, "JobPartFixed", name,
                       "%d that %s: the Job's spec.completions would change with the replicas, "
                       "which the cluster refuses",
                       stay, text);
        }
    }
}

void
explain_other_parts(struct planner *planner, const struct move *move, struct decision *decision)
{
    bool is_scaled = move->state->only_lost == LEFT_ALONE_AUTOSCALED;

    for (uint32_t i = 0; i < move->binding->clusters.count && move_goes_whole(move); i++) {
        const struct target *target = &move->binding->clusters.items[i];

        if (!move->leaves[i] && !move->targets[i].lost && target->replicas > 0) {
            reason_add(planner, decision, is_scaled ? "Autoscaled" : "MovesAsWhole", target->name,
                       "another part of it is there%s, and takes no more",
                       is_scaled ? ", whose replicas a member counts" : "");
        }
    }
}

void
explain_left_alone(struct planner *planner, const struct move *move, struct decision *decision)
{
    decision->action = ACTION_LEFT_ALONE;
    reason_add(planner, decision, left_alone_reason(move->state->left_alone), "", "%s",
               move->state->left_alone_reason);
}
