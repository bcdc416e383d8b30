/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides duplicated workloads and resources without replicas: every target has all of it. An equal
 * number of candidates of one affinity term replaces lost clusters, fewer only if no copy goes on.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/wide.h"
#include "ballast/diagnose/balance.h"
#include "ballast/model/preference.h"
#include "decide.h"
#include "plan/history/history.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

struct copy_candidate {
    uint32_t cluster;
    const char *name;
    int32_t available;
    bool cools; /* copies were taken from it lately */
};

static int
candidate_cmp(const void *a, const void *b)
{
    const struct copy_candidate *x = a, *y = b;

    if (x->cools != y->cools) {
        return x->cools ? 1 : -1;
    }
    if (x->available != y->available) {
        return x->available > y->available ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* Returns the number for which the selection seeks capacity: replicas, or one set. */
static int32_t
replicas_to_select(const struct binding *binding)
{
    return binding_is_set(binding) ? 1 : binding->replicas;
}

/* The selection measures a set's capacity in sets, not in pods. */
static struct target_list
targets_to_select(struct planner *planner, const struct binding *binding,
                  const struct target_list *list)
{
    return binding_is_set(binding) ? targets_alike(planner->scratch, list, 0) : *list;
}

static bool
has_room(struct planner *planner, const struct move *move, uint32_t cluster, int32_t *ret_available)
{
    int32_t wanted = move_copy_size(move);
    int32_t least = binding_is_set(move->binding) && wanted > 0 ? 1 : wanted;

    *ret_available = wanted > 0 ? move_available(planner, move, cluster) : 0;
    if (*ret_available < least && move->assumed.grows && !move->closed[cluster]) {
        struct target now = {planner->fleet->clusters[cluster].name, cluster, *ret_available};
        const struct move growing =
            move_on_growth(move, &(struct target_list){.items = &now, .count = 1});

        return move_available(planner, &growing, cluster) >= least - *ret_available;
    }
    return *ret_available >= least;
}

/* Marks of clusters in one affinity term, as in a move. */
struct openness {
    bool *excluded;
    const bool *pinned;
};

/* Finds clusters that may replace lost ones, those with most capacity first; clusters that copies
 * left lately come last. Excludes the others. */
static uint32_t
find_candidates(struct planner *planner, const struct move *move, const char *affinity,
                const struct openness *open, struct copy_candidate *candidates)
{
    const struct binding *binding = move->binding;
    const struct preference *preference = preference_for(planner->policy, planner->fleet, binding);
    uint32_t count = 0;

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        const char *name = planner->fleet->clusters[i].name;
        int32_t available;

        if (open->excluded[i] || binding_find_target(binding, name) >= 0 ||
            !move_passes(planner, move, affinity, i) ||
            move_bound_of_whole(planner, move, preference, i) != NULL ||
            !has_room(planner, move, i, &available)) {
            open->excluded[i] = open->excluded[i] || !open->pinned[i];
            continue;
        }
        candidates[count++] = (struct copy_candidate){
            .cluster = i,
            .name = name,
            .available = available,
            .cools = move_history_cools(planner, move, i),
        };
    }
    if (count > 1) {
        qsort(candidates, count, sizeof(*candidates), candidate_cmp);
    }
    return count;
}

/* Keeps the candidates that a selection under the spread constraints takes. */
static uint32_t
keep_selected(struct planner *planner, const struct move *move, struct schedule_request request,
              struct copy_candidate *candidates, uint32_t count)
{
    struct schedule_result result;
    uint32_t kept = 0;

    schedule(planner->scheduler, planner->scratch, &request, &result);
    if (result.failure == SCHEDULE_SPREAD_ERROR && move_may_degrade(move)) {
        request.degraded = true;
        schedule(planner->scheduler, planner->scratch, &request, &result);
    }
    for (uint32_t i = 0; i < count && result.failure == SCHEDULE_OK; i++) {
        if (targets_has(&result.targets, candidates[i].name)) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

/* A workload scaled to zero that requests nothing looks like a resource without replicas: upstream
 * writes its clusters without counts. */
static bool
is_sized(const struct move *move)
{
    return (binding_is_workload(move->binding) && !move->assumed.as_many) ||
           move->triggered[FINDING_REPLICA_MISMATCH];
}

/* A copy that cannot leave is sized like those that stay, but a lost one does not grow. */
static int32_t
size_in_place(const struct move *move, uint32_t target)
{
    int32_t has = move->binding->clusters.items[target].replicas;
    int32_t size = is_sized(move) ? move_copy_size_in(move, target) : has;

    return move->leaves[target] && move->targets[target].lost && has < size ? has : size;
}

/* Returns the targets with full copies, with or without those that should leave. */
static struct target_list
sized_targets(struct planner *planner, const struct move *move, bool without_leaving)
{
    const struct target_list *all = &move->binding->clusters;
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, all->count);

    for (uint32_t i = 0; i < all->count; i++) {
        counts[i] = without_leaving && move->leaves[i] ? -1 : size_in_place(move, i);
    }
    return targets_sorted(planner->scratch, targets_counted(planner->scratch, all, counts, 0));
}

/* Returns the targets that a new choice of clusters leaves as they are, or the others. */
static struct target_list
targets_aside(struct planner *planner, const struct move *move, bool aside)
{
    const struct target_list *all = &move->binding->clusters;
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, all->count);

    for (uint32_t i = 0; i < all->count; i++) {
        counts[i] = move_is_set_aside(move, i) == aside ? all->items[i].replicas : -1;
    }
    return targets_sorted(planner->scratch, targets_counted(planner->scratch, all, counts, 0));
}

/* Joins the chosen targets and those set aside, all with whole copies: overflow tiers would give
 * parts of one. Targets set aside are pinned, and may be among the chosen. */
static struct target_list
whole_copies(struct planner *planner, const struct move *move, const struct target_list *chosen)
{
    struct target_list aside = targets_aside(planner, move, true);
    struct target_list joined = targets_join(planner->scratch, &aside, chosen);

    return targets_alike(planner->scratch, &joined, move_copy_size(move));
}

/* Excludes clusters without a copy and without capacity for one. Returns these, by cluster. */
static const bool *
exclude_full(struct planner *planner, const struct move *move, bool *excluded)
{
    uint32_t n_clusters = planner->fleet->n_clusters;
    bool *full = ARENA_ARRAY(planner->scratch, bool, n_clusters);

    for (uint32_t i = 0, at = 0; i < n_clusters && move_copy_size(move) > 0; i++) {
        const char *name = planner->fleet->clusters[i].name;
        int32_t available;

        full[i] = !excluded[i] &&
                  target_list_find_next(&move->binding->clusters, name, &at) == NULL &&
                  !has_room(planner, move, i, &available);
        excluded[i] = excluded[i] || full[i];
    }
    return full;
}

/* Upstream copies into every cluster, whatever its capacity. A first placement does so, too, if no
 * choice with capacity will do: an autoscaler can see a pending pod. */
static void
schedule_copies(struct planner *planner, const struct move *move, struct schedule_request *request,
                struct schedule_result *result, struct decision *decision)
{
    size_t size = planner->fleet->n_clusters * sizeof(bool);
    bool *excluded = arena_memdup(planner->scratch, move->excluded, size);
    const bool *full = exclude_full(planner, move, excluded);

    request->excluded = excluded;
    schedule(planner->scheduler, planner->scratch, request, result);
    bool failed = result->failure != SCHEDULE_OK;

    if (failed && move->binding->clusters.count == 0) {
        request->excluded = move->excluded;
        schedule(planner->scheduler, planner->scratch, request, result);
    } else {
        explain_full(planner, move, failed ? move->affinity : result->affinity_name, full,
                     decision);
    }
}

static void
decide_anew(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct target_list current = targets_aside(planner, move, false);
    struct schedule_request request = {
        .binding = move->binding,
        .replicas = replicas_to_select(move->binding),
        .current = targets_to_select(planner, move->binding, &current),
        .capacity = move_capacity(planner, move),
        .pinned = move->pinned,
        .n_gone = move_count_gone(move),
        .fresh = move->triggered[FINDING_RESCHEDULE_REQUESTED],
        .affinity_name = move->stays ? move->affinity : NULL,
        .stay_in_term = move->stays,
    };
    struct schedule_result result;

    schedule_copies(planner, move, &request, &result, decision);
    if (result.failure != SCHEDULE_OK) {
        decision_fail(decision, &result);
        return;
    }
    decision->after = whole_copies(planner, move, &result.targets);
    decision->affinity_name = result.affinity_name;
}

/* Adds that no affinity term has enough candidates. */
static void
say_not_enough(struct planner *planner, const struct move *move, uint32_t count, bool ends,
               bool *usable, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target *target = &move->binding->clusters.items[i];

        if (!move->leaves[i] && target->cluster != CLUSTER_NONE) {
            usable[target->cluster] = true;
        }
    }
    reason_add(planner, decision, "NotEnoughCandidates", "",
               "%u of %u clusters to be left could be replaced%s", count, move->n_leaving,
               ends ? ", so no copy moves" : "; no copy goes on, so these are replaced");
    explain_refusals(planner, move, usable, decision);
    explain_other_parts(planner, move, decision);
}

/* With spread constraints, only candidates that the scheduler's selection adds to `stay`. */
static uint32_t
find_in_term(struct planner *planner, const struct move *move, const char *affinity,
             const struct target_list *stay, struct copy_candidate *candidates)
{
    const struct placement *placement = move->binding->placement;
    size_t size = planner->fleet->n_clusters * sizeof(bool);
    bool *excluded = arena_memdup(planner->scratch, move->excluded, size);
    bool *pinned = arena_memdup(planner->scratch, move->pinned, size);

    for (uint32_t i = 0; i < stay->count; i++) {
        if (stay->items[i].cluster != CLUSTER_NONE) {
            pinned[stay->items[i].cluster] = true;
        }
    }
    uint32_t count =
        find_candidates(planner, move, affinity, &(struct openness){excluded, pinned}, candidates);
    struct schedule_request request = {
        .binding = move->binding,
        .replicas = replicas_to_select(move->binding),
        .current = targets_to_select(planner, move->binding, stay),
        .capacity = move_capacity(planner, move),
        .excluded = excluded,
        .pinned = pinned,
        .partial = true,
        .affinity_name = affinity,
        .stay_in_term = true,
        .keep_empty = true,
    };

    return placement != NULL && placement->spread_constraints.count > 0
               ? keep_selected(planner, move, request, candidates, count)
               : count;
}

/* Puts leaving copies at the candidates; the others stay, and *ret_left counts their replicas. */
static struct target_list
put_copies(struct planner *planner, const struct move *move,
           const struct copy_candidate *candidates, uint32_t count, int64_t *ret_left)
{
    const struct target_list *all = &move->binding->clusters;
    struct target *added = ARENA_ARRAY(planner->scratch, struct target, move->n_leaving);
    struct target_list more = {.items = added};

    for (uint32_t i = 0; i < all->count; i++) {
        if (!move->leaves[i]) {
            continue;
        }
        if (more.count >= count) {
            added[more.count] = all->items[i];
            added[more.count].replicas = size_in_place(move, i);
            *ret_left += added[more.count++].replicas;
            continue;
        }
        const struct copy_candidate *at = &candidates[more.count];

        added[more.count++] = (struct target){
            .name = at->name,
            .cluster = at->cluster,
            .replicas = binding_is_workload(move->binding) ? move_copy_size_in(move, i) : 0};
    }
    return more;
}

/* An empty workload needs no choice of clusters. */
static bool
is_chosen_anew(const struct move *move)
{
    return (move->triggered[FINDING_RESCHEDULE_REQUESTED] ||
            move->triggered[FINDING_PLACEMENT_CHANGED] || move->triggered[FINDING_UNPLACED]) &&
           !binding_is_empty_workload(move->binding);
}

static bool
has_stuck_that_stay(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];

    return !move->leaves[target] &&
           ((move->triggered[FINDING_FAILED_REPLICAS] && state->failed > 0) ||
            (move->triggered[FINDING_UNSCHEDULABLE_REPLICAS] && state->unschedulable > 0) ||
            move_silent_replicas(move, target) > 0);
}

/* The copy is wanted elsewhere, though its cluster is not lost. */
static bool
leaves_alive(const struct move *move, uint32_t target)
{
    return move->leaves[target] && !move->targets[target].lost;
}

static bool
goes_on(const struct move *move, uint32_t target)
{
    return !move->leaves[target] && !move->targets[target].lost &&
           move->binding->clusters.items[target].cluster != CLUSTER_NONE;
}

/* True if the placement allows a cluster without a copy, whatever keeps copies out of it now. */
static bool
may_ever_be_replaced(struct planner *planner, const struct move *move)
{
    const char *affinity;

    for (uint32_t i = 0; (affinity = move_affinity(move, i)) != NULL; i++) {
        for (uint32_t j = 0; j < planner->fleet->n_clusters; j++) {
            if (binding_find_target(move->binding, planner->fleet->clusters[j].name) < 0 &&
                move_passes(planner, move, affinity, j)) {
                return true;
            }
        }
    }
    return false;
}

bool
move_copies_go_on(struct planner *planner, const struct move *move)
{
    return planner->policy->mode == MODE_PLACE && !move_is_divided(move) &&
           !move_goes_whole(move) && !is_chosen_anew(move) && move->n_leaving > 0 &&
           move_any(move, goes_on) && !move_any(move, leaves_alive) &&
           !move_any(move, has_stuck_that_stay) && !may_ever_be_replaced(planner, move);
}

/* Returns the first term with enough candidates; if no copy goes on, else that with most. */
static const char *
find_term(struct planner *planner, const struct move *move, const struct target_list *stay,
          bool *usable, struct copy_candidate *candidates, uint32_t *ret_count)
{
    const char *affinity, *best = NULL;
    uint32_t most = 0;

    for (uint32_t i = 0; (affinity = move_affinity(move, i)) != NULL; i++) {
        *ret_count = find_in_term(planner, move, affinity, stay, candidates);
        if (*ret_count >= move->n_leaving) {
            return affinity;
        }
        for (uint32_t j = 0; j < *ret_count; j++) {
            usable[candidates[j].cluster] = true;
        }
        if (*ret_count > most) {
            most = *ret_count;
            best = affinity;
        }
    }
    *ret_count = most;
    if (best != NULL && (!move_may_degrade(move) || move_any(move, goes_on))) {
        return NULL;
    }
    return best == NULL || find_in_term(planner, move, best, stay, candidates) == 0 ? NULL : best;
}

/* The term is that of the targets that stay, else the first with enough candidates. */
static void
replace_lost(struct planner *planner, const struct move *move, struct target_list *after,
             struct decision *decision)
{
    uint32_t n_clusters = planner->fleet->n_clusters, count = 0;
    struct copy_candidate *candidates =
        ARENA_ARRAY(planner->scratch, struct copy_candidate, n_clusters);
    bool *usable = ARENA_ARRAY(planner->scratch, bool, n_clusters);
    const char *affinity = find_term(planner, move, after, usable, candidates, &count);
    int64_t left = 0;

    if (affinity == NULL && move_copies_go_on(planner, move)) {
        decision->after = sized_targets(planner, move, false);
        reason_add(planner, decision, "CopiesGoOn", "",
                   "%u of %u copies are lost, and every cluster that the placement allows has one "
                   "already: the others go on",
                   move->n_leaving, move->binding->clusters.count);
        return;
    }
    if (affinity == NULL || count < move->n_leaving) {
        say_not_enough(planner, move, count, affinity == NULL, usable, decision);
    }
    if (affinity == NULL) {
        decision->after = sized_targets(planner, move, false);
        decision->unplaced = pin_count(move->taken);
        return;
    }
    struct target_list more = put_copies(planner, move, candidates, count, &left);

    decision->after = targets_join(planner->scratch, after, &more);
    decision->affinity_name = affinity;
    decision->unplaced = pin_count(left);
    explain_spread(planner, move, decision);
}

static void
say_stuck_stay(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (binding_is_set(move->binding)) {
        reason_add(planner, decision, "SeveralComponents", "",
                   "its components belong together, so stuck replicas are not moved without the "
                   "others");
    } else if (move_goes_whole(move)) {
        reason_add(planner, decision, "MovesAsWhole", "",
                   "its replicas belong together and some run, so those that are stuck are not "
                   "moved without the others");
    } else {
        reason_add(planner, decision, "Duplicated", "",
                   "every target cluster runs all replicas, so stuck ones are not moved");
    }
}

static bool
takes_copy(struct planner *planner, const struct move *move, uint32_t cluster)
{
    const struct cluster *of = &planner->fleet->clusters[cluster];
    int32_t available;

    return !move->excluded[cluster] && !move->closed[cluster] &&
           binding_find_target(move->binding, of->name) < 0 &&
           cluster_may_receive(&planner->diagnosis->clusters[cluster]) &&
           balance_is_settled(planner->policy, of) &&
           move_passes(planner, move, move->affinity, cluster) &&
           has_room(planner, move, cluster, &available);
}

/* Existing copies stay as they are. */
static void
add_copies(struct planner *planner, const struct move *move, struct decision *decision)
{
    const uint32_t n_clusters = planner->fleet->n_clusters;
    struct target_list more = {.items = NULL, .count = 0};
    struct target *added = ARENA_ARRAY(planner->scratch, struct target, n_clusters);

    for (uint32_t i = 0; i < n_clusters; i++) {
        if (takes_copy(planner, move, i)) {
            added[more.count++] = (struct target){.name = planner->fleet->clusters[i].name,
                                                  .cluster = i,
                                                  .replicas = move_copy_size(move)};
        }
    }
    more.items = added;
    decision->after = targets_join(planner->scratch, &decision->before, &more);
}

static void
decide_copies(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (is_chosen_anew(move)) {
        decide_anew(planner, move, decision);
        return;
    }
    if (move_only_balances(move)) {
        add_copies(planner, move, decision);
        return;
    }
    struct target_list after = sized_targets(planner, move, true);

    if (move->n_leaving > 0) {
        replace_lost(planner, move, &after, decision);
    } else {
        decision->after = after;
    }
    if (move_any(move, has_stuck_that_stay)) {
        say_stuck_stay(planner, move, decision);
    }
}

void
decide_duplicated(struct planner *planner, const struct move *move, struct decision *decision)
{
    decide_copies(planner, move, decision);
    if (binding_rare(move->binding)->dispatch_suspended_to.count > 0) {
        decision->after = keep_frozen(planner, move, &decision->after);
    }
}
