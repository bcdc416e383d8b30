/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the replicas that a scale-down ends before it divides: those that do not run, then ready
 * ones in clusters that the filters refuse. Upstream's scale-down, too, takes away all of a cluster
 * that is no candidate (karmada-io/karmada#7110).
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/divide.h"
#include "move.h"

static const char *
ending_text(const struct move *move, uint32_t target, enum ending ending)
{
    switch (ending) {
    case ENDING_STUCK:
        return "they are stuck there";
    case ENDING_DROPPED:
        return "KubeFed ends them, for their namespace does not have the cluster";
    case ENDING_LEAVING:
    case ENDING_WAITING:
        return move->targets[target].lost ? "the cluster is lost"
               : move->targets[target].owner == FAILOVER_OWNER_FINISHED
                   ? "what is there has run to its end"
                   : "the cluster is not ready";
    case ENDING_STARTING:
        return "they are not ready";
    case ENDING_UNHEARD:
        return "they run, but the cluster is not ready";
    case ENDING_EXCLUDED:
        return "the placement no longer allows the cluster";
    case ENDING_SETTLING:
        return "the cluster is only just ready again";
    case ENDING_RUNNING:
        return "elsewhere dispatching is suspended";
    case ENDING_FROZEN:
        return "all the others end, too";
    case N_ENDINGS:
        break;
    }
    return "";
}

/* Ready replicas run as well there as elsewhere, though the cluster gets no new ones. */
static bool
keeps_what_runs(const struct planner *planner, const struct target *target)
{
    if (target->cluster == CLUSTER_NONE) {
        return false;
    }
    const struct cluster_health *health = &planner->diagnosis->clusters[target->cluster];

    return health->settling || cluster_standing(health) == STANDING_FAILING;
}

/* True if the cluster is not ready, though its pods were seen, and neither lost nor about to be.
 * The agent is down, or there is no Ready condition yet. */
static bool
is_seen_unheard(const struct planner *planner, const struct move *move, uint32_t index)
{
    uint32_t cluster = move->binding->clusters.items[index].cluster;
    const struct target_state *state = &move->targets[index];

    if (cluster == CLUSTER_NONE || state->lost || state->owner == FAILOVER_OWNER_FINISHED) {
        return false;
    }
    const struct cluster_health *health = &planner->diagnosis->clusters[cluster];

    return health->healthy && !health->ready && health->lost_at == TIME_NONE && state->ready >= 0 &&
           state->scheduled >= 0;
}

static bool
is_excluded(const struct planner *planner, const struct move *move, uint32_t index)
{
    uint32_t cluster = move->binding->clusters.items[index].cluster;

    return cluster != CLUSTER_NONE && !move_is_frozen(move, index) &&
           !move_passes(planner, move, move->affinity, cluster);
}

/* If only dispatching is suspended, ready replicas run as well there as elsewhere. */
static bool
is_waiting(const struct planner *planner, const struct move *move, uint32_t index)
{
    return move->waits[index] &&
           (!move_is_frozen(move, index) ||
            planner->no_destination[move->binding->clusters.items[index].cluster]);
}

/* Counts the replicas of a target that neither leave nor are stuck. */
static void
count_others(const struct planner *planner, const struct move *move, uint32_t index, int32_t rest,
             int32_t counts[N_ENDINGS])
{
    const struct target_state *state = &move->targets[index];
    bool waits = is_waiting(planner, move, index);
    bool unheard = waits && is_seen_unheard(planner, move, index);

    if (waits && !unheard && !keeps_what_runs(planner, &move->binding->clusters.items[index])) {
        counts[ENDING_WAITING] = rest;
        return;
    }
    /* a StatefulSet ends no lower ordinal before those above it */
    int32_t stays = state->ready > state->below_stuck ? state->ready : state->below_stuck;

    if (state->ready >= 0 && stays < rest) {
        counts[unheard ? ENDING_WAITING : ENDING_STARTING] = rest - stays;
        rest = stays;
    }
    if (unheard) {
        counts[ENDING_UNHEARD] = rest;
    } else if (is_excluded(planner, move, index)) {
        counts[ENDING_EXCLUDED] = rest;
    } else {
        counts[ENDING_SETTLING] = waits ? rest : 0;
    }
}

/* Counts the replicas of a target that end before ready ones. */
static void
count_endings(const struct planner *planner, const struct move *move, uint32_t index,
              int32_t counts[N_ENDINGS])
{
    const struct target_state *state = &move->targets[index];
    int32_t rest = move->binding->clusters.items[index].replicas;

    for (int i = 0; i < N_ENDINGS; i++) {
        counts[i] = 0;
    }
    if (move->leaves[index]) {
        counts[state->lost ? ENDING_LEAVING : ENDING_STUCK] = rest;
        return;
    }
    if (federated_drops(planner, move, index)) {
        counts[ENDING_DROPPED] = rest;
        return;
    }
    if (!state->lost) {
        counts[ENDING_STUCK] = move_stuck_replicas(move, index);
        rest -= counts[ENDING_STUCK];
    }
    count_others(planner, move, index, rest, counts);
}

static int32_t
count_running(const struct move *move, uint32_t index, const int32_t counts[N_ENDINGS])
{
    int32_t rest = move->binding->clusters.items[index].replicas;

    for (int i = 0; i < N_ENDINGS && rest > 0; i++) {
        rest -= counts[i];
    }
    return rest;
}

/* Returns the counts by kind, then by target. */
static int32_t *
count_all(const struct planner *planner, const struct move *move)
{
    uint32_t n_targets = move->binding->clusters.count;
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, (size_t)N_ENDINGS * n_targets);
    bool spares = planner->policy->mode == MODE_PLACE && move_any(move, move_is_frozen);

    for (uint32_t i = 0; i < n_targets; i++) {
        int32_t of_target[N_ENDINGS];

        count_endings(planner, move, i, of_target);
        if (spares && !move_is_frozen(move, i)) {
            of_target[ENDING_RUNNING] = count_running(move, i, of_target);
        } else if (spares && move_is_whole(move)) {
            of_target[ENDING_FROZEN] = count_running(move, i, of_target);
        }
        for (uint32_t kind = 0; kind < N_ENDINGS; kind++) {
            counts[kind * n_targets + i] = of_target[kind];
        }
    }
    return counts;
}

/* Lets `stay` replicas of one kind stay, in proportion. `counts` keeps those that end. */
static void
let_stay(struct planner *planner, const struct move *move, int32_t *counts, int32_t stay)
{
    uint32_t n_targets = move->binding->clusters.count;
    struct share *shares = ARENA_ARRAY(planner->scratch, struct share, n_targets);

    for (uint32_t i = 0; i < n_targets; i++) {
        shares[i] =
            (struct share){.name = move->binding->clusters.items[i].name, .weight = counts[i]};
    }
    webster_allocate_capped(shares, counts, n_targets, stay, false);
    for (uint32_t i = 0; i < n_targets; i++) {
        counts[i] -= shares[i].replicas;
    }
}

/* Some bindings may end only lost replicas. */
static bool
is_spared(struct planner *planner, const struct move *move, uint32_t kind, const int32_t *ends)
{
    return (move->state->only_lost != LEFT_ALONE_NOT && kind != ENDING_LEAVING) ||
           (kind >= ENDING_SETTLING && federated_surplus_waits(planner, move, ends));
}

/* Returns the replicas that end, by kind, then target; NULL: no scale-down of divided replicas. */
static const int32_t *
choose_endings(struct planner *planner, const struct move *move)
{
    uint32_t n_targets = move->binding->clusters.count;
    int64_t over = targets_sum(&move->binding->clusters) - move->binding->replicas;

    if (over <= 0 || !move_is_divided(move)) {
        return NULL;
    }
    int32_t *counts = count_all(planner, move);
    int32_t *ends = ARENA_ARRAY(planner->scratch, int32_t, n_targets); /* by target, so far */

    for (uint32_t kind = 0; kind < N_ENDINGS; kind++) {
        int32_t *of_kind = counts + (size_t)kind * n_targets;
        int64_t sum = 0;

        if (is_spared(planner, move, kind, ends)) {
            memset(of_kind, 0, n_targets * sizeof(*of_kind));
            continue;
        }
        for (uint32_t i = 0; i < n_targets; i++) {
            sum += of_kind[i];
        }
        if (sum > over) { /* only the excess ends */
            let_stay(planner, move, of_kind, pin_count(sum - over));
            sum = over;
        }
        over -= sum;
        for (uint32_t i = 0; i < n_targets; i++) {
            ends[i] += of_kind[i];
        }
    }
    return counts;
}

void
move_scale_down(struct planner *planner, struct move *move)
{
    uint32_t n_targets = move->binding->clusters.count;
    const int32_t *endings = choose_endings(planner, move);

    for (uint32_t i = 0; endings != NULL && i < n_targets; i++) {
        for (uint32_t kind = 0; kind < N_ENDINGS; kind++) {
            int32_t ends = endings[kind * n_targets + i];
            bool goes = kind <= ENDING_STUCK && move->take[i] >= ends;

            move->ends[i] += ends;
            *(goes ? &move->take[i] : &move->keep[i]) -= ends;
        }
    }
}

bool
scale_down_only(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct target_list *all = &move->binding->clusters;
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, all->count);
    int64_t ends = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        ends += move->ends[i];
        counts[i] = all->items[i].replicas - move->ends[i];
    }
    if (ends == 0 || move->kept + move->taken != move->wanted) {
        return false;
    }
    decision->after =
        targets_sorted(planner->scratch, targets_counted(planner->scratch, all, counts, 1));
    decision->affinity_name = move->affinity;
    decision->error_type = decision->error_message = "";
    decision->unplaced = pin_count(move->taken);
    return true;
}

void
explain_endings(struct planner *planner, const struct move *move, uint32_t target,
                struct decision *decision)
{
    uint32_t n_targets = move->binding->clusters.count;
    const int32_t *endings = choose_endings(planner, move);

    for (uint32_t kind = 0; endings != NULL && kind < N_ENDINGS; kind++) {
        int32_t ends = endings[kind * n_targets + target];

        if (ends > 0) {
            reason_add(planner, decision, "EndsFirst", move->binding->clusters.items[target].name,
                       kind == ENDING_EXCLUDED || kind >= ENDING_RUNNING
                           ? "%d end that run well: %s"
                           : "%d end before those that run well: %s",
                       ends, ending_text(move, target, (enum ending)kind));
        }
    }
}
