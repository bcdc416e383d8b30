/* SPDX-License-Identifier: Apache-2.0
 *
 * A reschedule that limits let go in parts only, or a placement that changed.
 */
#include "judge.h"

#include <string.h>

#define PARTS "ballast.io/reschedule-parts"
#define NAMES_READ 64 /* as docs/dev/decisions.md says */

/* They are of the request that it asks for, and of the placement that it has, if these are what it
 * is divided anew for. */
static bool
are_of_binding(const struct judge *judge, const struct binding_facts *binding, const json_t *parts)
{
    return (!binding->fresh || seconds_of(text_at(parts, "for"), INT64_MIN) == binding->asked_at) &&
           (!is_for_placement(judge, binding) ||
            json_equal(at(parts, "placement"), binding->placement));
}

/* What is on record of it; NULL: nothing. Owned. */
static json_t *
parts_in(const struct judge *judge, const json_t *object, const struct binding_facts *binding)
{
    const char *text =
        json_string_value(json_object_get(at(object, "metadata.annotations"), PARTS));
    json_t *parts = text == NULL ? NULL : json_loads(text, 0, NULL);

    if (parts != NULL && (!are_of_binding(judge, binding, parts) ||
                          json_array_size(at(parts, "from")) > NAMES_READ ||
                          json_array_size(at(parts, "to")) > NAMES_READ)) {
        json_decref(parts);
        parts = NULL;
    }
    return parts;
}

static bool
has(const json_t *parts, const char *list, const char *name)
{
    size_t index;
    json_t *item;

    json_array_foreach(at(parts, list), index, item)
    {
        if (is(json_string_value(item), name)) {
            return true;
        }
    }
    return false;
}

/* Something has to leave, or may not be there any more. */
static bool
is_troubled(const struct judge *judge, const struct binding_facts *binding, int index)
{
    const struct target_facts *target = &binding->targets[index];

    return !is_living(judge, target, index) || !target->fit || target->refused ||
           target->evicting || target->stuck + target->failing > 0 ||
           silent_trouble(judge, binding, index) > 0 || is_told_stuck(judge, binding, index);
}

static bool
any_troubled(const struct judge *judge, const struct binding_facts *binding)
{
    for (int i = 0; i < judge->facts.n_names; i++) {
        if (binding->targets[i].before > 0 && is_troubled(judge, binding, i)) {
            return true;
        }
    }
    return false;
}

/* It is met but for what waits in a cluster that is in trouble: no more of it goes before that
 * does. */
static bool
waits_for_trouble(const struct judge *judge, const struct binding_facts *binding)
{
    static const struct {
        const char *key, *partly;
    } marks[] = {{"ballast.io/rescheduled-for", " partly"},
                 {"ballast.io/placed-for", "\"partly\":true"}};
    bool waits = false;

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        const char *met = json_string_value(
            json_object_get(at(binding->json, "metadata.annotations"), marks[i].key));

        waits = waits || (met != NULL && strstr(met, marks[i].partly) != NULL);
    }
    return waits && any_troubled(judge, binding);
}

/* Divided anew, no more and no fewer than before, and in parts if need be: not
 * over to another term, nor within spread constraints, nor where only what is
 * lost may move. */
static bool
is_judged(const struct judge *judge, const struct binding_facts *binding)
{
    return *binding->left_alone == '\0' && !judge->facts.world->reschedule_all &&
           !binding->only_lost && !judge->facts.evicts && binding->divided && binding->changed &&
           (binding->fresh || is_for_placement(judge, binding)) &&
           binding->sum_before == binding->replicas && !waits_for_trouble(judge, binding) &&
           json_array_size(at(binding->placement, "clusterAffinities")) < 2 &&
           json_array_size(at(binding->placement, "spreadConstraints")) == 0;
}

static void
judge_moved_once(struct judge *judge, const struct binding_facts *binding, const json_t *parts)
{
    bool troubled = any_troubled(judge, binding);

    for (int i = 0; i < judge->facts.n_names; i++) {
        const struct target_facts *target = &binding->targets[i];
        const char *name = judge->facts.clusters[i].name;
        bool given = has(parts, "to", name), taken = has(parts, "from", name);

        if (given && target->before > 0 && !is_troubled(judge, binding, i)) {
            judge_met(judge, INV_MOVED_ONCE);
            if (target->after < target->before) {
                judge_fail(judge, INV_MOVED_ONCE, binding, i, "what a part brought leaves again");
            }
        }
        if (taken && !troubled) {
            judge_met(judge, INV_MOVED_ONCE);
            if (target->after > target->before) {
                judge_fail(judge, INV_MOVED_ONCE, binding, i, "what a part took comes back");
            }
        }
    }
}

/* It is not divided anew at all where that cannot be, claims are in the way, or no limit ever lets
 * it go. */
static bool
is_steady(const struct binding_facts *binding)
{
    size_t index;
    json_t *reason;

    json_array_foreach(at(binding->item, "reasons"), index, reason)
    {
        if (is(text_at(reason, "code"), "LimitTooSmall") ||
            is(text_at(reason, "code"), "ClaimsNotMovable") ||
            (is(text_at(reason, "code"), "NotRescheduled") &&
             *text_at(reason, "cluster") == '\0')) {
            return true;
        }
    }
    return false;
}

static void
judge_noted(struct judge *judge, const struct binding_facts *binding, const json_t *before)
{
    const json_t *written = json_object_get(at(binding->patch, "metadata.annotations"), PARTS);
    json_t *parts = parts_in(judge, written != NULL ? binding->patch : binding->json, binding);
    bool goes_on = integer_at(binding->item, "deferred", 0) > 0;

    for (int i = 0; i < judge->facts.n_names && goes_on; i++) {
        const struct target_facts *target = &binding->targets[i];
        const char *name = judge->facts.clusters[i].name;
        bool come = target->after > target->before || has(before, "to", name);
        bool left = target->after < target->before || has(before, "from", name);

        judge_met(judge, INV_PARTS);
        if ((come && !has(parts, "to", name)) || (left && !has(parts, "from", name))) {
            judge_fail(judge, INV_PARTS, binding, i, "a part of a reschedule is not on record");
        }
    }
    if (!goes_on && parts != NULL) {
        judge_fail(judge, INV_PARTS, binding, -1, "parts of what is over are on record");
    }
    json_decref(parts);
}

void
judge_parts(struct judge *judge, const struct binding_facts *binding)
{
    if (!is_judged(judge, binding)) {
        return;
    }
    json_t *parts = parts_in(judge, binding->json, binding);

    const bool steady = is_steady(binding);

    /* what is not divided anew may be balanced, which is no part of it */
    if (parts != NULL && !(steady && trigger_is_on(&judge->facts, "Imbalance"))) {
        judge_moved_once(judge, binding, parts);
    }
    if (!steady) {
        judge_noted(judge, binding, parts);
    }
    json_decref(parts);
}
