/* SPDX-License-Identifier: Apache-2.0
 *
 * PodDisruptionBudgets: what balance takes of what is ready in a member. Whatever
 * else takes some is not bound, and counts.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

/* What a plan does to the pods that one budget selects. */
struct disrupted {
    int64_t expected, ready, leaving; /* before */
    int64_t doubtful;                 /* more may be ready than are counted */
    int64_t taken, balanced;          /* of those that are ready: by all, by what only balances */
};

static struct disrupted
count_disrupted(const struct judge *judge, const struct object_facts *budget, int cluster)
{
    struct disrupted ret = {0};

    for (int i = 0; i < judge->facts.n_bindings; i++) {
        const struct binding_facts *binding = &judge->facts.bindings[i];
        const struct target_facts *target = &binding->targets[cluster];
        int ready = target->seen ? target->ready : target->before;

        if (!target->assigned || budget_protects(&judge->facts, budget, binding) != PROTECTS) {
            continue;
        }
        int beyond = ready > target->before ? ready - target->before : 0;
        int taken = ready - beyond - target->after;

        taken = target->after < target->before && taken > 0 ? taken : 0;
        ret.expected += target->before;
        ret.ready += ready - beyond;
        ret.leaving += beyond;
        ret.doubtful += target->doubtful;
        ret.taken += taken;
        ret.balanced += only_balances(judge, binding, "") ? taken : 0;
    }
    return ret;
}

/* A share of the pods, where both number and percentage round up; -1: it is neither. */
static int64_t
share_of(const json_t *share, int64_t expected)
{
    char *end;

    if (json_is_integer(share)) {
        return json_integer_value(share);
    }
    const char *text = json_is_string(share) ? json_string_value(share) : "";
    long long percent = strtoll(text, &end, 10);
    int64_t whole = percent * expected;

    return end == text || strcmp(end, "%") != 0 ? -1 : whole / 100 + (whole % 100 > 0 ? 1 : 0);
}

static int64_t
allowed_by(const json_t *budget, const struct disrupted *pods)
{
    int64_t observed = integer_at(budget, "status.observedGeneration", 0), share;

    if (observed > 0 && observed >= integer_at(budget, "metadata.generation", 0)) {
        return integer_at(budget, "status.disruptionsAllowed", 0) - pods->leaving;
    }
    if (at(budget, "spec.maxUnavailable") != NULL) {
        share = share_of(at(budget, "spec.maxUnavailable"), pods->expected);
        return share < 0 ? 0 : pods->ready - pods->expected + share;
    }
    share = share_of(at(budget, "spec.minAvailable"), pods->expected);
    return share < 0 ? 0 : pods->ready - share;
}

/* That it is kept in a cluster, by the name of the budget that is told. */
static bool
is_kept_by(const struct binding_facts *binding, const struct object_facts *budget)
{
    const json_t *reason = find_by(at(binding->item, "reasons"), "code", "DisruptionBudget");
    const char *told = strstr(text_at(reason, "message"), "PodDisruptionBudget ");
    size_t length = strlen(budget->name);

    told = told == NULL ? "" : told + strlen("PodDisruptionBudget ");
    return is(text_at(reason, "cluster"), budget->member) &&
           strstr(told, " may protect it: ") == NULL && strncmp(told, budget->name, length) == 0 &&
           told[length] == ' ';
}

/* A step that may be of any size is as large as may be. */
static void
judge_kept(struct judge *judge, const struct object_facts *budget, int cluster, int64_t left)
{
    for (int i = 0; i < judge->facts.n_bindings; i++) {
        const struct binding_facts *binding = &judge->facts.bindings[i];

        if (!is_kept_by(binding, budget)) {
            continue;
        }
        judge_met(judge, INV_DISRUPTIONS);
        if (budget_protects(&judge->facts, budget, binding) != PROTECTS) {
            judge_fail(judge, INV_DISRUPTIONS, binding, cluster, "%s is not about it",
                       budget->name);
        }
        /* those that may be ready or not may have taken it */
        if (left > binding->targets[cluster].doubtful &&
            json_array_size(at(binding->placement, "spreadConstraints")) == 0) {
            judge_fail(judge, INV_DISRUPTIONS, binding, cluster, "%s leaves %lld more",
                       budget->name, (long long)left);
        }
    }
}

void
judge_disruptions(struct judge *judge)
{
    const struct facts *facts = &judge->facts;

    for (int i = 0; i < facts->n_objects && !facts->world->reschedule_all; i++) {
        const struct object_facts *budget = &facts->objects[i];
        int cluster =
            is(budget->kind, "PodDisruptionBudget") ? find_name(facts, budget->member) : -1;

        if (cluster < 0) {
            continue;
        }
        const struct disrupted pods = count_disrupted(judge, budget, cluster);
        int64_t allowed = allowed_by(budget->json, &pods), most = allowed + pods.doubtful;

        allowed = allowed > 0 ? allowed : 0;
        if (pods.balanced > 0) {
            judge_met(judge, INV_DISRUPTIONS);
        }
        if (pods.balanced > (most > 0 ? most : 0)) {
            judge_fail(judge, INV_DISRUPTIONS, NULL, cluster,
                       "balance takes %lld ready ones where %s lets %lld go",
                       (long long)pods.balanced, budget->name, (long long)most);
        }
        judge_kept(judge, budget, cluster, allowed - pods.taken);
    }
}
