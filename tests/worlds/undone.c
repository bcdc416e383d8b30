/* SPDX-License-Identifier: Apache-2.0
 *
 * A run, and an undo of it by its record, after somebody changed some of what it
 * wrote. Judged by the objects before the run, after it and after the undo, and
 * by what the undo's report says of those that are not back.
 */
#include <stdlib.h>
#include <string.h>

#include "kubefed.h"

#define CHANGED_EVERY 3

/* One story: the same objects, in the same places of the lists. */
struct undone {
    struct judge *judge;
    const struct world *before;
    struct world left, now; /* after the run (and whoever changed something), after the undo */
    struct run undo;
    bool *changed; /* by object */
    enum invariant invariant;
    struct fed_facts facts; /* of KubeFed's: which clusters there are */
};

static bool
is_split(const struct undone *undone, const json_t *object)
{
    return undone->before->is_kubefed ? *fed_member_of(object) == '\0' && fed_is_federated(object)
                                      : strstr(text_at(object, "kind"), "ResourceBinding") != NULL;
}

/* --- whether it is as it was --- */

/* The overrides without those of replicas, and without entries that say nothing. */
static json_t *
other_overrides(const json_t *object)
{
    json_t *list = json_array(), *entry, *override;
    size_t i, j;

    json_array_foreach(at(object, "spec.overrides"), i, entry)
    {
        json_t *kept = json_array(), *copy = json_copy(entry);

        json_array_foreach(at(entry, "clusterOverrides"), j, override)
        {
            if (!is(text_at(override, "path"), REPLICAS_PATH)) {
                json_array_append(kept, override);
            }
        }
        bool says_some = json_array_size(kept) > 0;

        json_object_set_new(copy, "clusterOverrides", kept);
        if (says_some) {
            json_array_append(list, copy);
        }
        json_decref(copy);
    }
    return list;
}

/* Each placed cluster has its number among the overrides, and no entry is empty: then nothing is to
 * be written out that was not. (What stands there for a number goes for good once one is written.)
 */
static bool
says_all(const struct undone *undone, const json_t *object)
{
    json_t *entry, *name;
    size_t i, said = 0, placed = 0;

    json_array_foreach(at(object, "spec.overrides"), i, entry)
    {
        const json_t *list = at(entry, "clusterOverrides");

        if (json_array_size(list) == 0 ||
            fed_number(&undone->facts, object, text_at(entry, "clusterName")) < 0) {
            return false; /* what is said of a cluster where it is not goes with any write */
        }
        const json_t *replicas = find_by(list, "path", REPLICAS_PATH);

        said += json_is_integer(at(replicas, "value")) && !is(text_at(replicas, "op"), "remove");
    }
    const struct fed_object fed = fed_object_of(&undone->facts, object);
    json_t *names = fed_cluster_names(&undone->facts, &fed);

    json_array_foreach(names, i, name)
    {
        placed += fed_number(&undone->facts, object, json_string_value(name)) >= 0 ? 1 : 0;
    }
    json_decref(names);
    return said == placed && at(object, "spec.placement.clusters") != NULL;
}

static bool
same_numbers(const struct undone *undone, const json_t *a, const json_t *b)
{
    const struct fed_object fed = fed_object_of(&undone->facts, a);
    json_t *names = fed_cluster_names(&undone->facts, &fed), *name;
    bool same = true;
    size_t i;

    json_array_foreach(names, i, name)
    {
        const char *cluster = json_string_value(name);

        same = same &&
               fed_number(&undone->facts, a, cluster) == fed_number(&undone->facts, b, cluster);
    }
    json_decref(names);
    return same;
}

/* Karmada leaves a count of 0 out. */
static json_t *
with_counts(const json_t *clusters)
{
    json_t *list = json_array(), *target;
    size_t i;

    json_array_foreach(clusters, i, target)
    {
        json_t *copy = json_copy(target);

        json_object_set_new(copy, "replicas", json_integer(integer_at(target, "replicas", 0)));
        json_array_append_new(list, copy);
    }
    return list;
}

/* In the same order, with the same members. */
static bool
is_as(const struct undone *undone, const json_t *was, const json_t *now)
{
    if (undone->before->is_kubefed) {
        return same_numbers(undone, was, now);
    }
    json_t *a = with_counts(at(was, "spec.clusters")), *b = with_counts(at(now, "spec.clusters"));
    bool same = json_equal(a, b);

    json_decref(a);
    json_decref(b);
    return same;
}

/* Of what is back. */
static const char *
find_difference(const struct undone *undone, const json_t *was, const json_t *now)
{
    if (!is_as(undone, was, now)) {
        return "is written, and not as it was";
    }
    if (!undone->before->is_kubefed) {
        return NULL;
    }
    json_t *before = other_overrides(was), *after = other_overrides(now);
    bool same = json_equal(before, after);

    json_decref(before);
    json_decref(after);
    if (!same) {
        return "has lost an override of somebody's";
    }
    return says_all(undone, was) &&
                   !json_equal(at(was, "spec.overrides"), at(now, "spec.overrides"))
               ? "has other overrides than it had"
               : NULL;
}

/* --- what somebody changed --- */

static json_t *
any_count(const struct undone *undone, json_t *object, const char **ret_key)
{
    json_t *entry, *override;
    size_t i, j;

    *ret_key = undone->before->is_kubefed ? "value" : "replicas";
    if (!undone->before->is_kubefed) {
        return json_array_get(at(object, "spec.clusters"), 0);
    }
    json_array_foreach(at(object, "spec.overrides"), i, entry)
    {
        json_array_foreach(at(entry, "clusterOverrides"), j, override)
        {
            if (is(text_at(override, "path"), REPLICAS_PATH)) {
                return override;
            }
        }
    }
    return NULL;
}

static void
add_one(const struct undone *undone, json_t *object)
{
    const char *key;
    json_t *place = any_count(undone, object, &key);
    const json_t *count = json_object_get(place, key);

    if (json_is_integer(count)) {
        json_object_set_new(place, key, json_integer(json_integer_value(count) + 1));
    }
}

/* Of a set of components a count says nothing: Karmada revises replicas only where spec.replicas
 * has some (needReviseReplicas in pkg/controllers/binding/common.go). Where it is says all. */
static void
add_target(json_t *object)
{
    json_array_append_new(at(object, "spec.clusters"), pack("{s:s}", "name", "somebodys"));
}

/* One more somewhere; false where that is nothing: of a cluster that it is not placed in. */
static bool
change(const struct undone *undone, json_t *object)
{
    json_t *copy = json_deep_copy(object);

    if (!undone->before->is_kubefed && is_set_of_components(object)) {
        add_target(object);
    } else {
        add_one(undone, object);
    }
    bool is_changed = !is_as(undone, copy, object);

    json_decref(copy);
    return is_changed;
}

static void
change_some(struct undone *undone, uint64_t seed)
{
    struct random random = random_from(seed);
    size_t count = json_array_size(undone->left.objects);

    undone->changed = calloc(count + 1, sizeof(bool));
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_array_get(undone->left.objects, i);
        const json_t *was = json_array_get(undone->before->objects, i);

        if (is_split(undone, object) && !is_as(undone, was, object) &&
            random_below(&random, CHANGED_EVERY) == 0) {
            undone->changed[i] = change(undone, object);
        }
    }
}

/* --- the judgement --- */

static const json_t *
item_of(const struct undone *undone, const json_t *object)
{
    const char *namespace_ = text_at(object, "metadata.namespace");
    json_t *item;
    size_t i;

    json_array_foreach(at(undone->undo.plan, "items"), i, item)
    {
        if (is(text_at(item, "name"), text_at(object, "metadata.name")) &&
            is(text_at(item, "namespace"), namespace_) &&
            is(text_at(item, "kind"), text_at(object, "kind"))) {
            return item;
        }
    }
    return NULL;
}

static bool
has_code(const json_t *item, const char *code)
{
    return find_by(at(item, "reasons"), "code", code) != NULL;
}

static char *
split_text(const struct undone *undone, const json_t *object)
{
    const char *path = undone->before->is_kubefed ? "spec.overrides" : "spec.clusters";
    char *text = json_dumps(at(object, path), JSON_COMPACT);

    return text != NULL ? text : strdup("none");
}

static void
fail(struct undone *undone, size_t index, const char *what)
{
    const json_t *object = json_array_get(undone->now.objects, index);
    char *was = split_text(undone, json_array_get(undone->before->objects, index));
    char *now = split_text(undone, object);
    char *reasons = json_dumps(at(item_of(undone, object), "reasons"), JSON_COMPACT);

    judge_fail(undone->judge, undone->invariant, NULL, -1,
               "%s %s/%s %s: %.400s, was %.400s: %.200s", text_at(object, "kind"),
               text_at(object, "metadata.namespace"), text_at(object, "metadata.name"), what, now,
               was, reasons != NULL ? reasons : "no reasons");
    free(reasons);
    free(was);
    free(now);
}

/* It had all that it wants: to say that it had not is no reason. */
static bool
was_whole(const struct undone *undone, const json_t *was)
{
    json_t *target;
    int64_t sum = 0;
    size_t i;

    json_array_foreach(at(was, "spec.clusters"), i, target)
    {
        sum += integer_at(target, "replicas", 0);
    }
    return !undone->before->is_kubefed && at(was, "spec.components") == NULL &&
           is(text_at(was, "spec.placement.replicaScheduling.replicaSchedulingType"), "Divided") &&
           sum == integer_at(was, "spec.replicas", 0) && sum > 0;
}

/* Left alone once all of it has a place: a run that scaled it could write it, and an undo, which
 * moves what is there, may not. */
static bool
is_left_alone(const json_t *item)
{
    return has_code(item, "KindNotMovable") || has_code(item, "ReplicasOverridden") ||
           has_code(item, "Finished");
}

/* Why it is not back has to be among these. */
static bool
is_excused(const json_t *item)
{
    static const char *const codes[] = {
        "WasNotWhole",  "ClusterGone",    "ClusterNotFit", "ClusterRefused",
        "NoRoom",       "StuckHere",      "QuotaReached",  "QuotaExceeded",
        "LimitReached", "TolerationEnds", "LimitTooSmall", "Finished",
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (has_code(item, codes[i])) {
            return true;
        }
    }
    return false;
}

static void
judge_one(struct undone *undone, size_t index)
{
    const json_t *was = json_array_get(undone->before->objects, index);
    const json_t *left = json_array_get(undone->left.objects, index);
    const json_t *now = json_array_get(undone->now.objects, index);
    const json_t *item = item_of(undone, now);
    bool is_same = is_as(undone, left, now);

    if (undone->changed[index]) {
        judge_met(undone->judge, undone->invariant);
        if (!is_same) {
            fail(undone, index, "was changed by somebody, and is overwritten");
        } else if (!has_code(item, "ChangedSince") && !is_left_alone(item) &&
                   !is_as(undone, was, left)) {
            fail(undone, index, "was changed by somebody, and that is not said");
        }
    } else if (is_as(undone, was, left)) {
        if (!is_same) {
            fail(undone, index, "was not written by the run, and is by the undo");
        }
    } else if (!is_same) {
        const char *difference = find_difference(undone, was, now);

        judge_met(undone->judge, undone->invariant);
        if (difference != NULL) {
            fail(undone, index, difference);
        }
    } else if (!is_excused(item) && !is_left_alone(item)) {
        fail(undone, index, "is not put back, and no reason says why");
    } else if (has_code(item, "WasNotWhole") && was_whole(undone, was)) {
        fail(undone, index, "had all that it wants");
    }
}

static void
write_into(struct undone *undone, struct world *world, const struct run *run)
{
    if (world->is_kubefed) {
        kubefed_write(undone->judge, world, run);
    } else {
        story_write(world, run);
    }
}

/* The same undo once more has nothing to do with what is back. */
static void
judge_again(struct undone *undone, const char *record, bool ignores_room)
{
    struct world later = world_copy(&undone->now);
    struct run again;

    run_undo(&undone->now, record, ignores_room, &again);
    write_into(undone, &later, &again);
    for (size_t i = 0; i < json_array_size(later.objects); i++) {
        const json_t *now = json_array_get(undone->now.objects, i);
        const json_t *was = json_array_get(undone->before->objects, i);

        if (is_split(undone, now) && is_as(undone, was, now) &&
            !json_equal(now, json_array_get(later.objects, i))) {
            fail(undone, i, "is back, and written once more");
        }
    }
    run_release(&again);
    world_free(&later);
}

void
check_undone(struct judge *judge, const struct world *world, const struct run *run, uint64_t seed)
{
    const bool ignores_room = seed / KUBEFED_EVERY % 2 == 0;
    struct undone undone = {
        .judge = judge,
        .before = world,
        .left = world_copy(world),
        .invariant = world->is_kubefed ? INV_FED_UNDO : INV_UNDO,
        .facts = {.world = world, .run = run, .after = world->objects, .now = WORLD_NOW},
    };

    write_into(&undone, &undone.left, run);
    change_some(&undone, seed);
    run_undo(&undone.left, run->record, ignores_room, &undone.undo);
    undone.now = world_copy(&undone.left);
    if (undone.undo.plan == NULL) {
        judge_fail(judge, undone.invariant, NULL, -1, "no undo: %s", undone.undo.problem);
    } else {
        write_into(&undone, &undone.now, &undone.undo);
        for (size_t i = 0; i < json_array_size(world->objects); i++) {
            if (is_split(&undone, json_array_get(world->objects, i))) {
                judge_one(&undone, i);
            }
        }
        judge_again(&undone, run->record, ignores_room);
    }
    free(undone.changed);
    run_release(&undone.undo);
    world_free(&undone.left);
    world_free(&undone.now);
}
