/* SPDX-License-Identifier: Apache-2.0
 *
 * What returns to clusters that were lost, by the records on the bindings.
 */
#include "judge.h"

#include <string.h>

#define WANTS "the return of a lost cluster wants"

/* It fails over, also where only what an operator tainted does (failover.operatorTaints). */
static bool
fails_over(const struct judge *judge, const struct binding_facts *binding)
{
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (target->assigned && (target->turn == TURN_OURS || target->turn == TURN_GUARD)) {
            return true;
        }
    }
    return false;
}

bool
only_balances(const struct judge *judge, const struct binding_facts *binding, const char *wants)
{
    bool balances = false, mends = false;
    json_t *finding;
    size_t index;

    json_array_foreach(at(binding->item, "findings"), index, finding)
    {
        if (is(text_at(finding, "type"), "Imbalance")) {
            balances = strncmp(text_at(finding, "message"), wants, strlen(wants)) == 0;
        } else {
            mends = mends || trigger_is_on(&judge->facts, text_at(finding, "type"));
        }
    }
    return balances && !mends && binding->changed && !fails_over(judge, binding);
}

/* It was moved out of the cluster as that was lost. */
static bool
left_lost(const json_t *move, const char *cluster)
{
    return is(text_at(move, "reason"), "UnhealthyCluster") &&
           find_by(at(move, "from"), "name", cluster) != NULL;
}

static bool
ever_left_lost(const json_t *record, const char *cluster)
{
    const json_t *earlier;
    size_t index;
    bool left = left_lost(record, cluster);

    json_array_foreach(at(record, "earlier"), index, earlier)
    {
        left = left || left_lost(earlier, cluster);
    }
    return left;
}

static json_t *
record_of(const json_t *object)
{
    const char *text = json_string_value(
        json_object_get(at(object, "metadata.annotations"), "ballast.io/last-move"));

    return text == NULL ? NULL : json_loads(text, 0, NULL);
}

void
judge_returning(struct judge *judge, const struct binding_facts *binding)
{
    if (!only_balances(judge, binding, WANTS)) {
        return;
    }
    const char *type =
        text_at(binding->placement, "replicaScheduling.weightPreference.dynamicWeight");
    json_t *record = record_of(binding->json);
    int64_t gained = 0, rest = integer_at(record, "deferred", 0);

    judge_met(judge, INV_RETURNS);
    if (!truth_at(judge->facts.world->config, "balance.dynamicWeights") || *type == '\0') {
        judge_fail(judge, INV_RETURNS, binding, -1, "nobody asked for a return");
    }
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (target->after > target->before) {
            gained += target->after - target->before;
            if (!ever_left_lost(record, judge->facts.clusters[i].name)) {
                judge_fail(judge, INV_RETURNS, binding, i, "it did not leave it as it was lost");
            }
        }
    }
    if (is(text_at(record, "reason"), "Imbalance") && rest > 0 && gained > rest) {
        judge_fail(judge, INV_RETURNS, binding, -1, "more returns than was left behind");
    }
    json_decref(record);
}

void
judge_copying(struct judge *judge, const struct binding_facts *binding)
{
    if (!only_balances(judge, binding, "the strategy Duplicated wants")) {
        return;
    }
    judge_met(judge, INV_COPIED);
    if (!truth_at(judge->facts.world->config, "balance.duplicated") ||
        json_array_size(at(binding->placement, "spreadConstraints")) > 0) {
        judge_fail(judge, INV_COPIED, binding, -1, "nobody asked for more copies");
    }
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (target->assigned && (!target->stays || target->after != target->before)) {
            judge_fail(judge, INV_COPIED, binding, i, "it is changed where it is");
        }
        if (!target->assigned && target->stays && target->after != binding->replicas) {
            judge_fail(judge, INV_COPIED, binding, i, "a part of a copy is added");
        }
    }
}

static const json_t *
same_item(const struct run *run, const json_t *item)
{
    const json_t *other;
    size_t i;

    json_array_foreach(at(run->plan, "items"), i, other)
    {
        if (is(text_at(other, "name"), text_at(item, "name")) &&
            is(text_at(other, "namespace"), text_at(item, "namespace"))) {
            return other;
        }
    }
    return NULL;
}

/* The run moved some for the balance alone; with something else in the way, what is wanted back
 * only stands among the findings. */
static bool
was_balanced(const struct run *run, const json_t *item)
{
    json_t *record = record_of(json_object_get(run->patches, text_at(item, "name")));
    bool balanced = is(text_at(record, "reason"), "Imbalance");

    json_decref(record);
    return balanced;
}

void
judge_returns_once(struct judge *judge, const struct run *first, const struct run *next)
{
    const json_t *item, *finding, *then;
    size_t i;

    json_array_foreach(at(first->plan, "items"), i, item)
    {
        finding = find_by(at(item, "findings"), "type", "Imbalance");
        if (strncmp(text_at(finding, "message"), WANTS, strlen(WANTS)) != 0 ||
            !is(text_at(item, "action"), "Move") || !was_balanced(first, item) ||
            integer_at(item, "deferred", 0) > 0) {
            continue;
        }
        then = same_item(next, item);
        finding = find_by(at(then, "findings"), "type", "Imbalance");
        judge_met(judge, INV_RETURNS);
        if (strncmp(text_at(finding, "message"), WANTS, strlen(WANTS)) == 0) {
            judge_fail(judge, INV_RETURNS, NULL, -1, "%s: it is to return once more",
                       text_at(item, "name"));
        }
    }
}

/* The static weights of its placement give a cluster nothing. */
static bool
has_no_weight(const struct facts *facts, const json_t *item, const char *cluster)
{
    const json_t *weights = NULL, *weight;
    int named = find_name(facts, cluster);
    size_t index;

    for (int i = 0; i < facts->n_bindings; i++) {
        const struct binding_facts *binding = &facts->bindings[i];

        if (is(binding->name, text_at(item, "name")) &&
            is(binding->namespace_, text_at(item, "namespace"))) {
            weights = at(binding->placement, "replicaScheduling.weightPreference.staticWeightList");
        }
    }
    if (weights == NULL || named < 0 || facts->clusters[named].json == NULL) {
        return false;
    }
    json_array_foreach(weights, index, weight)
    {
        if (affinity_matches(at(weight, "targetCluster"), facts->clusters[named].json)) {
            return false;
        }
    }
    return true;
}

static bool
is_infeasible(const json_t *findings, const char *cluster)
{
    const json_t *finding;
    size_t index;

    json_array_foreach(findings, index, finding)
    {
        if (is(text_at(finding, "type"), "InfeasibleCluster") &&
            is(text_at(finding, "cluster"), cluster)) {
            return true;
        }
    }
    return false;
}

bool
leaves_for_placement(const struct judge *judge, const json_t *item)
{
    const json_t *findings = at(item, "findings"), *target;
    bool leaves = false;
    size_t index;

    json_array_foreach(at(item, "before"), index, target)
    {
        const char *cluster = text_at(target, "name");

        leaves =
            leaves ||
            (find_by(at(item, "after"), "name", cluster) == NULL &&
             (is_infeasible(findings, cluster) || has_no_weight(&judge->facts, item, cluster)));
    }
    return leaves && find_by(findings, "type", "PlacementChanged") != NULL;
}
