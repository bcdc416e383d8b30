/* SPDX-License-Identifier: Apache-2.0
 *
 * What leaves, and what must not.
 */
#include "judge.h"

#include <string.h>

static int
least(int a, int b)
{
    return a < b ? a : b;
}

static int
lost_by(const struct target_facts *target)
{
    return target->before > target->after ? target->before - target->after : 0;
}

static bool
says(const struct binding_facts *binding, const char *code)
{
    return find_by(at(binding->item, "reasons"), "code", code) != NULL;
}

/* An earlier run divided it for the placement that it has. */
static bool
was_placed_for(const struct binding_facts *binding)
{
    const char *text = json_string_value(
        json_object_get(at(binding->json, "metadata.annotations"), "ballast.io/placed-for"));
    json_t *mark = text == NULL ? NULL : json_loads(text, 0, NULL);
    bool same = !truth_at(mark, "partly") && json_equal(at(mark, "placement"), binding->placement);

    json_decref(mark);
    return same;
}

bool
is_for_placement(const struct judge *judge, const struct binding_facts *binding)
{
    const json_t *json = binding->json;
    const char *text = json_string_value(
        json_object_get(at(json, "metadata.annotations"), "policy.karmada.io/applied-placement"));
    json_t *applied = text == NULL ? NULL : json_loads(text, JSON_DECODE_ANY, NULL);
    bool changed = text == NULL || (applied != NULL && !json_equal(applied, binding->placement));

    json_decref(applied);
    return changed && !was_placed_for(binding) && trigger_is_on(&judge->facts, "PlacementChanged");
}

/* The binding is divided anew, by request; what is guarded, off, tolerated or not past the
 * threshold stays even then. */
static bool
is_divided_anew(const struct judge *judge, const struct binding_facts *binding)
{
    return binding->fresh || is_for_placement(judge, binding);
}

/* A target that no longer may be chosen, where the configuration asks to leave such: by a task. */
static bool
may_be_infeasible(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];
    const json_t *tasks = at(binding->patch, "spec.gracefulEvictionTasks");

    return trigger_is_on(&judge->facts, "InfeasibleCluster") && target->refused &&
           (target->stays || target->evicting ||
            find_by(tasks, "fromCluster", judge->facts.clusters[index].name) != NULL);
}

bool
is_living(const struct judge *judge, const struct target_facts *target, int index)
{
    return !target->lost && judge->facts.clusters[index].health == HEALTH_READY;
}

/* Of what is assigned, the replicas that are known to run. */
static int
running(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];

    return is_living(judge, target, index) && !target->finished
               ? least(target->ready, target->before)
               : 0;
}

/* Divided: what is ready goes only where a scale-down is larger than all that is not. */
static void
judge_ready(struct judge *judge, const struct binding_facts *binding)
{
    int ended = 0, idle = 0, runs = 0;
    int excess = binding->sum_before - binding->replicas;

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];
        int ready = running(judge, binding, i);

        runs += ready;
        idle += target->unknown && !target->lost
                    ? 0
                    : target->before - least(ready + target->doubtful, target->before);
        if (target->after < ready && !may_be_infeasible(judge, binding, i)) {
            ended += ready - target->after;
        }
    }
    int allowed = excess > idle ? excess - idle : 0;

    if (runs > 0 && binding->changed) {
        judge_met(judge, excess > 0 ? INV_SCALE_DOWN : INV_READY_STAYS);
    }
    if (ended > allowed) {
        judge_fail(judge, excess > 0 ? INV_SCALE_DOWN : INV_READY_STAYS, binding, -1,
                   "%d ready replicas end where at most %d may", ended, allowed);
    }
}

static void
judge_size(struct judge *judge, const struct binding_facts *binding, int index, bool sized)
{
    const struct target_facts *target = &binding->targets[index];
    bool unsettled = target->assigned && (target->lost || !is_living(judge, target, index));

    if (!target->stays) {
        return;
    }
    if (target->suspended && target->assigned && !target->lost) {
        /* another count would not reach it */
        if (target->after != target->before) {
            judge_fail(judge, INV_COPIES, binding, index, "a copy out of reach is resized");
        }
    } else if (sized && target->after != binding->replicas && !unsettled) {
        judge_fail(judge, INV_COPIES, binding, index, "a copy has %d replicas", target->after);
    }
}

static void
judge_copies(struct judge *judge, const struct binding_facts *binding)
{
    /* without a strategy upstream leaves copies at the size that they have */
    bool sized = at(binding->placement, "replicaScheduling") != NULL && binding->is_workload &&
                 !only_balances(judge, binding, "the strategy Duplicated wants");

    for (int i = 0; i < judge->facts.n_names && binding->changed; i++) {
        const struct target_facts *target = &binding->targets[i];

        judge_size(judge, binding, i, sized || !target->assigned);
        if (!target->assigned || target->before == 0) {
            continue;
        }
        judge_met(judge, INV_COPIES);
        if (is_living(judge, target, i) && target->ready > 0) {
            judge_met(judge, INV_COPY_STAYS);
            if (!target->stays && !may_be_infeasible(judge, binding, i)) {
                judge_fail(judge, INV_COPY_STAYS, binding, i, "a copy with %d ready ends",
                           target->ready);
            }
        }
    }
}

/* Not shown in the status, where that is all that is known of it. */
static int
least_in_flight(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const json_t *status = find_by(at(binding->json, "status.aggregatedStatus"), "clusterName",
                                   judge->facts.clusters[index].name);
    int before = binding->targets[index].before;
    int shown = (int)integer_at(status, "status.replicas", 0);

    return before > shown ? before - shown : 0;
}

static void
judge_evidence(struct judge *judge, const struct binding_facts *binding)
{
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];
        int trouble = target->stuck + target->failing;
        int in_flight = target->before > target->pods ? target->before - target->pods : 0;

        if (target->lost || target->before == 0 || may_be_infeasible(judge, binding, i)) {
            continue;
        }
        if (binding->changed) {
            judge_met(judge, INV_EVIDENCE);
        }
        if (!target->seen && is_told_stuck(judge, binding, i)) {
            trouble = told_stuck(judge, binding, i);
            in_flight = least_in_flight(judge, binding, i);
        }
        in_flight += target->outdated; /* a rollout ends those before what is stuck */
        if (lost_by(target) > (trouble > 0 ? trouble + in_flight : 0) &&
            lost_by(target) > silent_trouble(judge, binding, i)) {
            judge_fail(judge, INV_EVIDENCE, binding, i,
                       "%d leave, where %d are in trouble and %d in flight%s", lost_by(target),
                       trouble, in_flight, target->seen ? "" : " (not seen)");
        }
    }
}

static bool
is_to_be_kept(struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];

    if (target->turn == TURN_OURS || target->before == 0 ||
        (target->turn == TURN_GUARD && judge->facts.guard_unknown) ||
        may_be_infeasible(judge, binding, index)) {
        return false;
    }
    return target->lost ||
           (judge->facts.clusters[index].health != HEALTH_READY &&
            target->stuck + target->failing == 0 && !is_told_stuck(judge, binding, index));
}

/* What is stuck in a cluster that is ready, but is to be left by its taint, when nobody leaves
 * it: that much goes. */
static int
stuck_beside_taint(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];
    int in_flight = target->before > target->pods ? target->before - target->pods : 0;

    if (target->turn != TURN_SWITCHED_OFF || judge->facts.clusters[index].health != HEALTH_READY ||
        judge->facts.clusters[index].deleting) {
        return 0;
    }
    if (is_told_stuck(judge, binding, index)) {
        return target->before;
    }
    int trouble = target->stuck + target->failing;

    return trouble > 0 ? trouble + in_flight + target->outdated : 0;
}

/* Lost or not ready, and not ours to leave now: whoever asked for what. */
static void
judge_kept(struct judge *judge, const struct binding_facts *binding)
{
    static const char *const why[] = {
        [TURN_WELL] = "not ready for less than the threshold",
        [TURN_GUARD] = "guarded",
        [TURN_TOLERATED] = "tolerated",
        [TURN_KARMADAS] = "Karmada's to leave",
        [TURN_SWITCHED_OFF] = "cluster failover is off",
    };
    int excess = binding->sum_before - binding->replicas, left = 0, last = -1;

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (!is_to_be_kept(judge, binding, i)) {
            continue;
        }
        int gone = lost_by(target) - stuck_beside_taint(judge, binding, i);

        judge_met(judge, INV_KEEPS);
        if (gone > 0 && (binding->divided || !target->stays)) {
            left += gone;
            last = i;
        }
    }
    if (left > (excess > 0 && binding->divided ? excess : 0)) {
        judge_fail(judge, INV_KEEPS, binding, last, "%d leave a cluster that is %s%s", left,
                   why[binding->targets[last].turn], binding->fresh ? ", by a reschedule" : "");
    }
}

/* All that is left is where dispatching does not reach, so that it keeps its count. */
static bool
is_out_of_reach(const struct judge *judge, const struct binding_facts *binding)
{
    int held = 0;

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        held += target->suspended && target->after <= target->before ? target->after : 0;
    }
    return held == binding->sum_after && held > binding->replicas;
}

/* Some of a scale-up waits, and the report counts all of it. */
static bool
is_counted_part(const struct binding_facts *binding)
{
    int missing = binding->replicas - binding->sum_after;

    return missing > 0 && says(binding, "ScaleUpWaits") &&
           binding->sum_after >= binding->sum_before &&
           integer_at(binding->item, "unplaced", 0) >= missing;
}

static void
judge_sum(struct judge *judge, const struct binding_facts *binding)
{
    bool heeds = trigger_is_on(&judge->facts, "ReplicaMismatch");
    bool may_wait = !heeds;
    bool is_as_before = binding->sum_after == binding->sum_before;

    if (heeds && says(binding, "InPlace") && binding->sum_after != binding->replicas) {
        judge_fail(judge, INV_SUM, binding, -1, "they are said to be in place");
    }
    if (!binding->changed || judge->facts.evicts || binding->is_set ||
        is_out_of_reach(judge, binding)) {
        return;
    }
    if (!binding->is_workload) { /* scaled to zero, it is copied without replicas */
        may_wait = !heeds;
        is_as_before = binding->sum_after < binding->sum_before || is_as_before;
    }
    judge_met(judge, INV_SUM);
    if (!is_counted_part(binding) && binding->sum_after != binding->replicas &&
        !(may_wait && is_as_before)) {
        judge_fail(judge, INV_SUM, binding, -1, "they add up to %d", binding->sum_after);
    }
}

/* Its clusters are chosen anew, however many there were: by request, or for the first time. */
static bool
is_chosen_anew(const struct judge *judge, const struct binding_facts *binding)
{
    return is_divided_anew(judge, binding) ||
           (json_array_size(at(binding->json, "spec.clusters")) == 0 &&
            trigger_is_on(&judge->facts, "Unplaced"));
}

/* The report counts the pods of all components wherever the workload is, before and after. */
static void
judge_whole_sets(struct judge *judge, const struct binding_facts *binding, const char *side)
{
    int64_t pods = 0;
    size_t index;
    json_t *item;

    json_array_foreach(at(binding->json, "spec.components"), index, item)
    {
        pods += integer_at(item, "replicas", 0);
    }
    json_array_foreach(at(binding->item, side), index, item)
    {
        if (integer_at(item, "replicas", -1) != pods) {
            judge_fail(judge, INV_COMPONENTS, binding,
                       find_name(&judge->facts, text_at(item, "name")), "%lld of %lld pods %s",
                       (long long)integer_at(item, "replicas", -1), (long long)pods, side);
        }
    }
}

static void
judge_components(struct judge *judge, const struct binding_facts *binding)
{
    int left = 0, gained = 0;

    judge_whole_sets(judge, binding, "before");
    judge_whole_sets(judge, binding, "after");

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        left += target->assigned && !target->stays ? 1 : 0;
        gained += !target->assigned && target->stays ? 1 : 0;
        if (target->assigned && target->stays && target->before != target->after) {
            judge_fail(judge, INV_COMPONENTS, binding, i, "a part of its components moves");
        }
    }
    judge_met(judge, INV_COMPONENTS);
    if (left != gained && !judge->facts.evicts && !is_chosen_anew(judge, binding)) {
        judge_fail(judge, INV_COMPONENTS, binding, -1, "%d targets leave and %d come", left,
                   gained);
    }
}

/* Whose business it is, and whether it is left alone, changes nothing in what is found. */
static void
judge_told(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *findings = at(binding->item, "findings");

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];
        bool found = false;
        size_t index;
        json_t *finding;

        json_array_foreach(findings, index, finding)
        {
            found = found || (is(text_at(finding, "type"), "UnhealthyCluster") &&
                              is(text_at(finding, "cluster"), judge->facts.clusters[i].name));
        }
        if (target->assigned && (target->lost || found)) {
            judge_met(judge, INV_TOLD);
        }
        if (target->assigned && target->lost != found) {
            judge_fail(judge, INV_TOLD, binding, i, found ? "it is told to be lost" : "it is lost");
        }
    }
}

/* What only gathers leaves clusters, and comes to none that it is not in; where it has most it
 * stays. */
static void
judge_gathering(struct judge *judge, const struct binding_facts *binding)
{
    int most = 0, kept = -1;

    if (!only_balances(judge, binding, "the strategy Aggregated wants")) {
        return;
    }
    judge_met(judge, INV_GATHERS);
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        most = target->before > most ? target->before : most;
        kept = target->after >= target->before && target->before > kept ? target->before : kept;
        if (target->before == 0 && target->after > 0) {
            judge_fail(judge, INV_GATHERS, binding, i, "it is gathered where it was not");
        }
    }
    if (kept < most) {
        judge_fail(judge, INV_GATHERS, binding, -1, "it is gathered from where most of it is");
    }
}

/* Of one target of it. */
static void
judge_bounded_target(struct judge *judge, const struct binding_facts *binding, int index,
                     bool may_grow)
{
    const struct target_facts *target = &binding->targets[index];
    bool is_ours = target->lost && target->turn == TURN_OURS;

    judge_met(judge, INV_KEEPS);
    if (binding->only_lost && lost_by(target) > 0 && !is_ours) {
        judge_fail(judge, INV_KEEPS, binding, index, "only what is lost of it may move");
    }
    if (binding->whole && target->assigned && target->stays && target->after != target->before &&
        !may_grow) {
        judge_fail(judge, INV_KEEPS, binding, index, "it goes as a whole, and a part of it stays");
    }
    if (target->finished && lost_by(target) > 0) {
        judge_fail(judge, INV_KEEPS, binding, index, "it has run to its end there");
    }
}

/* Copies of which only lost ones may leave: for each that leaves there is another, which has all
 * replicas, and the copies that stay are as they were. */
static void
judge_replaced(struct judge *judge, const struct binding_facts *binding)
{
    int left = 0, gained = 0;

    if (!binding->changed) {
        return;
    }
    judge_met(judge, INV_SUM);
    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        left += target->assigned && !target->stays ? 1 : 0;
        gained += !target->assigned && target->stays ? 1 : 0;
        if (target->stays &&
            target->after != (target->assigned ? target->before : binding->replicas)) {
            judge_fail(judge, INV_SUM, binding, i, "the copy has %d replicas", target->after);
        }
    }
    if (left != gained && !judge->facts.evicts) {
        judge_fail(judge, INV_SUM, binding, -1, "%d copies leave and %d come", left, gained);
    }
}

/* What may only leave clusters that are lost, and what goes as a whole: nothing else of it changes,
 * and each target that leaves has another of its size. */
static void
judge_bounded(struct judge *judge, const struct binding_facts *binding)
{
    bool may_grow = !binding->only_lost && json_array_size(at(binding->json, "spec.clusters")) <= 1;

    for (int i = 0; i < judge->facts.n_names && binding->changed; i++) {
        judge_bounded_target(judge, binding, i, may_grow);
    }
    if (!binding->divided && !binding->whole) {
        judge_replaced(judge, binding);
        return;
    }
    /* replicas that are lost and no longer wanted may end */
    bool is_surplus = binding->sum_after >= binding->replicas;

    if (binding->changed && !may_grow && binding->sum_after != binding->sum_before &&
        !(is_surplus && binding->sum_after < binding->sum_before)) {
        judge_fail(judge, INV_SUM, binding, -1, "they add up to %d", binding->sum_after);
    }
}

/* What leaves a cluster would go on there, uncounted: so it leaves none. */
static void
judge_preserved(struct judge *judge, const struct binding_facts *binding)
{
    if (!binding->changed || !truth_at(binding->json, "spec.preserveResourcesOnDeletion")) {
        return;
    }
    judge_met(judge, INV_KEEPS);
    for (int i = 0; i < judge->facts.n_clusters; i++) {
        if (binding->targets[i].assigned && !binding->targets[i].stays) {
            judge_fail(judge, INV_KEEPS, binding, i, "it is no target any more, and goes on there");
        }
    }
}

static void
judge_unbounded(struct judge *judge, const struct binding_facts *binding)
{
    const struct facts *facts = &judge->facts;

    judge_kept(judge, binding);
    if (facts->all_guarded && binding->changed) {
        judge_fail(judge, INV_KEEPS, binding, -1, "it is changed, and no cluster is ready");
    }
    if (binding->divided) {
        judge_sum(judge, binding);
    }
    if (is_divided_anew(judge, binding)) {
        return;
    }
    if (!binding->divided) {
        judge_copying(judge, binding);
        judge_copies(judge, binding);
        return;
    }
    if (!facts->moves_running) {
        judge_ready(judge, binding);
    }
    judge_gathering(judge, binding);
    judge_returning(judge, binding);
    if (!facts->balances && binding->sum_before <= binding->replicas) {
        judge_evidence(judge, binding);
    }
}

void
judge_moves(struct judge *judge, const struct binding_facts *binding)
{
    const struct facts *facts = &judge->facts;

    if (!is(binding->left_alone, "being deleted") && !is(binding->left_alone, "out of scope")) {
        judge_told(judge, binding);
    }

    if (*binding->left_alone != '\0') {
        judge_met(judge, INV_LEFT_ALONE);
        if (binding->changed) {
            judge_fail(judge, INV_LEFT_ALONE, binding, -1, "it is %s", binding->left_alone);
        }
        return;
    }
    if (facts->world->reschedule_all) {
        return; /* it stands in for the scheduler, to which all is work like any other */
    }
    if (binding->is_set) {
        judge_components(judge, binding);
        return;
    }
    judge_preserved(judge, binding);
    if (binding->whole || binding->only_lost) {
        judge_bounded(judge, binding);
    } else {
        judge_unbounded(judge, binding);
    }
}
