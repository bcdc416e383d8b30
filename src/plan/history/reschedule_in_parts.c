/* SPDX-License-Identifier: Apache-2.0
 *
 * A reschedule, or a changed placement, that limits split into parts. Each run divides anew by the
 * capacity it finds. So that this ends, no cluster loses replicas that a part brought, and none
 * gets back those that a part took.
 */
#include "ballast/annotations/reschedule_parts.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/schedule.h"
#include "history.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

static bool
was_given(const struct move *move, const char *cluster)
{
    return str_list_has(&move->parts->to, cluster);
}

static bool
was_taken_from(const struct move *move, const char *cluster)
{
    return str_list_has(&move->parts->from, cluster);
}

/* A placement without a text cannot be told from the next one. */
static bool
goes_in_parts(const struct move *move)
{
    const struct placement *placement = move->binding->placement;

    return move_is_whole(move) && move_is_divided(move) &&
           (!move->triggered[FINDING_PLACEMENT_CHANGED] || placement->text != NULL);
}

/* A later request, or another changed placement, starts over. */
static bool
are_of_move(const struct reschedule_parts *parts, const struct move *move)
{
    const struct binding *binding = move->binding;

    if (move->triggered[FINDING_RESCHEDULE_REQUESTED] &&
        parts->asked_at != binding->reschedule_triggered_at) {
        return false;
    }
    return !move->triggered[FINDING_PLACEMENT_CHANGED] ||
           (parts->placement != NULL && !schedule_placement_differs(binding, parts->placement));
}

const struct reschedule_parts *
parts_so_far(const struct move *move)
{
    const struct reschedule_parts *parts = binding_rare(move->binding)->reschedule_parts;

    return parts != NULL && goes_in_parts(move) && are_of_move(parts, move) ? parts : NULL;
}

const uint8_t *
parts_turns(const struct planner *planner, const struct move *move)
{
    if (move->parts == NULL) {
        return NULL;
    }
    uint8_t *turns = ARENA_ARRAY(planner->scratch, uint8_t, planner->fleet->n_clusters);

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        const char *name = planner->fleet->clusters[i].name;

        turns[i] = was_taken_from(move, name) ? 2 : was_given(move, name) ? 0 : 1;
    }
    return turns;
}

/* --- a decision held against earlier parts --- */

/* Replicas that some clusters gain, or lose. */
struct side {
    struct share *shares; /* by cluster of the split; the weight is the most */
    int32_t *caps;
    int64_t sum;
};

struct sides {
    const struct target_list *clusters; /* clusters with replicas before or after */
    struct side gain, lose;             /* no earlier part speaks against these */
    struct side regain, lose_again;     /* an earlier part does */
    struct side must;                   /* have to leave all the same */
};

static void
side_init(struct planner *planner, const struct target_list *clusters, struct side *ret)
{
    ret->shares = ARENA_ARRAY(planner->scratch, struct share, clusters->count);
    ret->caps = ARENA_ARRAY(planner->scratch, int32_t, clusters->count);
    for (uint32_t i = 0; i < clusters->count; i++) {
        ret->shares[i] = (struct share){.name = clusters->items[i].name};
    }
}

static void
side_add(struct side *side, uint32_t cluster, int32_t replicas)
{
    side->caps[cluster] = replicas;
    side->shares[cluster].weight = replicas;
    side->sum += replicas;
}

/* Takes up to `replicas` of a side, in proportion. Returns how many are left. */
static int64_t
side_take(const struct sides *sides, struct side *side, int64_t replicas)
{
    int64_t part = replicas < side->sum ? replicas : side->sum;

    webster_allocate_capped(side->shares, side->caps, sides->clusters->count, pin_count(part),
                            false);
    return replicas - part;
}

/* Returns how many of `loses` have to leave or end; all if the filters refuse the cluster. */
static int32_t
must_leave(const struct planner *planner, const struct move *move, const struct target *target,
           int32_t loses)
{
    int at = binding_find_target(move->binding, target->name);

    if (at < 0) {
        return 0;
    }
    uint32_t cluster = move->binding->clusters.items[at].cluster;
    int64_t must = (int64_t)move->take[at] + move->ends[at];

    if (cluster == CLUSTER_NONE || !move_passes(planner, move, move->affinity, cluster)) {
        return loses;
    }
    return must < loses ? pin_int32(must) : loses;
}

static void
sort_sides(struct planner *planner, const struct move *move, const struct decision *decision,
           struct sides *sides)
{
    struct side *const all[] = {&sides->gain, &sides->lose, &sides->regain, &sides->lose_again,
                                &sides->must};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        side_init(planner, sides->clusters, all[i]);
    }
    for (uint32_t i = 0; i < sides->clusters->count; i++) {
        const struct target *target = &sides->clusters->items[i];
        int32_t before = targets_find(&decision->before, target->name);
        int32_t after = targets_find(&decision->after, target->name);

        if (after > before) {
            side_add(was_taken_from(move, target->name) ? &sides->regain : &sides->gain, i,
                     after - before);
        } else {
            int32_t must = must_leave(planner, move, target, before - after);

            side_add(&sides->must, i, must);
            side_add(was_given(move, target->name) ? &sides->lose_again : &sides->lose, i,
                     before - after - must);
        }
    }
}

/* Only replicas that have to leave, are added or end go against earlier parts, and only if no other
 * replicas or clusters will do. */
static void
choose_sides(struct sides *sides, int64_t added)
{
    int64_t leave = sides->must.sum + sides->lose.sum;

    leave = leave > sides->gain.sum - added ? sides->gain.sum - added : leave;
    leave = leave < sides->must.sum ? sides->must.sum : leave;
    leave = leave < -added ? -added : leave;
    side_take(sides, &sides->regain, side_take(sides, &sides->gain, added + leave));
    side_take(sides, &sides->lose_again,
              side_take(sides, &sides->lose, side_take(sides, &sides->must, leave)));
}

static struct target_list
held_split(struct planner *planner, const struct decision *decision, const struct sides *sides)
{
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, sides->clusters->count);

    for (uint32_t i = 0; i < sides->clusters->count; i++) {
        const char *name = sides->clusters->items[i].name;
        /* a target without replicas goes, unless the decision keeps it as one */
        bool stays = targets_has(&decision->before, name) && targets_has(&decision->after, name) &&
                     targets_find(&decision->after, name) == 0;

        counts[i] = targets_find(&decision->before, name) + sides->gain.shares[i].replicas +
                    sides->regain.shares[i].replicas - sides->must.shares[i].replicas -
                    sides->lose.shares[i].replicas - sides->lose_again.shares[i].replicas;
        counts[i] = counts[i] == 0 && !stays ? -1 : counts[i];
    }
    return targets_counted(planner->scratch, sides->clusters, counts, 0);
}

static void
explain_held_parts(struct planner *planner, const struct move *move, const struct sides *sides,
                   struct decision *decision)
{
    const char *what = move->triggered[FINDING_RESCHEDULE_REQUESTED] ? "reschedule" : "change";

    for (uint32_t i = 0; i < sides->clusters->count; i++) {
        const char *name = sides->clusters->items[i].name;
        int32_t stay = sides->lose_again.caps[i] - sides->lose_again.shares[i].replicas;
        int32_t away = sides->regain.caps[i] - sides->regain.shares[i].replicas;

        if (stay > 0) {
            reason_add(planner, decision, "MovedOnce", name,
                       "%d more would leave by the room that there is now, but the %s has "
                       "brought some there already",
                       stay, what);
        } else if (away > 0) {
            reason_add(planner, decision, "MovedOnce", name,
                       "%d more would come by the room that there is now, but the %s has "
                       "taken some from there already",
                       away, what);
        }
    }
}

/* A change of the affinity term goes as a whole, or not at all. */
static bool
changes_term(const struct move *move, const struct decision *decision)
{
    return !str_is_empty(decision->affinity_name) &&
           !str_eq(decision->affinity_name, move->affinity);
}

void
parts_hold(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (move->parts == NULL || !str_is_empty(decision->error_type) ||
        changes_term(move, decision)) {
        return;
    }
    const struct target_list clusters =
        targets_join(planner->scratch, &decision->before, &decision->after);
    struct sides sides = {.clusters = &clusters};

    sort_sides(planner, move, decision, &sides);
    if (sides.regain.sum == 0 && sides.lose_again.sum == 0) {
        return;
    }
    choose_sides(&sides, targets_sum(&decision->after) - targets_sum(&decision->before));
    struct decision held = *decision;

    held.after = held_split(planner, decision, &sides);
    if (!move_spreads_too_wide(planner, move, &held)) {
        decision->after = held.after;
        explain_held_parts(planner, move, &sides, decision);
    }
}

/* --- the note for the next run --- */

static struct target_list
brought(struct planner *planner, const struct decision *decision)
{
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, decision->after.count);

    for (uint32_t i = 0; i < decision->after.count; i++) {
        counts[i] = decision->after.items[i].replicas -
                    targets_find(&decision->before, decision->after.items[i].name);
    }
    return targets_counted(planner->scratch, &decision->after, counts, 1);
}

void
parts_forget(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (binding_rare(move->binding)->reschedule_parts != NULL) {
        decision_annotate(planner, decision, ANNOTATION_RESCHEDULE_PARTS, RESCHEDULE_PARTS_NONE);
    }
}

void
parts_note(struct planner *planner, const struct move *move, bool in_part,
           struct decision *decision)
{
    if (!in_part || !goes_in_parts(move)) {
        if (move_is_whole(move)) {
            parts_forget(planner, move, decision);
        }
        return;
    }
    const struct target_list from = move_note_from(planner->scratch, move, decision);
    const struct target_list to = brought(planner, decision);
    const bool is_asked = move->triggered[FINDING_RESCHEDULE_REQUESTED];
    struct reschedule_parts so_far = {.asked_at = TIME_NONE};

    if (move->parts != NULL) {
        so_far = *move->parts;
    }
    so_far.asked_at = is_asked ? move->binding->reschedule_triggered_at : TIME_NONE;
    so_far.placement = move->triggered[FINDING_PLACEMENT_CHANGED] ? move->binding->placement : NULL;
    const struct reschedule_parts parts =
        reschedule_parts_plus(planner->scratch, &so_far, &from, &to);

    decision_annotate(planner, decision, ANNOTATION_RESCHEDULE_PARTS,
                      reschedule_parts_text(planner->arena, &parts));
}
