/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas for the selected clusters, by strategy; with overflow affinities tier
 * after tier, each with what the ones before had no room for: of all replicas, as
 * upstream, or only of those that are missing.
 */
#include "assign.h"
#include "schedule/attempt/scheduler.h"
#include "schedule/filter/filter.h"

#include "ballast/base/wide.h"

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
        attempt, SCHEDULE_STRATEGY_ERROR,
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
tier_length(const struct candidate *list, uint32_t count)
{
    uint32_t length = 0;

    while (length < count && list[length].overflow_order == list[0].overflow_order) {
        length++;
    }
    return length;
}

static int64_t
available_in(const struct candidate *list, uint32_t count)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += list[i].available;
    }
    return sum;
}

static bool
place_rest(struct attempt *attempt, int64_t unplaced)
{
    if (unplaced > 0 && !attempt->partial) {
        return attempt_fail(attempt, SCHEDULE_UNSCHEDULABLE_ERROR,
                            "failed to assign replicas: Clusters available replicas are not enough "
                            "to schedule.");
    }
    attempt->unplaced += unplaced;
    return true;
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

        length = tier_length(tier, attempt->n_candidates - first);
        available = available_in(tier, length);
        replicas = available < remaining ? pin_int32(available) : remaining;
        if (!assign_tier(attempt, tier, length, replicas)) {
            return false;
        }
        remaining -= replicas;
        if (remaining <= 0) {
            break;
        }
    }
    return place_rest(attempt, remaining);
}

/* A tier keeps its replicas and gets as many missing ones as fit. */
static bool
add_to_tier(struct attempt *attempt, struct candidate *tier, uint32_t length, int64_t *missing)
{
    int64_t replicas = candidates_current(tier, length) + *missing;
    struct attempt part = *attempt;

    part.partial = true;
    part.unplaced = 0;
    if (!assign_tier(&part, tier, length, pin_int32(replicas))) {
        return attempt_fail(attempt, part.failure, part.message);
    }
    *missing = part.unplaced;
    return true;
}

/* A tier keeps its replicas as far as earlier tiers leave some of the wanted ones. */
static bool
keep_in_tier(struct attempt *attempt, struct candidate *tier, uint32_t length, int64_t *wanted)
{
    int64_t current = candidates_current(tier, length);
    int64_t stays = current < *wanted ? current : *wanted;

    *wanted -= stays;
    return assign_tier(attempt, tier, length, pin_int32(stays));
}

/* Upstream takes replicas back from a later tier once an earlier one has capacity. That belongs to
 * a reschedule. Else tiers keep their replicas, missing ones go to the first tier with capacity,
 * and the last tiers lose the excess. */
static bool
assign_tiers_on_top(struct attempt *attempt)
{
    int64_t wanted = attempt->request->replicas;
    int64_t missing = wanted - candidates_current(attempt->candidates, attempt->n_candidates);
    bool grows = missing > 0;

    sort_by_tier(attempt);
    for (uint32_t first = 0, length; first < attempt->n_candidates; first += length) {
        struct candidate *tier = &attempt->candidates[first];

        length = tier_length(tier, attempt->n_candidates - first);
        if (!(grows ? add_to_tier(attempt, tier, length, &missing)
                    : keep_in_tier(attempt, tier, length, &wanted))) {
            return false;
        }
    }
    return !grows || place_rest(attempt, missing);
}

bool
attempt_assign(struct attempt *attempt)
{
    if (attempt->n_candidates == 0) {
        return attempt_fail(attempt, SCHEDULE_CLUSTER_ERROR,
                            "failed to assign replicas: no clusters available to schedule");
    }
    if (!attempt_assigns_replicas(attempt)) {
        return true;
    }
    if (!attempt->overflows) {
        return assign_tier(attempt, attempt->candidates, attempt->n_candidates,
                           attempt->request->replicas);
    }
    return attempt->request->keep_current ? assign_tiers_on_top(attempt) : assign_tiers(attempt);
}
