/* SPDX-License-Identifier: Apache-2.0
 *
 * One run, the same in another order, of a snapshot, and those after it.
 */
#include "story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kubefed.h"

#define LATER_EVERY 4
#define EXPLAINED_EVERY 4
#define NUMBERS_EVERY 8
#define COMPARED_EVERY 8
#define LATER_SECONDS 120
#define UNDONE_EVERY 3
#define BALANCED_EVERY 2
#define BALANCE_RUNS 10

static json_t *
find_binding(const struct world *world, const char *name)
{
    size_t index;
    json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        if (strstr(text_at(object, "kind"), "ResourceBinding") != NULL &&
            is(text_at(object, "metadata.name"), name)) {
            return object;
        }
    }
    return NULL;
}

void
story_write(struct world *world, const struct run *run)
{
    const char *name;
    json_t *patch;

    json_object_foreach(run->patches, name, patch)
    {
        json_t *binding = find_binding(world, name);

        if (binding != NULL) {
            merge(binding, patch);
        }
    }
}

static void
report_status(json_t *binding, const char *member, int wanted, bool runs)
{
    json_t *list = at(binding, "status.aggregatedStatus");
    json_t *item = find_by(list, "clusterName", member);

    if (item == NULL) {
        item = pack("{s:s,s:b}", "clusterName", member, "applied", 1);
        json_array_append_new(list, item);
        put(item, "status",
            pack("{s:i,s:i}", "replicas", wanted, "readyReplicas", runs ? wanted : 0));
    }
}

/* The control plane's summary of the cluster counts it. */
static void
report_room(struct world *world, const json_t *binding, const char *cluster, int64_t more)
{
    json_t *request = at(binding, "spec.replicaRequirements.resourceRequest.cpu");
    size_t index;
    json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        json_t *allocated = at(object, "status.resourceSummary.allocated");

        if (is(text_at(object, "kind"), "Cluster") &&
            is(text_at(object, "metadata.name"), cluster) && allocated != NULL) {
            int64_t cpu = milli_of(at(allocated, "cpu")) + more * milli_of(request);
            int64_t pods = milli_of(at(allocated, "pods")) / 1000 + more;

            put(allocated, "cpu", json_sprintf("%lldm", (long long)(cpu > 0 ? cpu : 0)));
            put(allocated, "pods", json_integer(pods > 0 ? pods : 0));
        }
    }
}

/* Where the plan changed something, the members show it. */
static void
catch_up_all(struct world *world, const struct run *run, bool runs)
{
    const char *name;
    json_t *patch, *target;
    size_t index;

    json_object_foreach(run->patches, name, patch)
    {
        json_t *binding = find_binding(world, name);
        json_t *was = at(find_by(at(run->plan, "items"), "name", name), "before");

        json_array_foreach(at(binding, "spec.clusters"), index, target)
        {
            int wanted = (int)integer_at(target, "replicas", 0);
            const char *member = text_at(target, "name");

            int before = (int)integer_at(find_by(was, "name", member), "replicas", 0);

            if (wanted != before) {
                report_room(world, binding, member, wanted - before);
                story_catch_up(world, binding, member, wanted, runs);
                report_status(binding, member, wanted, runs);
            }
        }
        json_array_foreach(was, index, target)
        {
            if (find_by(at(binding, "spec.clusters"), "name", text_at(target, "name")) == NULL) {
                story_catch_up(world, binding, text_at(target, "name"), 0, runs);
                report_room(world, binding, text_at(target, "name"),
                            -integer_at(target, "replicas", 0));
            }
        }
    }
}

/* What a decision tells for all of a binding; `for_what` is a part of the message, "": any. */
static bool
any_waits(const struct run *run, const char *code, const char *for_what)
{
    size_t i, j;
    json_t *item, *reason;

    json_array_foreach(at(run->plan, "items"), i, item)
    {
        json_array_foreach(at(item, "reasons"), j, reason)
        {
            if (is(text_at(reason, "code"), code) && *text_at(reason, "cluster") == '\0' &&
                strstr(text_at(reason, "message"), for_what) != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* Its cluster is open again to what is new of its binding. */
static bool
ended_stuck(const struct target_facts *target)
{
    return target->stuck > 0 && target->after < target->before;
}

static bool
is_left(const struct target_facts *target)
{
    return target->assigned && !target->stays;
}

static bool
fails(const struct target_facts *target)
{
    return target->failing > 0;
}

static bool
any_target(const struct judge *judge, bool (*holds)(const struct target_facts *))
{
    for (int i = 0; i < judge->facts.n_bindings; i++) {
        for (int j = 0; j < judge->facts.n_names; j++) {
            if (holds(&judge->facts.bindings[i].targets[j])) {
                return true;
            }
        }
    }
    return false;
}

/* Of all that is planned, before or after. */
static int64_t
held_in(const struct run *run, const char *cluster, const char *side)
{
    int64_t sum = 0;
    size_t index;
    json_t *item;

    json_array_foreach(at(run->plan, "items"), index, item)
    {
        sum += integer_at(find_by(at(item, side), "name", cluster), "replicas", 0);
    }
    return sum;
}

static bool
is_ready(const struct world *world, const char *cluster)
{
    size_t i;
    json_t *object;

    json_array_foreach(world->objects, i, object)
    {
        const char *kind = text_at(object, "kind");

        if ((is(kind, "Cluster") || is(kind, "KubeFedCluster")) &&
            is(text_at(object, "metadata.name"), cluster)) {
            const json_t *ready = find_by(at(object, "status.conditions"), "type", "Ready");

            return is(text_at(ready, "status"), "True");
        }
    }
    return false;
}

static bool
is_found_unhealthy(const json_t *item, const char *cluster)
{
    size_t i;
    json_t *finding;

    json_array_foreach(at(item, "findings"), i, finding)
    {
        if (is(text_at(finding, "type"), "UnhealthyCluster") &&
            is(text_at(finding, "cluster"), cluster)) {
            return true;
        }
    }
    return false;
}

bool
story_may_end_guard(const struct world *world, const struct run *run)
{
    size_t i, j;
    json_t *item, *target;

    if (!truth_at(run->plan, "summary.failoverRefused")) {
        return false;
    }
    json_array_foreach(at(run->plan, "items"), i, item)
    {
        json_array_foreach(at(item, "before"), j, target)
        {
            const char *cluster = text_at(target, "name");
            bool lost = !is_ready(world, cluster) || is_found_unhealthy(item, cluster);

            if (lost && held_in(run, cluster, "before") > 0 &&
                held_in(run, cluster, "after") == 0) {
                return true;
            }
        }
    }
    return false;
}

/* What the first run left undone may go on in the next one: room that it set free itself, limits, a
 * request that it could not meet, or a scheduler's turn. */
static bool
may_go_on(const struct judge *judge, const struct world *world, const struct run *run)
{
    const json_t *summary = at(run->plan, "summary");

    if (judge->facts.balances) {
        return true; /* what is mended is balanced by the next run */
    }
    if (any_waits(run, "Autoscaled", "") && any_target(judge, is_left)) {
        return true; /* an autoscaler of a cluster that was left holds nothing back any more */
    }
    if (is(text_at(world->config, "thresholds.inFlight"), "0s") &&
        (trigger_is_on(&judge->facts, "PodsNotCreated") ||
         trigger_is_on(&judge->facts, "NotApplied"))) {
        return true; /* nothing is waited for, so what was just placed has failed already */
    }
    return world->reschedule_all || story_may_end_guard(world, run) ||
           integer_at(summary, "replicasUnplaced", 0) > 0 ||
           integer_at(summary, "blocked", 0) > 0 || integer_at(summary, "deferred", 0) > 0 ||
           integer_at(summary, "replicasDeferred", 0) > 0;
}

/* A request waits for room for all of it, which what a member frees may be, or for a limit that
 * allows it, as one may once what is lost has gone. */
static bool
request_waits(const struct run *run, const char *for_what)
{
    return any_waits(run, "NotRescheduled", for_what);
}

/* Replicas went where an estimator counts stuck ones of the workload already, though none is
 * assigned there: the next run takes these for some of those. */
static bool
joins_stuck(const struct judge *judge, const struct object_facts *answers)
{
    const struct facts *facts = &judge->facts;
    int index = find_name(facts, answers->member);
    size_t i;
    json_t *stuck;

    json_array_foreach(at(answers->json, "unschedulable"), i, stuck)
    {
        for (int b = 0; index >= 0 && b < facts->n_bindings; b++) {
            const struct binding_facts *binding = &facts->bindings[b];
            const struct target_facts *target = &binding->targets[index];

            if (!target->assigned && target->after > 0 && integer_at(stuck, "replicas", 0) > 0 &&
                is(text_at(stuck, "name"), text_at(binding->json, "spec.resource.name")) &&
                is(text_at(stuck, "namespace"),
                   text_at(binding->json, "spec.resource.namespace"))) {
                return true;
            }
        }
    }
    return false;
}

static bool
any_joins_stuck(const struct judge *judge)
{
    for (int i = 0; i < judge->facts.n_objects; i++) {
        const struct object_facts *object = &judge->facts.objects[i];

        if (is(object->kind, "EstimatorAnswers") && joins_stuck(judge, object)) {
            return true;
        }
    }
    return false;
}

static void
check_quiet(struct judge *judge, const struct world *world, enum invariant invariant)
{
    struct run again;
    const char *name;
    json_t *patch;

    run_world(world, 0, NULL, &again);
    judge_met(judge, invariant);
    json_object_foreach(again.patches, name, patch)
    {
        const json_t *item = find_by(at(again.plan, "items"), "name", name);
        char *text = json_dumps(at(item, "after"), JSON_COMPACT);
        char *why = json_dumps(at(item, "findings"), JSON_COMPACT);

        judge_fail(judge, invariant, NULL, -1, "%s is written again: %.150s for %.300s", name, text,
                   why);
        free(text);
        free(why);
    }
    run_release(&again);
}

static void
check_second(struct judge *judge, const struct world *world, const struct run *run)
{
    struct world after;

    if (json_object_size(run->patches) == 0 || may_go_on(judge, world, run) ||
        request_waits(run, "LimitTooSmall") || any_joins_stuck(judge) ||
        (request_waits(run, "") && any_target(judge, ended_stuck))) {
        return;
    }
    after = world_copy(world);
    story_write(&after, run);
    check_quiet(judge, &after, INV_SECOND_RUN);
    if (integer_at(run->plan, "summary.findings.FailedReplicas", 0) == 0 &&
        !any_target(judge, fails) && !request_waits(run, "") &&
        !(any_waits(run, "ScaleUpWaits", "") && any_target(judge, ended_stuck))) {
        /* else what fails here and runs there next turns out to be the cluster's fault */
        catch_up_all(&after, run, true);
        check_quiet(judge, &after, INV_CAUGHT_UP);
    }
    world_free(&after);
}

/* Clusters that a divided binding just left, since something was wrong there, get nothing back. */
static void
check_cooldown(struct judge *judge, const struct run *first, const struct run *next)
{
    const char *name;
    json_t *patch, *from;
    size_t index;

    json_object_foreach(first->patches, name, patch)
    {
        const char *text = json_string_value(
            json_object_get(at(patch, "metadata.annotations"), "ballast.io/last-move"));
        json_t *move = text == NULL ? NULL : json_loads(text, 0, NULL);
        const json_t *item = find_by(at(next->plan, "items"), "name", name);

        json_array_foreach(at(move, "from"), index, from)
        {
            const char *cluster = text_at(from, "name");
            int64_t before =
                integer_at(find_by(at(item, "before"), "name", cluster), "replicas", 0);
            int64_t after = integer_at(find_by(at(item, "after"), "name", cluster), "replicas", 0);

            judge_met(judge, INV_COOLDOWN);
            if (after > before &&
                find_by(at(item, "findings"), "type", "UnhealthyCluster") == NULL &&
                find_by(at(item, "findings"), "type", "ReplicaMismatch") == NULL &&
                find_by(at(item, "findings"), "type", "RescheduleRequested") == NULL &&
                !leaves_for_placement(judge, item)) {
                judge_fail(judge, INV_COOLDOWN, NULL, -1,
                           "%s: %s is given %d again, two minutes "
                           "after it was left",
                           name, cluster, (int)(after - before));
            }
        }
        json_decref(move);
    }
}

/* Two minutes later: what was given does not run where it was given to, or the cluster is lost. */
static void
check_later(struct judge *judge, const struct world *world, const struct run *run, uint64_t seed)
{
    const char *initial = text_at(world->config, "cooldown.initial");
    struct world after;
    struct run next;

    if (json_object_size(run->patches) == 0 || world->reschedule_all) {
        return;
    }
    after = world_copy(world);
    story_write(&after, run);
    catch_up_all(&after, run, seed / 8 % 2 == 0);
    run_world(&after, LATER_SECONDS, NULL, &next);
    judge_run(judge, &after, &next, LATER_SECONDS);
    if (!is(initial, "0s") && next.plan != NULL) {
        check_cooldown(judge, run, &next);
    }
    if (next.plan != NULL) {
        judge_returns_once(judge, run, &next);
    }
    run_release(&next);
    world_free(&after);
}

/* Runs that balance, one after the other, while the members follow. */
static void
check_balanced(struct judge *judge, const struct world *world, const struct run *run)
{
    struct world after = world_copy(world);
    struct run last = *run, next;
    int runs = 0;

    while (last.plan != NULL && json_object_size(last.patches) > 0 && runs <= BALANCE_RUNS) {
        story_write(&after, &last);
        catch_up_all(&after, &last, true);
        run_world(&after, 0, NULL, &next);
        if (runs++ > 0) {
            run_release(&last);
        }
        last = next;
    }
    if (runs > 0) {
        const json_t *summary = at(last.plan, "summary");

        judge_met(judge, INV_BALANCED);
        if (json_object_size(last.patches) > 0 && integer_at(summary, "deferred", 0) == 0 &&
            integer_at(summary, "replicasDeferred", 0) == 0) {
            char *text = json_dumps(last.patches, JSON_COMPACT);

            judge_fail(judge, INV_BALANCED, NULL, -1, "run %d still writes %.300s", runs, text);
            free(text);
        }
        run_release(&last);
    }
    world_free(&after);
}

static void
check_diff(struct judge *judge, const struct world *world, const struct run *run)
{
    struct world after = world_copy(world);

    story_write(&after, run);
    check_compared(world, &after, run, judge);
    world_free(&after);
}

/* The runs that come after it. */
static void
check_next(struct judge *judge, const struct world *world, const struct run *run, uint64_t seed)
{
    const json_t *summary = at(run->plan, "summary");
    /* what finds no place finds some in each run that follows */
    const bool balances = judge->facts.balances && !judge->facts.evicts && !world->reschedule_all &&
                          integer_at(summary, "replicasUnplaced", 0) == 0 &&
                          integer_at(summary, "blocked", 0) == 0;

    check_second(judge, world, run);
    if (balances && seed % BALANCED_EVERY == 0) {
        check_balanced(judge, world, run);
    }
    if (seed % LATER_EVERY == 3) {
        check_later(judge, world, run, seed);
    }
}

void
check_world(const struct world *world, uint64_t seed, struct judge *judge)
{
    struct run run;

    if (seed % EXPLAINED_EVERY == 1) {
        check_explained(world, judge);
    }
    if (seed % NUMBERS_EVERY == 2) {
        check_numbers(world, judge);
    }
    if (world->is_kubefed) {
        kubefed_check_world(world, seed, judge);
        return;
    }
    run_world(world, 0, NULL, &run);
    judge_drill(judge, world, &run);
    if (world->as_karmada08) { /* it follows other rules than those of the other judges */
        judge_read(judge, world, &run, 0);
        run_release(&run);
        return;
    }
    judge_run(judge, world, &run, 0);
    if (run.plan != NULL) {
        check_otherwise(judge, world, &run, seed);
        check_next(judge, world, &run, seed);
    }
    if (run.record != NULL && seed % UNDONE_EVERY == 0) {
        check_undone(judge, world, &run, seed);
    }
    if (run.plan != NULL && seed % COMPARED_EVERY == 1) {
        check_diff(judge, world, &run);
    }
    run_release(&run);
}
