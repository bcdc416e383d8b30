/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits, counted anew from the world: no run exceeds one, and what is deferred
 * is under one.
 */
#include "limited.h"

#include <string.h>

/* What counts against one limit. */
struct counted {
    int64_t sum;
    int movers;        /* bindings that have a part in it */
    bool may_go_alone; /* one of them may go as a whole */
};

/* What a plan does, in replicas. */
struct tally {
    int64_t assigned, changed;
    struct counted moved;
    int64_t held[WORLD_TARGETS];       /* assigned to each cluster */
    struct counted out[WORLD_TARGETS]; /* that surely moved from there, */
    struct counted in[WORLD_TARGETS];  /* and to there */
    bool over_workload;
};

void
limited_generate(struct limits *limits, uint64_t seed)
{
    struct random random = {.state = seed * 2654435761U + 1};

    memset(limits, 0, sizeof(*limits));
    for (int rule = 0; rule < N_LIMIT_RULES; rule++) {
        if ((uint64_t)rule == seed % N_LIMIT_RULES || random_percent(&random, 10)) {
            bool share = random_percent(&random, 50);

            limits->of[rule] =
                (struct limit){share ? LIMIT_UNIT_PERCENT : LIMIT_UNIT_COUNT,
                               share ? 10 * random_below(&random, 11) : random_below(&random, 6)};
        }
    }
}

/* The share is rounded down, and is one at least unless it is of nothing. */
static int64_t
allowed(const struct limit *limit, int64_t whole)
{
    int64_t share = whole * limit->value / 100;

    if (limit->unit == LIMIT_UNIT_NONE) {
        return INT64_MAX;
    }
    return limit->unit == LIMIT_UNIT_COUNT  ? limit->value
           : share == 0 && limit->value > 0 ? 1
                                            : share;
}

/* Assigned where it is neither lost nor stuck, and not shown. */
static int64_t
count_in_flight(const struct world *world, const struct world_binding *binding)
{
    int64_t sum = 0;

    for (int i = 0; i < world->n_clusters; i++) {
        const struct world_cluster *cluster = &world->clusters[i];
        const struct world_pods *pods = &binding->pods[i];
        int missing = binding->split[i] - pods->ready;

        if (cluster->seen && cluster->ready == 1 && !cluster->deleting &&
            cluster->taint == TAINT_NONE && pods->stuck + pods->failed == 0 && missing > 0) {
            sum += missing;
        }
    }
    return sum;
}

/* A copy that stays moves nothing when its count changes. */
static void
read_after(const struct world *world, const struct world_binding *binding,
           const struct decision *decision, int64_t after[WORLD_TARGETS])
{
    for (uint32_t i = 0; i < decision->after.count; i++) {
        after[world_find_cluster(world, decision->after.items[i].name)] +=
            decision->after.items[i].replicas;
    }
    for (int i = 0; i < WORLD_TARGETS && binding->strategy == STRATEGY_DUPLICATED; i++) {
        after[i] = binding->split[i] > 0 && after[i] > 0 ? binding->split[i] : after[i];
    }
}

/* Copies, divisions over a bounded number of clusters or regions, and clusters that are left as one
 * move as a whole, and a whole that is larger than a limit moves alone. */
static bool
may_go_as_whole(const struct world *world, const struct world_binding *binding,
                const int64_t after[WORLD_TARGETS])
{
    bool is_left_as_one = false;

    for (int i = 0; i < world->n_clusters; i++) {
        is_left_as_one = is_left_as_one || (binding->split[i] > 0 && after[i] == 0);
    }
    return binding->strategy == STRATEGY_DUPLICATED || binding->spread_max > 0 ||
           binding->region_max > 0 || is_left_as_one;
}

static void
count(struct counted *counted, int64_t replicas, bool is_whole)
{
    if (replicas > 0) {
        counted->sum += replicas;
        counted->movers++;
        counted->may_go_alone = is_whole;
    }
}

static bool
exceeds_workload(const struct limit *limit, int64_t moved, int64_t in_flight, int64_t assigned,
                 bool is_whole)
{
    int64_t most = allowed(limit, assigned);

    return moved > 0 && moved + in_flight > most && !(is_whole && in_flight == 0 && most > 0);
}

static void
tally_decision(struct tally *tally, const struct world *world, const struct world_binding *binding,
               const struct decision *decision, const struct limit *workload)
{
    int64_t gained = 0, lost = 0, after[WORLD_TARGETS] = {0};

    read_after(world, binding, decision, after);
    for (int i = 0; i < WORLD_TARGETS; i++) {
        int64_t more = after[i] - binding->split[i];

        gained += more > 0 ? more : 0;
        lost -= more < 0 ? more : 0;
        tally->held[i] += binding->split[i];
        tally->assigned += binding->split[i];
    }
    int64_t moved = gained < lost ? gained : lost;
    bool is_whole = may_go_as_whole(world, binding, after);

    tally->changed += decision->changes ? 1 : 0;
    count(&tally->moved, moved, is_whole);
    for (int i = 0; i < WORLD_TARGETS; i++) {
        int64_t in = after[i] - binding->split[i] - (gained - moved);
        int64_t out = binding->split[i] - after[i] - (lost - moved);

        count(&tally->in[i], in, is_whole);
        count(&tally->out[i], out, is_whole);
    }
    tally->over_workload =
        tally->over_workload || exceeds_workload(workload, moved, count_in_flight(world, binding),
                                                 world_assigned(binding), is_whole);
}

static void
complain_over(enum limit_rule rule, int64_t got, const struct limits *limits, int64_t whole,
              struct buf *complaints)
{
    int64_t most = allowed(&limits->of[rule], whole);

    if (got > most) {
        buf_printf(complaints, "%s: %lld, at most %lld of %lld are allowed\n", limit_rule_key(rule),
                   (long long)got, (long long)most, (long long)whole);
    }
}

static void
check_at_most(enum limit_rule rule, const struct counted *got, const struct limits *limits,
              int64_t whole, struct buf *complaints)
{
    bool goes_alone = got->may_go_alone && got->movers == 1;

    if (!goes_alone || allowed(&limits->of[rule], whole) == 0) {
        complain_over(rule, got->sum, limits, whole, complaints);
    }
}

/* Whoever waits, waits for a limit that was given. */
static void
check_deferred(const struct decision *decision, const struct limits *limits, struct buf *complaints)
{
    bool waits = decision->action == ACTION_DEFERRED || decision->deferred > 0;

    if (waits && !limits_any(limits)) {
        buf_append_str(complaints, "something is deferred, and there is no limit\n");
    }
    if (decision->action == ACTION_DEFERRED && decision->changes) {
        buf_append_str(complaints, "what is deferred changes\n");
    }
}

void
limited_check(const struct world *world, const struct fleet *fleet, const struct plan *plan,
              const struct limits *limits, struct buf *complaints)
{
    struct arena *arena = arena_new();
    struct tally tally = {0};

    for (uint32_t d = 0; d < plan->n_decisions; d++) {
        const struct decision *decision = plan_decision(arena, plan, fleet, d);
        const char *name = fleet->bindings[d].resource.name;

        tally_decision(&tally, world, &world->bindings[world_find_binding(world, name)], decision,
                       &limits->of[LIMIT_WORKLOAD_IN_MOTION]);
        check_deferred(decision, limits, complaints);
    }
    arena_free(arena);
    /* all bindings are in one namespace, and in scope */
    check_at_most(LIMIT_RUN_REPLICAS, &tally.moved, limits, tally.assigned, complaints);
    check_at_most(LIMIT_NAMESPACE_REPLICAS, &tally.moved, limits, tally.assigned, complaints);
    complain_over(LIMIT_RUN_BINDINGS, tally.changed, limits, world->n_bindings, complaints);
    complain_over(LIMIT_NAMESPACE_BINDINGS, tally.changed, limits, world->n_bindings, complaints);
    for (int i = 0; i < world->n_clusters; i++) {
        check_at_most(LIMIT_SOURCE_REPLICAS, &tally.out[i], limits, tally.held[i], complaints);
        check_at_most(LIMIT_DESTINATION_REPLICAS, &tally.in[i], limits, tally.held[i], complaints);
    }
    if (tally.over_workload) {
        buf_printf(complaints, "%s is exceeded\n", limit_rule_key(LIMIT_WORKLOAD_IN_MOTION));
    }
}

/* All of it is assigned, to clusters that are in order. */
static bool
only_moves_stuck(const struct world *world, const struct world_binding *binding)
{
    bool fine = !binding->fresh && binding->strategy != STRATEGY_DUPLICATED &&
                world_assigned(binding) == binding->replicas;

    for (int i = 0; i <= world->n_clusters; i++) {
        const struct world_cluster *cluster = &world->clusters[i < world->n_clusters ? i : 0];
        bool in_order = i < world->n_clusters && cluster->ready == 1 && !cluster->deleting &&
                        cluster->taint != TAINT_NO_EXECUTE;

        fine = fine && (binding->split[i] == 0 || in_order);
    }
    return fine;
}

void
cooldown_check(const struct world *world, const struct fleet *fleet, const struct plan *plan,
               struct buf *complaints)
{
    for (uint32_t d = 0; d < plan->n_decisions; d++) {
        const struct decision *decision = plan->decisions[d];
        const char *name = fleet->bindings[d].resource.name;
        const struct world_binding *binding = &world->bindings[world_find_binding(world, name)];

        for (uint32_t i = 0; decision != NULL && i < decision->after.count; i++) {
            const struct target *target = &decision->after.items[i];
            int cluster = world_find_cluster(world, target->name);

            if (binding->left[cluster] && target->replicas > binding->split[cluster] &&
                only_moves_stuck(world, binding)) {
                buf_printf(complaints, "%s: replicas go back to %s within the cooldown\n", name,
                           target->name);
            }
        }
    }
}
