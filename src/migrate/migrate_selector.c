/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads label selectors and labels from objects.
 */
#include "migrate_internal.h"

static bool
pairs_read(struct arena *arena, const struct value *value, struct label_list *ret)
{

    *ret = (struct label_list){.count = 0};
    if (value == NULL || value_type(value) == VALUE_NULL) {
        return true;
    }
    if (value_type(value) != VALUE_OBJECT) {
        return false;
    }
    struct label *labels = ARENA_ARRAY(arena, struct label, value_count(value));

    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        if (value_type(it.value) != VALUE_STRING) {
            return false;
        }
        labels[ret->count++] = (struct label){.key = it.key, .value = value_string(it.value)};
    }
    labels_sort(labels, ret->count);
    ret->items = labels;
    ret->present = true;
    return true;
}

void
labels_read(struct arena *arena, const struct value *labels, struct label_list *ret)
{
    if (!pairs_read(arena, labels, ret)) {
        *ret = (struct label_list){.count = 0};
    }
}

static bool
texts_read(struct arena *arena, const struct value *value, struct str_list *ret)
{
    *ret = (struct str_list){.count = 0};
    if (value == NULL || value_type(value) == VALUE_NULL) {
        return true;
    }
    if (value_type(value) != VALUE_LIST) {
        return false;
    }
    const char **items = ARENA_ARRAY(arena, const char *, value_count(value));

    for (size_t i = 0; i < value_count(value); i++) {
        const struct value *item = value_at(value, i);

        if (value_type(item) != VALUE_STRING) {
            return false;
        }
        items[ret->count++] = value_string(item);
    }
    ret->items = items;
    ret->present = true;
    return true;
}

static bool
expressions_read(struct arena *arena, const struct value *value, struct requirement_list *ret)
{
    *ret = (struct requirement_list){.count = 0};
    if (value == NULL || value_type(value) == VALUE_NULL) {
        return true;
    }
    if (value_type(value) != VALUE_LIST) {
        return false;
    }
    struct selector_requirement *items =
        ARENA_ARRAY(arena, struct selector_requirement, value_count(value));

    for (size_t i = 0; i < value_count(value); i++) {
        const struct value *item = value_at(value, i);
        struct selector_requirement *requirement = &items[ret->count++];

        requirement->key = value_text(item, "key");
        requirement->operator_text = value_text(item, "operator");
        requirement->operator= selector_operator_parse(requirement->operator_text);
        if (!texts_read(arena, value_get(item, "values"), &requirement->values)) {
            return false;
        }
    }
    ret->items = items;
    ret->present = true;
    return true;
}

bool
selector_read(struct arena *arena, const struct value *value, struct label_selector *ret)
{
    return value_type(value) == VALUE_OBJECT &&
           pairs_read(arena, value_get(value, "matchLabels"), &ret->match_labels) &&
           expressions_read(arena, value_get(value, "matchExpressions"), &ret->match_expressions) &&
           label_selector_is_valid(ret);
}
