/* SPDX-License-Identifier: Apache-2.0
 *
 * More replicas are wanted than are assigned: as far as there is room, after what
 * is lost or stuck, and as far as quotas allow.
 *
 * karmada-scheduler adds all or nothing (pkg/scheduler/core, dynamicScaleUp), and
 * leaves spec.clusters as it is when it fails. It tries again when the binding
 * changes and from its queue of what is unschedulable, as it did before the part
 * was added, and then has less to add. So a part does no harm.
 */
#include "ballast/base/wide.h"
#include "decide.h"
#include "plan/history/history.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

#define PART_STEPS_MAX 4 /* room and quota each bound a part */

/* Why more replicas than are assigned are not to be had, or not all of them; NULL: they are. */
static const char *
scale_up_refusal(struct planner *planner, const struct proposal *attempt)
{
    const struct move *move = attempt->move;
    const struct decision *decision = &attempt->decision;

    if (move_is_whole(move) || move->kept + move->taken >= move->wanted) {
        return NULL;
    }
    if (!move_is_divided(move)) {
        return move_goes_whole(move) && decision->unplaced > 0 && move->taken < move_copy_size(move)
                   ? "no cluster has capacity for all of them together"
                   : NULL;
    }
    return decision_failed(decision)
               ? decision->error_message
               : quotas_refusal(planner->quotas, move->binding, &decision->before, &decision->after,
                                planner->scratch);
}

/* How many of the new replicas a quota over all clusters allows: less than `more`. */
static int64_t
quota_leaves(struct planner *planner, const struct move *move, const struct decision *decision,
             int64_t more)
{
    const struct target_list *before = &decision->before;
    struct target grown = decision->after.items[0];
    const struct target_list added = {.items = &grown, .count = 1, .is_sorted = true};
    int64_t fits = 0, refused = more;

    while (refused - fits > 1) {
        int64_t half = fits + (refused - fits) / 2;

        grown.replicas = pin_count(half);
        struct target_list after = targets_join(planner->scratch, before, &added);

        if (quotas_refusal(planner->quotas, move->binding, before, &after, planner->scratch) ==
            NULL) {
            fits = half;
        } else {
            refused = half;
        }
    }
    return fits;
}

/* How many replicas in all an attempt leaves that was refused: for room, or for a quota. */
static int64_t
find_part(struct planner *planner, const struct proposal *refused)
{
    const struct move *move = refused->move;
    const int64_t assigned = move->kept + move->taken;

    return decision_failed(&refused->decision)
               ? move->wanted - refused->decision.unplaced
               : assigned +
                     quota_leaves(planner, move, &refused->decision, move->wanted - assigned);
}

/* A scale-up for which there is no room, or no quota, as far as there is: what is lost or stuck has
 * a place then, too. What there is room for a quota may not allow, so that takes a second step.
 * false: there is none for anything new. */
static bool
decide_in_part(struct planner *planner, const struct proposal *all, const char *refusal,
               struct proposal *ret)
{
    const struct move *move = all->move;
    const int64_t assigned = move->kept + move->taken;
    int64_t most = move->wanted, fits = find_part(planner, all);
    const char *again = refusal;

    for (int step = 0; step < PART_STEPS_MAX && again != NULL; step++) {
        if (fits <= assigned || fits >= most) {
            return false;
        }
        const struct assumptions part = {.most = fits};

        *ret = decide_in_steps(planner,
                               move_new(planner, move->index, assume_more(move->assumed, &part)));
        again = scale_up_refusal(planner, ret);
        if (again != NULL) {
            trace_refusal(planner, ret, again);
            refusal = again;
            most = fits;
            fits = find_part(planner, ret);
        }
    }
    if (again != NULL) {
        return false;
    }
    if (!decision_changes(&ret->decision)) {
        trace_refusal(planner, ret, "less than that finds no place, either");
        return false;
    }
    int64_t waits = move->wanted - fits;

    reason_add(planner, &ret->decision, "ScaleUpWaits", "", "%lld of %lld more wait: %s",
               (long long)waits, (long long)(move->wanted - assigned), refusal);
    ret->decision.unplaced = pin_count(ret->decision.unplaced + waits);
    return true;
}

/* What is new does not wait with what is lost and may not go back yet: where there is no such
 * thing, or it finds no place either, what was refused stays so. */
static struct proposal
decide_new(struct planner *planner, const struct move *move, const struct proposal *refused)
{
    static const struct assumptions only_new = {.heeds = HEED_NONE, .leaving = LEAVING_NONE};
    struct assumptions heeding = move->assumed;

    heeding.heeds = HEED_LOST;
    const struct move *held = move_new(planner, move->index, heeding);

    if (!move_history_cools_any(planner, held)) {
        return (struct proposal){move, refused->decision, refused->number};
    }
    struct proposal all = decide_in_steps(
        planner, move_new(planner, move->index, assume_more(move->assumed, &only_new)));
    struct proposal grown = all;
    const char *refusal = scale_up_refusal(planner, &all);

    if ((refusal != NULL && !decide_in_part(planner, &all, refusal, &grown)) ||
        !decision_changes(&grown.decision)) {
        trace_refusal(planner, &grown, "what is new finds no place");
        return (struct proposal){held, refused->decision, refused->number};
    }
    grown.move = held;
    grown.decision.unplaced = pin_count(grown.decision.unplaced + held->taken);
    return grown;
}

/* No more than is assigned: what is lost and what is stuck, or what is lost alone. */
static struct proposal
decide_assigned(struct planner *planner, const struct move *move, enum leaving leaving)
{
    const struct assumptions no_more = {.leaving = leaving, .as_many = true};

    return decide_in_steps(planner,
                           move_new(planner, move->index, assume_more(move->assumed, &no_more)));
}

static bool
moves_any(const struct proposal *attempt)
{
    return !decision_failed(&attempt->decision) &&
           targets_more(&attempt->decision.before, &attempt->decision.after) > 0;
}

/* Nothing of what is lost or stuck finds a place. It counts as such, and may find room yet when
 * others make some, as if nothing were to be added. */
static struct proposal
decide_none(struct planner *planner, const struct move *move, const struct proposal *all,
            const struct proposal *moved)
{
    struct proposal ret = decision_failed(&moved->decision) ? *all : *moved;

    /* an empty target is no reason to write a sum that is short */
    ret.decision.after = ret.decision.before;
    if (move->n_leaving == 0) {
        return ret;
    }
    ret.decision.n_reasons = 0;
    return decide_new(planner, move, &ret);
}

struct proposal
decide_with_scale_up(struct planner *planner, const struct move *move)
{
    struct proposal all = decide_in_steps(planner, move);
    const char *refusal = scale_up_refusal(planner, &all);
    int64_t more = move->wanted - move->kept - move->taken;

    if (refusal == NULL) {
        return all;
    }
    trace_refusal(planner, &all, refusal);
    struct proposal part;

    if (move_is_divided(move) && decide_in_part(planner, &all, refusal, &part)) {
        return part;
    }
    if (move->taken == 0) {
        return all;
    }
    struct proposal moved = decide_assigned(planner, move, LEAVING_ALL);

    if (!moves_any(&moved) && move->n_leaving > 0) {
        trace_refusal(planner, &moved, "nothing finds a place with what is stuck leaving, too");
        moved = decide_assigned(planner, move, LEAVING_LOST);
    }
    if (!moves_any(&moved)) {
        trace_refusal(planner, &moved, "nothing that is lost or stuck finds a place");
        return !move_is_divided(move) ? all : decide_none(planner, move, &all, &moved);
    }
    reason_add(planner, &moved.decision, "ScaleUpWaits", "", "%lld more %s wanted, but %s",
               (long long)more, more == 1 ? "is" : "are", refusal);
    moved.decision.unplaced = pin_count(moved.decision.unplaced + more);
    return moved;
}

static int64_t
given_by(const struct proposal *attempt)
{
    return targets_more(&attempt->decision.before, &attempt->decision.after);
}

bool
goes_without_scale_up(struct planner *planner, const struct move *move, const struct proposal *kept,
                      struct proposal *ret)
{
    const int64_t more = move->wanted - move->kept - move->taken;

    if (more <= 0 || !move_is_divided(move) || move_is_whole(move)) {
        return false;
    }
    *ret = decide_assigned(planner, move, LEAVING_ALL);
    if (!moves_any(ret) || move_spreads_too_wide(planner, ret->move, &ret->decision) ||
        given_by(ret) < given_by(kept)) {
        trace_refusal(planner, ret, "without what is new no more finds a place");
        return false;
    }
    trace_refusal(planner, kept, "what is new may wait for what is lost or stuck");
    reason_add(planner, &ret->decision, "ScaleUpWaits", "",
               "%lld more %s wanted, but then what should leave would be spread over more clusters "
               "than the placement allows",
               (long long)more, more == 1 ? "is" : "are");
    return true;
}
