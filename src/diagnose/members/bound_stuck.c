/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits the stuck pods of a target to the replicas that are assigned and not ready.
 */
#include "observed.h"

static int32_t
take_off(int32_t *count, int32_t at_most)
{
    int32_t taken = *count < at_most ? *count : at_most;

    *count -= taken;
    return at_most - taken;
}

void
bound_stuck(struct target_state *state, int32_t unconfirmed, int32_t assigned)
{
    int32_t failed = state->failed > 0 ? state->failed : 0; /* -1: estimators see none */

    if (state->unschedulable < 0) {
        return;
    }
    /* the ReplicaSet controller first deletes pods that never ran */
    int32_t surplus = state->seen > assigned ? state->seen - assigned : 0;
    int32_t ready = state->ready > 0 ? state->ready : 0;
    int32_t missing = assigned > ready ? assigned - ready : 0;
    int32_t over = 0;

    surplus = take_off(&state->unschedulable, surplus);
    surplus = take_off(&unconfirmed, surplus);
    take_off(&failed, surplus);
    over = state->unschedulable + failed - missing;
    if (over > 0) {
        over = take_off(&state->unschedulable, over);
        take_off(&failed, over);
    }
    state->failed = state->failed > 0 ? failed : state->failed;
}
