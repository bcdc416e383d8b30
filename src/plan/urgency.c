/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order bindings are planned and written: who comes first gets the
 * room, and what the limits of the run leave.
 *
 * Without limits nothing has to wait for its turn, and the order is priority,
 * then severity. With limits, what was deferred must come first in the next run,
 * or those that are always found behind others would starve; and nothing of that
 * is written anywhere, since how long something has waited can be seen: from the
 * oldest finding that triggers. So the wait comes before severity. It is counted
 * in whole turns of one threshold, so that severity still decides among what has
 * waited about as long; whoever is passed over is a turn older than all that
 * begins later. Priority comes before both, but not for ever: what has waited
 * for AGED_TURNS goes first whatever its priority, the oldest first.
 */
#include <stdlib.h>

#include "ballast/timestamp.h"
#include "memory.h"
#include "planner.h"

#define AGED_TURNS 12 /* an hour, with the default threshold of 5m */

/* How urgent a binding is; the greater first. */
struct urgency {
    uint32_t binding;
    int32_t priority; /* spec.schedulePriority */
    int32_t severity; /* permille of its replicas that do not run */
    int64_t turns;    /* that it has waited; 0 without limits */
};

static int64_t
aged_turns(const struct urgency *urgency)
{
    return urgency->turns >= AGED_TURNS ? urgency->turns : 0;
}

static int
urgency_cmp(const void *a, const void *b)
{
    const struct urgency *x = a, *y = b;

    if (aged_turns(x) != aged_turns(y)) {
        return aged_turns(x) > aged_turns(y) ? -1 : 1;
    }
    if (x->priority != y->priority) {
        return x->priority > y->priority ? -1 : 1;
    }
    if (x->turns != y->turns) {
        return x->turns > y->turns ? -1 : 1;
    }
    if (x->severity != y->severity) {
        return x->severity > y->severity ? -1 : 1;
    }
    return x->binding < y->binding ? -1 : 1; /* the fleet is sorted by namespace and name */
}

static int32_t
binding_severity(const struct diagnosis *diagnosis, const struct binding *binding, uint32_t index)
{
    const struct target_state *states =
        diagnosis->targets + diagnosis->bindings[index].first_target;
    int64_t down = 0, wanted = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        int32_t replicas = binding->clusters.items[i].replicas;
        int64_t stuck = (int64_t)(states[i].unschedulable > 0 ? states[i].unschedulable : 0) +
                        (states[i].failed > 0 ? states[i].failed : 0);

        wanted += replicas;
        down += states[i].lost ? replicas : stuck;
    }
    return wanted > 0 ? (int32_t)(down * 1000 / wanted) : 0;
}

/* Since when a binding is in want of something. Where no finding says, it was in order when it was
 * last scheduled. */
static int64_t
waiting_since(const struct planner *planner, const struct binding *binding, uint32_t index)
{
    const struct diagnosis *diagnosis = planner->diagnosis;
    const struct binding_state *state = &diagnosis->bindings[index];
    int64_t since = TIME_NONE, had_turn = memory_last_turn(planner->policy, binding);

    for (uint32_t i = 0; i < state->n_findings; i++) {
        const struct finding *finding = &diagnosis->findings[state->first_finding + i];

        if (finding->triggers && finding->since != TIME_NONE &&
            (since == TIME_NONE || finding->since < since)) {
            since = finding->since;
        }
    }
    since = since != TIME_NONE ? since : binding->last_scheduled_time;
    /* what was moved in part has had its turn */
    if (since != TIME_NONE && had_turn > since) {
        since = had_turn;
    }
    return since;
}

/* Times to come count as now. */
static int64_t
turns_waited(const struct policy *policy, int64_t since)
{
    int64_t turn = policy->unschedulable_threshold;

    turn = turn < NANOS_PER_MINUTE ? NANOS_PER_MINUTE : turn;
    return since == TIME_NONE || since >= policy->now ? 0 : (policy->now / turn) - (since / turn);
}

uint32_t *
urgency_order(struct planner *planner)
{
    uint32_t count = planner->fleet->n_bindings;
    /* of its own: the planner's scratch would keep so large a block to the end */
    struct arena *scratch = arena_new();
    struct urgency *list = ARENA_ARRAY(scratch, struct urgency, count);
    uint32_t *order = ARENA_ARRAY(planner->arena, uint32_t, count);
    bool has_limits = limits_any(&planner->policy->limits);

    for (uint32_t i = 0; i < count; i++) {
        const struct binding *binding = &planner->fleet->bindings[i];
        bool is_found = planner->diagnosis->bindings[i].n_findings > 0;

        list[i] = (struct urgency){
            .binding = i,
            .priority = binding->has_schedule_priority ? binding->schedule_priority : 0,
            .severity = is_found ? binding_severity(planner->diagnosis, binding, i) : 0,
            .turns = is_found && has_limits
                         ? turns_waited(planner->policy, waiting_since(planner, binding, i))
                         : 0,
        };
    }
    if (count > 1) {
        qsort(list, count, sizeof(*list), urgency_cmp);
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = list[i].binding;
    }
    arena_free(scratch);
    return order;
}
