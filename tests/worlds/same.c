/* SPDX-License-Identifier: Apache-2.0
 *
 * The same world, of whichever control plane, in another order, out of a snapshot, explained and
 * simulated: the plan is the same.
 */
#include <stdlib.h>

#include "run.h"
#include "story.h"

#define ORDER_EVERY 6
#define PRIORITIES_EVERY 6
#define SNAPSHOT_EVERY 12
#define CROWD_EVERY 240 /* of these */
#define SIMULATED_EVERY 10

void
check_order(struct judge *judge, const struct world *world, const struct run *run, uint64_t seed)
{
    struct random shuffle = random_from(seed);
    struct run other;

    run_world(world, 0, &shuffle, &other);
    judge_met(judge, INV_ORDER);
    if (!json_equal(run->plan, other.plan) || !json_equal(run->patches, other.patches)) {
        judge_fail(judge, INV_ORDER, NULL, -1, "the plan is another one");
    }
    run_release(&other);
}

/* What is said of priorities, taken out of a plan. */
static json_t *
without_priorities(const json_t *plan)
{
    json_t *copy = json_deep_copy(plan), *item;
    size_t index;

    json_array_foreach(json_object_get(copy, "items"), index, item)
    {
        json_t *reasons = json_object_get(item, "reasons");

        for (size_t i = json_array_size(reasons); i-- > 0;) {
            if (is(text_at(json_array_get(reasons, i), "code"), "LowerPriority")) {
                json_array_remove(reasons, i);
            }
        }
        if (json_array_size(reasons) == 0) {
            json_object_del(item, "reasons");
        }
    }
    return copy;
}

/* Kube-scheduler would preempt for some of what finds no place: nothing is placed by that. Pods
 * that wait for a node keep theirs, since the order in which they find one goes by it. */
static void
check_priorities(struct judge *judge, const struct world *world, const struct run *run)
{
    static const char *const names[] = {"priority", "priorityClassName", "preemptionPolicy"};
    struct world plain = world_copy(world);
    struct run other;
    size_t index;
    json_t *object;

    json_array_foreach(plain.objects, index, object)
    {
        const bool is_placed =
            is(text_at(object, "kind"), "Pod") && !is(text_at(object, "spec.nodeName"), "");

        for (size_t i = 0; is_placed && i < 3; i++) {
            json_object_del(at(object, "spec"), names[i]);
        }
    }
    run_world(&plain, 0, NULL, &other);
    json_t *with = without_priorities(run->plan), *without = without_priorities(other.plan);

    judge_met(judge, INV_PRIORITIES);
    if (!json_equal(with, without) || !json_equal(run->patches, other.patches)) {
        judge_fail(judge, INV_PRIORITIES, NULL, -1, "the plan is another one");
    }
    json_decref(with);
    json_decref(without);
    run_release(&other);
    world_free(&plain);
}

/* Takes what was found. */
static void
tell(struct judge *judge, enum invariant invariant, bool is_met, char *found)
{
    if (is_met) {
        judge_met(judge, invariant);
    }
    if (found != NULL) {
        judge_fail(judge, invariant, NULL, -1, "%s", found);
    }
    free(found);
}

void
check_snapshot(struct judge *judge, const struct world *world)
{
    tell(judge, INV_SNAPSHOT, true, run_compare_snapshot(world, 0, false));
}

void
check_explained(const struct world *world, struct judge *judge)
{
    unsigned met;
    char *found = run_explained(world, &met);

    tell(judge, INV_EXPLAINED, met > 0, found);
}

void
check_numbers(const struct world *world, struct judge *judge)
{
    unsigned met;
    char *found = run_numbers(world, &met);

    tell(judge, INV_NUMBERS_AGREE, met > 0, found);
}

void
check_otherwise(struct judge *judge, const struct world *world, const struct run *run,
                uint64_t seed)
{
    if (seed % ORDER_EVERY == 0) {
        check_order(judge, world, run, seed);
    }
    if (seed % PRIORITIES_EVERY == 5) {
        check_priorities(judge, world, run);
    }
    if (seed % SNAPSHOT_EVERY == 1) {
        tell(judge, INV_SNAPSHOT, true, run_compare_snapshot(world, 0, seed % CROWD_EVERY == 1));
    }
    if (seed % SIMULATED_EVERY == 2 && !world->reschedule_all) {
        tell(judge, INV_SIMULATED, true, run_simulated(world, seed / SIMULATED_EVERY));
    }
}
