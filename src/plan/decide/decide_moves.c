/* SPDX-License-Identifier: Apache-2.0
 *
 * Mode Place: the way that suits a binding, and in what steps: within the limits
 * of destinations or without, heeding cooldowns or not, with a scale-up or
 * without it.
 */
#include "ballast/base/wide.h"
#include "ballast/model/preference.h"
#include "decide.h"
#include "plan/history/history.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

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

/* What is stuck in living clusters, to which goes back first what finds no place. */
static int64_t
count_stuck(const struct move *move)
{
    int64_t stuck = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        stuck += move->leaves[i] ? 0 : move->take[i];
    }
    return stuck;
}

bool
decision_failed(const struct decision *decision)
{
    return !str_is_empty(decision->error_type);
}

bool
decision_changes(const struct decision *decision)
{
    return !decision_failed(decision) && !targets_equal(&decision->before, &decision->after);
}

static bool
is_limited(const struct planner *planner, const struct move *move)
{
    const struct limit *limit = &planner->policy->limits.of[LIMIT_DESTINATION_REPLICAS];

    return limit->unit != LIMIT_UNIT_NONE && only_moves(move);
}

static bool
stuck_may_wait(const struct planner *planner, const struct move *move)
{
    return move_history_may_ignore(planner, move) && move_is_divided(move) && count_stuck(move) > 0;
}

static bool
may_go_back(const struct planner *planner, const struct move *move)
{
    return move_history_may_ignore(planner, move) && (move->n_leaving > 0 || move->taken == 0);
}

/* How much must be placed for a step to be accepted. */
enum enough { ENOUGH_ALL, ENOUGH_ALL_BUT_STUCK, ENOUGH_SOME, ENOUGH_ANYTHING };

static bool
is_enough(enum enough enough, const struct move *move, const struct decision *decision)
{
    switch (enough) {
    case ENOUGH_ALL:
        return !decision_failed(decision) && decision->unplaced <= 0;
    case ENOUGH_ALL_BUT_STUCK:
        return !decision_failed(decision) && decision->unplaced <= count_stuck(move);
    case ENOUGH_SOME:
        return decision_changes(decision);
    case ENOUGH_ANYTHING:
        break;
    }
    return true;
}

/* One attempt after the other, and the first that will do is it. Within the limits of destinations,
 * if all of it goes; else as if there were none: how much has to wait for them is then seen from
 * the result. Likewise with clusters that cool down: they are open to what need not heed that, for
 * what the others do not take. What is stuck heeds it also where something else does not, and waits
 * while that goes. */
static const struct plan_step {
    const char *name;
    bool (*applies)(const struct planner *planner, const struct move *move); /* NULL: always */
    struct assumptions assumes; /* beside what the move does */
    bool goes_back;             /* of what found no place before, to clusters that cool down */
    enum enough enough;
} steps[] = {
    {"within the limits of destinations", is_limited, {.within_limits = true}, false, ENOUGH_ALL},
    {"not where it cools down", move_history_may_ignore, {.back = 0}, false, ENOUGH_ALL_BUT_STUCK},
    {"also where it cools down, but what is stuck",
     stuck_may_wait,
     {.leaving = LEAVING_LOST},
     true,
     ENOUGH_SOME},
    {"also where it cools down", may_go_back, {.back = 0}, true, ENOUGH_ANYTHING},
    {"wherever there is room", NULL, {.back = 0}, false, ENOUGH_ANYTHING},
};

struct assumptions
assume_more(struct assumptions assumed, const struct assumptions *more)
{
    assumed.heeds = more->heeds > assumed.heeds ? more->heeds : assumed.heeds;
    assumed.leaving = more->leaving > assumed.leaving ? more->leaving : assumed.leaving;
    assumed.as_many = assumed.as_many || more->as_many;
    assumed.within_limits = assumed.within_limits || more->within_limits;
    assumed.grows = assumed.grows || more->grows;
    assumed.most = more->most > 0 ? more->most : assumed.most;
    return assumed;
}

/* With the assumptions of a step, when `over` more than may stay found no place before it. */
static struct proposal
try_step(struct planner *planner, const struct move *move, const struct plan_step *step,
         int64_t over)
{
    struct assumptions assumed = assume_more(move->assumed, &step->assumes);

    if (step->goes_back) {
        /* what is lost does not go back to what was itself lost within the cooldown */
        assumed.heeds = move_history_loses_replicas(move) ? HEED_LOST : HEED_NONE;
        assumed.back = move_is_divided(move) ? over : 0;
    }
    struct proposal attempt = {
        .move = step->goes_back || step->assumes.within_limits
                    ? move_new(planner, move->index, assumed)
                    : move,
        .decision = decision_unchanged(planner->scratch, planner->fleet, move->index),
    };

    decide_place(planner, attempt.move, &attempt.decision);
    return attempt;
}

/* What is lost and found no place in the step that was chosen waits for nodes to come. */
static struct proposal
try_growth(struct planner *planner, const struct proposal *chosen)
{
    struct assumptions assumed = chosen->move->assumed;

    assumed.grows = true;
    struct proposal grown = {
        .move = move_new(planner, chosen->move->index, assumed),
        .decision = decision_unchanged(planner->scratch, planner->fleet, chosen->move->index),
    };

    decide_place(planner, grown.move, &grown.decision);
    bool better =
        decision_changes(&grown.decision) && grown.decision.unplaced < chosen->decision.unplaced;

    grown.number = trace_attempt(planner, &grown, "on nodes that autoscalers may add", better);
    if (!better) {
        return *chosen;
    }
    trace_refusal(planner, chosen,
                  "lost replicas that find no place may wait for nodes that an autoscaler adds");
    return grown;
}

/* The last step that applies is enough, whatever it comes to. */
struct proposal
decide_in_steps(struct planner *planner, const struct move *move)
{
    const size_t n_steps = sizeof(steps) / sizeof(steps[0]);
    struct proposal attempt = {.move = NULL};
    int64_t over = 0;

    for (size_t i = 0; i < n_steps; i++) {
        const struct plan_step *step = &steps[i];

        if (step->applies != NULL && !step->applies(planner, move)) {
            continue;
        }
        attempt = try_step(planner, move, step, over);
        bool enough = is_enough(step->enough, move, &attempt.decision) || i + 1 == n_steps;

        attempt.number = trace_attempt(planner, &attempt, step->name, enough);
        if (enough) {
            if (planner->grows && attempt.decision.unplaced > 0 &&
                move_lost_replicas(attempt.move) > 0) {
                attempt = try_growth(planner, &attempt);
            }
            if (step->assumes.leaving == LEAVING_LOST) { /* what waits is told of as what stays */
                attempt.decision.unplaced =
                    pin_count(attempt.decision.unplaced + count_stuck(move));
                attempt.move = move;
            }
            break;
        }
        over =
            decision_failed(&attempt.decision) ? 0 : attempt.decision.unplaced - count_stuck(move);
    }
    return attempt;
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
        !move_spreads_too_wide(planner, move, decision)) {
        return false;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (move->take[i] > 0 && move->keep[i] == 0 &&
            targets_find(&decision->after, all->items[i].name) > 0 &&
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
explain_kept(struct planner *planner, const struct move *move, struct decision *decision,
             const bool *stays)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target *target = &move->binding->clusters.items[i];

        if (!stays[i]) {
            continue;
        }
        decision->unplaced = pin_count((int64_t)decision->unplaced + move->keep[i]);
        if (move_is_divided(move)) {
            reason_add(planner, decision, "NoRoom", target->name,
                       "no room for all %d elsewhere: %s", target->replicas, why_whole(move, i));
        } else {
            reason_add(planner, decision, "NotEnoughCandidates", target->name,
                       "the clusters that could replace it replace lost ones first");
        }
    }
    if (targets_equal(&decision->before, &decision->after)) {
        explain_refusals(planner, move, NULL, decision);
    }
}

/* What runs where it may not be any more is evicted as a whole: Karmada removes it once every
 * target cluster was last reported healthy, or its grace period is over. A part of it would be
 * removed at once. So where there is room for a part only, it stays; and so does what would be
 * spread too wide, were a part of it to go. */
static struct proposal
decide_as_one(struct planner *planner, const struct move *move)
{
    struct assumptions in_part = move->assumed;
    bool *stays = ARENA_ARRAY(planner->scratch, bool, move->binding->clusters.count);
    bool goes_as_one = false;
    struct proposal attempt = decide_with_scale_up(planner, move);

    bool in_parts = mark_parts(attempt.move, &attempt.decision, stays);

    while (in_parts || mark_widest(planner, attempt.move, &attempt.decision, stays)) {
        in_part.stays = stays;
        goes_as_one = goes_as_one || in_parts;
        trace_refusal(planner, &attempt,
                      "it would leave a part in a cluster that is to be left as a whole");
        attempt = decide_with_scale_up(planner, move_new(planner, move->index, in_part));
        in_parts = mark_parts(attempt.move, &attempt.decision, stays);
    }
    if (in_part.stays == stays) {
        struct proposal instead;

        if (!goes_as_one && goes_without_scale_up(planner, move, &attempt, &instead)) {
            return instead;
        }
        explain_kept(planner, attempt.move, &attempt.decision, stays);
    }
    return attempt;
}

/* True if the attempt changes nothing. */
static bool
is_in_vain(const struct proposal *attempt)
{
    return decision_failed(&attempt->decision) ||
           targets_equal(&attempt->decision.before, &attempt->decision.after);
}

/* What is lost, stuck or scaled, or where that finds no place, without what is stuck. */
static struct proposal
decide_steady(struct planner *planner, const struct move *move)
{
    struct proposal attempt =
        decide_as_one(planner, move_new(planner, move->index, ASSUME_NO_RESCHEDULE(LEAVING_ALL)));

    if (is_in_vain(&attempt) && count_stuck(attempt.move) > 0) {
        trace_refusal(planner, &attempt, "nothing finds a place with what is stuck leaving, too");
        struct proposal lost = decide_as_one(
            planner, move_new(planner, move->index, ASSUME_NO_RESCHEDULE(LEAVING_LOST)));

        if (!is_in_vain(&lost)) {
            return lost;
        }
        trace_refusal(planner, &lost, "nothing finds a place without it, either");
    }
    return attempt;
}

struct proposal
decide_moves(struct planner *planner, const struct move *move)
{
    struct proposal anew = decide_as_one(planner, move);

    if (str_is_empty(anew.decision.error_type) || !move_need_not_wait(move)) {
        return anew;
    }
    struct proposal others = decide_steady(planner, move);

    if (is_in_vain(&others)) {
        trace_refusal(planner, &others, "nothing of it can go ahead");
        anew.decision.unplaced = decision_failed(&others.decision) ? 0 : others.decision.unplaced;
        return anew;
    }
    reason_add(planner, &others.decision, "NotRescheduled", "", "it cannot be divided anew: %s: %s",
               anew.decision.error_type, anew.decision.error_message);
    return others;
}
