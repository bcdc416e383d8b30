/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs between a world and what a run made of it, against the record of
 * the run: JSON against JSON. Between a world and itself nothing does.
 */
#include <stdlib.h>

#include "run.h"
#include "story.h"

#define OURS "Ballast"
#define LAST_MOVE "ballast.io/last-move"

/* A diff that is judged. */
struct compared {
    struct judge *judge;
    const struct world *world;
    const json_t *record; /* what was done */
    const json_t *diff;
    bool is_proven; /* the diff was given the record */
};

static bool
is_about(const json_t *a, const json_t *b)
{
    return is(text_at(a, "kind"), text_at(b, "kind")) &&
           is(text_at(a, "namespace"), text_at(b, "namespace")) &&
           is(text_at(a, "name"), text_at(b, "name"));
}

static const json_t *
find_about(const json_t *list, const json_t *like)
{
    size_t index;
    const json_t *found;

    json_array_foreach(list, index, found)
    {
        if (is_about(found, like)) {
            return found;
        }
    }
    return NULL;
}

static void
complain(const struct compared *compared, const json_t *about, const char *what)
{
    char *text = json_dumps(about, JSON_COMPACT);

    judge_fail(compared->judge, INV_COMPARED, NULL, -1, "%s/%s%s: %s: %.600s",
               text_at(about, "namespace"), text_at(about, "name"),
               compared->is_proven ? "" : ", without the record", what, text);
    free(text);
}

/* The replicas that a list of targets has there; -1: it is none. */
static int64_t
replicas_in(const json_t *targets, const char *cluster)
{
    const json_t *target = find_by(targets, "name", cluster);

    return target == NULL ? -1 : integer_at(target, "replicas", 0);
}

static const json_t *
find_object(const struct world *world, const json_t *item)
{
    size_t index;
    const json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        if (is(text_at(object, "kind"), text_at(item, "kind")) &&
            is(text_at(object, "metadata.namespace"), text_at(item, "namespace")) &&
            is(text_at(object, "metadata.name"), text_at(item, "name"))) {
            return object;
        }
    }
    return NULL;
}

/* How many clusters of one list have other replicas in the other; each of them has to be told. */
static int
check_clusters(const struct compared *compared, const json_t *item, const json_t *told,
               const char *side)
{
    const bool is_before = is(side, "before");
    /* an entry has all of it, whatever replicas are written there */
    const bool is_whole = is_set_of_components(find_object(compared->world, item));
    size_t index;
    json_t *target;
    int count = 0;

    json_array_foreach(at(item, side), index, target)
    {
        const char *cluster = text_at(target, "name");
        int64_t before = replicas_in(at(item, "before"), cluster);
        int64_t after = replicas_in(at(item, "after"), cluster);
        const json_t *step = find_by(at(told, "clusters"), "name", cluster);

        if (before == after || (is_whole && before >= 0 && after >= 0) ||
            (!is_before && before >= 0)) {
            continue; /* the same, or counted on the other side */
        }
        count++;
        if (step == NULL || integer_at(step, "before", -1) != before ||
            (integer_at(step, "after", -1) != after && !(is_whole && after >= 0))) {
            complain(compared, told, cluster);
        }
    }
    return count;
}

static void
check_writers(const struct compared *compared, const json_t *item, const json_t *told)
{
    const json_t *by = at(told, "by");
    const bool has_history = json_object_get(at(item, "annotations"), LAST_MOVE) != NULL;
    const bool is_ours = find_by(by, "who", OURS) != NULL;

    if (compared->is_proven) {
        if (json_array_size(by) != 1 || !is_ours ||
            !is(text_at(json_array_get(by, 0), "record"), text_at(compared->record, "id"))) {
            complain(compared, told, "it is not told to be ours alone");
        }
    } else if (is_ours != has_history) {
        complain(compared, told,
                 is_ours ? "nothing proves it ours" : "its history says that it is ours");
    }
}

/* Every write of the record is told, and no more of it. Returns how many changed a split. */
static int
check_items(const struct compared *compared)
{
    size_t index;
    json_t *item;
    int count = 0;

    json_array_foreach(at(compared->record, "items"), index, item)
    {
        const json_t *told = find_about(at(compared->diff, "bindings"), item);

        int clusters = check_clusters(compared, item, told, "before") +
                       check_clusters(compared, item, told, "after");

        if ((int)json_array_size(at(told, "clusters")) != clusters) {
            complain(compared, told != NULL ? told : item, "other clusters than were written");
        }
        if (clusters > 0) {
            count++;
            check_writers(compared, item, told);
        }
    }
    return count;
}

/* And nothing else is: a finding may come or go with what others took or left. */
static void
check_others(const struct compared *compared)
{
    size_t index;
    json_t *told;

    json_array_foreach(at(compared->diff, "bindings"), index, told)
    {
        if (!is(text_at(told, "change"), "Changed") || truth_at(told, "recreated") ||
            integer_at(told, "wanted.before", -1) != integer_at(told, "wanted.after", -1)) {
            complain(compared, told, "a run does no such thing");
        }
        if (json_array_size(at(told, "clusters")) > 0 &&
            find_about(at(compared->record, "items"), told) == NULL) {
            complain(compared, told, "it was not written");
        }
    }
}

static void
check_diff(const struct compared *compared)
{
    int splits = check_items(compared);

    check_others(compared);
    if (integer_at(compared->diff, "summary.splits", -1) != splits ||
        json_array_size(at(compared->diff, "bindings")) <
            (size_t)integer_at(compared->diff, "summary.splits", -1)) {
        complain(compared, at(compared->diff, "summary"), "the sums are others");
    }
    if (compared->is_proven && integer_at(compared->diff, "summary.by." OURS, -1) != splits) {
        complain(compared, at(compared->diff, "summary"), "not all is ours");
    }
}

static void
check_same(const struct world *world, struct judge *judge)
{
    json_t *diff = run_diff(world, world, NULL);

    if (diff != NULL &&
        (truth_at(diff, "summary.different") || json_array_size(at(diff, "clusters")) > 0 ||
         json_array_size(at(diff, "bindings")) > 0)) {
        complain(&(struct compared){.judge = judge}, diff, "a world differs from itself");
    }
    json_decref(diff);
}

void
check_compared(const struct world *world, const struct world *after, const struct run *run,
               struct judge *judge)
{
    check_same(world, judge);
    if (run->record == NULL) {
        return;
    }
    json_t *record = json_loads(run->record, 0, NULL);

    for (int proven = 0; proven < 2; proven++) {
        json_t *diff = run_diff(world, after, proven != 0 ? run->record : NULL);

        if (diff == NULL) {
            judge_fail(judge, INV_COMPARED, NULL, -1, "what was run on cannot be compared");
        } else {
            check_diff(&(struct compared){judge, world, record, diff, proven != 0});
        }
        json_decref(diff);
    }
    json_decref(record);
    judge_met(judge, INV_COMPARED);
}
