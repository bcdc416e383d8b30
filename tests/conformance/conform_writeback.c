/* SPDX-License-Identifier: Apache-2.0
 *
 * kubefed-writeback: a plan written back into the federated object.
 *
 * Where upstream writes overrides it makes the list anew of what it knows, in
 * any order. Ours keeps what is there as it is; that is asserted by itself, and
 * then what upstream loses is taken out of ours to compare the rest.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/format/value_build.h"
#include "ballast/kinds/federated_patch.h"
#include "conform.h"

static struct target_list
targets_of(struct conform *run, const struct value *result)
{
    struct target *items = ARENA_ARRAY(run->arena, struct target, value_count(result));
    uint32_t count = 0;

    for (struct value_iterator it = VALUE_ITERATOR(result); value_each(&it);) {
        items[count++] = (struct target){
            .name = it.key, .cluster = CLUSTER_NONE, .replicas = (int32_t)value_integer(it.value)};
    }
    return (struct target_list){.items = items, .count = count};
}

/* --- what upstream loses --- */

/* 3.0 is 3 to it. */
static const struct value *
as_float(struct arena *arena, const struct value *value)
{
    double real = value_type(value) == VALUE_REAL ? value_real(value) : 0.5;

    return trunc(real) == real ? value_new_integer(arena, (int64_t)real) : value;
}

static struct value *
lose_in_override(struct arena *arena, const struct value *override)
{
    static const char *const known[] = {"op", "path", "value"};
    struct value *kept = value_new(arena, VALUE_OBJECT);

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const struct value *value = value_get(override, known[i]);

        if (value != NULL && value_type(value) != VALUE_NULL &&
            (i != 0 || value_string(value)[0] != '\0')) {
            value_put(kept, known[i], as_float(arena, value));
        }
    }
    return kept;
}

static struct value *
lose_in_entry(struct arena *arena, const struct value *entry)
{
    const struct value *list = value_get(entry, "clusterOverrides");
    struct value *kept = value_new(arena, VALUE_OBJECT), *overrides = NULL;

    if (list == NULL || value_type(list) == VALUE_NULL) {
        overrides = value_new(arena, VALUE_NULL);
    } else {
        overrides = value_new(arena, VALUE_LIST);
        for (size_t i = 0; i < value_count(list); i++) {
            value_append(overrides, lose_in_override(arena, value_at(list, i)));
        }
    }
    value_put_text(kept, "clusterName", value_text(entry, "clusterName"));
    value_put(kept, "clusterOverrides", overrides);
    return kept;
}

static int
name_cmp(const void *a, const void *b)
{
    return strcmp(value_text(*(const struct value *const *)a, "clusterName"),
                  value_text(*(const struct value *const *)b, "clusterName"));
}

/* Sorted by cluster, as the vectors are. */
static struct value *
lose_in_list(struct conform *run, const struct value *list)
{
    size_t count = list != NULL ? value_count(list) : 0;
    const struct value **order = ARENA_ARRAY(run->arena, const struct value *, count);
    struct value *kept = value_new(run->arena, VALUE_LIST);

    for (size_t i = 0; i < count; i++) {
        order[i] = value_at(list, i);
    }
    if (count > 1) {
        qsort(order, count, sizeof(*order), name_cmp);
    }
    for (size_t i = 0; i < count; i++) {
        value_append(kept, lose_in_entry(run->arena, order[i]));
    }
    return kept;
}

static const char *
after_losses(struct conform *run, const struct value *object)
{
    const struct value *spec = value_get(object, "spec");
    struct value *copy = value_copy(run->arena, object), *in_spec = value_copy(run->arena, spec);

    value_put(in_spec, "overrides", lose_in_list(run, value_get(spec, "overrides")));
    value_put(copy, "spec", in_spec);
    return conform_json(run, copy);
}

/* --- what ours keeps --- */

static const struct value *
overrides_of(const struct value *object)
{
    return value_get(value_get(object, "spec"), "overrides");
}

static bool
is_of_replicas(const struct value *override)
{
    return str_eq(value_text(override, "path"), REPLICAS_OVERRIDE);
}

/* The same members, but for the value. */
static bool
keeps_members(const struct value *before, const struct value *after)
{
    for (struct value_iterator it = VALUE_ITERATOR(before); value_each(&it);) {
        const struct value *kept = value_get(after, it.key);

        if (kept == NULL || (!str_eq(it.key, "value") && !value_equal(it.value, kept))) {
            return false;
        }
    }
    return value_count(after) == value_count(before) + (value_get(before, "value") == NULL ? 1 : 0);
}

/* In the same order; of the replicas there may be one less, or one more at the end. */
static bool
keeps_overrides(const struct value *before, const struct value *after)
{
    size_t at = 0;

    for (size_t i = 0; before != NULL && i < value_count(before); i++) {
        const struct value *override = value_at(before, i);
        const struct value *kept =
            after != NULL && at < value_count(after) ? value_at(after, at) : NULL;

        if (!is_of_replicas(override)) {
            if (kept == NULL || !value_equal(override, kept)) {
                return false;
            }
            at++;
        } else if (kept != NULL && is_of_replicas(kept)) {
            if (!keeps_members(override, kept)) {
                return false;
            }
            at++;
        }
    }
    size_t more = after != NULL ? value_count(after) - at : 0;

    return more == 0 || (more == 1 && is_of_replicas(value_at(after, at)));
}

static bool
keeps_entry(const struct value *before, const struct value *after)
{

    for (struct value_iterator it = VALUE_ITERATOR(before); value_each(&it);) {
        if (!str_eq(it.key, "clusterOverrides") &&
            (value_get(after, it.key) == NULL ||
             !value_equal(it.value, value_get(after, it.key)))) {
            return false;
        }
    }
    return keeps_overrides(value_get(before, "clusterOverrides"),
                           value_get(after, "clusterOverrides"));
}

/* Entries stay in their order, and new ones are behind them, sorted. */
static bool
keeps_list(const struct value *before, const struct value *after)
{
    size_t n_before = before != NULL ? value_count(before) : 0;
    size_t n_after = after != NULL ? value_count(after) : 0;
    bool keeps = n_after >= n_before;

    for (size_t i = 0; i < n_after && keeps; i++) {
        keeps = i < n_before
                    ? keeps_entry(value_at(before, i), value_at(after, i))
                    : i == n_before || strcmp(value_text(value_at(after, i - 1), "clusterName"),
                                              value_text(value_at(after, i), "clusterName")) < 0;
    }
    return keeps;
}

/* --- answers --- */

static bool
changes(const struct value *before, const struct value *after)
{
    return before != NULL && after != NULL ? !value_equal(before, after) : before != after;
}

static const struct value *
clusters_of(const struct value *object)
{
    return value_get(value_get(value_get(object, "spec"), "placement"), "clusters");
}

static const char *
bool_text(bool b)
{
    return b ? "true" : "false";
}

static const char *
answer(struct conform *run, const struct value *before, const struct value *after)
{
    bool placement = changes(clusters_of(before), clusters_of(after));
    bool overrides = changes(overrides_of(before), overrides_of(after));
    const char *text = overrides ? after_losses(run, after) : conform_json(run, after);

    if (!keeps_list(overrides_of(before), overrides_of(after))) {
        return arena_printf(run->arena, "does not keep what is there: %s",
                            conform_json(run, after));
    }
    return arena_printf(
        run->arena, "{\"after\":%s,\"overridesUpdate\":%s,\"placementUpdate\":%s,\"updated\":%s}",
        text, bool_text(overrides), bool_text(placement), bool_text(placement || overrides));
}

static const char *
compute(struct conform *run, const struct value *item)
{
    const struct value *before = value_get(item, "before");
    const struct target_list wanted = targets_of(run, value_get(item, "result"));
    const struct value *patch = NULL;
    struct error err = ERROR_INIT;

    if (!federated_patch(run->arena, before, &wanted, EMPTIED_STAYS, &patch, &err)) {
        return "an error";
    }
    return answer(run, before, patch != NULL ? value_merge(run->arena, before, patch) : before);
}

void
conform_writeback(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        const struct value *expected = value_get(item, "expected");
        struct conform_case c = conform_case(item);

        conform_compare(run, &c, compute(run, item),
                        value_get(expected, "error") != NULL ? "an error"
                                                             : conform_json(run, expected));
    }
}
