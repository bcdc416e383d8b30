/* SPDX-License-Identifier: Apache-2.0
 *
 * Where replicas were taken from lately: they do not go back there within the
 * cooldown.
 *
 * A cooldown lasts cooldown.initial after the first move and twice as long after
 * each that followed one that did not help, up to cooldown.max. cooldown.max
 * after the last move all is forgotten, so no back-off grows without bound; and
 * what was moved with other requests than it has now counts for nothing. A time
 * to come counts as now, so that a clock that was set back keeps nothing waiting
 * for longer than two cooldowns; one farther off than that is no record.
 */
#include "ballast/timestamp.h"
#include "memory.h"

static int64_t
cooldown_of(const struct cooldown_policy *policy, int32_t attempt)
{
    int64_t length = policy->initial;

    for (int32_t i = 1; i < attempt && length < policy->max; i++) {
        length = length > policy->max / 2 ? policy->max : length * 2;
    }
    return length < policy->max ? length : policy->max;
}

int64_t
memory_cools_until(const struct policy *policy, const struct last_move *record, int64_t time)
{
    int64_t length = cooldown_of(&policy->cooldown, record->attempt);

    if (time > timestamp_add(policy->now, length)) {
        return TIME_NONE;
    }
    return timestamp_add(time < policy->now ? time : policy->now, length);
}

const struct last_move *
memory_record(const struct policy *policy, const struct binding *binding)
{
    const struct last_move *record = binding->last_move;

    if (record == NULL || record->workload != workload_mark(binding) ||
        record->last.time > timestamp_add(policy->now, policy->cooldown.max) ||
        timestamp_add(record->last.time, policy->cooldown.max) <= policy->now) {
        return NULL;
    }
    return record;
}

int64_t
memory_last_turn(const struct policy *policy, const struct binding *binding)
{
    const struct last_move *record = memory_record(policy, binding);

    return record != NULL ? record->last.time : TIME_NONE;
}

const struct past_move *
memory_past_move(const struct last_move *record, uint32_t n)
{
    if (n == 0) {
        return &record->last;
    }
    return n <= record->earlier.count ? &record->earlier.items[n - 1] : NULL;
}

static void
close_left(struct planner *planner, const struct past_move *past, int64_t until)
{
    for (uint32_t i = 0; i < past->from.count && until > planner->policy->now; i++) {
        uint32_t cluster = fleet_find_cluster(planner->fleet, past->from.items[i].name);

        if (cluster != CLUSTER_NONE && until > planner->cools_until[cluster]) {
            planner->closed[cluster] = true;
            planner->cools_until[cluster] = until;
        }
    }
}

void
memory_close(struct planner *planner, const struct move *move)
{
    const struct last_move *record = memory_record(planner->policy, move->binding);

    if (record == NULL || move->assumed.ignores_cooldown || move_is_whole(move)) {
        return;
    }
    const struct past_move *past;

    for (uint32_t n = 0; (past = memory_past_move(record, n)) != NULL; n++) {
        close_left(planner, past, memory_cools_until(planner->policy, record, past->time));
    }
}

bool
memory_takes_from_lost(const struct move *move, uint32_t target)
{
    return move->take[target] > 0 && move_leaves(move, target) && move->targets[target].lost;
}

bool
memory_loses_replicas(const struct move *move)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        if (memory_takes_from_lost(move, i)) {
            return true;
        }
    }
    return false;
}

bool
memory_may_ignore(const struct planner *planner, const struct move *move)
{
    bool cools = false;
    bool grows = move_is_divided(move) && move->kept + move->taken < move->wanted;

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        cools = cools || planner->cools_until[i] > planner->policy->now;
    }
    return cools && (memory_loses_replicas(move) || grows || move->taken == 0);
}
