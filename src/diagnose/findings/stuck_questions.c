/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the questions to estimators. As in karmada-descheduler, Ballast asks only where fewer
 * replicas are ready than assigned, and only about Deployments: upstream's estimator refuses other
 * kinds.
 */
#include "diagnose/owners/owners.h"

#include "ballast/base/str.h"
#include "ballast/base/wide.h"

static bool
is_asked_about(struct arena *scratch, const struct fleet *fleet, const struct binding *binding,
               const struct policy *policy)
{
    const char *reason = "";

    if (!str_eq(binding->resource.kind, "Deployment") ||
        !str_eq(binding->resource.api_version, "apps/v1") ||
        !placement_is_divided(binding->placement)) {
        return false;
    }
    enum left_alone left_alone = find_left_alone(scratch, fleet, binding, policy, &reason);

    return left_alone != LEFT_ALONE_DELETING && left_alone != LEFT_ALONE_OUT_OF_SCOPE;
}

static bool
is_short_of_ready(const struct binding *binding, const struct target *target)
{
    const struct aggregated_status *status = binding_find_status(binding, target->name);

    return target->replicas > 0 && (status == NULL || status->ready_replicas < target->replicas);
}

struct stuck_question *
diagnose_stuck_questions(struct arena *arena, const struct fleet *fleet,
                         const struct policy *policy, uint32_t *ret_count)
{
    VEC_OF(struct stuck_question) questions = VEC_INIT;
    struct arena *scratch = arena_new();

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        bool is_asked = is_asked_about(scratch, fleet, binding, policy);

        for (uint32_t j = 0; is_asked && j < binding->clusters.count; j++) {
            const struct target *target = &binding->clusters.items[j];

            if (target->cluster != CLUSTER_NONE && is_short_of_ready(binding, target) &&
                sources_ask_stuck(&policy->sources, &fleet->members[target->cluster])) {
                vec_add(&questions, ((struct stuck_question){target->cluster, &binding->resource}));
            }
        }
        arena_reset(scratch);
    }
    arena_free(scratch);
    struct stuck_question *result = vec_to_arena(&questions, arena);

    *ret_count = pin_uint32(questions.count);
    vec_free(&questions);
    return result;
}
