/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written: the split, tasks, the memory of the move, and nothing else.
 */
#include "judge.h"

#include <string.h>

static const json_t *
tasks_of(const json_t *binding)
{
    return at(binding, "spec.gracefulEvictionTasks");
}

/* The report's split is the patch's. */
static void
judge_said(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *written = at(binding->patch, "spec.clusters");

    judge_met(judge, INV_SAID);
    for (int i = 0; i < judge->facts.n_names && written != NULL; i++) {
        const struct target_facts *target = &binding->targets[i];
        const json_t *entry = find_by(written, "name", judge->facts.clusters[i].name);

        if ((entry != NULL) != target->stays || integer_at(entry, "replicas", 0) != target->after) {
            judge_fail(judge, INV_SAID, binding, i, "the patch writes %d",
                       (int)integer_at(entry, "replicas", -1));
        }
    }
}

/* Of a workload of components the report counts pods, and the patch has what its entries had: a new
 * one what the first had. */
static void
judge_said_of_set(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *written = at(binding->patch, "spec.clusters"), *said = at(binding->item, "after");
    const json_t *had = at(binding->json, "spec.clusters");
    size_t index;
    json_t *entry;

    if (written == NULL) {
        return;
    }
    if (json_array_size(written) != json_array_size(said)) {
        judge_fail(judge, INV_SAID, binding, -1, "the patch writes %zu targets, and %zu are said",
                   json_array_size(written), json_array_size(said));
    }
    json_array_foreach(written, index, entry)
    {
        const char *name = text_at(entry, "name");
        const json_t *was = find_by(had, "name", name);
        int64_t like = integer_at(was != NULL ? was : json_array_get(had, 0), "replicas", 0);

        if (find_by(said, "name", name) == NULL || integer_at(entry, "replicas", 0) != like) {
            judge_fail(judge, INV_SAID, binding, find_name(&judge->facts, name),
                       "the patch writes %d, and entries have %d",
                       (int)integer_at(entry, "replicas", 0), (int)like);
        }
    }
}

/* Members of kept targets that nobody knows stay, and so do tasks. */
static void
judge_kept_parts(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *written = at(binding->patch, "spec.clusters");
    const json_t *before = tasks_of(binding->json), *after = tasks_of(binding->patch);
    size_t index;
    json_t *target, *task;

    json_array_foreach(written != NULL ? at(binding->json, "spec.clusters") : NULL, index, target)
    {
        const json_t *kept = find_by(written, "name", text_at(target, "name"));

        if (kept != NULL && !is(text_at(kept, "note"), text_at(target, "note"))) {
            judge_fail(judge, INV_PATCH, binding, -1, "an unknown member of %s is gone",
                       text_at(target, "name"));
        }
    }
    json_array_foreach(after != NULL ? before : NULL, index, task)
    {
        if (!json_equal(task, json_array_get(after, index))) {
            judge_fail(judge, INV_PATCH, binding, -1, "task %zu is changed", index);
        }
    }
}

static bool
may_be_written(const json_t *patch)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)patch, key, value)
    {
        if (!is(key, "metadata") && !is(key, "spec")) {
            return false;
        }
    }
    json_object_foreach(at(patch, "metadata"), key, value)
    {
        if (!is(key, "resourceVersion") && !is(key, "annotations")) {
            return false;
        }
    }
    json_object_foreach(at(patch, "metadata.annotations"), key, value)
    {
        if (strncmp(key, "ballast.io/", strlen("ballast.io/")) != 0) {
            return false;
        }
    }
    json_object_foreach(at(patch, "spec"), key, value)
    {
        if (!is(key, "clusters") && !is(key, "gracefulEvictionTasks")) {
            return false;
        }
    }
    return true;
}

/* Replicas leave a lost cluster that is there still: a task says so, unless it only shrinks, or
 * only what is stuck goes, since nobody leaves the cluster. */
static void
judge_needed_tasks(struct judge *judge, const struct binding_facts *binding)
{
    if (binding->fresh || binding->sum_before > binding->replicas || judge->facts.evicts) {
        return;
    }
    for (int i = 0; i < judge->facts.n_clusters; i++) {
        const struct target_facts *target = &binding->targets[i];

        if (!target->lost || target->before == 0 || target->stays ||
            target->turn == TURN_SWITCHED_OFF) {
            continue;
        }
        judge_met(judge, INV_TASKS);
        if (!target->evicting && find_by(tasks_of(binding->patch), "fromCluster",
                                         judge->facts.clusters[i].name) == NULL) {
            judge_fail(judge, INV_TASKS, binding, i, "it is left without a task");
        }
    }
}

static void
judge_new_tasks(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *tasks = tasks_of(binding->patch);
    size_t before = json_array_size(tasks_of(binding->json));

    for (size_t i = before; i < json_array_size(tasks); i++) {
        const json_t *task = json_array_get(tasks, i);
        const char *from = text_at(task, "fromCluster");
        int index = find_name(&judge->facts, from);

        judge_met(judge, INV_TASK_FIT);
        if (find_by(tasks, "fromCluster", from) != task) {
            judge_fail(judge, INV_TASK_FIT, binding, index, "a second task");
        } else if (index < 0 || !binding->targets[index].assigned ||
                   binding->targets[index].stays) {
            judge_fail(judge, INV_TASK_FIT, binding, index, "a task for what is not left");
        } else if (json_array_size(at(binding->json, "spec.components")) == 0 &&
                   integer_at(task, "replicas", 0) != binding->targets[index].before) {
            judge_fail(judge, INV_TASK_FIT, binding, index, "a task for %d replicas",
                       (int)integer_at(task, "replicas", 0));
        } else if (!binding->targets[index].lost && !binding->asks_failover &&
                   !binding->targets[index].refused) {
            judge_fail(judge, INV_TASK_FIT, binding, index, "a task for a cluster that is well");
        }
    }
}

static void
judge_memory(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *annotations = at(binding->patch, "metadata.annotations");
    const char *text = json_string_value(json_object_get(annotations, "ballast.io/last-move"));
    int left = 0, come = 0;

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];

        left += target->before > target->after ? 1 : 0;
        come += target->after > target->before ? 1 : 0;
    }
    if (left == 0 || come == 0 || !binding->divided || binding->fresh ||
        binding->sum_before != binding->replicas) {
        return;
    }
    judge_met(judge, INV_MEMORY);
    json_t *move = text == NULL ? NULL : json_loads(text, 0, NULL);

    if (is(text_at(binding->item, "action"), "Move") &&
        (move == NULL || seconds_of(text_at(move, "time"), 0) != judge->facts.now)) {
        judge_fail(judge, INV_MEMORY, binding, -1, "the move is not on record: %s",
                   text != NULL ? text : "none");
    }
    json_decref(move);
}

/* The report lists all that is in scope, and nothing else. */
static void
judge_listed(struct judge *judge, const struct binding_facts *binding)
{
    bool is_out_of_scope = is(binding->left_alone, "out of scope");

    if (binding->item == NULL && !is_out_of_scope) {
        judge_fail(judge, INV_SAID, binding, -1, "the report does not have it");
    } else if (binding->item != NULL && is_out_of_scope) {
        judge_fail(judge, INV_SAID, binding, -1, "it is out of scope, and the report has it");
    } else if (binding->item == NULL && binding->patch != NULL) {
        judge_fail(judge, INV_SAID, binding, -1, "it is written, and the report does not have it");
    }
}

static bool
says_no_change(const json_t *item)
{
    const char *action = text_at(item, "action");

    return is(action, "None") || is(action, "Blocked") || is(action, "LeftAlone") ||
           is(action, "Deferred");
}

/* It is for later runs alone: nothing of the spec is written that the plan does not change, and
 * nothing of what is left alone. */
static void
judge_note(struct judge *judge, const struct binding_facts *binding)
{
    const json_t *metadata = at(binding->note, "metadata");
    bool is_seen = false;

    judge_met(judge, INV_PATCH);
    for (int i = 0; i < judge->facts.n_bindings; i++) {
        is_seen = is_seen || find_by(tasks_of(judge->facts.bindings[i].json), "producer",
                                     "TaintManager") != NULL;
    }
    if (!is_seen || *binding->left_alone != '\0' ||
        (binding->patch != NULL ? says_no_change(binding->item)
                                : json_object_size(binding->note) != 1 ||
                                      json_object_size(at(metadata, "annotations")) != 1)) {
        judge_fail(judge, INV_PATCH, binding, -1, "a note that is more than that");
    }
}

void
judge_writes(struct judge *judge, const struct binding_facts *binding)
{
    judge_listed(judge, binding);
    if (binding->note != NULL) {
        judge_note(judge, binding);
    }
    if (binding->item == NULL) {
        return;
    }
    if (binding->patch == NULL) {
        for (int i = 0; i < judge->facts.n_names; i++) {
            if (binding->targets[i].after != binding->targets[i].before) {
                judge_fail(judge, INV_SAID, binding, i, "a change without a patch");
            }
        }
        return;
    }
    judge_met(judge, INV_PATCH);
    if (!may_be_written(binding->patch)) {
        judge_fail(judge, INV_PATCH, binding, -1, "it writes what is not its own");
    }
    judge_said(judge, binding);
    if (binding->is_set) {
        judge_said_of_set(judge, binding);
    }
    judge_kept_parts(judge, binding);
    judge_needed_tasks(judge, binding);
    judge_new_tasks(judge, binding);
    judge_memory(judge, binding);
}
