/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the moves that a binding still remembers.
 */
#include "ballast/base/timestamp.h"
#include "move.h"

const struct last_move *
move_history_record(const struct policy *policy, const struct binding *binding)
{
    const struct last_move *record = binding->last_move;

    if (record == NULL || record->workload != workload_mark(binding) ||
        record->last.time > timestamp_add(policy->now, policy->cooldown.max) ||
        timestamp_add(record->last.time, policy->cooldown.max) <= policy->now) {
        return NULL;
    }
    return record;
}

const struct past_move *
move_history_past_move(const struct last_move *record, uint32_t n)
{
    if (n == 0) {
        return &record->last;
    }
    return n <= record->earlier.count ? &record->earlier.items[n - 1] : NULL;
}
