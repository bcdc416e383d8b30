/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the clusters that are left. Karmada evicts running replicas as a whole, once every target
 * was last reported healthy or the grace period is over. A part would be removed at once. So a
 * target stays if only a part has capacity elsewhere, or would spread the binding too wide.
 */
#include "search.h"

#include "ballast/base/wide.h"
#include "plan/reasons/reasons.h"

/* Marks the targets that go as one, but of which a part would stay. False: none. Copies go as one
 * anyway: those that cannot be replaced must only not keep lost ones from being replaced. */
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

/* Marks the largest target of which a part would stay, if that spreads the binding too wide, so
 * that others go as a whole. False: no target need stay. */
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

bool
leaving_mark(struct search *search, const struct proposal *attempt)
{
    struct planner *planner = search->planner;
    const struct move *move = attempt->move;

    if (search->stays == NULL) {
        search->stays = ARENA_ARRAY(planner->scratch, bool, move->binding->clusters.count);
    }
    if (mark_parts(move, &attempt->decision, search->stays)) {
        search->stays_whole = true;
        return true;
    }
    return mark_widest(planner, move, &attempt->decision, search->stays);
}

bool
leaving_bars_new(struct search *search)
{
    const struct move *move = search->move;

    return search->refused != NULL && !search->stays_whole && move_is_divided(move) &&
           !move_is_whole(move) && move->wanted > move->kept + move->taken;
}

void
leaving_keep(struct search *search, struct assumptions *assumed)
{
    assumed->stays = search->stays;
}

void
leaving_explain(struct search *search, struct proposal *attempt)
{
    explain_kept(search->planner, attempt->move, &attempt->decision, search->stays);
}

void
leaving_new_waits(struct search *search, struct proposal *attempt)
{
    const struct move *move = search->move;
    const int64_t more = move->wanted - move->kept - move->taken;

    reason_add(search->planner, &attempt->decision, "ScaleUpWaits", "",
               "%lld more %s wanted, but then what should leave would be spread over more clusters "
               "than the placement allows",
               (long long)more, more == 1 ? "is" : "are");
}
