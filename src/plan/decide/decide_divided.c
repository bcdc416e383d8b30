/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides divided replicas: static weight, dynamic weight, aggregated. The scheduler's own rules
 * divide missing replicas over reserved and candidate clusters; those without capacity stay where
 * they were.
 */

#include "decide.h"
#include "plan/history/history.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

#include "ballast/base/wide.h"

/* If clusters that get replicas back were not chosen, the result would be spread too wide. */
bool
place_part(struct planner *planner, const struct move *move, struct schedule_request *request,
           struct schedule_result *result)
{
    size_t size = planner->fleet->n_clusters * sizeof(bool);
    struct schedule_result first;

    request->partial = true;
    schedule(planner->scheduler, planner->scratch, request, &first);
    if (first.failure != SCHEDULE_OK || first.unplaced == 0 || move->taken == 0) {
        *result = first;
        return first.failure == SCHEDULE_OK;
    }
    bool *pinned = arena_memdup(planner->scratch, request->pinned, size);

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        uint32_t cluster = move->binding->clusters.items[i].cluster;

        if (move->take[i] > 0 && cluster != CLUSTER_NONE && !move->leaves[i]) {
            pinned[cluster] = true;
        }
    }
    request->pinned = pinned;
    request->affinity_name = move->affinity;
    request->stay_in_term = true;
    schedule(planner->scheduler, planner->scratch, request, result);
    return result->failure == SCHEDULE_OK;
}

/* Divides lost replicas without capacity over new nodes; replicas with a place keep it. */
static void
grow(struct planner *planner, const struct move *move, struct schedule_request request,
     struct schedule_result *result)
{
    const int64_t lost = move_lost_replicas(move);
    const int32_t more = result->unplaced < lost ? result->unplaced : pin_count(lost);
    const struct target_list *given =
        arena_memdup(planner->scratch, &result->targets, sizeof(result->targets));
    const struct move growing = move_on_growth(move, given);
    bool *pinned =
        arena_memdup(planner->scratch, move->pinned, planner->fleet->n_clusters * sizeof(bool));
    struct schedule_result grown;

    if (!move->assumed.grows || more <= 0) {
        return;
    }
    for (uint32_t i = 0; i < result->targets.count; i++) {
        if (result->targets.items[i].cluster != CLUSTER_NONE) {
            pinned[result->targets.items[i].cluster] = true;
        }
    }
    request.current = result->targets;
    request.replicas = pin_count(targets_sum(&result->targets) + more);
    request.capacity =
        move_capacity(planner, arena_memdup(planner->scratch, &growing, sizeof(growing)));
    request.pinned = pinned;
    request.partial = true;
    request.affinity_name = result->affinity_name;
    request.stay_in_term = true;
    schedule(planner->scheduler, planner->scratch, &request, &grown);
    if (grown.failure == SCHEDULE_OK && grown.unplaced < more) {
        grown.unplaced += result->unplaced - more;
        *result = grown;
    }
}

static void
take_result(struct planner *planner, const struct move *move, const struct schedule_result *result,
            const struct target_list *aside, struct decision *decision)
{
    struct target_list after = targets_join(planner->scratch, &result->targets, aside);

    if (give_back(planner, move, &after, result->unplaced) > 0) {
        decision->error_type = "UnschedulableError";
        decision->error_message = arena_printf(planner->scratch, "no room for %d of %lld replicas",
                                               result->unplaced, (long long)move->wanted);
        decision->unplaced = result->unplaced; /* the next attempt may ask for this many less */
        return;
    }
    decision->after = after;
    decision->affinity_name = result->affinity_name;
    decision->unplaced = result->unplaced;
}

/* A workload without replicas keeps the targets that it does not leave. */
static void
keep_empty_targets(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct target_list *all = &move->binding->clusters;
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, all->count);

    for (uint32_t i = 0; i < all->count; i++) {
        counts[i] = move->leaves[i] ? -1 : 0;
    }
    struct target_list kept = targets_counted(planner->scratch, all, counts, 0);

    decision->after = targets_join(planner->scratch, &decision->after, &kept);
}

/* Places over fewer clusters or regions than is wanted; with `partial`, the replicas that fit. */
static bool
place_degraded(struct planner *planner, const struct move *move, struct schedule_request request,
               bool partial, struct schedule_result *result)
{
    if (!move_may_degrade(move)) {
        return false;
    }
    request.degraded = true;
    if (partial) {
        return place_part(planner, move, &request, result);
    }
    schedule(planner->scheduler, planner->scratch, &request, result);
    return result->failure == SCHEDULE_OK;
}

static void
divide(struct planner *planner, const struct move *move, struct decision *decision)
{
    struct target_list aside = move_kept(planner, move, true);
    int64_t wanted = move->wanted - targets_sum(&aside);
    bool whole = move_is_whole(move);
    struct schedule_request request = {
        .binding = move->binding,
        .replicas = pin_count(wanted),
        .current = move_kept(planner, move, false),
        .fresh = move->triggered[FINDING_RESCHEDULE_REQUESTED],
        .capacity = move_capacity(planner, move),
        .excluded = move->excluded,
        .pinned = move->pinned,
        .n_gone = move_count_gone(move),
        .turns = parts_turns(planner, move),
        .keep_current = !whole,
        .respect_capacity = true,
    };
    struct schedule_result result, full;

    if (!whole || move->stays) {
        request.affinity_name = move_first_affinity(move);
        request.stay_in_term = move->stays;
    }
    const struct schedule_request first = request;

    schedule(planner->scheduler, planner->scratch, &request, &full);
    const bool is_spread = full.failure == SCHEDULE_SPREAD_ERROR;

    if (full.failure == SCHEDULE_OK) {
        take_result(planner, move, &full, &aside, decision);
    } else if (is_spread && place_degraded(planner, move, first, false, &result)) {
        take_result(planner, move, &result, &aside, decision);
    } else if ((!whole && place_part(planner, move, &request, &result)) ||
               (is_spread && place_degraded(planner, move, first, true, &result))) {
        grow(planner, move, request, &result);
        take_result(planner, move, &result, &aside, decision);
    } else {
        decision_fail(decision, &full);
    }
    explain_spread(planner, move, decision);
}

/* No replica needs a place, so no demand on places stops a scale-down. */
static bool
all_stay(const struct move *move)
{
    bool stays = move->taken == 0 && move->kept == move->wanted;

    for (uint32_t i = 0; i < move->binding->clusters.count && stays && move_is_whole(move); i++) {
        stays = move->keep[i] == 0 || move_is_set_aside(move, i);
    }
    return stays;
}

/* All replicas end. The scheduler's division works around those that may not be moved now. */
static bool
all_ends(const struct move *move)
{
    bool ends = move_is_whole(move) && binding_is_empty_workload(move->binding);

    for (uint32_t i = 0; i < move->binding->clusters.count && ends; i++) {
        ends = !move_is_set_aside(move, i);
    }
    return ends;
}

void
decide_divided(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (all_stay(move)) {
        decision->after = targets_sorted(
            planner->scratch,
            targets_counted(planner->scratch, &move->binding->clusters, move->keep, 1));
        decision->affinity_name = move->affinity;
    } else if (all_ends(move)) {
        decision->after = (struct target_list){.count = 0, .is_sorted = true};
        decision->affinity_name = move->affinity;
    } else {
        divide(planner, move, decision);
    }
    if (planner->fleet->propagates_empty && binding_is_empty_workload(move->binding) &&
        str_is_empty(decision->error_type)) {
        keep_empty_targets(planner, move, decision);
    }
}

void
decide_as_upstream(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct binding *binding = move->binding;
    struct schedule_request request =
        schedule_request_as_upstream(binding, ledger_capacity(planner->ledger));
    struct schedule_result result;

    request.current = binding->clusters;
    if (binding_rare(binding)->written != NULL) { /* as in the API */
        request.current = targets_counted(planner->scratch, &binding->clusters,
                                          binding_rare(binding)->written, INT32_MIN);
    }
    request.preference = preference_for(planner->policy, planner->fleet, binding);
    request.states = move->targets;
    request.now = planner->policy->now;
    if (binding_rare(binding)->dispatch_suspended_to.count > 0) {
        spare_suspended(planner, move, &request);
    }
    schedule_as(planner->policy->upstream, planner->scheduler, planner->scratch, &request, &result);
    if (result.failure != SCHEDULE_OK) {
        decision_fail(decision, &result);
        return;
    }
    if (binding_is_set(binding)) { /* upstream's have none; plans count pods */
        result.targets =
            targets_alike(planner->scratch, &result.targets, binding_rare(binding)->set_pods);
    }
    decision->after = targets_sorted(planner->scratch, result.targets);
    decision->affinity_name = result.affinity_name;
    if (binding_rare(binding)->dispatch_suspended_to.count > 0 && !move_is_divided(move)) {
        decision->after = keep_frozen(planner, move, &decision->after);
    }
}
