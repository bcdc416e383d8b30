/* SPDX-License-Identifier: Apache-2.0
 *
 * Who was not seen is told, and so is a run that is blind for it.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

enum coverage { SEEN, UNSEEN, UNCERTAIN };

static const json_t *
find_unseen(const struct facts *facts, const char *name)
{
    const json_t *list = at(facts->run->plan, "summary.members.unseen");
    size_t index;
    json_t *member;

    json_array_foreach(list, index, member)
    {
        if (is(text_at(member, "name"), name)) {
            return member;
        }
    }
    return NULL;
}

/* What pods lead to, and what an estimator says instead of them, is left open here. */
static enum coverage
sight_of_member(const struct facts *facts, const struct cluster_facts *cluster)
{
    if (facts->has_estimator && cluster->has_answers) {
        return UNCERTAIN;
    }
    if (!facts->has_pods) {
        return facts->has_nodes && !cluster->has_nodes ? UNSEEN : SEEN;
    }
    if (!cluster->has_pods) {
        return UNSEEN;
    }
    return cluster->has_sets && cluster->has_deployments ? SEEN : UNCERTAIN;
}

int
told_stuck(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct facts *facts = &judge->facts;
    int most = -1;

    for (int i = 0; i < facts->n_objects && facts->has_estimator; i++) {
        const struct object_facts *object = &facts->objects[i];
        const json_t *answer;
        size_t k;

        if (!is(object->kind, "EstimatorAnswers") ||
            !is(object->member, facts->clusters[index].name) ||
            duration_of(text_at(object->json, "unschedulableThreshold"), 0) <
                facts->unschedulable) {
            continue;
        }
        json_array_foreach(at(object->json, "unschedulable"), k, answer)
        {
            int said = (int)integer_at(answer, "replicas", 0);

            if (is(text_at(answer, "name"), text_at(binding->json, "spec.resource.name"))) {
                most = said > most ? said : most;
            }
        }
    }
    return most;
}

bool
is_told_stuck(const struct judge *judge, const struct binding_facts *binding, int index)
{
    return told_stuck(judge, binding, index) > 0;
}

static bool
holds_replicas(const struct facts *facts, int cluster)
{
    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];
        const struct target_facts *target = &binding->targets[cluster];

        if (target->assigned && (target->before > 0 || binding->is_set) &&
            !is(binding->left_alone, "out of scope") && !is(binding->left_alone, "being deleted")) {
            return true;
        }
    }
    return false;
}

/* By the configuration: as many, or such a share of those that are needed. */
static bool
is_too_many(const struct facts *facts, int64_t missed, int64_t needed)
{
    const json_t *allowed = at(facts->world->config, "allowUnseenMembers");

    if (json_is_string(allowed)) {
        return missed * 100 > strtoll(json_string_value(allowed), NULL, 10) * needed;
    }
    return json_integer_value(allowed) >= 0 && missed > json_integer_value(allowed);
}

static bool
is_needed_member(const struct facts *facts, int index)
{
    const struct cluster_facts *cluster = &facts->clusters[index];

    return cluster->health == HEALTH_READY && !cluster->deleting && holds_replicas(facts, index);
}

static void
judge_member(struct judge *judge, int index, const json_t *unseen, enum coverage coverage,
             bool is_needed)
{
    if (coverage != UNCERTAIN && (coverage == UNSEEN) != (unseen != NULL)) {
        judge_fail(judge, INV_SEEN, NULL, index, "it is %s to be unseen",
                   unseen != NULL ? "said" : "not said");
    }
    if (unseen != NULL && truth_at(unseen, "missed") != is_needed) {
        judge_fail(judge, INV_SEEN, NULL, index, "it is %s", is_needed ? "missed" : "not missed");
    }
}

void
judge_sight(struct judge *judge)
{
    const struct facts *facts = &judge->facts;
    const json_t *told = at(facts->run->plan, "summary.members");
    const bool looks = facts->has_pods || facts->has_nodes || facts->has_estimator;
    int64_t missed = 0, needed = 0;

    judge_met(judge, INV_SEEN);
    for (int c = 0; c < facts->n_clusters && looks; c++) {
        const struct cluster_facts *cluster = &facts->clusters[c];
        const json_t *unseen = find_unseen(facts, cluster->name);
        const enum coverage coverage = sight_of_member(facts, cluster);
        const bool is_needed = is_needed_member(facts, c);

        judge_member(judge, c, unseen, coverage, is_needed);
        needed += is_needed ? 1 : 0;
        missed += is_needed && unseen != NULL ? 1 : 0;
    }
    if (!looks && json_array_size(at(told, "unseen")) > 0) {
        judge_fail(judge, INV_SEEN, NULL, -1, "nobody was to be looked at");
    }
    if (truth_at(told, "blind") != is_too_many(facts, missed, needed)) {
        judge_fail(judge, INV_SEEN, NULL, -1, "%lld of %lld are missed", (long long)missed,
                   (long long)needed);
    }
}
