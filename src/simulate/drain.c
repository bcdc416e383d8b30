/* SPDX-License-Identifier: Apache-2.0
 *
 * A drain is planned as a loss, and carried out the other way round: what the
 * plan gives to others is started and has to be ready before anything is
 * stopped, for the cluster still runs. What would leave fewer ready than now is
 * not moved.
 */
#include "drain.h"

#include "ballast/base/vec.h"
#include "homeless.h"

struct drafting {
    struct arena *arena;
    const struct simulation *simulation;
    const bool *drained;
    VEC_OF(struct drain_move) moves;
    VEC_OF(struct drain_step) steps;
    VEC_OF(struct homeless) stays;
    struct drain drain;
};

static int64_t
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

/* Those of the present targets, of which the ready ones are stopped last. */
static void
count_ready(const struct drafting *drafting, const struct target_list *after,
            const struct target_state *states, struct drain_move *move)
{
    const struct binding *binding = &drafting->simulation->changed->fleet.bindings[move->binding];

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        int64_t assigned = target->replicas > 0 ? target->replicas : 0;
        int64_t ready = states[i].ready >= 0 ? states[i].ready : assigned;
        int64_t kept = replicas_of(after, target->name);

        if (!is_lost(drafting, target)) {
            move->ready_now += ready;
            move->ready_between += ready;
            move->ready_after += ready < kept || kept >= assigned ? ready : kept;
        }
        if (is_drained(drafting, target)) {
            move->stops += assigned > kept ? assigned - kept : 0;
            move->stays += kept;
        }
    }
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

/* What stays, and why. */
static void
keep(struct drafting *drafting, const struct drain_move *move, bool is_withheld)
{
    const struct simulation *simulation = drafting->simulation;
    const struct planned planned = {.fleet = &simulation->changed->fleet,
                                    .diagnosis = simulation->diagnosis,
                                    .plan = simulation->plan};
    struct homeless stay = {.replicas = move->stays + (is_withheld ? move->stops : 0)};

    homeless_explain(drafting->arena, &planned, move->binding, drafting->drained, &stay);
    if (is_withheld) {
        stay.lacks_room = false;
        stay.code = "LessReady";
        stay.message = "a move would leave fewer ready than now";
    }
    drafting->drain.staying += stay.replicas;
    vec_add(&drafting->stays, stay);
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
    count_ready(drafting, &move.decision->after,
                simulation->diagnosis->targets + state->first_target, &move);
    count_starts(drafting, move.decision, &move);
    move.floor = has_divided_replicas(binding) && binding->replicas < move.ready_now
                     ? binding->replicas
                     : move.ready_now;
    bool is_withheld = move.stops > 0 && move.ready_after < move.floor;

    drafting->drain.ready_now += move.ready_now;
    if (move.stops > 0 && !is_withheld) {
        drafting->drain.moving += move.stops;
        vec_add(&drafting->moves, move);
    }
    if (move.stays > 0 || is_withheld) {
        keep(drafting, &move, is_withheld);
    }
}

/* As many as one run may move; a binding is not divided. */
static void
share_out(struct drafting *drafting, const struct limits *limits)
{
    int64_t most = limit_allows(&limits->of[LIMIT_RUN_REPLICAS], drafting->drain.moving);
    int64_t used = 0;
    uint32_t wave = 0;

    for (size_t i = 0; i < drafting->moves.count; i++) {
        struct drain_move *move = &drafting->moves.items[i];

        if (used > 0 && move->starts > most - used) {
            wave++;
            used = 0;
        }
        move->wave = wave;
        used += move->starts;
    }
}

/* What each cluster gains, or loses, by one step. */
static const struct drain_part *
make_parts(struct drafting *drafting, size_t first, size_t end, enum drain_step_type type,
           uint32_t *ret_count)
{
    uint32_t n_clusters = drafting->simulation->changed->fleet.n_clusters;
    int64_t *sums = ARENA_ARRAY(drafting->arena, int64_t, n_clusters);
    struct drain_part *parts = ARENA_ARRAY(drafting->arena, struct drain_part, n_clusters);

    for (size_t i = first; i < end; i++) {
        const struct decision *decision = drafting->moves.items[i].decision;
        bool starts = type == DRAIN_START;
        const struct target_list *more = starts ? &decision->after : &decision->before;
        const struct target_list *less = starts ? &decision->before : &decision->after;

        for (uint32_t j = 0; j < more->count; j++) {
            const struct target *target = &more->items[j];
            int64_t change = target->replicas - replicas_of(less, target->name);

            if (change > 0 && !is_lost(drafting, target) &&
                (starts || is_drained(drafting, target))) {
                sums[target->cluster] += change;
            }
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
    struct drain_step step = {.wave = drafting->moves.items[first].wave,
                              .bindings = (uint32_t)(end - first)};

    for (enum drain_step_type type = DRAIN_START; type <= DRAIN_STOP; type++) {
        step.type = type;
        step.replicas = 0;
        for (size_t i = first; i < end; i++) {
            const struct drain_move *move = &drafting->moves.items[i];

            step.replicas += type == DRAIN_START ? move->starts : move->stops;
            *ready += type == DRAIN_START ? move->ready_between - move->ready_now
                                          : move->ready_after - move->ready_between;
        }
        step.ready = *ready;
        step.parts = make_parts(drafting, first, end, type, &step.n_parts);
        vec_add(&drafting->steps, step);
    }
}

struct drain
drain_of(struct arena *arena, const struct simulation *simulation, const bool *drained,
         const struct limits *limits)
{
    struct drafting drafting = {.arena = arena, .simulation = simulation, .drained = drained};
    const struct plan *plan = simulation->plan;
    struct drain *ret = &drafting.drain;

    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        draft_move(&drafting, plan->order[i]);
    }
    share_out(&drafting, limits);
    int64_t ready = ret->ready_now;

    for (size_t first = 0, end; first < drafting.moves.count; first = end) {
        for (end = first; end < drafting.moves.count &&
                          drafting.moves.items[end].wave == drafting.moves.items[first].wave;) {
            end++;
        }
        add_steps(&drafting, first, end, &ready);
    }
    ret->moves = vec_to_arena(&drafting.moves, arena);
    ret->n_moves = (uint32_t)drafting.moves.count;
    ret->steps = vec_to_arena(&drafting.steps, arena);
    ret->n_steps = (uint32_t)drafting.steps.count;
    ret->stays = vec_to_arena(&drafting.stays, arena);
    ret->n_stays = (uint32_t)drafting.stays.count;
    vec_free(&drafting.moves);
    vec_free(&drafting.steps);
    vec_free(&drafting.stays);
    return *ret;
}
