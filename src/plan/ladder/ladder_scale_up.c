/* SPDX-License-Identifier: Apache-2.0
 *
 * Scales up as far as capacity and quotas allow, after lost and stuck replicas. If these lack
 * capacity, nothing new is added, and the sum stays as short as it was.
 *
 * karmada-scheduler adds all or nothing (pkg/scheduler/core, dynamicScaleUp), and leaves
 * spec.clusters as it is when it fails. Later tries, when the binding changes or from its queue of
 * unschedulable bindings, then have less to add: a part does no harm.
 */
#include "search.h"

#include "ballast/base/wide.h"
#include "plan/history/history.h"

const char *
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

/* Returns how many new replicas, fewer than `more`, a quota over all clusters allows. */
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

/* Returns how many replicas in all a refused attempt has capacity or quota for. */
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

bool
scale_up_may_shrink(struct search *search)
{
    const struct proposal *refused = search->refused;
    const struct move *move = search->move;

    if (!move_is_divided(move) || scale_up_refusal(search->planner, refused) == NULL) {
        return false;
    }
    int64_t part = find_part(search->planner, refused);

    return part > move->kept + move->taken && part < refused->move->wanted;
}

void
scale_up_shrink(struct search *search, struct assumptions *assumed)
{
    assumed->most = find_part(search->planner, search->refused);
}

/* A quota may allow less than there is capacity for, so the last attempt gives the reason. */
void
scale_up_in_part(struct search *search, struct proposal *attempt)
{
    const struct move *move = search->move;
    const int64_t waits = move->wanted - attempt->move->assumed.most;

    reason_add(search->planner, &attempt->decision, "ScaleUpWaits", "",
               "%lld of %lld more wait: %s", (long long)waits,
               (long long)(move->wanted - move->kept - move->taken), search->refused->refusal);
    attempt->decision.unplaced = pin_count(attempt->decision.unplaced + waits);
}

bool
scale_up_has_taken(struct search *search)
{
    return search->move->taken > 0;
}

bool
scale_up_has_leaving(struct search *search)
{
    return search->move->taken > 0 && search->move->n_leaving > 0;
}

void
scale_up_waits(struct search *search, struct proposal *attempt)
{
    const struct move *move = search->move;
    const int64_t more = move->wanted - move->kept - move->taken;

    reason_add(search->planner, &attempt->decision, "ScaleUpWaits", "",
               "%lld more %s wanted, but %s", (long long)more, more == 1 ? "is" : "are",
               search->first->refusal);
    attempt->decision.unplaced = pin_count(attempt->decision.unplaced + more);
}

/* No lost or stuck replica finds a place. These count as unplaced, as without a scale-up, and may
 * still fit when other bindings make capacity. */
struct proposal *
scale_up_fails(struct search *search)
{
    const struct move *move = search->move;
    const struct proposal *all = search->first, *moved = search->refused;

    if (move->taken == 0 || !move_is_divided(move)) {
        return arena_memdup(search->planner->scratch, all, sizeof(*all));
    }
    struct proposal *ret = arena_memdup(
        search->planner->scratch, decision_failed(&moved->decision) ? all : moved, sizeof(*ret));

    /* an empty target is no reason to write a sum that is short */
    ret->decision.after = ret->decision.before;
    if (move->n_leaving > 0) {
        ret->decision.n_reasons = 0;
        ret->move = move;
    }
    return ret;
}

/* Returns the move that heeds the cooldowns of lost clusters. */
static const struct move *
move_heeding(const struct search *search)
{
    struct assumptions heeding = search->move->assumed;

    heeding.heeds = HEED_LOST;
    return move_new(search->planner, search->move->index, heeding);
}

bool
scale_up_is_held(struct search *search, const struct proposal *attempt)
{
    const struct move *move = search->move;

    return move->n_leaving > 0 && move->taken > 0 && move_is_divided(move) &&
           !move_is_whole(move) && move->wanted > move->kept + move->taken &&
           !decision_changes(&attempt->decision) &&
           move_history_cools_any(search->planner, move_heeding(search));
}

void
new_only(struct search *search, struct proposal *attempt)
{
    attempt->move = move_heeding(search);
    attempt->decision.unplaced = pin_count(attempt->decision.unplaced + attempt->move->taken);
}

struct proposal *
new_fails(struct search *search)
{
    const struct proposal *held = search->refused->earlier;
    struct proposal *ret = arena_memdup(search->planner->scratch, held, sizeof(*held));

    ret->move = move_heeding(search);
    return ret;
}
