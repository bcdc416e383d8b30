/* SPDX-License-Identifier: Apache-2.0
 *
 * The states of replicas: each assigned one is in exactly one of them.
 */
#include "judge.h"

/* What is told of a binding, and what may be. */
struct state_bounds {
    int assigned, assigned_least;
    int lost;
    int ready, ready_least;
    int failing;
};

/* Its own object there may want fewer than are assigned, or some have run to their end. */
static bool
may_want_fewer(const struct binding_facts *binding, const struct target_facts *target)
{
    return binding->only_lost || target->overridden || target->finished ||
           !is(text_at(binding->json, "spec.resource.apiVersion"), "apps/v1");
}

/* Nothing of it is left to run: a taint alone does not stop it. */
static bool
is_gone(const struct cluster_facts *cluster, const struct target_facts *target)
{
    return target->lost &&
           (cluster->json == NULL || cluster->deleting || cluster->health != HEALTH_READY);
}

static int
smaller(int a, int b)
{
    return a < b ? a : b;
}

/* All that is there is seen as what it is. */
static bool
is_clear(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const char *kind = text_at(binding->json, "spec.resource.kind");

    return binding->targets[index].seen && !judge->facts.clusters[index].has_answers &&
           is(text_at(binding->json, "spec.resource.apiVersion"), "apps/v1") &&
           ((is(kind, "Deployment") && judge->facts.clusters[index].has_deployments) ||
            is(kind, "StatefulSet"));
}

static void
add_target(const struct judge *judge, const struct binding_facts *binding, int index,
           struct state_bounds *bounds)
{
    const struct target_facts *target = &binding->targets[index];
    const int before = target->before > 0 ? target->before : 0;
    const bool fewer = may_want_fewer(binding, target);

    bounds->assigned += target->finished ? 0 : before;
    if (is_gone(&judge->facts.clusters[index], target)) {
        bounds->lost += before;
        bounds->assigned_least += before;
        return;
    }
    bounds->assigned_least += fewer ? 0 : before;
    if (!is_clear(judge, binding, index)) {
        bounds->ready += before;
        bounds->failing += before;
        return;
    }
    bounds->ready += smaller(before, target->ready + target->doubtful);
    bounds->ready_least += fewer ? 0 : smaller(before, target->ready);
    bounds->failing += smaller(before, target->failing);
}

static void
expect_within(struct judge *judge, const struct binding_facts *binding, const char *what, int least,
              int most)
{
    const int told = (int)integer_at(at(binding->item, "replicas"), what, -1);

    if (told < least || told > most) {
        judge_fail(judge, INV_STATES, binding, -1, "%d replicas are %s, not %d to %d", told, what,
                   least, most);
    }
}

int
silent_trouble(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];
    const struct facts *facts = &judge->facts;
    bool hangs = trigger_is_on(facts, "NotReadyReplicas") || trigger_is_on(facts, "NodesNotReady");
    bool is_missing = trigger_is_on(facts, "PodsNotCreated") || trigger_is_on(facts, "NotApplied");

    if (!target->seen || facts->clusters[index].health != HEALTH_READY) {
        return 0;
    }
    return hangs && target->pods > target->ready ? target->before - target->ready
           : is_missing                          ? target->before - target->pods
                                                 : 0;
}

/* What still runs, by its status, where it is no target any more. */
static int
ready_in_eviction(const struct judge *judge, const struct binding_facts *binding)
{
    int sum = 0;

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct cluster_facts *cluster = &judge->facts.clusters[i];
        const struct target_facts *target = &binding->targets[i];
        const json_t *said =
            find_by(at(binding->json, "status.aggregatedStatus"), "clusterName", cluster->name);

        if (target->evicting && !target->assigned && !target->stays && cluster->json != NULL &&
            !cluster->deleting && cluster->health == HEALTH_READY) {
            sum += (int)integer_at(said, "status.readyReplicas", 0);
        }
    }
    return sum;
}

/* Of what is divided, and of which all that does not run is lost. */
static void
judge_homeless(struct judge *judge, const struct binding_facts *binding)
{
    const int homeless = (int)integer_at(binding->item, "homeless", 0);
    int missing = binding->replicas;

    if (!binding->divided || judge->facts.evicts ||
        integer_at(binding->item, "replicas.stuck", 0) > 0 ||
        integer_at(binding->item, "replicas.failing", 0) > 0) {
        return;
    }
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        missing -=
            (target->before > 0 && is_gone(&judge->facts.clusters[i], target)) || target->after < 0
                ? 0
                : target->after;
    }
    missing -= ready_in_eviction(judge, binding);
    missing = missing > 0 ? missing : 0;
    if (homeless != missing) {
        judge_fail(judge, INV_STATES, binding, -1, "%d replicas are homeless, not %d", homeless,
                   missing);
    }
}

/* None is silent. */
static void
judge_unexplained(struct judge *judge, const struct binding_facts *binding)
{
    bool is_lost = false;

    for (int i = 0; i < judge->facts.n_names; i++) {
        is_lost = is_lost || binding->targets[i].lost;
    }
    if (!is_lost && integer_at(binding->item, "replicas.unexplained", 0) > 0 &&
        find_by(at(binding->item, "findings"), "type", "NotReadyReplicas") == NULL) {
        judge_fail(judge, INV_STATES, binding, -1, "replicas are unexplained without a finding");
    }
}

static int
sum_of_states(const json_t *replicas)
{
    static const char *const states[] = {"ready",   "starting",    "stuck",
                                         "failing", "unexplained", "lost"};
    int sum = 0;

    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        sum += (int)integer_at(replicas, states[i], 0);
    }
    return sum;
}

struct change {
    int64_t gained, lost;
};

/* Replicas that clusters gain and lose, by the splits that the report has of the binding. */
static struct change
change_of(const struct facts *facts, const struct binding_facts *binding)
{
    struct change change = {0};

    for (int i = 0; i < facts->n_names; i++) {
        const char *name = facts->clusters[i].name;
        int64_t more =
            integer_at(find_by(at(binding->item, "after"), "name", name), "replicas", 0) -
            integer_at(find_by(at(binding->item, "before"), "name", name), "replicas", 0);

        change.gained += more > 0 ? more : 0;
        change.lost -= more < 0 ? more : 0;
    }
    return change;
}

/* Those that a scale-down ends move nowhere, and in mode Evict nobody says which these are. */
void
judge_totals(struct judge *judge, const json_t *report)
{
    const struct facts *facts = &judge->facts;
    int64_t moved = integer_at(report, "summary.replicasMoved", 0);
    int64_t added = integer_at(report, "summary.replicasAdded", 0), doubtful = 0;

    if (json_array_size(at(report, "items")) > (size_t)facts->n_bindings ||
        facts->world->reschedule_all) {
        return; /* a drill of more than the judge reads, or a stand-in that has no mode */
    }
    for (int b = 0; b < facts->n_bindings; b++) {
        const struct binding_facts *binding = &facts->bindings[b];
        const int ended = binding->sum_before - binding->replicas;
        const struct change change = change_of(facts, binding);
        const bool is_one_way = facts->evicts || change.lost < change.gained;

        moved -= is_one_way ? change.lost : change.gained;
        added -= facts->evicts || change.gained < change.lost ? 0 : change.gained - change.lost;
        doubtful += facts->evicts && ended > 0 ? ended : 0;
    }
    if (moved > 0 || moved < -doubtful || added != 0) {
        judge_fail(judge, INV_STATES, NULL, -1, "%lld more replicas move and %lld are added in sum",
                   (long long)moved, (long long)added);
    }
}

/* Of all bindings, and of those that the report lists. */
void
judge_all_states(struct judge *judge, const json_t *report)
{
    const json_t *all = at(report, "summary.replicas"), *item;
    int assigned = 0, homeless = 0;
    size_t index;

    json_array_foreach(at(report, "items"), index, item)
    {
        assigned += (int)integer_at(item, "replicas.assigned", 0);
        homeless += (int)integer_at(item, "homeless", 0);
    }
    if (integer_at(all, "assigned", 0) != sum_of_states(all)) {
        judge_fail(judge, INV_STATES, NULL, -1, "%d replicas are assigned, and %d in a state",
                   (int)integer_at(all, "assigned", 0), sum_of_states(all));
    }
    if (assigned > (int)integer_at(all, "assigned", 0) ||
        homeless > (int)integer_at(report, "summary.replicasHomeless", 0)) {
        judge_fail(judge, INV_STATES, NULL, -1, "items have %d assigned and %d homeless replicas",
                   assigned, homeless);
    }
}

void
judge_states(struct judge *judge, const struct binding_facts *binding)
{
    struct state_bounds bounds = {0};
    const int sum = sum_of_states(at(binding->item, "replicas"));

    if (at(binding->item, "replicas") == NULL) {
        return;
    }
    for (int i = 0; i < judge->facts.n_names; i++) {
        if (binding->targets[i].assigned) {
            add_target(judge, binding, i, &bounds);
        }
    }
    judge_met(judge, INV_STATES);
    expect_within(judge, binding, "assigned", sum, sum);
    if (binding->is_set) { /* what is assigned is copies of it */
        return;
    }
    expect_within(judge, binding, "assigned", bounds.assigned_least, bounds.assigned);
    expect_within(judge, binding, "lost", bounds.lost, bounds.lost);
    expect_within(judge, binding, "ready", bounds.ready_least, bounds.ready);
    expect_within(judge, binding, "failing", 0, bounds.failing);
    judge_homeless(judge, binding);
    judge_unexplained(judge, binding);
}
