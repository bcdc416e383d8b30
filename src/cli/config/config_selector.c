/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads label selectors as objects have them: matchLabels and matchExpressions.
 */
#include <string.h>

#include "cli/options/selector_text.h"
#include "config_key.h"

static const char *
intern_value(struct config_reader *reader, const struct value *value)
{
    return intern(reader->strings, value_string(value), value_string_length(value));
}

static bool
read_label(struct config_reader *reader, const struct config_place *place, void *item)
{
    struct label *ret = item;
    struct error inner = ERROR_INIT;

    if (!label_key_validate(place->key, &inner)) {
        return config_refuse(reader, place, true, "%s: %s", place->path, inner.message);
    }
    if (!config_want(reader, place, VALUE_STRING, "string")) {
        return false;
    }
    *ret = (struct label){intern_cstr(reader->strings, place->key),
                          intern_value(reader, place->value)};
    return label_value_validate(ret->value, &inner) ||
           config_refuse(reader, place, false, "%s: %s", place->path, inner.message);
}

static bool
config_labels(struct config_reader *reader, const struct config_key *key,
              const struct config_place *place, void *target)
{
    static const struct config_items labels = {VALUE_OBJECT, sizeof(struct label), read_label};
    struct label_list *list = target;
    void *items = NULL;

    if (!config_each(reader, key, place, &labels, &items, &list->count)) {
        return false;
    }
    labels_sort(items, list->count);
    list->items = items;
    list->present = true;
    return true;
}

static const struct setting_word operator_choices[] = {
    {"In", SELECTOR_IN, NULL},
    {"NotIn", SELECTOR_NOT_IN, NULL},
    {"Exists", SELECTOR_EXISTS, NULL},
    {"DoesNotExist", SELECTOR_DOES_NOT_EXIST, NULL},
    {NULL, 0, NULL},
};

/* Takes any label value whole: it may be empty. */
static bool
setting_label_value(struct arena *arena, const struct setting_param *param, const char *text,
                    void *target, struct error *err)
{
    const char **item = ARENA_ARRAY(arena, const char *, 1);

    (void)param;
    *item = text;
    *(struct str_list *)target = (struct str_list){.items = item, .count = 1, .present = true};
    return label_value_validate(text, err);
}

static const struct config_key expression_keys[] = {
    {.name = "key",
     .type = &config_label_key,
     .offset = offsetof(struct selector_requirement, key),
     .required = true,
     .help = "The label."},
    {.name = "operator",
     .type = &config_choice,
     .offset = offsetof(struct selector_requirement, operator),
     .param = {.choices = operator_choices},
     .required = true,
     .help = "In, NotIn, Exists or DoesNotExist."},
    {.name = "values",
     .type = &(const struct config_type){config_words, .parse = setting_label_value,
                                         .shape = SHAPE_LABEL_VALUES, .text = "list of strings"},
     .offset = offsetof(struct selector_requirement, values),
     .help = "For In and NotIn."},
    CONFIG_KEY_END,
};

static bool
read_expression(struct config_reader *reader, const struct config_place *place, void *item)
{
    struct selector_requirement *ret = item;
    struct error inner = ERROR_INIT;

    if (!config_object(reader, expression_keys, place, ret)) {
        return false;
    }
    bool wants_values = ret->operator== SELECTOR_IN || ret->operator== SELECTOR_NOT_IN;

    ret->operator_text = value_string(value_get(place->value, "operator"));
    ret->operator_text = intern_cstr(reader->strings, ret->operator_text);
    if (!label_key_validate(ret->key, &inner)) {
        return config_refuse(reader, place, false, "%s: %s", place->path, inner.message);
    }
    if (wants_values != (ret->values.count > 0)) {
        return config_refuse(reader, place, false, "%s: operator %s %s", place->path,
                             ret->operator_text, wants_values ? "wants values" : "takes no values");
    }
    return true;
}

static bool
config_expressions(struct config_reader *reader, const struct config_key *key,
                   const struct config_place *place, void *target)
{
    static const struct config_items expressions = {VALUE_LIST, sizeof(struct selector_requirement),
                                                    read_expression};
    struct requirement_list *list = target;
    void *items = NULL;

    list->present = config_each(reader, key, place, &expressions, &items, &list->count);
    list->items = items;
    return list->present;
}

const struct config_key config_selector_keys[] = {
    {.name = "matchLabels",
     .type = &(const struct config_type){config_labels, .text = "map of strings",
                                         .shape = SHAPE_LABELS},
     .offset = offsetof(struct label_selector, match_labels),
     .help = "Labels and their values; all must match."},
    {.name = "matchExpressions",
     .type = &(const struct config_type){config_expressions, .text = "list of objects",
                                         .shape = SHAPE_EXPRESSIONS},
     .offset = offsetof(struct label_selector, match_expressions),
     .table = expression_keys,
     .help = "Expressions; all must match."},
    CONFIG_KEY_END,
};

static bool
convert_selector(struct config_reader *reader, const struct config_key *key,
                 const struct config_place *place, void *target)
{
    struct label_selector *selector = ARENA_NEW(reader->arena, struct label_selector);

    (void)key;
    *(const struct label_selector **)target = selector;
    return config_object(reader, config_selector_keys, place, selector);
}

const struct config_type config_selector = {convert_selector, .text = "object",
                                            .shape = SHAPE_OBJECT};
