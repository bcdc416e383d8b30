/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas for the selected clusters, by strategy; with overflow affinities tier
 * after tier, each with what the ones before had no room for.
 */
#include "scheduler.h"

int64_t
candidates_current(const struct candidate *list, uint32_t count)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += list[i].current;
    }
    return sum;
}

static bool
assign_duplicated(struct candidate *list, uint32_t count, int32_t replicas)
{
    for (uint32_t i = 0; i < count; i++) {
        list[i].assigned = replicas;
    }
    return true;
}

static bool
assign_tier(struct attempt *attempt, struct candidate *list, uint32_t count, int32_t replicas)
{
    const struct replica_scheduling *strategy = &attempt->placement->replica_scheduling;

    switch (placement_strategy(attempt->placement)) {
    case STRATEGY_DUPLICATED:
        return assign_duplicated(list, count, replicas);
    case STRATEGY_STATIC_WEIGHT:
        return assign_static(attempt, list, count, replicas);
    case STRATEGY_DYNAMIC_WEIGHT:
    case STRATEGY_AGGREGATED:
        return assign_dynamic(attempt, list, count, replicas);
    case STRATEGY_UNKNOWN:
        break;
    }
    return attempt_fail(
        attempt, SCHEDULE_OTHER_ERROR,
        arena_printf(attempt->arena,
                     "failed to assign replicas: unsupported replica scheduling strategy, "
                     "replicaSchedulingType: %s, replicaDivisionPreference: %s, please try "
                     "another scheduling strategy",
                     strategy->type, strategy->preference));
}

static void
sort_by_tier(struct attempt *attempt)
{
    struct scheduler *scheduler = attempt->scheduler;
    uint32_t n = attempt->n_candidates;

    for (uint32_t i = 0; i < n; i++) {
        scheduler->order[i] = (struct order_item){attempt->candidates[i].overflow_order, i};
    }
    order_by_key(scheduler->order, scheduler->order_swap, n);
    for (uint32_t i = 0; i < n; i++) {
        scheduler->members[i] = scheduler->order[i].index;
    }
    attempt_keep(attempt, scheduler->members, n);
}

static uint32_t
tier_length(const struct candidate *list, uint32_t count, int64_t *ret_available)
{
    uint32_t length = 0;

    *ret_available = 0;
    while (length < count && list[length].overflow_order == list[0].overflow_order) {
        *ret_available += list[length++].available;
    }
    return length;
}

static bool
assign_tiers(struct attempt *attempt)
{
    int32_t remaining = attempt->request->replicas;

    sort_by_tier(attempt);
    for (uint32_t first = 0, length; first < attempt->n_candidates; first += length) {
        struct candidate *tier = &attempt->candidates[first];
        int64_t available;
        int32_t replicas;

        length = tier_length(tier, attempt->n_candidates - first, &available);
        replicas = available < remaining ? (int32_t)available : remaining;
        if (!assign_tier(attempt, tier, length, replicas)) {
            return false;
        }
        remaining -= replicas;
        if (remaining <= 0) {
            break;
        }
    }
    if (remaining > 0 && !attempt->partial) {
        return attempt_fail(attempt, SCHEDULE_UNSCHEDULABLE_ERROR,
                            "failed to assign replicas: Clusters available replicas are not enough "
                            "to schedule.");
    }
    attempt->unplaced += remaining;
    return true;
}

bool
attempt_assign(struct attempt *attempt)
{
    if (attempt->n_candidates == 0) {
        return attempt_fail(attempt, SCHEDULE_OTHER_ERROR,
                            "failed to assign replicas: no clusters available to schedule");
    }
    if (!attempt_assigns_replicas(attempt)) {
        return true;
    }
    return attempt->overflows ? assign_tiers(attempt)
                              : assign_tier(attempt, attempt->candidates, attempt->n_candidates,
                                            attempt->request->replicas);
}
