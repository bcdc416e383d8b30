/* SPDX-License-Identifier: Apache-2.0
 *
 * What the steps of one attempt to schedule have in common.
 */
#include "scheduler.h"

bool
attempt_fail(struct attempt *attempt, enum schedule_failure failure, const char *message)
{
    attempt->failure = failure;
    attempt->message = message;
    return false;
}

const struct affinity_term *
placement_find_term(const struct placement *placement, const char *name)
{
    return affinity_term_list_find(&placement->cluster_affinities, name, 0);
}

int64_t
candidates_current(const struct candidate *list, uint32_t count)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += list[i].current;
    }
    return sum;
}
