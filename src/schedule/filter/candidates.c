/* SPDX-License-Identifier: Apache-2.0
 *
 * From clusters to candidates: those that pass the filters, with their score,
 * overflow order and room, in the order that all later steps rely on.
 */
#include "filter.h"
#include "schedule/attempt/scheduler.h"

bool
attempt_assigns_replicas(const struct attempt *attempt)
{
    const struct binding *binding = attempt->request->binding;

    return (attempt->request->replicas > 0 || binding_said_requirements(binding) != NULL) &&
           !binding_is_set(binding);
}

/* Asking for capacity is expensive. Copies and divisions by fixed weights do not need it. */
static bool
needs_capacity(const struct attempt *attempt)
{
    enum replica_strategy strategy = placement_strategy(attempt->placement);

    if (placement_spreads(attempt->placement) || attempt->overflows) {
        return true;
    }
    if (!attempt_assigns_replicas(attempt)) {
        return false;
    }
    return strategy == STRATEGY_DYNAMIC_WEIGHT || strategy == STRATEGY_AGGREGATED ||
           attempt->request->respect_capacity;
}

/* The order matters only if constraints or an aggregated division cut the list. */
static bool
needs_order(const struct attempt *attempt)
{
    return placement_spreads(attempt->placement) ||
           placement_strategy(attempt->placement) == STRATEGY_AGGREGATED;
}

static bool
is_feasible(const struct attempt *attempt, uint32_t cluster)
{
    const struct scheduler *scheduler = attempt->scheduler;
    bool is_target = scheduler->position[cluster] != POSITION_NONE;

    return filter_view_verdict(attempt->view, cluster, is_target) == FILTER_PASSED &&
           filter_own_verdict(scheduler, attempt->request->binding, scheduler->evicting[cluster],
                              cluster) == FILTER_PASSED;
}

static void
candidate_add(struct attempt *attempt, uint32_t cluster, bool pinned)
{
    const struct scheduler *scheduler = attempt->scheduler;
    uint32_t position = scheduler->position[cluster];

    attempt->candidates[attempt->n_candidates++] = (struct candidate){
        .cluster = cluster,
        .overflow_order = filter_view_overflow_order(attempt->view, cluster),
        .score = position != POSITION_NONE ? 100 : 0,
        .current = scheduler->current[cluster],
        .position = position,
        .pinned = pinned,
    };
    attempt->n_pinned += pinned;
}

static int32_t
ask_capacity(const struct attempt *attempt, uint32_t cluster)
{
    const struct schedule_request *request = attempt->request;
    int32_t available;

    if (request->replicas == 0 && binding_rare(request->binding)->n_components == 0) {
        return INT32_MAX;
    }
    available = request->capacity.available(request->capacity.context, cluster,
                                            request->binding->requirements);
    if (available == INT32_MAX) {
        return request->replicas;
    }
    return available > 0 ? available : 0;
}

/* Pinned first, overflow order ascending, score and available descending, names ascending. */
static uint64_t
global_key(const struct candidate *candidate)
{
    uint64_t available =
        candidate->available < UINT32_MAX ? (uint64_t)candidate->available : UINT32_MAX;
    uint64_t overflow =
        candidate->overflow_order < (1u << 30) ? candidate->overflow_order : (1u << 30) - 1;

    return (uint64_t)!candidate->pinned << 63 | overflow << 33 |
           (uint64_t)(candidate->score == 0) << 32 | (UINT32_MAX - available);
}

void
attempt_keep(struct attempt *attempt, const uint32_t *indices, uint32_t count)
{
    struct scheduler *scheduler = attempt->scheduler;
    struct candidate *kept = scheduler->candidates_swap;

    for (uint32_t i = 0; i < count; i++) {
        kept[i] = attempt->candidates[indices[i]];
    }
    scheduler->candidates_swap = attempt->candidates;
    scheduler->candidates = kept;
    attempt->candidates = kept;
    attempt->n_candidates = count;
}

static void
sort_candidates(struct attempt *attempt)
{
    struct scheduler *scheduler = attempt->scheduler;
    uint32_t n = attempt->n_candidates;

    for (uint32_t i = 0; i < n; i++) {
        scheduler->order[i] = (struct order_item){global_key(&attempt->candidates[i]), i};
    }
    order_by_key(scheduler->order, scheduler->order_swap, n);
    for (uint32_t i = 0; i < n; i++) {
        scheduler->members[i] = scheduler->order[i].index;
    }
    attempt_keep(attempt, scheduler->members, n);
}

bool
attempt_filter(struct attempt *attempt)
{
    struct scheduler *scheduler = attempt->scheduler;
    const struct schedule_request *request = attempt->request;

    attempt->candidates = scheduler->candidates;
    for (uint32_t i = 0; i < scheduler->fleet->n_clusters; i++) {
        bool pinned = request->pinned != NULL && request->pinned[i];

        if (request->excluded != NULL && request->excluded[i]) {
            continue;
        }
        if (pinned || is_feasible(attempt, i)) {
            candidate_add(attempt, i, pinned);
        }
    }
    if (attempt->n_candidates == 0) {
        return attempt_fail(attempt, SCHEDULE_FIT_ERROR,
                            attempt->is_silent ? "" : fit_error_text(attempt));
    }
    if (needs_capacity(attempt)) {
        for (uint32_t i = 0; i < attempt->n_candidates; i++) {
            struct candidate *candidate = &attempt->candidates[i];

            candidate->allocatable = ask_capacity(attempt, candidate->cluster);
            candidate->available = (int64_t)candidate->allocatable + candidate->current;
        }
    }
    if (needs_order(attempt)) {
        sort_candidates(attempt);
    }
    return true;
}
