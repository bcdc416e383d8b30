/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans every binding in order of urgency, by the method that fits it, against one ledger.
 */
#include "planner.h"
#include "plan/decide/decide.h"
#include "plan/ladder/ladder.h"
#include "plan/move/move.h"
#include "plan/second_look/second_look.h"

#include <string.h>

#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

const char *
plan_action_name(enum plan_action action)
{
    switch (action) {
#define X(id, name, text)                                                                          \
    case ACTION_##id:                                                                              \
        return name;
        PLAN_ACTIONS(X)
#undef X
    case N_PLAN_ACTIONS:
        break;
    }
    return "Unknown";
}

const struct plan *
plan_fleet_traced(struct arena *arena, const struct plan_inputs *inputs, struct plan_trace *trace)
{
    const struct fleet *fleet = inputs->fleet;
    const struct diagnosis *diagnosis = inputs->diagnosis;
    struct planner planner = {
        .arena = arena,
        .fleet = fleet,
        .diagnosis = diagnosis,
        .policy = inputs->policy,
        .ledger = inputs->ledger,
        .run_accounts = inputs->run_accounts,
        .trace = trace,
    };
    struct plan *plan = ARENA_NEW(arena, struct plan);
    const struct decision **decisions =
        ARENA_ARRAY(arena, const struct decision *, fleet->n_bindings);
    uint32_t *order;

    planner.scratch = arena_new();
    planner_init(&planner);
    affinity_groups_look(&planner);
    order = urgency_order(&planner);
    for (uint32_t i = 0; i < fleet->n_bindings && !policy_is_stopped(inputs->policy); i++) {
        decisions[order[i]] = decide_first(&planner, order[i]);
        arena_reset(planner.scratch);
        totals_add(&plan->totals, decisions[order[i]]);
    }
    bool is_other = plan->totals.replicas_unplaced > 0 && !inputs->only_first_pass &&
                    pack_plan(&planner, order, decisions, &plan->rest);

    is_other = grow_plan(&planner, order, decisions) || is_other;
    if (is_other) {
        plan->totals = (struct plan_totals){.bindings = 0};
        for (uint32_t i = 0; i < fleet->n_bindings; i++) {
            totals_add(&plan->totals, decisions[i]);
        }
        plan_rest_bound(&plan->rest, &plan->totals);
    }
    plan->totals.bindings = fleet->n_bindings;
    plan->decisions = decisions;
    plan->n_decisions = fleet->n_bindings;
    plan->order = order;
    plan->moves = *run_account(planner.run_accounts, LIMIT_RUN_REPLICAS, "", CLUSTER_NONE);
    totals_add_diagnosis(&plan->totals, diagnosis, plan);
    arena_free(planner.scratch);
    return plan;
}

const struct plan *
plan_fleet(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
           const struct policy *policy, struct ledger *ledger, struct run_accounts *run_accounts)
{
    const struct plan_inputs inputs = {
        .fleet = fleet,
        .diagnosis = diagnosis,
        .policy = policy,
        .ledger = ledger,
        .run_accounts = run_accounts,
    };

    return plan_fleet_traced(arena, &inputs, NULL);
}

const struct decision *
plan_decision(struct arena *arena, const struct plan *plan, const struct fleet *fleet,
              uint32_t binding)
{
    if (plan->decisions[binding] != NULL) {
        return plan->decisions[binding];
    }
    struct decision decision = decision_unchanged(arena, fleet, binding);

    return arena_memdup(arena, &decision, sizeof(decision));
}
