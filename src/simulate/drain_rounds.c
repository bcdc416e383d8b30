/* SPDX-License-Identifier: Apache-2.0
 *
 * Applies PodDisruptionBudgets to a drain. A member that scales down ends unready pods first, and
 * expects fewer pods afterwards. So maxUnavailable 1 lets all pods go one by one, and minAvailable
 * 2 keeps two pods permanently.
 */
#include "drain_rounds.h"

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "drain.h"
#include "homeless.h"

struct protection {
    int64_t expected, ready, leaving;
    int64_t left;             /* pods that may still go in this round */
    int64_t gone, gone_ready; /* in this round */
};

/* Replicas of a move in one cluster. */
struct source {
    uint32_t move, cluster, entry; /* index into spec.clusters */
    int64_t rest;                  /* replicas still to go */
    int64_t unready;               /* they end first */
    int64_t gone;
    struct disruption_search budgets;
    const struct disruption_budget *doubt; /* budget of unknown effect on these pods; NULL: none */
};

struct rounds {
    struct arena *arena;
    const struct simulation *simulation;
    const bool *drained;
    const struct drain_move *moves;
    uint32_t n_moves;
    struct protection **protections; /* by cluster; NULL: not drained, or no budgets */
    VEC_OF(struct source) sources;   /* in order of the moves */
    VEC_OF(struct drain_take) takes;
};

static struct disruption_search
budgets_of(const struct rounds *rounds, const struct binding *binding, uint32_t cluster)
{
    const struct member *member = &rounds->simulation->changed->fleet.members[cluster];

    return disruption_search(rounds->protections[cluster] != NULL ? member : NULL, binding);
}

static struct protection *
protection_of(const struct rounds *rounds, uint32_t cluster, const struct disruption_budget *budget)
{
    const struct member *member = &rounds->simulation->changed->fleet.members[cluster];

    return &rounds->protections[cluster][budget - member->disruption_budgets];
}

static void
count_pods(struct rounds *rounds, uint32_t index)
{
    const struct binding *binding = &rounds->simulation->changed->fleet.bindings[index];
    const struct diagnosis *diagnosis = rounds->simulation->diagnosis;
    const struct target_state *states =
        diagnosis->targets + diagnosis->bindings[index].first_target;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];

        if (target->cluster == CLUSTER_NONE || rounds->protections[target->cluster] == NULL) {
            continue;
        }
        struct disruption_search each = budgets_of(rounds, binding, target->cluster);

        for (const struct disruption_budget *at; (at = disruption_search_next(&each)) != NULL;) {
            struct protection *protection = protection_of(rounds, target->cluster, at);
            int64_t leaving;

            protection->expected += target->replicas;
            protection->ready += target_state_ready(&states[i], target->replicas, &leaving);
            protection->leaving += leaving;
        }
    }
}

static void
open_protections(struct rounds *rounds)
{
    const struct fleet *fleet = &rounds->simulation->changed->fleet;
    bool any = false;

    rounds->protections = ARENA_ARRAY(rounds->arena, struct protection *, fleet->n_clusters);
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        uint32_t count = rounds->drained[c] ? fleet->members[c].n_disruption_budgets : 0;

        if (count > 0) {
            rounds->protections[c] = ARENA_ARRAY(rounds->arena, struct protection, count);
            any = true;
        }
    }
    for (uint32_t i = 0; any && i < fleet->n_bindings; i++) {
        count_pods(rounds, i);
    }
}

static void
add_sources(struct rounds *rounds, uint32_t move)
{
    const struct simulation *simulation = rounds->simulation;
    uint32_t index = rounds->moves[move].binding;
    const struct binding *binding = &simulation->changed->fleet.bindings[index];
    const struct diagnosis *diagnosis = simulation->diagnosis;
    const struct target_state *states =
        diagnosis->targets + diagnosis->bindings[index].first_target;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        int64_t kept = replicas_of(&rounds->moves[move].decision->after, target->name), leaving;

        if (target->cluster == CLUSTER_NONE || !rounds->drained[target->cluster] ||
            target->replicas <= kept) {
            continue;
        }
        vec_add(&rounds->sources,
                ((struct source){
                    .move = move,
                    .cluster = target->cluster,
                    .entry = i,
                    .rest = target->replicas - kept,
                    .unready = target->replicas -
                               target_state_ready(&states[i], target->replicas, &leaving),
                    .budgets = budgets_of(rounds, binding, target->cluster),
                    .doubt = disruption_find_doubt(
                        &simulation->changed->fleet.members[target->cluster], binding),
                }));
    }
}

/* --- one round --- */

static void
ask_anew(struct rounds *rounds, bool is_first)
{
    const struct fleet *fleet = &rounds->simulation->changed->fleet;

    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        const struct member *member = &fleet->members[c];

        for (uint32_t i = 0; rounds->protections[c] != NULL && i < member->n_disruption_budgets;
             i++) {
            const struct disruption_budget *budget = &member->disruption_budgets[i];
            struct protection *at = &rounds->protections[c][i];

            at->expected -= at->gone;
            at->ready -= at->gone_ready;
            at->gone = at->gone_ready = 0;
            at->left = is_first ? disruption_budget_allows(budget, at->expected, at->ready)
                                : disruption_budget_reckons(budget, at->expected, at->ready);
            if (is_first && disruption_budget_is_observed(budget)) {
                at->left -= at->leaving; /* the status may lag behind */
            }
        }
    }
}

/* Returns the strictest budget; NULL: none. A budget of unknown effect lets nothing go. */
static const struct disruption_budget *
least_of(const struct rounds *rounds, const struct source *source, int64_t *ret_left)
{
    struct disruption_search each = source->budgets;
    const struct disruption_budget *least = source->doubt;

    *ret_left = least != NULL ? 0 : INT64_MAX;
    for (const struct disruption_budget *at; (at = disruption_search_next(&each)) != NULL;) {
        int64_t left = protection_of(rounds, source->cluster, at)->left;

        if (least == NULL || left < *ret_left) {
            least = at;
            *ret_left = left > 0 ? left : 0;
        }
    }
    return least;
}

static int64_t
may_go(const struct rounds *rounds, const struct source *source)
{
    int64_t left;

    if (source->rest <= source->unready || least_of(rounds, source, &left) == NULL ||
        source->rest - source->unready <= left) {
        return source->rest;
    }
    return source->unready + left;
}

static void
take(struct rounds *rounds, uint32_t round, struct source *source, int64_t replicas)
{
    struct disruption_search each = source->budgets;
    int64_t ready = replicas > source->unready ? replicas - source->unready : 0;

    for (const struct disruption_budget *at; (at = disruption_search_next(&each)) != NULL;) {
        struct protection *protection = protection_of(rounds, source->cluster, at);

        protection->left -= ready;
        protection->gone += replicas;
        protection->gone_ready += ready;
    }
    source->rest -= replicas;
    source->unready -= replicas - ready;
    source->gone += replicas;
    vec_add(&rounds->takes,
            ((struct drain_take){round, source->move, source->cluster, replicas, ready}));
}

/* False: this round takes nothing. */
static bool
take_of_move(struct rounds *rounds, uint32_t round, size_t first, size_t end)
{
    const struct drain_move *move = &rounds->moves[rounds->sources.items[first].move];
    const struct fleet *fleet = &rounds->simulation->changed->fleet;
    bool is_divided = binding_is_divided(&fleet->bindings[move->binding]);
    bool all_go = true, any = false;

    for (size_t i = first; i < end; i++) {
        all_go =
            all_go && may_go(rounds, &rounds->sources.items[i]) == rounds->sources.items[i].rest;
    }
    for (size_t i = first; i < end && (all_go || !move->decision->goes_at_once); i++) {
        struct source *source = &rounds->sources.items[i];
        int64_t goes = may_go(rounds, source);

        if (goes > 0 && (is_divided || goes == source->rest)) {
            take(rounds, round, source, goes);
            any = true;
        }
    }
    return any;
}

static bool
run_round(struct rounds *rounds, uint32_t round)
{
    bool any = false;

    ask_anew(rounds, round == 0);
    for (size_t first = 0, end; first < rounds->sources.count; first = end) {
        uint32_t move = rounds->sources.items[first].move;

        for (end = first; end < rounds->sources.count && rounds->sources.items[end].move == move;) {
            end++;
        }
        any |= take_of_move(rounds, round, first, end);
    }
    return any;
}

/* --- all rounds --- */

static void
finish_rounds(const struct rounds *rounds, struct drain_rounds *ret)
{
    const struct fleet *fleet = &rounds->simulation->changed->fleet;
    struct drain_allowance **allowances =
        ARENA_ARRAY(rounds->arena, struct drain_allowance *, fleet->n_bindings);
    bool *held = ARENA_ARRAY(rounds->arena, bool, rounds->n_moves);

    for (size_t i = 0; i < rounds->sources.count; i++) {
        const struct source *source = &rounds->sources.items[i];
        int64_t left;

        if (source->rest > 0 && may_go(rounds, source) < source->rest) {
            uint32_t binding = rounds->moves[source->move].binding;
            struct drain_allowance **slot = &allowances[binding];

            if (*slot == NULL) {
                *slot = ARENA_ARRAY(rounds->arena, struct drain_allowance,
                                    fleet->bindings[binding].clusters.count);
            }
            (*slot)[source->entry] =
                (struct drain_allowance){least_of(rounds, source, &left), source->gone};
            ret->n_held += held[source->move] ? 0 : 1;
            held[source->move] = true;
        }
    }
    ret->allowances = allowances;
    ret->held = held;
}

struct drain_rounds
drain_rounds_of(struct arena *arena, const struct simulation *simulation, const bool *drained,
                const struct drain_move *moves, uint32_t n_moves)
{
    struct rounds rounds = {.arena = arena,
                            .simulation = simulation,
                            .drained = drained,
                            .moves = moves,
                            .n_moves = n_moves};
    struct drain_rounds ret = {.n_held = 0};

    open_protections(&rounds);
    for (uint32_t i = 0; i < n_moves; i++) {
        add_sources(&rounds, i);
    }
    uint32_t round = 0;

    while (run_round(&rounds, round) || round == 0) { /* a stale status may block the first round */
        round++;
    }
    finish_rounds(&rounds, &ret);
    ret.takes = vec_to_arena(&rounds.takes, arena);
    ret.n_takes = pin_uint32(rounds.takes.count);
    vec_free(&rounds.sources);
    vec_free(&rounds.takes);
    return ret;
}
