/* SPDX-License-Identifier: Apache-2.0
 *
 * Growth: lost replicas without a place go to clusters where an autoscaler may add nodes; it sees
 * them as pending pods. Growth is the last step of a plan, so present capacity is given out first.
 */
#include "ballast/base/wide.h"
#include "plan/decide/decide.h"
#include "plan/ladder/ladder.h"
#include "plan/move/move.h"
#include "second_look.h"

/* True if lost replicas have no place. */
static bool
may_grow(const struct planner *planner, const struct decision *decision)
{
    const struct binding_state *state;

    if (decision == NULL || decision->unplaced <= 0) {
        return false;
    }
    state = &planner->diagnosis->bindings[decision->binding];
    for (uint32_t i = 0; i < state->n_findings; i++) {
        const struct finding *finding = &planner->diagnosis->findings[state->first_finding + i];

        if (finding->type == FINDING_UNHEALTHY_CLUSTER && finding->triggers) {
            return state->left_alone == LEFT_ALONE_NOT;
        }
    }
    return false;
}

static bool
is_better(const struct decision *old, const struct decision *again)
{
    return again != NULL && again->growing > 0 && str_is_empty(again->error_type) &&
           again->unplaced < old->unplaced &&
           targets_more(&again->before, &again->after) > targets_more(&old->before, &old->after);
}

static const struct decision *
decide_growing(struct planner *planner, const struct decision *old)
{
    const struct binding_state *state = &planner->diagnosis->bindings[old->binding];
    struct trace_entry *trace = trace_begin_again(planner, old->binding);
    struct decision said = decision_unchanged(planner->scratch, planner->fleet, old->binding);

    decision_take_back(planner, old);
    const struct decision *again = decide_again(
        planner, &said, (struct assumptions){.as_many = state->only_lost != LEFT_ALONE_NOT});

    if (!is_better(old, again)) {
        decision_take_back(planner, again);
        trace_restore(planner, old->binding, trace);
        again = decision_enter_again(planner, old);
    }
    arena_reset(planner->scratch);
    return again;
}

bool
grow_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions)
{
    const struct policy *policy = planner->policy;
    bool any = false;

    planner->grows = policy->mode == MODE_PLACE && policy->growth.rules.count > 0 &&
                     policy->overcommit_protection && !policy->reschedule_all;
    for (uint32_t i = 0;
         i < planner->fleet->n_bindings && planner->grows && !policy_is_stopped(policy); i++) {
        const struct decision **decision = &decisions[order[i]];

        if (may_grow(planner, *decision)) {
            *decision = decide_growing(planner, *decision);
            any = true;
        }
    }
    return any;
}
