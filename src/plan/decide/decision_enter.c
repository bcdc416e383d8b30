/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the replicas that a decision moves, holds it to quotas, and takes its capacity from the
 * ledger.
 */
#include "ballast/base/wide.h"
#include "decide.h"
#include "plan/move/move.h"

void
decision_count(const struct move *move, struct decision *decision)
{
    int64_t gained = targets_more(&decision->before, &decision->after);
    int64_t lost = targets_more(&decision->after, &decision->before);

    if (decision->action == ACTION_EVICT) { /* the scheduler places them, except those that end */
        for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
            lost -= move->ends[i];
        }
        decision->moved = pin_count(lost);
        return;
    }
    decision->moved = pin_count(gained < lost ? gained : lost);
    decision->added = pin_count(gained < lost ? 0 : gained - lost);
}

void
decision_hold_to_quotas(struct planner *planner, const struct binding *binding,
                        struct decision *decision)
{
    const char *refusal = quotas_refusal(planner->quotas, binding, &decision->before,
                                         &decision->after, planner->scratch);

    if (refusal != NULL) {
        reason_add(planner, decision, "QuotaExceeded", "", "%s", refusal);
        decision->action = ACTION_BLOCKED;
        decision->after = decision->before;
        decision->changes = false;
    }
}

/* The most receipts that one target may need. */
static size_t
takes_each(const struct binding *binding)
{
    return binding_is_set(binding) ? binding_rare(binding)->n_components : 2;
}

/* Takes the capacity of the replicas that a target gains; for a set, of one of each component. */
static void
take_room(struct planner *planner, const struct move *move, const struct target *target,
          int32_t more, struct ledger_receipt **receipts, uint32_t *n_receipts)
{
    struct ledger *ledger = planner->ledger;
    const struct binding *binding = move->binding;

    const int32_t grows_by = move_grows_by(planner, move, target, more);

    if (!binding_is_set(binding)) {
        receipts[(*n_receipts)++] = ledger_take(ledger, target->cluster, binding->requirements,
                                                more - grows_by - move->surplus[target->cluster]);
        receipts[(*n_receipts)++] =
            ledger_take_growth(ledger, target->cluster, binding->requirements, grows_by);
        return;
    }
    for (uint32_t i = 0; i < binding_rare(binding)->n_components; i++) {
        const struct component *component = &binding_rare(binding)->components[i];

        receipts[(*n_receipts)++] =
            grows_by > 0 ? ledger_take_growth(ledger, target->cluster, component->requirements,
                                              component->replicas)
                         : ledger_take_component(ledger, target->cluster, binding, i);
    }
}

void
decision_enter(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct binding *binding = move->binding;
    struct ledger_receipt **receipts = ARENA_ARRAY(planner->scratch, struct ledger_receipt *,
                                                   decision->after.count * takes_each(binding) + 2);

    for (uint32_t i = 0, at = 0; i < decision->after.count; i++) {
        const struct target *target = &decision->after.items[i];
        int32_t more = target->replicas - targets_find_next(&decision->before, target->name, &at);

        if (more > 0 && target->cluster != CLUSTER_NONE) {
            take_room(planner, move, target, more, receipts, &decision->n_receipts);
        }
    }
    struct ledger_receipt *others[] = {
        ledger_charge_quotas(planner->ledger, binding, &decision->before, &decision->after),
        ledger_enter_group(planner->ledger, binding, &decision->after),
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (others[i] != NULL) {
            receipts[decision->n_receipts++] = others[i];
        }
    }
    decision->receipts =
        arena_memdup(planner->arena, receipts, decision->n_receipts * sizeof(*receipts));
}
