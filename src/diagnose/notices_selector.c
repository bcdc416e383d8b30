/* SPDX-License-Identifier: Apache-2.0
 *
 * A selector that asks for labels which nothing carries, or for such as are not
 * known.
 */
#include "ballast/map.h"
#include "ballast/str.h"
#include "notices.h"

/* Distinct texts: keys of labels, or the values of one of them. */
struct texts {
    struct map *seen;
    VEC_OF(const char *) items;
};

static void
add_text(struct texts *texts, const char *text)
{
    bool added = false;

    map_put_str(texts->seen, text, &added);
    if (added) {
        vec_add(&texts->items, text);
    }
}

/* Of one list: all keys, or with `key` the values that it has there. */
static void
add_list(struct texts *texts, const struct label_list *labels, const char *key)
{
    const char *value = key != NULL ? label_list_find(labels, key) : NULL;

    if (value != NULL) {
        add_text(texts, value);
    }
    for (uint32_t i = 0; key == NULL && i < labels->count; i++) {
        add_text(texts, labels->items[i].key);
    }
}

static struct texts
list_texts(const struct fleet *fleet, const char *key)
{
    struct texts texts = {.seen = map_new()};

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        const struct label_list *own =
            workload_labels_find(&fleet->workload_labels, &binding->resource);

        add_list(&texts, &binding->labels, key);
        if (own != NULL) {
            add_list(&texts, own, key);
        }
    }
    return texts;
}

static void
free_texts(struct texts *texts)
{
    map_free(texts->seen);
    vec_free(&texts->items);
}

static const char *
hint(const struct notices *notices, const struct texts *known, const char *text)
{
    return str_hint(notices->arena, text, known->items.items, known->items.count, "");
}

/* A label that has to be there: with one of the values, or with any (none is given). */
static void
notice_label(struct notices *notices, const char *key, const char *const *values, uint32_t count)
{
    struct texts of_key = list_texts(notices->fleet, key);
    bool has_key = of_key.items.count > 0;

    for (uint32_t i = 0; has_key && i < count; i++) {
        if (map_get_str(of_key.seen, values[i]) == NULL) {
            notice_add(notices, arena_printf(notices->arena, "label %s=%s", key, values[i]),
                       "no workload or binding is known to have it%s (%s)",
                       hint(notices, &of_key, values[i]), notices->in_scope);
        }
    }
    if (!has_key) {
        struct texts keys = list_texts(notices->fleet, NULL);

        notice_add(notices, arena_printf(notices->arena, "label %s", key),
                   "no workload or binding is known to have one of that name%s (%s)",
                   hint(notices, &keys, key), notices->in_scope);
        free_texts(&keys);
    }
    free_texts(&of_key);
}

static uint32_t
count_unknown(const struct notices *notices)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < notices->fleet->n_bindings; i++) {
        count += scope_match_labels(&notices->policy->scope, notices->fleet,
                                    &notices->fleet->bindings[i]) == LABELS_UNKNOWN
                     ? 1
                     : 0;
    }
    return count;
}

void
notice_selector(struct notices *notices)
{
    const struct label_selector *selector = notices->policy->scope.labels;

    if (selector == NULL) {
        return;
    }
    uint32_t unknown = count_unknown(notices);

    if (unknown > 0) {
        notice_add(notices, "selector",
                   "the labels of %u %s are not known here, and those of the bindings do not say "
                   "whether it matches: left out (%s); for a fleet in files, put the workloads' "
                   "resource templates into control-plane/",
                   unknown, unknown == 1 ? "workload" : "workloads", notices->in_scope);
    }
    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *label = &selector->match_labels.items[i];

        notice_label(notices, label->key, &label->value, 1);
    }
    for (uint32_t i = 0; i < selector->match_expressions.count; i++) {
        const struct selector_requirement *wanted = &selector->match_expressions.items[i];

        if (wanted->operator== SELECTOR_IN || wanted->operator== SELECTOR_EXISTS) {
            notice_label(notices, wanted->key, wanted->values.items, wanted->values.count);
        }
    }
}
