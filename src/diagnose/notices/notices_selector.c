/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports labels that a selector requires and that no object is known to have.
 */
#include <string.h>

#include "diagnose/owners/owners.h"
#include "notices.h"

static void
add_list(struct known_names *texts, const struct label_list *labels, const char *key)
{
    const char *value = key != NULL ? label_list_find(labels, key) : NULL;

    if (value != NULL) {
        known_add(texts, value);
    }
    for (uint32_t i = 0; key == NULL && i < labels->count; i++) {
        known_add(texts, labels->items[i].key);
    }
}

static const struct label_list *
notices_labels_of(struct notices *notices, uint32_t index)
{
    const struct fleet *fleet = notices->fleet;

    if (notices->labels == NULL) {
        notices->labels = ARENA_ARRAY(notices->arena, const struct label_list *, fleet->n_bindings);
        for (uint32_t i = 0; i < fleet->n_bindings; i++) {
            notices->labels[i] =
                workload_labels_find(&fleet->workload_labels, &fleet->bindings[i].resource);
        }
    }
    return notices->labels[index];
}

static struct known_names
list_texts(struct notices *notices, const char *key)
{
    const struct fleet *fleet = notices->fleet;
    struct known_names texts = KNOWN_NAMES;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct label_list *own = notices_labels_of(notices, i);

        add_list(&texts, &fleet->bindings[i].labels, key);
        if (own != NULL) {
            add_list(&texts, own, key);
        }
    }
    return texts;
}

/* Without `values`, any value meets the requirement. */
static void
notice_label(struct notices *notices, const char *key, const struct str_list *values,
             missing_label_listener *tell, const void *context)
{
    struct known_names of_key = list_texts(notices, key);
    bool has_key = of_key.items.count > 0;

    for (uint32_t i = 0; has_key && i < values->count; i++) {
        if (!known_has(&of_key, values->items[i])) {
            tell(notices, context, arena_printf(notices->arena, "%s=%s", key, values->items[i]),
                 known_hint(notices->arena, &of_key, values->items[i]));
        }
    }
    if (!has_key) {
        struct known_names keys = list_texts(notices, NULL);

        tell(notices, context, key, known_hint(notices->arena, &keys, key));
        known_free(&keys);
    }
    known_free(&of_key);
}

void
find_missing_labels(struct notices *notices, const struct label_selector *selector,
                    missing_label_listener *tell, const void *context)
{
    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *label = &selector->match_labels.items[i];
        const struct str_list value = {.items = &label->value, .count = 1};

        notice_label(notices, label->key, &value, tell, context);
    }
    for (uint32_t i = 0; i < selector->match_expressions.count; i++) {
        const struct selector_requirement *wanted = &selector->match_expressions.items[i];

        if (wanted->operator== SELECTOR_IN || wanted->operator== SELECTOR_EXISTS) {
            notice_label(notices, wanted->key, &wanted->values, tell, context);
        }
    }
}

static void
notice_of_scope(struct notices *notices, const void *context, const char *label, const char *hint)
{
    (void)context;
    notice_add(notices, arena_printf(notices->arena, "label %s", label),
               "no workload or binding is known to have %s%s (%s)",
               strchr(label, '=') != NULL ? "it" : "one of that name", hint, notices->in_scope);
}

static uint32_t
count_unknown(const struct notices *notices)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < notices->fleet->n_bindings; i++) {
        const struct binding *binding = &notices->fleet->bindings[i];

        count += binding_is_workload(binding) &&
                         scope_match_labels(&notices->policy->scope, notices->fleet, binding) ==
                             LABELS_UNKNOWN
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
                   "whether it matches: left out (%s). For a fleet in files, put the workloads' "
                   "resource templates into control-plane/",
                   unknown, unknown == 1 ? "workload" : "workloads", notices->in_scope);
    }
    find_missing_labels(notices, selector, notice_of_scope, NULL);
}
