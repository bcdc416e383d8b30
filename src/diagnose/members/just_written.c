/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds when a scheduler or a run last wrote a binding: the pods may still be on their way.
 */
#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "observed.h"

bool
is_recent(const struct policy *policy, int64_t time)
{
    return time != TIME_NONE && timestamp_add(time, policy->in_flight_threshold) > policy->now &&
           time <= timestamp_add(policy->now, policy->in_flight_threshold);
}

/* Returns when KubeFed propagated a federated object; TIME_NONE: not known, or not federated. */
static int64_t
propagated_at(const struct binding *binding)
{
    return binding->federated != NULL ? binding->federated->propagated_at : TIME_NONE;
}

bool
is_just_written_by_others(const struct policy *policy, const struct binding *binding)
{
    return is_recent(policy, binding->last_scheduled_time) ||
           is_recent(policy, propagated_at(binding));
}

/* A full list of clusters in a record may have been cut, so it may be about any cluster. */
static bool
is_about(const struct past_move *move, const char *cluster)
{
    return move->from.count >= LAST_MOVE_CLUSTERS_MAX || move->to.count >= LAST_MOVE_CLUSTERS_MAX ||
           target_list_find(&move->from, cluster) != NULL ||
           target_list_find(&move->to, cluster) != NULL;
}

static bool
is_just_moved(const struct policy *policy, const struct last_move *record, const char *cluster)
{
    if (record == NULL) {
        return false;
    }
    bool is_so = is_recent(policy, record->last.time) && is_about(&record->last, cluster);

    for (uint32_t i = 0; i < record->earlier.count && !is_so; i++) {
        const struct past_move *past = &record->earlier.items[i];

        is_so = is_recent(policy, past->time) && is_about(past, cluster);
    }
    return is_so;
}

bool
is_just_written(const struct policy *policy, const struct binding *binding, const char *cluster)
{
    return is_just_written_by_others(policy, binding) ||
           is_recent(policy, binding_placed_at(binding)) ||
           is_just_moved(policy, binding->last_move, cluster);
}

bool
is_write_known(const struct binding *binding)
{
    if (binding->federated != NULL) { /* others also write federated objects, and note no time */
        return propagated_at(binding) != TIME_NONE;
    }
    return binding->last_scheduled_time != TIME_NONE || binding->last_move != NULL ||
           binding_placed_at(binding) != TIME_NONE;
}

static int64_t
later_past(int64_t a, int64_t b, int64_t now)
{
    return b != TIME_NONE && b <= now && b > a ? b : a;
}

int64_t
target_written_at(const struct finder *finder, uint32_t binding, uint32_t target)
{
    const int64_t now = finder->policy->now;
    const struct binding *of = &finder->fleet->bindings[binding];
    const uint32_t at = finder->diagnosis->bindings[binding].first_target + target;
    const struct workload *workload = finder->observations->items[at].workload;
    int64_t time = workload != NULL ? later_past(TIME_NONE, workload->creation, now) : TIME_NONE;

    time = later_past(time, of->last_scheduled_time, now);
    time = later_past(time, binding_placed_at(of), now);
    time = later_past(time, propagated_at(of), now);
    return of->last_move != NULL ? later_past(time, of->last_move->last.time, now) : time;
}
