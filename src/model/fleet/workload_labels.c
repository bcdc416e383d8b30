/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels of workloads: finding them, and what a selector makes of them together
 * with the binding's.
 */
#include "ballast/model/workload_labels.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/binding.h"

static int
text_cmp(const char *a, size_t a_length, const char *b)
{
    int order = strncmp(a, b, a_length);

    return order != 0 ? order : (b[a_length] == '\0' ? 0 : -1);
}

static int
resource_cmp(const void *key, const void *item)
{
    const struct object_reference *resource = key;
    const struct workload_labels *labels = item;
    const char *slash = strchr(resource->api_version, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - resource->api_version);
    int order = text_cmp(resource->api_version, length, labels->group);

    order = order != 0 ? order : strcmp(resource->kind, labels->kind);
    order = order != 0 ? order : strcmp(resource->namespace_, labels->namespace_);
    return order != 0 ? order : strcmp(resource->name, labels->name);
}

int
workload_labels_cmp(const struct workload_labels *a, const struct workload_labels *b)
{
    int order = strcmp(a->group, b->group);

    order = order != 0 ? order : strcmp(a->kind, b->kind);
    order = order != 0 ? order : strcmp(a->namespace_, b->namespace_);
    return order != 0 ? order : strcmp(a->name, b->name);
}

const struct label_list *
workload_labels_find(const struct workload_labels_list *list,
                     const struct object_reference *resource)
{
    const struct workload_labels *found =
        list->count == 0
            ? NULL
            : bsearch(resource, list->items, list->count, sizeof(*found), resource_cmp);

    return found != NULL ? &found->labels : NULL;
}

/* Finds the workload's value, else the binding's. *ret_known: the workload has no unknown value. */
static const char *
find_value(const struct label_list *workload, const struct label_list *binding, const char *key,
           bool *ret_known)
{
    const char *value = workload != NULL ? label_list_find(workload, key) : NULL;

    value = value != NULL ? value : label_list_find(binding, key);
    *ret_known = value != NULL || workload != NULL;
    return value;
}

enum label_match
workload_labels_match(const struct label_selector *selector, const struct label_list *workload,
                      const struct label_list *binding)
{
    enum label_match match = LABELS_MATCH;
    bool known;

    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *label = &selector->match_labels.items[i];
        const char *value = find_value(workload, binding, label->key, &known);

        if (known && (value == NULL || !str_eq(value, label->value))) {
            return LABELS_DIFFER;
        }
        match = known ? match : LABELS_UNKNOWN;
    }
    for (uint32_t i = 0; i < selector->match_expressions.count; i++) {
        const struct selector_requirement *requirement = &selector->match_expressions.items[i];
        const char *value = find_value(workload, binding, requirement->key, &known);

        if (known && !selector_requirement_takes(requirement, value)) {
            return LABELS_DIFFER;
        }
        match = known ? match : LABELS_UNKNOWN;
    }
    return label_selector_is_valid(selector) ? match : LABELS_DIFFER;
}
