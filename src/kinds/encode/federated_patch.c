/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the changes in a federated object: see federated_patch.h.
 */
#include "ballast/kinds/federated_patch.h"
#include "ballast/base/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/format/value_build.h"
#include "kinds/decode/decoders.h"

struct wanted {
    const struct target **items;
    uint32_t count;
    bool *met; /* by item: its cluster has an override entry */
};

static bool
is_set(const struct value *value)
{
    return value != NULL && value_type(value) != VALUE_NULL;
}

static bool
may_be_overridden(const char *path)
{
    static const char *const fixed[] = {"/kind", "/metadata/name", "/metadata/namespace",
                                        "/metadata/generateName"};

    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
        if (str_eq(path, fixed[i])) {
            return false;
        }
    }
    return true;
}

static bool
is_first(struct map *seen, const char *text)
{
    void **slot = map_put_str(seen, text, NULL);
    bool first = *slot == NULL;

    *slot = seen;
    return first;
}

static bool
check_path(const struct value *override, struct map *seen, struct error *err)
{
    const struct value *path = value_find(override, "path", VALUE_STRING);
    const struct value *op = value_get(override, "op");

    if (value_type(override) != VALUE_OBJECT) {
        return error_set(err, ERROR_INVALID, "want object, got %s",
                         value_type_name(value_type(override)));
    }
    if (is_set(value_get(override, "path")) && path == NULL) {
        return error_set(err, ERROR_INVALID, "path: want string");
    }
    if (is_set(op) && value_type(op) != VALUE_STRING) {
        return error_set(err, ERROR_INVALID, "op: want string");
    }
    const char *text = path != NULL ? value_string(path) : "";

    if (!may_be_overridden(text)) {
        return error_set(err, ERROR_INVALID, "path: %s cannot be overridden", text);
    }
    return is_first(seen, text) ||
           error_set(err, ERROR_INVALID, "path: a second one of %s in this cluster", text);
}

static bool
check_cluster_overrides(const struct value *list, struct error *err)
{
    bool done = true;

    if (!is_set(list)) {
        return true;
    }
    if (value_type(list) != VALUE_LIST) {
        return error_set(err, ERROR_INVALID, "clusterOverrides: want list, got %s",
                         value_type_name(value_type(list)));
    }
    struct map *seen = map_new();

    for (size_t i = 0; i < value_count(list) && done; i++) {
        done = check_path(value_at(list, i), seen, err);
        if (!done) {
            error_wrap(err, "clusterOverrides[%zu]", i);
        }
    }
    map_free(seen);
    return done;
}

static bool
check_entry(const struct value *entry, struct map *seen, struct error *err)
{
    const struct value *name = value_get(entry, "clusterName");

    if (value_type(entry) != VALUE_OBJECT) {
        return error_set(err, ERROR_INVALID, "want object, got %s",
                         value_type_name(value_type(entry)));
    }
    if (is_set(name) && value_type(name) != VALUE_STRING) {
        return error_set(err, ERROR_INVALID, "clusterName: want string");
    }
    if (!is_first(seen, value_text(entry, "clusterName"))) {
        return error_set(err, ERROR_INVALID, "clusterName: a second entry of \"%s\"",
                         value_text(entry, "clusterName"));
    }
    return check_cluster_overrides(value_get(entry, "clusterOverrides"), err);
}

bool
federated_overrides_check(const struct value *overrides, struct error *err)
{
    bool done = true;

    if (!is_set(overrides)) {
        return true;
    }
    if (value_type(overrides) != VALUE_LIST) {
        return error_set(err, ERROR_INVALID, "spec.overrides: want list, got %s",
                         value_type_name(value_type(overrides)));
    }
    struct map *seen = map_new();

    for (size_t i = 0; i < value_count(overrides) && done; i++) {
        done = check_entry(value_at(overrides, i), seen, err);
        if (!done) {
            error_wrap(err, "spec.overrides[%zu]", i);
        }
    }
    map_free(seen);
    return done;
}

static int
wanted_cmp(const void *a, const void *b)
{
    return strcmp((*(const struct target *const *)a)->name,
                  (*(const struct target *const *)b)->name);
}

static struct wanted
sort_wanted(const struct target_list *list)
{
    struct wanted wanted = {
        .items = heap_new(list->count, sizeof(const struct target *)),
        .count = list->count,
        .met = heap_new(list->count, sizeof(bool)),
    };

    for (uint32_t i = 0; i < list->count; i++) {
        wanted.items[i] = &list->items[i];
    }
    if (list->count > 1) {
        qsort(wanted.items, wanted.count, sizeof(*wanted.items), wanted_cmp);
    }
    return wanted;
}

static void
wanted_release(struct wanted *wanted)
{
    free(wanted->items);
    free(wanted->met);
}

/* Returns the index of a target, or the count if there is none. */
static uint32_t
find_wanted(const struct wanted *wanted, const char *name)
{
    const struct target target = {.name = name}, *key = &target;
    const struct target **found = wanted->count == 0 ? NULL
                                                     : bsearch(&key, wanted->items, wanted->count,
                                                               sizeof(*wanted->items), wanted_cmp);

    return found != NULL ? pin_uint32(found - wanted->items) : wanted->count;
}

static bool
names_wanted(const struct value *clusters, const struct wanted *wanted)
{
    bool equal = value_count(clusters) == wanted->count;
    struct map *seen = map_new();

    for (size_t i = 0; i < value_count(clusters) && equal; i++) {
        const char *name = value_text(value_at(clusters, i), "name");

        equal = find_wanted(wanted, name) < wanted->count && is_first(seen, name);
    }
    map_free(seen);
    return equal;
}

static bool
check_placement(const struct value *placement, struct error *err)
{
    const struct value *clusters;

    if (!is_set(placement)) {
        return true;
    }
    if (value_type(placement) != VALUE_OBJECT) {
        return error_set(err, ERROR_INVALID, "spec.placement: want object, got %s",
                         value_type_name(value_type(placement)));
    }
    clusters = value_get(placement, "clusters");
    if (!is_set(clusters)) {
        return true;
    }
    if (value_type(clusters) != VALUE_LIST) {
        return error_set(err, ERROR_INVALID, "spec.placement.clusters: want list, got %s",
                         value_type_name(value_type(clusters)));
    }
    for (size_t i = 0; i < value_count(clusters); i++) {
        const struct value *entry = value_at(clusters, i);

        if (value_type(entry) != VALUE_OBJECT ||
            (is_set(value_get(entry, "name")) && value_find(entry, "name", VALUE_STRING) == NULL)) {
            return error_set(err, ERROR_INVALID,
                             "spec.placement.clusters[%zu]: want an object with a name", i);
        }
    }
    return true;
}

/* NULL: the placement names the wanted clusters already. */
static struct value *
new_clusters(struct arena *arena, const struct value *placement, const struct wanted *wanted)
{
    const struct value *clusters = value_get(placement, "clusters");

    if (is_set(clusters) && names_wanted(clusters, wanted)) {
        return NULL;
    }
    struct value *list = value_new(arena, VALUE_LIST);

    for (uint32_t i = 0; i < wanted->count; i++) {
        struct value *entry = value_new(arena, VALUE_OBJECT);

        value_put_text(entry, "name", wanted->items[i]->name);
        value_append(list, entry);
    }
    return list;
}

static const struct value *
find_replicas(const struct value *entry)
{
    const struct value *list = value_get(entry, "clusterOverrides");

    for (size_t i = 0; is_set(list) && i < value_count(list); i++) {
        if (str_eq(value_text(value_at(list, i), "path"), REPLICAS_OVERRIDE)) {
            return value_at(list, i);
        }
    }
    return NULL;
}

bool
federated_override_is_whole(const struct value *entry)
{
    const struct value *list = value_get(entry, "clusterOverrides");
    bool is_whole = false;

    /* overrides apply in order */
    for (size_t i = 0; is_set(list) && i < value_count(list); i++) {
        const char *path = value_text(value_at(list, i), "path");

        if (str_eq(path, REPLICAS_OVERRIDE)) {
            is_whole = false;
        } else if (replica_path_sets(path) && !replica_path_names(path)) {
            is_whole = !str_eq(value_text(value_at(list, i), "op"), "test");
        }
    }
    return is_whole;
}

/* A removal ignores its value: the member uses the default. */
static bool
is_removal(const struct value *override)
{
    return str_eq(value_text(override, "op"), "remove");
}

/* Compares like upstream, which ignores decimals. */
static bool
says(const struct value *override, int32_t replicas)
{
    const struct value *value = value_get(override, "value");

    if (is_removal(override)) {
        return replicas == DEFAULT_REPLICAS;
    }
    if (value == NULL || (value_type(value) != VALUE_INTEGER && value_type(value) != VALUE_REAL)) {
        return false;
    }
    return value_type(value) == VALUE_INTEGER ? value_integer(value) == replicas
                                              : trunc(value_real(value)) == (double)replicas;
}

static bool
overrides_differ(const struct value *overrides, const struct wanted *wanted)
{
    uint32_t count = 0;

    for (size_t i = 0; is_set(overrides) && i < value_count(overrides); i++) {
        const struct value *entry = value_at(overrides, i);
        const struct value *replicas = find_replicas(entry);
        uint32_t at = find_wanted(wanted, value_text(entry, "clusterName"));

        if (replicas == NULL) {
            continue;
        }
        if (at == wanted->count || !says(replicas, wanted->items[at]->replicas)) {
            return true;
        }
        count++;
    }
    return count != wanted->count;
}

static struct value *
new_override(struct arena *arena, const struct target *target)
{
    struct value *override = value_new(arena, VALUE_OBJECT);

    value_put_text(override, "path", REPLICAS_OVERRIDE);
    value_put(override, "value", value_new_integer(arena, target->replicas));
    return override;
}

/* Copies a cluster's overrides with the wanted replicas; `target` NULL: without replicas. */
static struct value *
edit_list(struct arena *arena, const struct value *before, const struct target *target)
{
    struct value *list = value_new(arena, VALUE_LIST);
    bool is_there = false;

    for (size_t i = 0; is_set(before) && i < value_count(before); i++) {
        const struct value *override = value_at(before, i);

        if (!str_eq(value_text(override, "path"), REPLICAS_OVERRIDE)) {
            value_append(list, override);
        } else if (target != NULL) {
            struct value *changed = value_copy(arena, override);

            if (!says(override, target->replicas)) {
                value_put(changed, "value", value_new_integer(arena, target->replicas));
                if (is_removal(override)) {
                    value_put_text(changed, "op", "replace");
                }
            }
            value_append(list, changed);
            is_there = true;
        }
    }
    if (target != NULL && !is_there) {
        value_append(list, new_override(arena, target));
    }
    return list;
}

static const struct value *
edit_entry(struct arena *arena, const struct value *entry, struct wanted *wanted)
{
    const struct value *list = value_get(entry, "clusterOverrides");
    uint32_t at = find_wanted(wanted, value_text(entry, "clusterName"));
    const struct target *target = at < wanted->count ? wanted->items[at] : NULL;

    if (target != NULL) {
        wanted->met[at] = true;
    } else if (find_replicas(entry) == NULL) {
        return entry;
    }
    struct value *edited = value_copy(arena, entry);

    value_put(edited, "clusterOverrides", edit_list(arena, list, target));
    return edited;
}

/* True if an entry has nothing but the replicas, and its cluster is no target. */
static bool
is_emptied(const struct value *entry, const struct wanted *wanted)
{
    return find_wanted(wanted, value_text(entry, "clusterName")) == wanted->count &&
           find_replicas(entry) != NULL && value_count(entry) == 2 &&
           value_count(value_get(entry, "clusterOverrides")) == 1;
}

/* NULL: the overrides are as wanted. */
static struct value *
new_overrides(struct arena *arena, const struct value *overrides, struct wanted *wanted,
              enum emptied emptied)
{
    if (!overrides_differ(overrides, wanted)) {
        return NULL;
    }
    struct value *list = value_new(arena, VALUE_LIST);

    for (size_t i = 0; is_set(overrides) && i < value_count(overrides); i++) {
        const struct value *entry = value_at(overrides, i);

        if (emptied == EMPTIED_STAYS || !is_emptied(entry, wanted)) {
            value_append(list, edit_entry(arena, entry, wanted));
        }
    }
    for (uint32_t i = 0; i < wanted->count; i++) {
        if (!wanted->met[i]) {
            struct value *entry = value_new(arena, VALUE_OBJECT);

            value_put_text(entry, "clusterName", wanted->items[i]->name);
            value_put(entry, "clusterOverrides", edit_list(arena, NULL, wanted->items[i]));
            value_append(list, entry);
        }
    }
    return list;
}

/* The author may have added the override since the plan was made. */
static bool
check_whole(const struct value *overrides, const struct wanted *wanted, struct error *err)
{
    for (size_t i = 0; is_set(overrides) && i < value_count(overrides); i++) {
        const struct value *entry = value_at(overrides, i);
        const char *name = value_text(entry, "clusterName");

        if (find_wanted(wanted, name) < wanted->count && federated_override_is_whole(entry)) {
            return error_set(err, ERROR_INVALID,
                             "spec.overrides[%zu]: an override of all of spec sets the replicas in "
                             "%s: nothing is written beside it",
                             i, name);
        }
    }
    return true;
}

bool
federated_patch(struct arena *arena, const struct value *object,
                const struct target_list *wanted_list, enum emptied emptied,
                const struct value **ret, struct error *err)
{
    const struct value *spec = value_get(object, "spec");
    const struct value *placement = value_get(spec, "placement");
    const struct value *overrides = value_get(spec, "overrides");

    *ret = NULL;
    if (is_set(spec) && value_type(spec) != VALUE_OBJECT) {
        return error_set(err, ERROR_INVALID, "spec: want object, got %s",
                         value_type_name(value_type(spec)));
    }
    if (!check_placement(placement, err) || !federated_overrides_check(overrides, err)) {
        return false;
    }
    struct wanted wanted = sort_wanted(wanted_list);

    if (!check_whole(overrides, &wanted, err)) {
        wanted_release(&wanted);
        return false;
    }
    struct value *clusters = new_clusters(arena, placement, &wanted);
    struct value *changed = new_overrides(arena, overrides, &wanted, emptied);
    struct value *root = value_new(arena, VALUE_OBJECT), *in_spec = value_new(arena, VALUE_OBJECT);

    wanted_release(&wanted);
    if (clusters == NULL && changed == NULL) {
        return true;
    }
    if (clusters != NULL) {
        struct value *in_placement = value_new(arena, VALUE_OBJECT);

        value_put(in_placement, "clusters", clusters);
        value_put(in_spec, "placement", in_placement);
    }
    value_put(in_spec, "overrides", changed);
    value_put(root, "spec", in_spec);
    *ret = root;
    return true;
}
