/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes capacity for replicas that bindings assign and members do not show yet, and for those that
 * others assign during the run.
 */
#include "bindings_behind.h"
#include "ledger_parts.h"

/* Takes replicas of a target, or all components of a set. If some pods of a set exist, it takes
 * none: the missing components are unknown. */
static void
take_assigned(struct ledger *ledger, struct arena *scratch, const struct binding *binding,
              uint32_t target, int32_t replicas, bool is_whole)
{
    const struct rare_members *rare = binding_rare(binding);
    const uint32_t cluster = binding->clusters.items[target].cluster;

    if (!binding_is_set(binding) && replicas > 0) {
        int32_t room = ledger_available(ledger, cluster, binding->requirements);

        if (replicas > room) { /* an earlier run sent them for nodes to be added */
            ledger_take_growth(ledger, cluster, binding->requirements, replicas - room);
        }
        ledger_take_in(
            ledger, scratch, cluster,
            (struct estimator_taking){.requirements = binding->requirements, .replicas = replicas});
    }
    for (uint32_t i = 0; binding_is_set(binding) && i < rare->n_components && is_whole; i++) {
        ledger_take_in(ledger, scratch, cluster,
                       (struct estimator_taking){.requirements = rare->components[i].requirements,
                                                 .replicas = rare->components[i].replicas});
    }
}

void
ledger_take_in_flight(struct ledger *ledger, const struct diagnosis *diagnosis)
{
    struct arena *scratch = arena_new(); /* receipts are never given back */
    uint32_t count_behind = 0;
    const uint32_t *behind =
        bindings_behind(ledger->arena, ledger->fleet, diagnosis, &count_behind);

    for (uint32_t i = 0; i < count_behind; i++) {
        const struct binding_state *state = &diagnosis->bindings[behind[i]];
        const struct binding *binding = &ledger->fleet->bindings[behind[i]];

        for (uint32_t j = 0; j < binding->clusters.count; j++) {
            const int32_t count = diagnosis->targets[state->first_target + j].in_flight;

            if (count > 0) {
                take_assigned(ledger, scratch, binding, j, count,
                              count == binding->clusters.items[j].replicas);
            }
        }
        arena_reset(scratch);
    }
    arena_free(scratch);
}

void
ledger_replace(struct ledger *ledger, const struct binding *before, const struct binding *now)
{
    const struct target_list *has = &now->clusters;

    ledger->counts_given = false; /* not given by this run */
    for (uint32_t i = 0; i < has->count && ledger->protects; i++) {
        const struct target *target = &has->items[i];
        const struct target *had = target_list_find(&before->clusters, target->name);

        if (target->cluster != CLUSTER_NONE) {
            take_assigned(ledger, ledger->arena, now, i,
                          target->replicas - (had != NULL ? had->replicas : 0), had == NULL);
        }
    }
    ledger->counts_given = true;
    ledger_charge_quotas(ledger, now, &before->clusters, has);
    ledger_enter_group(ledger, now, has);
}
