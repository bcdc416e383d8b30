/* SPDX-License-Identifier: Apache-2.0
 *
 * Label selectors in the configuration, as objects have them: matchLabels and
 * matchExpressions.
 */
#include <string.h>

#include "config_key.h"
#include "selector_text.h"

static const char *
intern_value(struct config_reader *reader, const struct value *value)
{
    return intern(reader->strings, value_string(value), value_string_length(value));
}

static bool
read_label(struct config_reader *reader, const struct config_place *place, struct label *ret)
{
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
    struct label_list *list = target;
    size_t count = value_count(place->value);
    struct label *labels = ARENA_ARRAY(reader->arena, struct label, count);
    struct value_iterator it = VALUE_ITERATOR(place->value);
    const char *name;
    const struct value *value;

    if (!config_want(reader, place, VALUE_OBJECT, key->type_text)) {
        return false;
    }
    for (size_t i = 0; i < count && value_each(&it, &name, &value); i++) {
        struct config_place member = config_member(reader, place, name, value);

        if (!read_label(reader, &member, &labels[i])) {
            return false;
        }
    }
    labels_sort(labels, (uint32_t)count);
    *list = (struct label_list){labels, (uint32_t)count, true};
    return true;
}

static const struct setting_word operator_choices[] = {
    {"In", SELECTOR_IN, NULL},
    {"NotIn", SELECTOR_NOT_IN, NULL},
    {"Exists", SELECTOR_EXISTS, NULL},
    {"DoesNotExist", SELECTOR_DOES_NOT_EXIST, NULL},
    {NULL, 0, NULL},
};

/* The words of `values`: unlike names, one may be empty or hold what a list would be split at. */
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
     .convert = config_scalar,
     .offset = offsetof(struct selector_requirement, key),
     .parse = setting_text,
     .type = VALUE_STRING,
     .required = true,
     .type_text = "string",
     .help = "The label."},
    {.name = "operator",
     .convert = config_scalar,
     .offset = offsetof(struct selector_requirement, operator),
     .parse = setting_choice,
     .param = {.choices = operator_choices},
     .type = VALUE_STRING,
     .required = true,
     .type_text = "string",
     .help = "In, NotIn, Exists or DoesNotExist."},
    {.name = "values",
     .convert = config_words,
     .offset = offsetof(struct selector_requirement, values),
     .parse = setting_label_value,
     .type_text = "list of strings",
     .help = "For In and NotIn."},
    CONFIG_KEY_END,
};

static bool
read_expression(struct config_reader *reader, const struct config_place *place,
                struct selector_requirement *ret)
{
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
    struct requirement_list *list = target;
    size_t count = value_count(place->value);
    struct selector_requirement *items =
        ARENA_ARRAY(reader->arena, struct selector_requirement, count);

    if (!config_want(reader, place, VALUE_LIST, key->type_text)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct config_place item = config_item(reader, place, i);

        if (!read_expression(reader, &item, &items[i])) {
            return false;
        }
    }
    *list = (struct requirement_list){items, (uint32_t)count, true};
    return true;
}

const struct config_key config_selector_keys[] = {
    {.name = "matchLabels",
     .convert = config_labels,
     .offset = offsetof(struct label_selector, match_labels),
     .type_text = "map of strings",
     .help = "Labels and their values; all must match."},
    {.name = "matchExpressions",
     .convert = config_expressions,
     .offset = offsetof(struct label_selector, match_expressions),
     .table = expression_keys,
     .type_text = "list of objects",
     .help = "Expressions; all must match."},
    CONFIG_KEY_END,
};

bool
config_label_selector(struct config_reader *reader, const struct config_key *key,
                      const struct config_place *place, void *target)
{
    struct label_selector *selector = ARENA_NEW(reader->arena, struct label_selector);

    (void)key;
    *(const struct label_selector **)target = selector;
    return config_object(reader, config_selector_keys, place, selector);
}
