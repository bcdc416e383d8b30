/* SPDX-License-Identifier: Apache-2.0
 *
 * Mode Place: the way that suits a binding, and in what steps: within the limits
 * of destinations or without, heeding cooldowns or not, with a scale-up or
 * without it.
 */
#include "ballast/model/preference.h"
#include "move_history.h"
#include "planner.h"

/* The division Planner works without a preference, too: by the static weights, else all alike. */
static const struct preference *
implied_preference(struct planner *planner, const struct binding *binding)
{
    const struct placement *placement = binding->placement;
    struct static_weight_list weights = {.count = 0};

    if (placement != NULL && placement_strategy(placement) == STRATEGY_STATIC_WEIGHT) {
        weights = placement->replica_scheduling.static_weights;
    }
    bool is_static = weights.count > 0;
    uint32_t count = is_static ? weights.count : 1;
    struct preference *preference = ARENA_NEW(planner->scratch, struct preference);
    struct preference_cluster *clusters =
        ARENA_ARRAY(planner->scratch, struct preference_cluster, count);

    for (uint32_t i = 0; i < count; i++) {
        clusters[i] = (struct preference_cluster){
            .name = is_static ? "" : "*",
            .affinity = is_static ? &weights.items[i].target : NULL,
            .max_replicas = PREFERENCE_UNLIMITED,
            .weight = is_static ? weights.items[i].weight : 1,
        };
    }
    *preference = (struct preference){
        .origin = "division Planner",
        .total_replicas = -1,
        .clusters = clusters,
        .n_clusters = count,
    };
    return preference;
}

static void
decide_place(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct preference *preference =
        preference_for(planner->policy, planner->fleet, move->binding);

    if (!move_is_divided(move)) {
        decide_duplicated(planner, move, decision);
        return;
    }
    if (move_only_balances(move)) {
        decide_balance(planner, move, decision);
        return;
    }
    if (preference == NULL && planner->policy->division == DIVISION_PLANNER) {
        preference = implied_preference(planner, move->binding);
    }
    if (preference != NULL) {
        decide_by_preference(planner, move, preference, decision);
    } else {
        decide_divided(planner, move, decision);
    }
    if (!str_is_empty(decision->error_type) && !move_is_whole(move)) {
        scale_down_only(planner, move, decision); /* needs no place */
    }
}

/* All that is given to a cluster comes from another one: then a limit on destinations is a bound on
 * their room, and what is over may go to the next best. Copies that take the place of lost ones go
 * where all of one is allowed. */
static bool
only_moves(const struct move *move)
{
    if (move->taken == 0 || move_is_whole(move)) {
        return false;
    }
    return move_is_divided(move) ? move->kept + move->taken == move->wanted : move->n_leaving > 0;
}

/* false when more than `may_stay` found no place: then it is as it was before, and *ret_over is how
 * many more, as far as is known (0: it is not). */
static bool
places_all(struct planner *planner, uint32_t index, struct move *move, struct decision *decision,
           int64_t may_stay, int64_t *ret_over)
{
    size_t n_reasons = planner->reasons.count;

    decide_place(planner, move, decision);
    bool has_failed = !str_is_empty(decision->error_type);

    *ret_over = has_failed ? 0 : decision->unplaced - may_stay;
    if (!has_failed && *ret_over <= 0) {
        return true;
    }
    planner->reasons.count = n_reasons;
    *decision = decision_unchanged(planner->scratch, planner->fleet, index);
    return false;
}

/* What is stuck in living clusters, to which goes back first what finds no place. */
static int64_t
count_stuck(const struct move *move)
{
    int64_t stuck = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        stuck += move_leaves(move, i) ? 0 : move->take[i];
    }
    return stuck;
}

/* What is stuck heeds the cooldown also where something else does not: it waits while that goes,
 * by these assumptions. false when that does not go either. */
static bool
places_but_stuck(struct planner *planner, uint32_t index, struct move *move,
                 struct assumptions waits, struct decision *decision)
{
    int64_t stuck = count_stuck(move), over;
    const struct assumptions before = move->assumed;

    if (stuck == 0 || !move_is_divided(move)) {
        return false;
    }
    waits.stuck_waits = true;
    move_init(planner, index, waits, move);
    bool done = places_all(planner, index, move, decision, INT32_MAX, &over) &&
                !targets_equal(&decision->before, &decision->after);

    move_init(planner, index, before, move);
    if (done) {
        decision->unplaced += (int32_t)stuck;
    } else {
        *decision = decision_unchanged(planner->scratch, planner->fleet, index);
    }
    return done;
}

/* Clusters that cool down are open to what need not heed that, for what the others do not take.
 * true when it is decided; else `move` is begun anew for what comes last. */
static bool
goes_elsewhere(struct planner *planner, uint32_t index, struct move *move,
               struct decision *decision)
{
    struct assumptions goes_back = move->assumed;
    int64_t over;

    if (places_all(planner, index, move, decision, count_stuck(move), &over)) {
        return true;
    }
    goes_back.heeds = move_history_heeds_still(move);
    goes_back.back = move_is_divided(move) ? over : 0;
    if (places_but_stuck(planner, index, move, goes_back, decision)) {
        return true;
    }
    if (move->n_leaving > 0 || move->taken == 0) {
        move_init(planner, index, goes_back, move);
    }
    return false;
}

/* Within the limits of destinations, if all of it goes. Else as if there were none: how much has
 * to wait for them is then seen from the result. Likewise with clusters that cool down, for what
 * need not heed it: with what is lost elsewhere, what is stuck waits. */
static void
decide_in_steps(struct planner *planner, uint32_t index, struct move *move,
                struct decision *decision)
{
    const struct limit *limit = &planner->policy->limits.of[LIMIT_DESTINATION_REPLICAS];
    int64_t over;

    if (limit->unit != LIMIT_UNIT_NONE && only_moves(move)) {
        planner->bounded = true;
        bool done = places_all(planner, index, move, decision, 0, &over);

        planner->bounded = false;
        if (done) {
            return;
        }
        move_init(planner, index, move->assumed, move);
    }
    if (!move_history_may_ignore(planner, move) ||
        !goes_elsewhere(planner, index, move, decision)) {
        decide_place(planner, move, decision);
    }
}

/* Why more replicas than are assigned are not to be had; NULL: they are. */
static const char *
scale_up_refusal(struct planner *planner, const struct move *move, const struct decision *decision)
{
    if (!str_is_empty(decision->error_type)) {
        return decision->error_message;
    }
    return ledger_quota_refusal(planner->ledger, move->binding, &decision->before, &decision->after,
                                planner->scratch);
}

/* What is new does not wait with what is lost and may not go back yet. false when there is no such
 * thing, or it finds no place either. */
static bool
places_new(struct planner *planner, uint32_t index, struct move *move, struct decision *decision)
{
    const struct assumptions before = move->assumed;
    struct assumptions held = before, grows = before;
    int64_t over;

    held.heeds = HEED_LOST;
    move_init(planner, index, held, move);
    if (!move_history_keeps_lost(planner, move)) {
        move_init(planner, index, before, move);
        return false;
    }
    int64_t waiting = move->taken;
    const struct decision refused = *decision;

    grows.heeds = HEED_NONE;
    grows.all_waits = true;
    move_init(planner, index, grows, move);
    *decision = decision_unchanged(planner->scratch, planner->fleet, index);
    bool done = places_all(planner, index, move, decision, 0, &over) &&
                !targets_equal(&decision->before, &decision->after);

    move_init(planner, index, held, move);
    if (done) {
        decision->unplaced += (int32_t)waiting;
    } else {
        *decision = refused;
    }
    return done;
}

/* A scale-up for which there is no room, or no quota, leaves the sum short, and so it may stay:
 * what is lost does not wait for it, since it asks for no more than is assigned. What is stuck
 * does: were it gone, the scale-up would find its cluster open again. */
static void
decide_with_scale_up(struct planner *planner, uint32_t index, struct move *move,
                     struct decision *decision)
{
    size_t n_reasons = planner->reasons.count;
    const struct assumptions assumed = move->assumed;
    struct assumptions only_lost = assumed;

    only_lost.only_lost = true;
    decide_in_steps(planner, index, move, decision);
    if (move->n_leaving == 0 || !move_is_divided(move) || move_is_whole(move) ||
        move->kept + move->taken >= move->wanted) {
        return;
    }
    const char *refusal = scale_up_refusal(planner, move, decision);
    const struct decision refused = *decision;
    int64_t more = move->wanted - move->kept - move->taken;

    if (refusal == NULL) {
        return;
    }
    planner->reasons.count = n_reasons;
    *decision = decision_unchanged(planner->scratch, planner->fleet, index);
    move_init(planner, index, only_lost, move);
    decide_in_steps(planner, index, move, decision);
    if (!str_is_empty(decision->error_type) ||
        targets_more(&decision->before, &decision->after) == 0) {
        move_init(planner, index, assumed, move);
        *decision = refused;
        planner->reasons.count = n_reasons;
        places_new(planner, index, move, decision);
        return;
    }
    reason_add(planner, "ScaleUpWaits", "", "%lld more %s wanted, but %s", (long long)more,
               more == 1 ? "is" : "are", refusal);
}

/* Of the targets that go as one, those of which a part would stay are marked; false: there is none.
 * Copies go as one anyway: those that nothing replaces only must not keep lost ones from being
 * replaced. */
static bool
mark_parts(const struct move *move, const struct decision *decision, bool *stays)
{
    uint32_t marked = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        if (move_leaves_as_one(move, i) &&
            targets_has(&decision->after, move->binding->clusters.items[i].name)) {
            stays[i] = true;
            marked++;
        }
    }
    return marked > 0 && (move_is_divided(move) || marked < move->n_leaving);
}

/* Divided replicas may leave a target in part, but not so that they are spread wider than the
 * placement allows while a part stays: then one target stays, that with most replicas, so that
 * others may go as a whole. false: it need not, or there is none. */
static bool
mark_widest(struct planner *planner, const struct move *move, const struct decision *decision,
            bool *stays)
{
    const struct target_list *all = &move->binding->clusters;
    uint32_t widest = all->count;

    if (decision->unplaced == 0 || !move_is_divided(move) ||
        !spread_is_too_wide(planner, move, decision)) {
        return false;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (move_leaves(move, i) && targets_find(&decision->after, all->items[i].name) > 0 &&
            (widest == all->count || all->items[i].replicas > all->items[widest].replicas)) {
            widest = i;
        }
    }
    if (widest < all->count) {
        stays[widest] = true;
    }
    return widest < all->count;
}

static const char *
why_whole(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];

    return move_is_infeasible(move, target) && !state->lost && state->ready != 0
               ? "some are ready, so they leave all together or not at all"
               : "if only some left, it would be spread over more clusters than the placement "
                 "allows";
}

/* What stays of the marked ones, and why. */
static void
tell_kept(struct planner *planner, const struct move *move, struct decision *decision,
          const bool *stays)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target *target = &move->binding->clusters.items[i];

        if (!stays[i]) {
            continue;
        }
        decision->unplaced += move->keep[i];
        if (move_is_divided(move)) {
            reason_add(planner, "NoRoom", target->name, "no room for all %d elsewhere: %s",
                       target->replicas, why_whole(move, i));
        } else {
            reason_add(planner, "NotEnoughCandidates", target->name,
                       "the clusters that could replace it replace lost ones first");
        }
    }
    if (targets_equal(&decision->before, &decision->after)) {
        reason_add_refusals(planner, move);
    }
}

/* What runs where it may not be any more is evicted as a whole: Karmada removes it once every
 * target cluster was last reported healthy, or its grace period is over. A part of it would be
 * removed at once. So where there is room for a part only, it stays; and so does what would be
 * spread too wide, were a part of it to go. */
void
decide_moves(struct planner *planner, uint32_t index, struct move *move, struct decision *decision)
{
    size_t n_reasons = planner->reasons.count;
    struct assumptions in_part = move->assumed;
    bool *stays = ARENA_ARRAY(planner->scratch, bool, move->binding->clusters.count);
    bool any_stays = false;

    decide_with_scale_up(planner, index, move, decision);
    while (mark_parts(move, decision, stays) || mark_widest(planner, move, decision, stays)) {
        any_stays = true;
        planner->reasons.count = n_reasons;
        *decision = decision_unchanged(planner->scratch, planner->fleet, index);
        in_part.stays = stays;
        move_init(planner, index, in_part, move);
        decide_with_scale_up(planner, index, move, decision);
    }
    if (any_stays) {
        tell_kept(planner, move, decision, stays);
    }
}
