/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which bindings are planned and written: earlier ones get capacity, and the limits of
 * the run, first.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "plan/move/move.h"
#include "planner.h"

/* A prime, so that hourly and daily runs reach it, too. */
#define LONG_WAIT_PERIOD 13

/* How urgent a binding is; the greater first. Repairs come before balance, which must not take
 * their capacity. Priority is strict, however long other bindings have waited. Under limits the
 * wait comes before severity, or deferred bindings would starve behind their equals. */
struct urgency {
    uint32_t binding;
    bool only_balances;
    int32_t priority; /* spec.schedulePriority */
    int32_t severity; /* permille of its replicas that do not run */
    int64_t turns;    /* turns that it has waited; 0 without limits */
    int64_t longest;  /* the most turns that it may have waited; 0 without limits */
};

static int
urgency_cmp(const void *a, const void *b)
{
    const struct urgency *x = a, *y = b;

    if (x->only_balances != y->only_balances) {
        return x->only_balances ? 1 : -1;
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
    if (x->longest != y->longest) {
        return x->longest > y->longest ? -1 : 1;
    }
    return x->binding < y->binding ? -1 : 1; /* the fleet is sorted by namespace and name */
}

/* A cluster that is lost by its taint may still runs its replicas. */
static int64_t
down_in_lost(const struct target_state *state)
{
    int64_t down = 0;

    for (int i = 0; i < N_REPLICA_STATES; i++) {
        down += i == REPLICA_READY ? 0 : state->of_state[i];
    }
    return down;
}

static int32_t
binding_severity(const struct diagnosis *diagnosis, const struct binding *binding, uint32_t index)
{
    const struct binding_state *state = &diagnosis->bindings[index];
    const struct target_state *states = diagnosis->targets + state->first_target;
    int64_t down = 0, wanted = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        int32_t replicas = binding->clusters.items[i].replicas;
        int64_t stuck = (int64_t)(states[i].unschedulable > 0 ? states[i].unschedulable : 0) +
                        (states[i].failed > 0 ? states[i].failed : 0);

        wanted += replicas;
        down += states[i].lost ? down_in_lost(&states[i]) : stuck;
    }
    for (uint32_t i = 0; i < state->n_findings; i++) {
        const struct finding *finding = &diagnosis->findings[state->first_finding + i];

        down += finding->triggers && finding_type_is_silent(finding->type) ? finding->replicas : 0;
    }
    return wanted > 0 ? pin_int32(down * 1000 / wanted) : 0;
}

static bool
only_balances(const struct finding *findings, uint32_t count)
{
    bool balances = false;

    for (uint32_t i = 0; i < count; i++) {
        if (findings[i].triggers && findings[i].type != FINDING_IMBALANCE) {
            return false;
        }
        balances = balances || findings[i].triggers;
    }
    return balances;
}

/* A time to come counts as now. */
static int64_t
turns_waited(int64_t turn, int64_t now, int64_t since)
{
    return since >= now ? 0 : (now / turn) - (since < 0 ? 0 : since / turn);
}

/* Counts the wait from the oldest finding that triggers, or from the last move: a binding that
 * moved, even in part, has had its turn. One turn is one threshold, so that severity decides
 * between similar waits.
 * Findings of estimators, replica mismatches and filters have no start; a reschedule has one, but
 * its parts leave no mark. Then only an upper bound is known: the last scheduling, or the last
 * move. Always used, that bound would outrank real waits for weeks; never used, the binding could
 * wait for ever. So it counts as one turn, but in one of LONG_WAIT_PERIOD turns of the clock in
 * full. */
static void
set_wait(const struct planner *planner, const struct finding *findings, uint32_t count,
         struct urgency *urgency)
{
    const struct policy *policy = planner->policy;
    const struct binding *binding = &planner->fleet->bindings[urgency->binding];
    int64_t turn = policy->unschedulable_threshold < NANOS_PER_MINUTE
                       ? NANOS_PER_MINUTE
                       : policy->unschedulable_threshold;
    const struct last_move *record = move_history_record(policy, binding);
    int64_t had_turn = record != NULL ? record->last.time : TIME_NONE;
    int64_t since = TIME_NONE, asked = binding->last_scheduled_time;

    for (uint32_t i = 0; i < count; i++) {
        if (!findings[i].triggers || findings[i].since == TIME_NONE) {
            continue;
        }
        if (findings[i].type == FINDING_RESCHEDULE_REQUESTED) {
            asked = findings[i].since;
        } else if (since == TIME_NONE || findings[i].since < since) {
            since = findings[i].since;
        }
    }
    bool is_known = since != TIME_NONE;

    since = is_known ? since : asked;
    urgency->longest = turns_waited(turn, policy->now, had_turn > since ? had_turn : since);
    urgency->turns = urgency->longest;
    if (!is_known && urgency->longest > 1 && policy->now / turn % LONG_WAIT_PERIOD != 0) {
        urgency->turns = 1;
    }
}

uint32_t *
urgency_order(struct planner *planner)
{
    uint32_t count = planner->fleet->n_bindings;
    /* own arena: the planner's scratch would keep a block of this size to the end */
    struct arena *scratch = arena_new();
    struct urgency *list = ARENA_ARRAY(scratch, struct urgency, count);
    uint32_t *order = ARENA_ARRAY(planner->arena, uint32_t, count);
    bool has_limits = limits_any(&planner->policy->limits);

    for (uint32_t i = 0; i < count; i++) {
        const struct binding *binding = &planner->fleet->bindings[i];
        const struct binding_state *state = &planner->diagnosis->bindings[i];
        const struct finding *findings = planner->diagnosis->findings + state->first_finding;

        list[i] = (struct urgency){
            .binding = i,
            .priority = binding_priority(binding),
        };
        if (state->n_findings == 0) {
            continue;
        }
        list[i].only_balances = only_balances(findings, state->n_findings);
        list[i].severity = binding_severity(planner->diagnosis, binding, i);
        if (has_limits) {
            set_wait(planner, findings, state->n_findings, &list[i]);
        }
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
