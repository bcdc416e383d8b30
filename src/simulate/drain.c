/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans a drain as a loss, but starts new replicas first: the cluster still runs. Old replicas
 * stop once the new ones are ready. A binding stays if it would end with fewer ready replicas.
 */
#include "drain.h"

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "drain_rounds.h"
#include "homeless.h"

/* Replicas of a move that stop together, and their replacements. */
struct part {
    uint32_t move, round, wave;
    const struct drain_take *takes;
    uint32_t n_takes;
    int64_t skips, starts; /* replicas that start, after `skips` earlier ones */
    int64_t stops;
    int64_t ready; /* change of ready replicas by this part */
    bool is_first; /* first part of the move */
};

struct drafting {
    struct arena *arena;
    const struct simulation *simulation;
    const bool *drained;
    VEC_OF(struct drain_move) moves;
    VEC_OF(struct part) parts; /* by round, then in order of the moves */
    VEC_OF(struct drain_step) steps;
    VEC_OF(struct homeless) stays;
    struct drain drain;
};

int64_t
replicas_of(const struct target_list *list, const char *name)
{
    const struct target *target = target_list_find(list, name);

    return target != NULL && target->replicas > 0 ? target->replicas : 0;
}

static bool
is_drained(const struct drafting *drafting, const struct target *target)
{
    return target->cluster != CLUSTER_NONE && drafting->drained[target->cluster];
}

static bool
is_lost(const struct drafting *drafting, const struct target *target)
{
    return target->cluster == CLUSTER_NONE ||
           drafting->simulation->changed->fates[target->cluster] == FATE_LOST;
}

/* Counts ready replicas of the present targets. Unready replicas stop first. Today's repairs may be
 * under way: then ready pods beyond the assigned replicas run until those that start elsewhere are
 * ready. */
static void
count_ready(const struct drafting *drafting, const struct target_list *after,
            const struct target_state *states, struct drain_move *move)
{
    const struct binding *binding = &drafting->simulation->changed->fleet.bindings[move->binding];
    int64_t surplus = 0, starting = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        int64_t assigned = target->replicas > 0 ? target->replicas : 0;
        int64_t ready = states[i].ready >= 0 ? states[i].ready : assigned;
        int64_t kept = replicas_of(after, target->name);
        bool stays = ready < kept || kept >= assigned;

        if (!is_lost(drafting, target)) {
            move->ready_now += ready;
            move->ready_between += ready;
            move->ready_after += stays ? ready : kept;
            surplus += !stays && ready > assigned ? ready - assigned : 0;
            starting += stays ? states[i].of_state[REPLICA_STARTING] : 0;
        }
        if (is_drained(drafting, target)) {
            move->stops += assigned > kept ? assigned - kept : 0;
            move->stays += kept;
        }
    }
    move->ready_after += surplus < starting ? surplus : starting;
}

static void
count_starts(const struct drafting *drafting, const struct decision *decision,
             struct drain_move *move)
{
    for (uint32_t i = 0; i < decision->after.count; i++) {
        const struct target *target = &decision->after.items[i];
        int64_t more = target->replicas - replicas_of(&decision->before, target->name);

        if (more > 0 && !is_lost(drafting, target)) {
            move->starts += more;
        }
    }
    move->ready_between += move->starts;
    move->ready_after += move->starts;
}

static bool
is_there(const struct drafting *drafting, const struct binding *binding)
{
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        if (is_drained(drafting, &binding->clusters.items[i]) &&
            binding->clusters.items[i].replicas > 0) {
            return true;
        }
    }
    return false;
}

enum withheld { WITHHELD_NOT, WITHHELD_LESS_READY, WITHHELD_LAST_READY, WITHHELD_BY_BUDGET };

static void
keep(struct drafting *drafting, const struct drain_move *move, enum withheld withheld)
{
    const struct simulation *simulation = drafting->simulation;
    const struct planned planned = {.fleet = &simulation->changed->fleet,
                                    .diagnosis = simulation->diagnosis,
                                    .plan = simulation->plan};
    /* a move that a budget holds was drafted before, and its `stays` were counted then */
    struct homeless stay = {
        .replicas =
            (withheld != WITHHELD_BY_BUDGET ? move->stays : 0) +
            (withheld == WITHHELD_LESS_READY || withheld == WITHHELD_BY_BUDGET ? move->stops : 0)};

    homeless_explain(drafting->arena, &planned, move->binding, drafting->drained, &stay);
    if (withheld == WITHHELD_LESS_READY) {
        stay.lacks_room = false;
        stay.code = "LessReady";
        stay.message = "a move would leave fewer replicas ready than today";
    } else if (withheld == WITHHELD_LAST_READY) {
        stay.lacks_room = false;
        stay.code = "LessReady";
        stay.message = "no full copy is ready in another cluster";
    } else if (withheld == WITHHELD_BY_BUDGET) {
        stay.lacks_room = false;
        stay.code = "DisruptionBudget";
        stay.message = "a PodDisruptionBudget never lets some of its pods go";
    }
    drafting->drain.staying += stay.replicas;
    vec_add(&drafting->stays, stay);
}

/* Returns the ready replicas of copies in clusters that stay. */
static int64_t
ready_elsewhere(const struct drafting *drafting, const struct binding *binding,
                const struct target_state *states)
{
    int64_t ready = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];

        if (!is_lost(drafting, target) && !is_drained(drafting, target)) {
            ready += states[i].ready >= 0 ? states[i].ready : target->replicas;
        }
    }
    return ready;
}

/* Returns the decision without the targets in drained clusters. */
static const struct decision *
without_drained(const struct drafting *drafting, const struct decision *decision)
{
    const struct target_list *list = &decision->after;
    struct decision *ret = arena_memdup(drafting->arena, decision, sizeof(*decision));
    struct target *items = ARENA_ARRAY(drafting->arena, struct target, list->count);

    ret->after.items = items;
    ret->after.count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!is_drained(drafting, &list->items[i])) {
            items[ret->after.count++] = list->items[i];
        }
    }
    return ret;
}

static bool
has_reason(const struct decision *decision, const char *code)
{
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        if (str_eq(decision->reasons[i].code, code)) {
            return true;
        }
    }
    return false;
}

/* True if the plan found no other cluster for a copy, and no claim ties the copy to its cluster. */
static bool
has_no_successor(const struct decision *decision)
{
    return (has_reason(decision, "CopiesGoOn") || has_reason(decision, "NotEnoughCandidates")) &&
           !has_reason(decision, "ClaimsNotMovable");
}

/* True if the plan leaves a copy in a drained cluster, and only because no other cluster can take
 * it. */
static bool
is_copy_without_successor(const struct drafting *drafting, const struct drain_move *move)
{
    const struct simulation *simulation = drafting->simulation;
    const struct binding *binding = &simulation->changed->fleet.bindings[move->binding];
    const struct target_list *after = &move->decision->after;
    bool stays = false;

    for (uint32_t i = 0; i < after->count; i++) {
        stays |= is_drained(drafting, &after->items[i]) && after->items[i].replicas > 0;
    }
    return stays && !binding_is_divided(binding) && has_no_successor(move->decision) &&
           simulation->diagnosis->bindings[move->binding].left_alone == LEFT_ALONE_NOT;
}

static int64_t
floor_of(const struct binding *binding, const struct drain_move *move)
{
    const int64_t enough = move->ends                    ? binding_copy_size(binding)
                           : binding_is_divided(binding) ? binding->replicas
                                                         : move->ready_now;

    return enough < move->ready_now ? enough : move->ready_now;
}

static void
draft_move(struct drafting *drafting, uint32_t index)
{
    const struct simulation *simulation = drafting->simulation;
    const struct fleet *fleet = &simulation->changed->fleet;
    const struct binding *binding = &fleet->bindings[index];
    const struct binding_state *state = &simulation->diagnosis->bindings[index];
    struct drain_move move = {
        .binding = index,
        .decision = plan_decision(drafting->arena, simulation->plan, fleet, index),
    };

    if (!is_there(drafting, binding) || state->left_alone == LEFT_ALONE_OUT_OF_SCOPE) {
        return;
    }
    const struct target_state *states = simulation->diagnosis->targets + state->first_target;
    const bool is_copy = is_copy_without_successor(drafting, &move);

    /* a copy ends if a full one is ready elsewhere */
    move.ends = is_copy && ready_elsewhere(drafting, binding, states) >= binding_copy_size(binding);
    if (move.ends) {
        move.decision = without_drained(drafting, move.decision);
    }
    count_ready(drafting, &move.decision->after, states, &move);
    count_starts(drafting, move.decision, &move);
    move.floor = floor_of(binding, &move);
    bool is_withheld = move.stops > 0 && move.ready_after < move.floor;

    drafting->drain.ready_now += move.ready_now;
    if (move.stops > 0 && !is_withheld) {
        vec_add(&drafting->moves, move);
    }
    if (move.stays > 0 || is_withheld) {
        keep(drafting, &move,
             is_withheld ? WITHHELD_LESS_READY
             : is_copy && !move.ends && has_reason(move.decision, "CopiesGoOn")
                 ? WITHHELD_LAST_READY
                 : WITHHELD_NOT);
    }
}

/* --- parts --- */

/* Drops moves of which a budget keeps replicas permanently. */
static bool
drop_held(struct drafting *drafting, const struct drain_rounds *rounds)
{
    size_t count = 0;

    for (size_t i = 0; i < drafting->moves.count; i++) {
        if (rounds->held[i]) {
            keep(drafting, &drafting->moves.items[i], WITHHELD_BY_BUDGET);
        } else {
            drafting->moves.items[count++] = drafting->moves.items[i];
        }
    }
    drafting->moves.count = count;
    return rounds->n_held > 0;
}

/* Takes of one move and round are adjacent. */
static void
divide(struct drafting *drafting, const struct drain_rounds *rounds)
{
    for (uint32_t first = 0, end; first < rounds->n_takes; first = end) {
        const struct drain_take *take = &rounds->takes[first];
        struct part part = {.move = take->move, .round = take->round, .takes = take};

        for (end = first; end < rounds->n_takes && rounds->takes[end].move == take->move &&
                          rounds->takes[end].round == take->round;
             end++) {
            part.n_takes++;
            part.stops += rounds->takes[end].replicas;
            part.ready -= rounds->takes[end].ready;
        }
        vec_add(&drafting->parts, part);
    }
}

/* A part starts replacements for its stops. The first part also starts the surplus. The last part
 * also has the changes in other clusters. */
static void
pair_starts(struct drafting *drafting)
{
    int64_t *started = ARENA_ARRAY(drafting->arena, int64_t, drafting->moves.count);
    int64_t *stopped = ARENA_ARRAY(drafting->arena, int64_t, drafting->moves.count);
    int64_t *ready = ARENA_ARRAY(drafting->arena, int64_t, drafting->moves.count);

    for (size_t i = 0; i < drafting->parts.count; i++) {
        struct part *part = &drafting->parts.items[i];
        struct drain_move *move = &drafting->moves.items[part->move];
        int64_t rest = move->starts - started[part->move];

        part->is_first = stopped[part->move] == 0;
        int64_t more =
            part->is_first && move->starts > move->stops ? move->starts - move->stops : 0;

        part->skips = started[part->move];
        part->starts = part->stops + more < rest ? part->stops + more : rest;
        int64_t between = move->ready_now + ready[part->move] + part->starts;

        move->ready_between =
            part->is_first || between > move->ready_between ? between : move->ready_between;
        started[part->move] += part->starts;
        stopped[part->move] += part->stops;
        part->ready = stopped[part->move] == move->stops
                          ? move->ready_after - move->ready_now - ready[part->move]
                          : part->ready + part->starts;
        ready[part->move] += part->ready;
    }
}

/* Fills waves up to a run's limit on moved replicas. Parts are not split. */
static void
share_out(struct drafting *drafting, const struct limits *limits)
{
    int64_t most = limit_allows(&limits->of[LIMIT_RUN_REPLICAS], drafting->drain.moving);
    int64_t used = 0;
    uint32_t wave = 0;

    for (size_t i = 0; i < drafting->parts.count; i++) {
        struct part *part = &drafting->parts.items[i];
        struct drain_move *move = &drafting->moves.items[part->move];
        bool is_later = i > 0 && part->round != drafting->parts.items[i - 1].round;

        if (is_later || (used > 0 && part->starts > most - used)) {
            wave++;
            used = 0;
        }
        part->wave = wave;
        move->wave = part->is_first ? wave : move->wave;
        move->last_wave = wave;
        used += part->starts;
    }
}

/* --- steps --- */

static void
sum_starts(const struct drafting *drafting, const struct part *part, int64_t *sums)
{
    const struct decision *decision = drafting->moves.items[part->move].decision;
    int64_t skips = part->skips, rest = part->starts;

    for (uint32_t i = 0; i < decision->after.count; i++) {
        const struct target *target = &decision->after.items[i];
        int64_t more = target->replicas - replicas_of(&decision->before, target->name);

        if (more <= 0 || is_lost(drafting, target)) {
            continue;
        }
        int64_t skipped = more < skips ? more : skips;
        int64_t comes = more - skipped < rest ? more - skipped : rest;

        skips -= skipped;
        rest -= comes;
        sums[target->cluster] += comes;
    }
}

static void
sum_stops(const struct part *part, int64_t *sums)
{
    for (uint32_t i = 0; i < part->n_takes; i++) {
        sums[part->takes[i].cluster] += part->takes[i].replicas;
    }
}

static const struct drain_part *
make_parts(struct drafting *drafting, size_t first, size_t end, enum drain_step_type type,
           uint32_t *ret_count)
{
    uint32_t n_clusters = drafting->simulation->changed->fleet.n_clusters;
    int64_t *sums = ARENA_ARRAY(drafting->arena, int64_t, n_clusters);
    struct drain_part *parts = ARENA_ARRAY(drafting->arena, struct drain_part, n_clusters);

    for (size_t i = first; i < end; i++) {
        if (type == DRAIN_START) {
            sum_starts(drafting, &drafting->parts.items[i], sums);
        } else {
            sum_stops(&drafting->parts.items[i], sums);
        }
    }
    *ret_count = 0;
    for (uint32_t i = 0; i < n_clusters; i++) {
        if (sums[i] > 0) {
            parts[(*ret_count)++] = (struct drain_part){i, sums[i]};
        }
    }
    return parts;
}

static void
add_steps(struct drafting *drafting, size_t first, size_t end, int64_t *ready)
{
    struct drain_step step = {.wave = drafting->parts.items[first].wave};

    for (enum drain_step_type type = DRAIN_START; type <= DRAIN_STOP; type++) {
        step.type = type;
        step.replicas = 0;
        step.bindings = 0;
        for (size_t i = first; i < end; i++) {
            const struct part *part = &drafting->parts.items[i];
            const int64_t replicas = type == DRAIN_START ? part->starts : part->stops;

            step.replicas += replicas;
            step.bindings += replicas > 0 ? 1 : 0;
            *ready += type == DRAIN_START ? part->starts : part->ready - part->starts;
        }
        step.ready = *ready;
        step.parts = make_parts(drafting, first, end, type, &step.n_parts);
        if (step.replicas > 0) { /* nothing starts for copies that end */
            vec_add(&drafting->steps, step);
        }
    }
}

static struct drain_rounds
find_rounds(struct drafting *drafting)
{
    return drain_rounds_of(drafting->arena, drafting->simulation, drafting->drained,
                           drafting->moves.items, pin_uint32(drafting->moves.count));
}

static void
sum_moves(struct drafting *drafting)
{
    struct drain *drain = &drafting->drain;
    int64_t *ended =
        ARENA_ARRAY(drafting->arena, int64_t, drafting->simulation->changed->fleet.n_clusters);

    for (size_t i = 0; i < drafting->moves.count; i++) {
        const struct drain_move *move = &drafting->moves.items[i];

        *(move->ends ? &drain->ending : &drain->moving) += move->stops;
        drain->n_ending += move->ends ? 1 : 0;
    }
    for (size_t i = 0; i < drafting->parts.count; i++) {
        const struct part *part = &drafting->parts.items[i];

        if (drafting->moves.items[part->move].ends) {
            sum_stops(part, ended);
        }
    }
    drain->ended = ended;
}

struct drain
drain_of(struct arena *arena, const struct simulation *simulation, const bool *drained,
         const struct limits *limits, struct drain_allowance ***ret_allowances)
{
    struct drafting drafting = {.arena = arena, .simulation = simulation, .drained = drained};
    const struct plan *plan = simulation->plan;
    struct drain *ret = &drafting.drain;

    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        draft_move(&drafting, plan->order[i]);
    }
    struct drain_rounds rounds = find_rounds(&drafting);

    *ret_allowances = rounds.n_held > 0 ? rounds.allowances : NULL;
    while (drop_held(&drafting, &rounds)) { /* a dropped move leaves its budget to others */
        rounds = find_rounds(&drafting);
    }
    divide(&drafting, &rounds);
    sum_moves(&drafting);
    pair_starts(&drafting);
    share_out(&drafting, limits);
    int64_t ready = ret->ready_now;

    for (size_t first = 0, end; first < drafting.parts.count; first = end) {
        for (end = first; end < drafting.parts.count &&
                          drafting.parts.items[end].wave == drafting.parts.items[first].wave;) {
            end++;
        }
        add_steps(&drafting, first, end, &ready);
    }
    ret->moves = vec_to_arena(&drafting.moves, arena);
    ret->n_moves = pin_uint32(drafting.moves.count);
    ret->steps = vec_to_arena(&drafting.steps, arena);
    ret->n_steps = pin_uint32(drafting.steps.count);
    ret->stays = vec_to_arena(&drafting.stays, arena);
    ret->n_stays = pin_uint32(drafting.stays.count);
    vec_free(&drafting.moves);
    vec_free(&drafting.parts);
    vec_free(&drafting.steps);
    vec_free(&drafting.stays);
    return *ret;
}
