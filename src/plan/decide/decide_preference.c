/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides replicas under a preference (minimum, maximum, weight), or with the division Planner, by
 * KubeFed's rebalance planner.
 */
#include "ballast/base/wide.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/divide_kubefed.h"
#include "decide.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

/* A division in one affinity term. */
struct term {
    const struct preference *preference;
    const char *affinity;
    const bool *excluded, *pinned; /* by cluster, as in a move; without an entry, excluded */
    struct target_list kept;       /* replicas that stay and take part */
};

static bool
may_hold_replicas(struct planner *planner, const struct move *move, const struct term *term,
                  uint32_t cluster)
{
    if (term->excluded[cluster] || (move_is_whole(move) && term->pinned[cluster])) {
        return false; /* replicas set aside are there already */
    }
    return term->pinned[cluster] || move_passes(planner, move, term->affinity, cluster);
}

/* A preference replaces the strategy, not the spread constraints: besides targets that stay, only
 * clusters that the scheduler's selection takes get replicas. */
static bool
select_by_constraints(struct planner *planner, const struct move *move, struct term *term,
                      int32_t replicas, struct decision *decision)
{
    size_t size = planner->fleet->n_clusters * sizeof(bool);
    bool whole = move_is_whole(move);
    struct schedule_request request = {
        .binding = move->binding,
        .replicas = replicas,
        .current = term->kept,
        .fresh = whole,
        .capacity = move_capacity(planner, move),
        .excluded = term->excluded,
        .pinned = term->pinned,
        .n_gone = move_count_gone(move),
        .affinity_name = term->affinity,
        .stay_in_term = true,
        .keep_current = !whole,
        .respect_capacity = true,
    };
    struct schedule_request degraded = request;
    struct schedule_result result;

    if (whole) {
        schedule(planner->scheduler, planner->scratch, &request, &result);
    } else if (!place_part(planner, move, &request, &result) &&
               result.failure == SCHEDULE_SPREAD_ERROR && move_may_degrade(move)) {
        degraded.degraded = true;
        request = degraded;
        place_part(planner, move, &request, &result);
    }
    if (result.failure != SCHEDULE_OK) {
        decision_fail(decision, &result);
        return false;
    }
    bool *excluded = arena_memdup(planner->scratch, term->excluded, size);

    term->excluded = excluded;
    term->pinned = request.pinned;
    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        if (!term->pinned[i] && !targets_has(&result.targets, planner->fleet->clusters[i].name)) {
            excluded[i] = true;
        }
    }
    return true;
}

/* Returns, by cluster, those that the move excludes and those without an entry. */
static const bool *
exclude_without_entry(struct planner *planner, const struct move *move,
                      const struct preference *preference)
{
    size_t size = planner->fleet->n_clusters * sizeof(bool);
    bool *excluded = arena_memdup(planner->scratch, move->excluded, size);

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        if (!move->pinned[i] &&
            preference_cluster_for(preference, &planner->fleet->clusters[i]) == NULL) {
            excluded[i] = true;
        }
    }
    return excluded;
}

struct participants {
    struct rebalance_cluster *entries;
    uint32_t *indices; /* in the fleet's clusters */
    uint32_t count;
};

/* Lists the clusters that take part: `current` stays, and `capacity` adds the replicas that fit. */
static struct participants
gather(struct planner *planner, const struct move *move, const struct term *term)
{
    const uint32_t n_clusters = planner->fleet->n_clusters;
    struct participants all = {
        .entries = ARENA_ARRAY(planner->scratch, struct rebalance_cluster, n_clusters),
        .indices = ARENA_ARRAY(planner->scratch, uint32_t, n_clusters),
    };

    for (uint32_t i = 0; i < n_clusters; i++) {
        const struct cluster *cluster = &planner->fleet->clusters[i];

        if (!may_hold_replicas(planner, move, term, i)) {
            continue;
        }
        const struct preference_cluster *entry = preference_cluster_for(term->preference, cluster);
        int64_t current = targets_find(&term->kept, cluster->name);

        all.entries[all.count] = (struct rebalance_cluster){
            .name = cluster->name,
            .takes_part = entry != NULL,
            .min_replicas = entry != NULL ? entry->min_replicas : 0,
            .max_replicas = entry != NULL ? entry->max_replicas : 0,
            .weight = entry != NULL ? entry->weight : 0,
            .current = current,
            .capacity = current + move_available(planner, move, i),
        };
        all.indices[all.count++] = i;
    }
    return all;
}

/* KubeFed's planner moves running replicas for a minimum, a maximum or a missing entry:
 * decide_balance() does that. Missing replicas go where it wants more, surplus ones where it wants
 * less. */
static void
go_one_way(struct planner *planner, struct rebalance_cluster *entries, uint32_t count,
           int64_t missing)
{
    struct share *gaps = ARENA_ARRAY(planner->scratch, struct share, count);
    int32_t *caps = ARENA_ARRAY(planner->scratch, int32_t, count);
    int64_t sign = missing < 0 ? -1 : 1;

    for (uint32_t i = 0; i < count; i++) {
        caps[i] = pin_count((wide_int)(pin_count(entries[i].plan) - entries[i].current) * sign);
        gaps[i] = (struct share){.name = entries[i].name, .weight = caps[i]};
    }
    webster_allocate_capped(gaps, caps, count, pin_count((wide_int)missing * sign), false);
    for (uint32_t i = 0; i < count; i++) {
        entries[i].plan = entries[i].current + sign * gaps[i].replicas;
    }
}

static struct target_list
planned_targets(struct planner *planner, const struct move *move, const struct participants *all)
{
    const struct rebalance_cluster *entries = all->entries;
    struct target *items = ARENA_ARRAY(planner->scratch, struct target, all->count);
    struct target_list after = {.items = items, .is_sorted = true}; /* in the order of the fleet */

    for (uint32_t i = 0; i < all->count; i++) {
        int at = binding_find_target(move->binding, entries[i].name);

        if (entries[i].plan > 0) {
            items[after.count] =
                at >= 0 ? move->binding->clusters.items[at]
                        : (struct target){.name = entries[i].name, .cluster = all->indices[i]};
            items[after.count++].replicas = pin_int32(entries[i].plan);
        }
    }
    return after;
}

/* Divides lost replicas without capacity over new nodes; replicas with a place keep it. */
static struct target_list
grow(struct planner *planner, const struct move *move, const struct term *first,
     const struct target_list *placed, int64_t wanted)
{
    const int64_t missing = wanted - targets_sum(placed), lost = move_lost_replicas(move);
    const int64_t more = missing < lost ? missing : lost;
    struct term term = *first;
    const struct move growing = move_on_growth(move, placed);

    if (more <= 0) {
        return *placed;
    }
    term.kept = *placed;
    struct participants all = gather(planner, &growing, &term);

    rebalance_plan(planner->scratch, all.entries, all.count, pin_count(targets_sum(placed) + more),
                   false, "growth");
    go_one_way(planner, all.entries, all.count, more);
    return planned_targets(planner, move, &all);
}

static void
decide_in_term(struct planner *planner, const struct move *move, struct term term,
               struct decision *decision)
{
    struct target_list aside = move_kept(planner, move, true);
    int64_t total = move->wanted;
    bool whole = move_is_whole(move);
    int64_t living = total - targets_sum(&aside);

    term.kept = move_kept(planner, move, false);
    const char *key = arena_printf(planner->scratch, "%s/%s", move->binding->resource.namespace_,
                                   move->binding->resource.name);

    if (move->binding->placement->spread_constraints.count > 0 &&
        !select_by_constraints(planner, move, &term, pin_count(living), decision)) {
        return;
    }
    struct participants all = gather(planner, move, &term);

    /* for a scale-down, KubeFed's planner keeps running replicas in an order of its own and shrinks
     * few clusters: let it divide all by weight instead */
    bool shrinks = living < targets_sum(&term.kept);

    rebalance_plan(planner->scratch, all.entries, all.count, pin_count(living), whole || shrinks,
                   key);
    if (!whole) {
        go_one_way(planner, all.entries, all.count, living - targets_sum(&term.kept));
    }
    struct target_list placed = planned_targets(planner, move, &all);
    if (move->assumed.grows && !whole) {
        placed = grow(planner, move, &term, &placed, living);
    }
    struct target_list after = targets_join(planner->scratch, &placed, &aside);
    int64_t missing = total - targets_sum(&after);

    if (missing < 0 || give_back(planner, move, &after, pin_int32(missing)) > 0) {
        decision->after = decision->before;
        decision->error_type = "UnschedulableError";
        decision->error_message =
            arena_printf(planner->scratch, "%s leaves %lld of %lld replicas without a place",
                         term.preference->origin, (long long)missing, (long long)total);
        decision->unplaced = pin_count(missing > 0 ? missing : 0);
        return;
    }
    decision->after = after;
    decision->affinity_name = term.affinity;
    decision->unplaced = pin_int32(missing);
    explain_spread(planner, move, decision);
}

/* If nothing stays, the first term that holds all replicas wins. If none does, the present term
 * takes those that fit. A failed division anew gives the reason of the first term. */
void
decide_by_preference(struct planner *planner, const struct move *move,
                     const struct preference *preference, struct decision *decision)
{
    const struct decision before = *decision;
    struct term term = {
        .preference = preference,
        .excluded = exclude_without_entry(planner, move, preference),
        .pinned = move->pinned,
    };

    for (uint32_t i = 0; !move->stays && (term.affinity = move_affinity(move, i)) != NULL; i++) {
        decide_in_term(planner, move, term, decision);
        if (str_is_empty(decision->error_type) && decision->unplaced == 0) {
            return;
        }
        *decision = before;
    }
    term.affinity = move_is_whole(move) ? move_first_affinity(move) : move->affinity;
    decide_in_term(planner, move, term, decision);
}
