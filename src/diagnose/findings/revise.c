/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces the diagnoses of some bindings by newer ones.
 */
#include <string.h>

#include "diagnose/members/observed.h"

struct binding_source {
    const struct diagnosis *diagnosis;
    const struct binding_state *state;
};

static struct binding_source
source_of(const struct diagnosis *diagnosis, const struct diagnosis *const *revised, uint32_t index)
{
    return revised[index] != NULL
               ? (struct binding_source){revised[index], &revised[index]->bindings[0]}
               : (struct binding_source){diagnosis, &diagnosis->bindings[index]};
}

static void
count_all(const struct diagnosis *diagnosis, const struct fleet *fleet,
          const struct diagnosis *const *revised, size_t *ret_findings, size_t *ret_targets)
{
    *ret_findings = *ret_targets = 0;
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        *ret_findings += source_of(diagnosis, revised, i).state->n_findings;
        *ret_targets += fleet->bindings[i].clusters.count;
    }
}

const struct diagnosis *
diagnosis_with(struct arena *arena, const struct diagnosis *diagnosis, const struct fleet *fleet,
               const struct diagnosis *const *revised)
{
    struct arena *scratch = arena_new();
    struct binding_state *states = ARENA_ARRAY(arena, struct binding_state, fleet->n_bindings);
    struct diagnosis *other = arena_memdup(arena, diagnosis, sizeof(*other));
    size_t all_findings, all_targets;
    uint32_t n_findings = 0, n_targets = 0;

    count_all(diagnosis, fleet, revised, &all_findings, &all_targets);
    struct finding *findings = ARENA_ARRAY(arena, struct finding, all_findings);
    struct target_state *targets = ARENA_ARRAY(scratch, struct target_state, all_targets);

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        struct binding_source from = source_of(diagnosis, revised, i);
        uint32_t count = fleet->bindings[i].clusters.count;

        states[i] = *from.state;
        states[i].first_finding = n_findings;
        states[i].first_target = n_targets;
        for (uint32_t j = 0; j < from.state->n_findings; j++) {
            findings[n_findings] = from.diagnosis->findings[from.state->first_finding + j];
            findings[n_findings++].binding = i;
        }
        if (count > 0) {
            memcpy(targets + n_targets, from.diagnosis->targets + from.state->first_target,
                   count * sizeof(*targets));
        }
        n_targets += count;
    }
    other->findings = findings;
    other->n_findings = n_findings;
    other->targets = share_states(arena, fleet, states, targets);
    other->bindings = states;
    arena_free(scratch);
    return other;
}
