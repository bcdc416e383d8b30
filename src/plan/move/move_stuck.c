/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the stuck replicas of a target, by its findings.
 */
#include "ballast/base/wide.h"
#include "move.h"

static int32_t
at_most_not_ready(const struct move *move, uint32_t target, int64_t count)
{
    const struct target_state *state = &move->targets[target];
    int32_t stay = state->ready > state->below_stuck ? state->ready : state->below_stuck;
    int32_t not_ready = move->binding->clusters.items[target].replicas - (stay > 0 ? stay : 0);

    if (not_ready < 0) {
        not_ready = 0;
    }
    return count < not_ready ? pin_int32(count) : not_ready;
}

/* A member cancels replicas that it has yet to start before stuck ones; they would find no node
 * either. A rollout ends pods of an earlier version that are not ready first. */
int32_t
move_takes_with(const struct move *move, uint32_t target, int64_t stuck)
{
    const struct target_state *state = &move->targets[target];
    int32_t replicas = move->binding->clusters.items[target].replicas;

    if (stuck > 0 && state->seen >= 0 && state->seen < replicas) {
        stuck += replicas - state->seen;
    }
    if (stuck > 0) {
        stuck += state->outdated;
    }
    return at_most_not_ready(move, target, stuck);
}

static int64_t
found_in(const struct move *move, uint32_t target, enum finding_type type)
{
    const struct finding *finding =
        move->triggered[type] ? move_finding(move, type, move->binding->clusters.items[target].name)
                              : NULL;

    return finding != NULL && finding->triggers ? finding->replicas : 0;
}

/* Stuck replicas without a pod. */
static int64_t
missing_in(const struct move *move, uint32_t target)
{
    const int32_t seen = move->targets[target].seen;
    const int64_t applied = found_in(move, target, FINDING_NOT_APPLIED);
    const int64_t missing = applied > seen && seen >= 0 ? applied - seen : 0;
    const int64_t uncreated = found_in(move, target, FINDING_PODS_NOT_CREATED);

    return uncreated > missing ? uncreated : missing;
}

/* Stuck replicas with a pod. Pods beyond the assigned replicas are on their way out. */
static int64_t
hung_in(const struct move *move, uint32_t target)
{
    const int64_t hung = found_in(move, target, FINDING_NOT_READY_REPLICAS) +
                         found_in(move, target, FINDING_NODES_NOT_READY);
    const int64_t surplus =
        (int64_t)move->targets[target].seen - move->binding->clusters.items[target].replicas;

    return surplus <= 0 ? hung : surplus < hung ? hung - surplus : 0;
}

int64_t
move_silent_replicas(const struct move *move, uint32_t target)
{
    return hung_in(move, target) + missing_in(move, target);
}

static int32_t
stuck_in(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];
    const int64_t missing = missing_in(move, target), hung = hung_in(move, target);
    bool takes_failed = (move->triggered[FINDING_FAILED_REPLICAS] || hung > 0) && state->failed > 0;
    int64_t stuck = hung + (takes_failed ? state->failed : 0);

    /* a member ends pods without a node before pods that fail: these go anyway */
    if ((move->triggered[FINDING_UNSCHEDULABLE_REPLICAS] || stuck > 0) &&
        state->unschedulable > 0) {
        stuck += state->unschedulable;
    }
    return stuck > 0 ? move_takes_with(move, target, stuck)
                     : at_most_not_ready(move, target, missing);
}

/* A cluster refuses to change a Job's completions, so all replicas of the part leave, or none. */
int32_t
move_stuck_replicas(const struct move *move, uint32_t target)
{
    const int32_t stuck = stuck_in(move, target);
    bool splits = move->targets[target].job_part == JOB_PART_COMPLETIONS &&
                  stuck < move->binding->clusters.items[target].replicas;

    return splits ? 0 : stuck;
}
