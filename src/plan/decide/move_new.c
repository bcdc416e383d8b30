/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a move: which replicas stay and which have to go, by findings and by the state of members.
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "decide.h"
#include "plan/history/history.h"
#include "plan/move/move.h"

/* Replicas in a cluster that the filters refuse may stay, but it gets no more. */
static bool
is_refused(const struct planner *planner, const struct move *move, uint32_t cluster)
{
    return move->n_findings > 0 && !move_passes(planner, move, move->affinity, cluster);
}

/* Counts a target's pods beyond so many replicas: they hold capacity, or will. In a full cluster,
 * pods without a node do not count. If only a status counts pods, ready ones do. */
static int32_t
pods_beyond(struct planner *planner, const struct move *move, uint32_t index, int32_t replicas)
{
    const struct target_state *state = &move->targets[index];
    const struct target *target = &move->binding->clusters.items[index];
    int32_t running = state->failed >= 0 ? state->seen : state->ready;
    const char *source;

    if (running <= replicas) {
        return 0;
    }
    if (state->scheduled >= 0 &&
        ledger_room_for(planner->ledger, target->cluster, move->binding, &source) == 0) {
        running = state->scheduled;
    }
    return running > replicas ? running - replicas : 0;
}

static bool
is_not_well(const struct planner *planner, const struct target *target)
{
    return target->cluster != CLUSTER_NONE && planner->no_destination[target->cluster];
}

/* A lost cluster is left as a whole, or keeps its replicas. If only its taint makes it lost and
 * failover is off, its stuck replicas go all the same. */
static int32_t
stuck_that_goes(const struct move *move, uint32_t index)
{
    const struct target_state *state = &move->targets[index];
    bool waits = move->assumed.leaving != LEAVING_ALL ||
                 (state->lost && state->owner != FAILOVER_OWNER_OFF_TAINTED);

    return waits ? 0 : move_stuck_replicas(move, index);
}

/* True if stuck replicas of the target stay, unless all of it leaves. */
static bool
holds_stuck(const struct move *move, uint32_t index)
{
    return eviction_state_problem(move, index) != NULL ||
           move->targets[index].owner == FAILOVER_OWNER_FINISHED || move_is_frozen(move, index) ||
           move_holds_claims(move, index);
}

/* True if nothing relies on a target that is not left. */
static bool
waits(const struct planner *planner, const struct move *move, uint32_t index)
{
    const struct target_state *state = &move->targets[index];

    return eviction_state_problem(move, index) != NULL || state->lost ||
           state->owner == FAILOVER_OWNER_FINISHED || move_is_frozen(move, index) ||
           is_not_well(planner, &move->binding->clusters.items[index]);
}

static void
init_target(struct planner *planner, struct move *move, uint32_t index)
{
    const struct target *target = &move->binding->clusters.items[index];
    bool is_kept = move->assumed.stays != NULL && move->assumed.stays[index];
    bool asks = move_asks_to_leave(move, index);
    bool left = asks && !is_kept && move->assumed.leaving != LEAVING_NONE;

    move->leaves[index] = left;
    move->waits[index] = !left && waits(planner, move, index);
    bool stuck_stays = holds_stuck(move, index) || (is_kept && !asks);

    move->take[index] = stuck_stays ? 0 : left ? target->replicas : stuck_that_goes(move, index);
    move->keep[index] = target->replicas - move->take[index];
    move->n_leaving += left ? 1 : 0;
}

/* True if replicas stay in the target, whatever the scheduler would choose. */
static bool
is_pinned(const struct move *move, uint32_t index)
{
    if (move_is_whole(move)) {
        return move_is_set_aside(move, index);
    }
    return !move->leaves[index] && move->keep[index] > 0;
}

static void
mark_cluster(struct planner *planner, const struct move *move, uint32_t index,
             const struct move_marks *marks)
{
    const struct target *target = &move->binding->clusters.items[index];
    const struct target_state *state = &move->targets[index];
    bool left = move->leaves[index];

    if (target->cluster == CLUSTER_NONE) {
        return;
    }
    /* an entry without replicas holds nothing: its cluster is like any other */
    bool is_empty = target->replicas == 0 && binding_is_workload(move->binding);

    marks->excluded[target->cluster] = left || (is_empty && is_not_well(planner, target));
    marks->surplus[target->cluster] = pods_beyond(planner, move, index, target->replicas);
    marks->ending[target->cluster] =
        pods_beyond(planner, move, index, target->replicas - move->ends[index]) -
        marks->surplus[target->cluster];
    marks->pinned[target->cluster] = is_pinned(move, index);
    marks->closed[target->cluster] = left || move->waits[index] || state->stuck_here ||
                                     move_silent_replicas(move, index) > 0 ||
                                     is_refused(planner, move, target->cluster);
}

/* Closes clusters that a taint would make lost to the binding at once, or before it may move again.
 * Else replicas would move to and fro. */
static void
close_tainted(struct planner *planner, const struct move *move, const struct move_marks *marks)
{
    int64_t until = policy_stay_until(planner->policy), when;

    for (uint32_t i = 0; i < planner->n_tainted && move->n_findings > 0; i++) {
        uint32_t index = planner->tainted[i];
        const struct cluster *cluster = &planner->fleet->clusters[index];

        if (binding_find_evicting_taint(move->binding, cluster, until, &when) != NULL) {
            marks->closed[index] = true;
            marks->excluded[index] =
                marks->excluded[index] || !move_holds_some(move, cluster->name);
        }
    }
}

/* Closes clusters that are no targets, but where pods of the workload are stuck. */
static void
close_where_stuck(struct planner *planner, const struct move *move, const struct move_marks *marks)
{
    const struct diagnosis *diagnosis = planner->diagnosis;
    const struct stuck_place *places = diagnosis->elsewhere;

    for (uint32_t i = stuck_places_of(places, diagnosis->n_elsewhere, move->index);
         i < diagnosis->n_elsewhere && places[i].binding == move->index; i++) {
        if (!places[i].is_foreign) { /* close_barren() closes these */
            marks->closed[places[i].cluster] = true;
        }
    }
}

static bool
stays_somewhere(const struct planner *planner, const struct move *move)
{
    if (!move_is_divided(move) && !move_is_whole(move)) {
        return move->n_leaving < move->binding->clusters.count;
    }
    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        if (move->pinned[i]) {
            return true;
        }
    }
    return false;
}

struct move
move_read(const struct planner *planner, uint32_t index)
{
    const struct binding *binding = &planner->fleet->bindings[index];
    const struct binding_state *state = &planner->diagnosis->bindings[index];
    struct move move = {
        .index = index,
        .binding = binding,
        .state = state,
        .targets = planner->diagnosis->targets + state->first_target,
        .findings = planner->diagnosis->findings + state->first_finding,
        .n_findings = state->n_findings,
        .affinity = schedule_affinity_in_use(planner->fleet, binding),
    };

    for (uint32_t i = 0; i < move.n_findings; i++) {
        if (move.findings[i].triggers) {
            move.triggered[move.findings[i].type] = true;
        }
    }
    move.claims_stay = claims_that_stay(planner, &move);
    return move;
}

/* Returns the marks that hold for every binding, before its targets count. */
static struct move_marks
marks_new(struct planner *planner, struct move *move)
{
    size_t n_clusters = planner->fleet->n_clusters;
    struct move_marks marks = {
        .excluded =
            arena_memdup(planner->scratch, planner->no_destination, n_clusters * sizeof(bool)),
        .pinned = ARENA_ARRAY(planner->scratch, bool, n_clusters),
        .closed = ARENA_ARRAY(planner->scratch, bool, n_clusters),
        .surplus = ARENA_ARRAY(planner->scratch, int32_t, n_clusters),
        .ending = ARENA_ARRAY(planner->scratch, int32_t, n_clusters),
    };

    move->excluded = marks.excluded;
    move->pinned = marks.pinned;
    move->closed = marks.closed;
    move->surplus = marks.surplus;
    move->ending = marks.ending;
    return marks;
}

/* Returns the lesser of both caps by cluster; either may be NULL. */
static const int32_t *
lesser_caps(struct planner *planner, const int32_t *a, const int32_t *b)
{
    if (a == NULL || b == NULL) {
        return a != NULL ? a : b;
    }
    int32_t *caps = ARENA_ARRAY(planner->scratch, int32_t, planner->fleet->n_clusters);

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        caps[i] = a[i] < b[i] ? a[i] : b[i];
    }
    return caps;
}

const struct move *
move_new(struct planner *planner, uint32_t index, struct assumptions assumed)
{
    struct move *move = ARENA_NEW(planner->scratch, struct move);

    *move = move_read(planner, index);
    move->assumed = assumed;
    if (assumed.claims_end) {
        move->claims_stay = NULL;
    }
    if (assumed.steady || move_any(move, move_holds_claims)) {
        move->triggered[FINDING_RESCHEDULE_REQUESTED] = false;
        move->triggered[FINDING_PLACEMENT_CHANGED] = false;
    }
    move->parts = parts_so_far(move);
    struct move_marks marks = marks_new(planner, move);
    uint32_t n_targets = move->binding->clusters.count;

    move->leaves = ARENA_ARRAY(planner->scratch, bool, n_targets);
    move->waits = ARENA_ARRAY(planner->scratch, bool, n_targets);
    move->ends = ARENA_ARRAY(planner->scratch, int32_t, n_targets);
    move->keep = ARENA_ARRAY(planner->scratch, int32_t, n_targets);
    move->take = ARENA_ARRAY(planner->scratch, int32_t, n_targets);
    for (uint32_t i = 0; i < n_targets; i++) {
        init_target(planner, move, i);
    }
    move_scale_down(planner, move);
    for (uint32_t i = 0; i < n_targets; i++) {
        move->taken += move->take[i];
        move->kept += move->keep[i];
        mark_cluster(planner, move, i, &marks);
    }
    close_tainted(planner, move, &marks);
    close_where_stuck(planner, move, &marks);
    close_suspended(planner, move, &marks);
    close_barren(planner, move, &marks);
    move->wanted = move->binding->replicas;
    if (assumed.as_many) {
        move->wanted = move->kept + move->taken - federated_replaced(planner, move);
    } else if (move->kept + move->taken > move->wanted &&
               federated_surplus_waits(planner, move, move->ends)) {
        move->wanted = move->kept + move->taken;
    }
    if (assumed.most > 0 && assumed.most < move->wanted) {
        move->wanted = assumed.most;
    }
    /* none of them is a target: the binding would have been left alone */
    for (uint32_t i = 0; move->state->closed != NULL && i < planner->fleet->n_clusters; i++) {
        marks.excluded[i] = marks.excluded[i] || move_owner_in(move, i) != NULL;
    }
    move->stays = stays_somewhere(planner, move);
    move->cools_until = move_history_close(planner, move, &marks);
    move->caps = assumed.back > 0 ? move_history_caps(planner, move) : NULL;
    move->caps = lesser_caps(planner, assumed.caps, move->caps);
    return move;
}
