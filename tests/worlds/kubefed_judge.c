/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written to a host of KubeFed's: that it is what may be written, where
 * replicas go, and what becomes of those that are there.
 */
#include <math.h>
#include <string.h>

#include "kubefed.h"

void
fed_fail(struct judge *judge, enum invariant invariant, const struct fed_facts *facts,
         const struct fed_object *object, const char *cluster, const char *text)
{
    json_t *names = fed_cluster_names(facts, object);
    char split[256] = "";
    size_t index, length = 0;
    json_t *name;

    json_array_foreach(names, index, name)
    {
        const char *one = json_string_value(name);

        length += (size_t)snprintf(split + length, sizeof(split) - length, " %s=%d->%d", one,
                                   (int)fed_number(facts, object->before, one),
                                   (int)fed_number(facts, object->after, one));
        length = length < sizeof(split) ? length : sizeof(split) - 1;
    }
    judge_fail(judge, invariant, NULL, -1, "%s %s/%s in %s: %s (of %d:%s, %s)", object->kind,
               object->namespace_, object->name, cluster, text,
               (int)integer_at(object->preference, "spec.totalReplicas", -1), split,
               facts->failover);
    json_decref(names);
}

static bool
changes(const struct fed_facts *facts, const struct fed_object *object)
{
    json_t *names = fed_cluster_names(facts, object);
    bool any = false;
    size_t index;
    json_t *name;

    json_array_foreach(names, index, name)
    {
        const char *one = json_string_value(name);

        any =
            any || fed_number(facts, object->before, one) != fed_number(facts, object->after, one);
    }
    json_decref(names);
    return any;
}

/* --- what is written --- */

/* Without the members of `first` and of `second` that may be written. */
static json_t *
without(const json_t *object, const char *const *paths)
{
    json_t *copy = json_deep_copy(object);

    for (; *paths != NULL; paths++) {
        const char *dot = strrchr(*paths, '.');
        char outer[64];

        snprintf(outer, sizeof(outer), "%.*s", (int)(dot - *paths), *paths);
        json_object_del(at(copy, outer), dot + 1);
        if (json_object_size(at(copy, outer)) == 0) {
            put(copy, outer, json_null());
        }
    }
    return copy;
}

static bool
is_number_of(const json_t *override, int64_t number)
{
    const json_t *value = at(override, "value");

    if (is(text_at(override, "op"), "remove")) {
        return number == 1;
    }
    return json_is_number(value) && (int64_t)trunc(json_number_value(value)) == number;
}

/* The rest of an override of replicas is as it was; one that removed them may replace them now. */
static bool
same_but_value(const json_t *before, const json_t *after)
{
    json_t *a = json_copy((json_t *)(uintptr_t)before), *b = json_copy((json_t *)(uintptr_t)after);

    json_object_del(a, "value");
    json_object_del(b, "value");
    if (is(text_at(a, "op"), "remove") && is(text_at(b, "op"), "replace")) {
        json_object_del(a, "op");
        json_object_del(b, "op");
    }
    bool same = json_equal(a, b);

    json_decref(a);
    json_decref(b);
    return same;
}

/* The overrides of one cluster: others in their order, that of replicas in its place or last. */
static bool
list_is_kept(const json_t *before, const json_t *after, int64_t number)
{
    size_t to = 0;
    bool had = false;

    for (size_t from = 0; from < json_array_size(before); from++) {
        const json_t *old = json_array_get(before, from);

        if (!is(text_at(old, "path"), REPLICAS_PATH)) {
            if (!json_equal(old, json_array_get(after, to++))) {
                return false;
            }
            continue;
        }
        had = true;
        if (number >= 0) {
            const json_t *now = json_array_get(after, to++);

            if (!same_but_value(old, now) || !is_number_of(now, number)) {
                return false;
            }
        }
    }
    if (!had && number >= 0 && !is_number_of(json_array_get(after, to++), number)) {
        return false;
    }
    return to == json_array_size(after);
}

static const char *
overrides_problem(const struct fed_facts *facts, const struct fed_object *object)
{
    const json_t *before = at(object->before, "spec.overrides");
    const json_t *after = at(object->after, "spec.overrides");
    const char *last = "";

    for (size_t i = 0; i < json_array_size(after); i++) {
        const json_t *old = json_array_get(before, i), *now = json_array_get(after, i);
        const char *cluster = text_at(now, "clusterName");
        int64_t number = fed_number(facts, object->after, cluster);
        static const char *const list[] = {"x.clusterOverrides", NULL};

        if (old == NULL) {
            if (strcmp(cluster, last) <= 0 || number < 0 ||
                !list_is_kept(NULL, at(now, "clusterOverrides"), number)) {
                return "an entry is not as it would be appended";
            }
            last = cluster;
            continue;
        }
        json_t *a = pack("{s:O}", "x", old), *b = pack("{s:O}", "x", now);
        json_t *rest_a = without(a, list), *rest_b = without(b, list);
        bool same = json_equal(rest_a, rest_b) &&
                    list_is_kept(at(old, "clusterOverrides"), at(now, "clusterOverrides"), number);

        json_decref(a);
        json_decref(b);
        json_decref(rest_a);
        json_decref(rest_b);
        if (!same) {
            return "an entry of overrides is not kept";
        }
    }
    return json_array_size(after) < json_array_size(before) ? "an entry of overrides is gone" : "";
}

/* Everything in a preference but what is ours. */
static json_t *
foreign_part(const json_t *preference)
{
    json_t *copy = json_deep_copy(preference);
    const char *key;
    json_t *value;
    void *next;

    json_object_del(at(copy, "metadata"), "resourceVersion");
    json_object_foreach_safe(at(copy, "metadata.annotations"), next, key, value)
    {
        if (strncmp(key, "ballast.io/", strlen("ballast.io/")) == 0) {
            json_object_del(at(copy, "metadata.annotations"), key);
        }
    }
    if (json_object_size(at(copy, "metadata.annotations")) == 0) {
        json_object_del(at(copy, "metadata"), "annotations");
    }
    return copy;
}

static void
judge_preference(struct judge *judge, const struct fed_facts *facts,
                 const struct fed_object *object)
{
    json_t *before = foreign_part(object->preference);
    json_t *after = foreign_part(object->preference_after);

    if (object->preference != NULL && !json_equal(before, after)) {
        fed_fail(judge, INV_FED_WRITE, facts, object, "-", "more of the preference is written");
    }
    json_decref(before);
    json_decref(after);
}

static void
judge_rest(struct judge *judge, const struct fed_facts *facts, const struct fed_object *object)
{
    static const char *const written[] = {"metadata.resourceVersion", "metadata.generation",
                                          "spec.placement.clusters", "spec.overrides", NULL};
    json_t *before = without(object->before, written), *after = without(object->after, written);

    if (at(object->before, "spec.placement") == NULL) {
        json_object_del(at(before, "spec"), "placement");
        json_object_del(at(after, "spec"), "placement");
    }
    if (!json_equal(before, after)) {
        fed_fail(judge, INV_FED_WRITE, facts, object, "-", "something else is written");
    }
    json_decref(before);
    json_decref(after);
}

/* What a member counts itself stays; what is lost of it goes to where nothing is yet. What ends
 * with nothing where its namespace does not have it may be written no more. */
static const char *
scaled_problem(const struct fed_facts *facts, const struct fed_object *object)
{
    json_t *names = fed_cluster_names(facts, object), *name;
    int64_t lost = 0, gained = 0;
    bool others = false;
    size_t index;

    json_array_foreach(names, index, name)
    {
        const char *cluster = json_string_value(name);
        int64_t before = fed_number(facts, object->before, cluster);
        int64_t after = fed_number(facts, object->after, cluster);

        if (before > 0 && fed_health(facts, cluster) >= FED_DOWN) {
            lost += before;
        } else if (before < 0) {
            gained += after > 0 ? after : 0;
        } else {
            others = others || (after != before && (before > 0 || after > 0));
        }
    }
    json_decref(names);
    return others || (lost == 0 && !json_equal(object->before, object->after))
               ? "a member scales it, and that is not lost"
           : gained > lost ? "a member scales it, and more comes than is lost"
                           : "";
}

static void
judge_alone(struct judge *judge, const struct fed_facts *facts, const struct fed_object *object)
{
    const char *why = fed_left_alone(facts, object);

    if (*why != '\0') {
        judge_met(judge, INV_FED_ALONE);
        if (!json_equal(object->before, object->after)) {
            fed_fail(judge, INV_FED_ALONE, facts, object, "-", why);
        }
    } else if (fed_is_scaled(facts, object)) {
        judge_met(judge, INV_FED_ALONE);
        why = scaled_problem(facts, object);
        if (*why != '\0') {
            fed_fail(judge, INV_FED_ALONE, facts, object, "-", why);
        }
    }
}

void
kubefed_judge_writes(struct judge *judge, const struct fed_facts *facts,
                     const struct fed_object *object)
{
    judge_alone(judge, facts, object);
    judge_preference(judge, facts, object);
    if (json_equal(object->before, object->after)) {
        return;
    }
    judge_met(judge, INV_FED_WRITE);
    judge_rest(judge, facts, object);
    if (!changes(facts, object)) {
        fed_fail(judge, INV_FED_WRITE, facts, object, "-", "it is written, and no number changes");
    }
    const char *problem = overrides_problem(facts, object);

    if (*problem != '\0') {
        fed_fail(judge, INV_FED_WRITE, facts, object, "-", problem);
    }
}

/* --- where more goes --- */

static const char *
why_closed(const struct fed_facts *facts, const struct fed_object *object, const char *cluster)
{
    json_t *own = json_object();
    const json_t *selector = at(object->before, "spec.placement.clusterSelector");

    if (selector != NULL) {
        put(own, "clusterSelector", json_deep_copy(selector));
    }
    bool selected = !truth_at(object->preference, "spec.intersectWithClusterSelector") ||
                    fed_selects(facts, own, cluster);

    json_decref(own);
    if (fed_health(facts, cluster) != FED_READY) {
        return "it is not Ready, or not for long enough";
    }
    if (!object->is_namespaced && !fed_selects(facts, object->bounds, cluster)) {
        return "its namespace does not have it";
    }
    if (fed_is_whole(object->before, cluster)) {
        return "an override of all of spec sets its replicas there";
    }
    if (fed_is_scaled_in(facts, object, cluster)) {
        return "its replicas there are the member's own";
    }
    if (!fed_has_entry(object->preference, cluster)) {
        return "the preference has no entry for it";
    }
    if (!selected) {
        return "the preference intersects with a selector that does not match";
    }
    return fed_failed_in(object->before, cluster) ? "nothing could be propagated there" : "";
}

static bool
is_placed(const struct fed_facts *facts, const struct fed_object *object, const json_t *json)
{
    json_t *names = fed_cluster_names(facts, object);
    bool any = false;
    size_t index;
    json_t *name;

    json_array_foreach(names, index, name)
    {
        any = any || fed_number(facts, json, json_string_value(name)) >= 0;
    }
    json_decref(names);
    return any;
}

/* What is wanted and has no cluster is given some, or it is said why not: nobody else gives it
 * any. */
void
kubefed_judge_unplaced(struct judge *judge, const struct fed_facts *facts,
                       const struct fed_object *object)
{
    const json_t *item = NULL, *other;
    size_t index;

    if (*fed_left_alone(facts, object) != '\0' || is_placed(facts, object, object->before) ||
        integer_at(object->preference, "spec.totalReplicas", 0) == 0 ||
        at(facts->world->config, "triggers") != NULL) {
        return;
    }
    json_array_foreach(at(facts->run->plan, "items"), index, other)
    {
        if (is(text_at(other, "name"), object->name) &&
            is(text_at(other, "namespace"), object->namespace_) &&
            is(text_at(other, "kind"), object->kind)) {
            item = other;
        }
    }
    if (item == NULL) {
        return; /* out of scope */
    }
    judge_met(judge, INV_FED_PLACED);
    if (!is_placed(facts, object, object->after) && is(text_at(item, "action"), "None")) {
        fed_fail(judge, INV_FED_PLACED, facts, object, "-", "it has no cluster, and none is given");
    }
}

/* --- what becomes of what is there --- */

/* KubeFed writes nothing there. Its number stays, also for replicas that others replace. */
static bool
is_held(const struct fed_facts *facts, const char *cluster)
{
    enum fed_health health = fed_health(facts, cluster);

    return (health == FED_DOWN || health == FED_SEEN_RUNNING) && is(facts->failover, "Keep");
}

static const char *
lost_problem(const struct fed_facts *facts, const char *cluster, int64_t before, int64_t after)
{
    enum fed_health health = fed_health(facts, cluster);

    if (health == FED_GONE) {
        /* what nobody has room for may stay written until somebody has */
        return after <= before ? "" : "it is no cluster any more";
    }
    if (health != FED_DOWN && health != FED_SEEN_RUNNING) {
        return "";
    }
    if (after > before) {
        return "it is down, and given more";
    }
    if (is_held(facts, cluster) && after != before) {
        return "it is down, and not kept";
    }
    if (health == FED_SEEN_RUNNING && after < 0) {
        return "it runs, and is taken out of the placement";
    }
    return is(facts->failover, "Zero") && after < 0 ? "it is down, and not in its place" : "";
}

/* By a configuration that asks for it: by itself a filter drives nobody away. */
static bool
leaves_refusing(const struct fed_facts *facts)
{
    const json_t *triggers = at(facts->world->config, "triggers");

    return list_has(triggers, "InfeasibleCluster") || truth_at(triggers, "InfeasibleCluster");
}

static bool
is_balanced(const struct fed_facts *facts, const struct fed_object *object)
{
    size_t index;
    json_t *item;

    if (truth_at(object->preference, "spec.rebalance")) {
        return true;
    }
    json_array_foreach(at(facts->run->plan, "items"), index, item)
    {
        if (is(text_at(item, "name"), object->name) &&
            (find_by(at(item, "findings"), "type", "Imbalance") != NULL ||
             (leaves_refusing(facts) &&
              find_by(at(item, "findings"), "type", "InfeasibleCluster") != NULL))) {
            return true;
        }
    }
    return false;
}

struct ready_sums {
    int64_t before, after;          /* ready */
    int64_t numbers, numbers_after; /* what is told to those that count */
    const char *fallen;             /* a cluster where ready ones end; NULL: none */
    bool unseen;                    /* some may be ready where nobody looked, or not arrived yet */
};

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Not placed there: nothing. */
static int64_t
number_or_none(const struct fed_facts *facts, const json_t *object, const char *cluster)
{
    int64_t number = fed_number(facts, object, cluster);

    return number > 0 ? number : 0;
}

static void
add_ready(const struct fed_facts *facts, const struct fed_object *object, const char *cluster,
          struct ready_sums *sums)
{
    int64_t before = number_or_none(facts, object->before, cluster);
    int64_t after = number_or_none(facts, object->after, cluster);
    int64_t ready = fed_pods(facts, object, cluster, true);
    bool stays = object->is_namespaced || fed_selects(facts, object->bounds, cluster);
    enum fed_health health = fed_health(facts, cluster);

    if (stays && !is_held(facts, cluster) && health < FED_DELETED) {
        sums->numbers += before;
        sums->numbers_after += after;
    }
    sums->unseen = sums->unseen || (before > 0 && fed_pods(facts, object, cluster, false) <= 0) ||
                   fed_is_doubtful(facts, object, cluster);
    if (ready > 0 && stays && health < FED_DOWN) {
        ready = least(ready, before);
        sums->before += ready;
        sums->after += least(ready, after);
        sums->fallen = after < ready ? cluster : sums->fallen;
    }
}

static void
judge_ready(struct judge *judge, const struct fed_facts *facts, const struct fed_object *object,
            const struct ready_sums *sums)
{
    int64_t total = integer_at(object->preference, "spec.totalReplicas", 0);
    int64_t bound = total < sums->before ? total : sums->before;

    judge_met(judge, INV_FED_READY);
    /* what a member counts adds up to nothing that the host asks for */
    if (!fed_is_scaled(facts, object) &&
        sums->numbers_after > (total > sums->numbers ? total : sums->numbers)) {
        fed_fail(judge, INV_FED_READY, facts, object, "-", "more than all");
    }
    if (is_balanced(facts, object) || sums->fallen == NULL) {
        return;
    }
    if (sums->after < bound && !sums->unseen) {
        fed_fail(judge, INV_FED_READY, facts, object, sums->fallen, "too many ready ones end");
    } else if (sums->numbers <= total) {
        fed_fail(judge, INV_FED_READY, facts, object, sums->fallen, "ready ones end for nothing");
    }
}

void
kubefed_judge_moves(struct judge *judge, const struct fed_facts *facts,
                    const struct fed_object *object)
{
    json_t *names = fed_cluster_names(facts, object);
    struct ready_sums sums = {.fallen = NULL};
    size_t index;
    json_t *name;

    json_array_foreach(names, index, name)
    {
        const char *cluster = json_string_value(name);
        int64_t before = fed_number(facts, object->before, cluster);
        int64_t after = fed_number(facts, object->after, cluster);
        bool bounded = object->is_namespaced || fed_selects(facts, object->bounds, cluster);

        add_ready(facts, object, cluster, &sums);
        if (after > 0 && after > before) {
            const char *why = why_closed(facts, object, cluster);

            judge_met(judge, INV_FED_DESTINATION);
            if (*why != '\0') {
                fed_fail(judge, INV_FED_DESTINATION, facts, object, cluster, why);
            }
        }
        if (before >= 0 && bounded) {
            const char *why = lost_problem(facts, cluster, before, after);

            if (fed_health(facts, cluster) >= FED_SEEN_RUNNING) {
                judge_met(judge, INV_FED_LOST);
            }
            if (*why != '\0') {
                fed_fail(judge, INV_FED_LOST, facts, object, cluster, why);
            }
        }
    }
    if (!json_equal(object->before, object->after)) {
        judge_ready(judge, facts, object, &sums);
    }
    json_decref(names);
}
