/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that all ways to decide share.
 */

#include "move.h"
#include "ballast/base/order.h"
#include "ballast/base/wide.h"
#include "ballast/model/closed_clusters.h"

/* Replicas placed by present capacity use up the quota before growth does. */
static int32_t
given_before_growth(const struct planner *planner, const struct move *move, uint32_t cluster)
{
    const char *name = planner->fleet->clusters[cluster].name;
    int at = binding_find_target(move->binding, name);
    int32_t had = at >= 0 ? move->binding->clusters.items[at].replicas : 0;
    int32_t has = move->given != NULL ? targets_find(move->given, name) : 0;

    return has > had ? has - had : 0;
}

/* Surplus pods hold their capacity already, so replicas given back there need none. */
int32_t
move_room(struct planner *planner, const struct move *move, uint32_t cluster,
          const char **ret_source)
{
    const struct binding *binding = move->binding;
    const char *bound = "", *source = "growth";
    int32_t given = move->on_growth ? given_before_growth(planner, move, cluster) : 0;
    int32_t room = move->on_growth ? ledger_growth_for(planner->ledger, cluster, binding, given)
                                   : ledger_room_for(planner->ledger, cluster, binding, &source);
    int32_t there = binding_is_set(binding) || move->on_growth
                        ? 0
                        : move->surplus[cluster] + move->ending[cluster];
    int32_t quota = quotas_room(planner->quotas, binding, cluster, planner->scratch,
                                ret_source != NULL ? &bound : NULL);

    quota = quota == INT32_MAX ? quota : quota > given ? quota - given : 0;
    room = pin_int32((wide_int)room + there);
    if (ret_source != NULL) {
        *ret_source = quota < room ? bound : source;
    }
    return quota < room ? quota : room;
}

struct move_view *
move_view_new(struct planner *planner, const struct move *move)
{
    struct move_view view = {planner, move};

    return arena_memdup(planner->scratch, &view, sizeof(view));
}

void
decision_fail(struct decision *decision, const struct schedule_result *result)
{
    static const char *const types[] = {
        [SCHEDULE_OK] = "",
        [SCHEDULE_FIT_ERROR] = "FitError",
        [SCHEDULE_UNSCHEDULABLE_ERROR] = "UnschedulableError",
        [SCHEDULE_SPREAD_ERROR] = "SpreadConstraintError",
        [SCHEDULE_CLUSTER_ERROR] = "NoClusterError",
        [SCHEDULE_STRATEGY_ERROR] = "UnsupportedStrategyError",
        [SCHEDULE_UNSEEN_ERROR] = "ReadyReplicasUnknown",
        [SCHEDULE_OTHER_ERROR] = "SchedulingError",
    };

    decision->error_type = types[result->failure];
    decision->error_message = result->message;
    decision->after = decision->before;
}

/* Under spread constraints the largest targets get replicas back first, so few stay in part. */
static struct order_item *
order_back(struct planner *planner, const struct move *move)
{
    const struct target_list *all = &move->binding->clusters;
    const struct placement *placement = move->binding->placement;
    bool has_constraints = placement != NULL && placement_spreads(placement);
    struct order_item *order = ARENA_ARRAY(planner->scratch, struct order_item, all->count);
    struct order_item *swap = ARENA_ARRAY(planner->scratch, struct order_item, all->count);

    for (uint32_t i = 0; i < all->count; i++) {
        uint64_t size = (uint64_t)all->items[i].replicas;

        order[i] = (struct order_item){has_constraints ? UINT64_MAX - size : 0, i};
    }
    order_by_key(order, swap, all->count);
    return order;
}

static int32_t
give_back_to(struct planner *planner, const struct move *move, struct target_list *after,
             int32_t unplaced, bool lost)
{
    const struct target_list *all = &move->binding->clusters;
    struct target *parts = ARENA_ARRAY(planner->scratch, struct target, all->count);
    const struct order_item *order = order_back(planner, move);
    struct target_list back = {.items = parts};

    for (uint32_t n = 0; n < all->count && unplaced > 0; n++) {
        uint32_t i = order[n].index;
        int32_t part = move->take[i] < unplaced ? move->take[i] : unplaced;

        if (part > 0 && move->leaves[i] == lost) {
            parts[back.count] = all->items[i];
            parts[back.count++].replicas = part;
            unplaced -= part;
        }
    }
    if (back.count > 0) {
        *after = targets_join(planner->scratch, after, &back);
    }
    return unplaced;
}

/* An autoscaler can see pending pods of a living cluster, but not those of a lost one. */
int32_t
give_back(struct planner *planner, const struct move *move, struct target_list *after,
          int32_t unplaced)
{
    unplaced = give_back_to(planner, move, after, unplaced, false);
    return give_back_to(planner, move, after, unplaced, true);
}

/* The scheduler does not know gone clusters. A division anew leaves out replicas that stay. */
bool
move_is_set_aside(const struct move *move, uint32_t target)
{
    bool holds = move->keep[target] > 0 || !move_is_divided(move);
    bool is_ghost = move->binding->clusters.items[target].cluster == CLUSTER_NONE;

    if (move_is_whole(move)) {
        return holds && (move->waits[target] || move_must_stay(move));
    }
    return holds && move->waits[target] && is_ghost;
}

uint32_t
move_count_gone(const struct move *move)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        bool is_gone = move->binding->clusters.items[i].cluster == CLUSTER_NONE;

        count += is_gone && move_is_set_aside(move, i) ? 1 : 0;
    }
    return count;
}

struct target_list
move_kept(struct planner *planner, const struct move *move, bool aside)
{
    uint32_t n_targets = move->binding->clusters.count;
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, n_targets);

    for (uint32_t i = 0; i < n_targets; i++) {
        counts[i] = move_is_set_aside(move, i) == aside ? move->keep[i] : 0;
    }
    return targets_counted(planner->scratch, &move->binding->clusters, counts, 1);
}

const char *
move_first_affinity(const struct move *move)
{
    const char *observed = schedule_observed_affinity(move->binding);
    const struct placement *placement = move->binding->placement;

    if (move_is_whole(move) && !move->stays) {
        return move->triggered[FINDING_RESCHEDULE_REQUESTED] && !str_is_empty(observed)
                   ? placement->cluster_affinities.items[0].name
                   : observed;
    }
    if (move->stays || str_eq(observed, move->affinity)) {
        return move->affinity;
    }
    return placement_find_term(placement, observed) < placement_find_term(placement, move->affinity)
               ? observed
               : move->affinity;
}

const char *
move_affinity(const struct move *move, uint32_t index)
{
    const char *first = move_first_affinity(move);

    if (index == 0) {
        return first;
    }
    if (move->stays || str_is_empty(first)) {
        return NULL;
    }
    const struct affinity_term_list *terms = &move->binding->placement->cluster_affinities;
    const struct affinity_term *term = placement_find_term(move->binding->placement, first);
    size_t at = (size_t)(term - terms->items) + index;

    return at < terms->count ? terms->items[at].name : NULL;
}

enum filter_verdict
move_verdict(const struct planner *planner, const struct move *move, uint32_t cluster,
             const char **ret_affinity)
{
    const char *affinity, *first_affinity = move_affinity(move, 0);
    enum filter_verdict first = FILTER_PASSED;

    for (uint32_t i = 0; (affinity = move_affinity(move, i)) != NULL; i++) {
        enum filter_verdict verdict =
            scheduler_filter(planner->scheduler, move->binding, affinity, cluster);

        first = i == 0 ? verdict : first;
        if (verdict == FILTER_PASSED) {
            first = FILTER_PASSED;
            first_affinity = affinity;
            break;
        }
    }
    if (ret_affinity != NULL) {
        *ret_affinity = first_affinity;
    }
    return first;
}
