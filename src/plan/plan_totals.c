/* SPDX-License-Identifier: Apache-2.0
 *
 * The totals of a plan.
 */
#include "ballast/base/str.h"
#include "planner.h"

void
totals_add(struct plan_totals *totals, const struct decision *decision)
{
    if (decision == NULL) {
        totals->by_action[ACTION_NONE]++;
        return;
    }
    totals->by_action[decision->action]++;
    totals->changed += decision->changes ? 1 : 0;
    totals->errors += str_is_empty(decision->error_type) ? 0 : 1;
    totals->replicas_moved += decision->moved;
    totals->replicas_added += decision->added;
    totals->replicas_unplaced += decision->unplaced;
    totals->replicas_deferred += decision->deferred;
    totals->replicas_growing += decision->growing;
}

void
plan_rest_bound(struct plan_rest *rest, const struct plan_totals *totals)
{
    rest->reckoned =
        rest->reckoned < totals->replicas_unplaced ? rest->reckoned : totals->replicas_unplaced;
    rest->at_most = rest->at_most < rest->reckoned ? rest->at_most : rest->reckoned;
}

/* Findings of one binding and type stand together. */
static void
add_finding(struct plan_totals *totals, const struct finding *finding, const struct finding *before)
{
    bool same =
        before != NULL && before->binding == finding->binding && before->type == finding->type;

    totals->findings[finding->type]++;
    totals->finding_bindings[finding->type] += same ? 0 : 1;
    totals->finding_replicas[finding->type] += finding->replicas;
}

static bool
is_asked(const struct plan *plan, uint32_t binding)
{
    return plan->asked == NULL || plan->asked[binding];
}

void
totals_add_diagnosis(struct plan_totals *totals, const struct diagnosis *diagnosis,
                     const struct plan *plan)
{
    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        const enum left_alone left_alone = diagnosis->bindings[i].left_alone;
        const bool in_scope = left_alone != LEFT_ALONE_OUT_OF_SCOPE && is_asked(plan, i);

        totals->in_scope += in_scope ? 1 : 0;
        totals->left_alone += in_scope && left_alone != LEFT_ALONE_NOT ? 1 : 0;
    }
    for (uint32_t i = 0; i < diagnosis->n_findings; i++) {
        if (is_asked(plan, diagnosis->findings[i].binding)) {
            add_finding(totals, &diagnosis->findings[i],
                        i > 0 ? &diagnosis->findings[i - 1] : NULL);
        }
    }
}

const struct plan *
plan_with(struct arena *arena, const struct plan *plan, const struct diagnosis *diagnosis,
          const struct decision *const *decisions)
{
    struct plan *other = arena_memdup(arena, plan, sizeof(*other));

    other->decisions = decisions;
    other->totals = (struct plan_totals){.bindings = plan->totals.bindings};
    totals_add_diagnosis(&other->totals, diagnosis, plan);
    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        totals_add(&other->totals, decisions[i]);
    }
    return other;
}
