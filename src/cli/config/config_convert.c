/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts configuration values.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "cli/options/selector_text.h"
#include "config_key.h"

static const char *
scalar_text(struct arena *arena, const struct value *value)
{
    switch (value_type(value)) {
    case VALUE_BOOL:
        return value_bool(value) ? "true" : "false";
    case VALUE_INTEGER:
        return arena_printf(arena, "%lld", (long long)value_integer(value));
    default:
        return arena_strndup(arena, value_string(value), value_string_length(value));
    }
}

static bool
refuse_parsed(struct config_reader *reader, const struct config_place *place,
              const struct error *inner)
{
    return config_refuse(reader, place, false, "%s: %s", place->path, inner->message);
}

bool
config_scalar(struct config_reader *reader, const struct config_key *key,
              const struct config_place *place, void *target)
{
    struct error inner = ERROR_INIT;

    if (!config_want(reader, place, key->type->type, key->type->text)) {
        return false;
    }
    return key->type->parse(reader->arena, &key->param, scalar_text(reader->arena, place->value),
                            target, &inner) ||
           refuse_parsed(reader, place, &inner);
}

static bool
convert_struct(struct config_reader *reader, const struct config_key *key,
               const struct config_place *place, void *target)
{
    return config_object(reader, key->table, place, target);
}

static bool
convert_limit(struct config_reader *reader, const struct config_key *key,
              const struct config_place *place, void *target)
{
    struct error inner = ERROR_INIT;

    if (value_type(place->value) != VALUE_INTEGER &&
        !config_want(reader, place, VALUE_STRING, key->type->text)) {
        return false;
    }
    return setting_limit(reader->arena, &key->param, scalar_text(reader->arena, place->value),
                         target, &inner) ||
           refuse_parsed(reader, place, &inner);
}

static bool
want_text(struct config_reader *reader, const struct config_place *place, const char *text)
{
    if (value_type(place->value) == VALUE_STRING && str_eq(value_string(place->value), text)) {
        return true;
    }
    if (value_type(place->value) == VALUE_STRING) {
        return config_refuse(reader, place, false, "%s: want %s, got \"%s\"", place->path, text,
                             value_string(place->value));
    }
    return config_want(reader, place, VALUE_STRING, text);
}

bool
config_api_version(struct config_reader *reader, const struct config_key *key,
                   const struct config_place *place, void *target)
{
    (void)key;
    (void)target;
    return reader->is_older || want_text(reader, place, CONFIG_API_VERSION);
}

bool
config_kind(struct config_reader *reader, const struct config_key *key,
            const struct config_place *place, void *target)
{
    (void)key;
    (void)target;
    return want_text(reader, place, CONFIG_KIND);
}

/* A flag splits its text at commas and skips blanks. An item of a list or a key is one word. */
static bool
want_one_word(struct config_reader *reader, const struct config_place *place, const char *text)
{
    const char *rest = text;

    return (str_eq(setting_next_word(reader->arena, &rest), text) && rest == NULL) ||
           config_refuse(reader, place, false, "%s: want one name, got \"%s\"", place->path, text);
}

/* Reads one word of a list, and checks it by the key's parser. */
static bool
read_word(struct config_reader *reader, const struct config_key *key,
          const struct config_place *place, const char **ret)
{
    struct error inner = ERROR_INIT;
    struct str_list parsed = {.count = 0};

    if (!config_want(reader, place, VALUE_STRING, "string")) {
        return false;
    }
    *ret = intern(reader->strings, value_string(place->value), value_string_length(place->value));
    if (!key->type->parse(reader->arena, &key->param, *ret, &parsed, &inner)) {
        return refuse_parsed(reader, place, &inner);
    }
    return want_one_word(reader, place, *ret);
}

bool
config_words(struct config_reader *reader, const struct config_key *key,
             const struct config_place *place, void *target)
{
    struct str_list *list = target;
    size_t count = value_count(place->value);

    if (!config_want(reader, place, VALUE_LIST, key->type->text)) {
        return false;
    }
    const char **words = ARENA_ARRAY(reader->arena, const char *, count);

    for (size_t i = 0; i < count; i++) {
        struct config_place item = config_item(reader, place, i);

        if (!read_word(reader, key, &item, &words[i])) {
            return false;
        }
    }
    *list = (struct str_list){.items = words, .count = pin_uint32(count), .present = true};
    return true;
}

bool
config_each(struct config_reader *reader, const struct config_key *key,
            const struct config_place *place, const struct config_items *items, void **ret_items,
            uint32_t *ret_count)
{
    size_t count = value_count(place->value);
    char *all = ARENA_ARRAY(reader->arena, char, count * items->size);
    struct value_iterator it = VALUE_ITERATOR(place->value);

    if (!config_want(reader, place, items->type, key->type->text)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct config_place item = config_item(reader, place, i);

        if (value_each(&it)) {
            item = config_member(reader, place, it.key, it.value);
        }
        if (!items->read(reader, &item, all + i * items->size)) {
            return false;
        }
    }
    *ret_items = all;
    *ret_count = pin_uint32(count);
    return true;
}

static bool
add_words(struct config_reader *reader, const struct config_place *place, setting_parser *parse,
          void *target)
{
    for (size_t i = 0; i < value_count(place->value); i++) {
        struct config_place item = config_item(reader, place, i);
        const struct setting_param adding = {.add = true};
        struct error inner = ERROR_INIT;

        if (!config_want(reader, &item, VALUE_STRING, "string") ||
            !want_one_word(reader, &item, value_string(item.value))) {
            return false;
        }
        if (!parse(reader->arena, &adding, value_string(item.value), target, &inner)) {
            return refuse_parsed(reader, &item, &inner);
        }
    }
    return true;
}

/* A map edits the default. */
static bool
triggers_from_object(struct config_reader *reader, const struct config_place *place, bool *triggers)
{

    for (struct value_iterator it = VALUE_ITERATOR(place->value); value_each(&it);) {
        struct config_place member = config_member(reader, place, it.key, it.value);
        const struct setting_param adding = {.add = true};
        struct error inner = ERROR_INIT;

        if (!config_want(reader, &member, VALUE_BOOL, "boolean") ||
            !want_one_word(reader, place, it.key)) {
            return false;
        }
        if (!setting_triggers(
                reader->arena, &adding,
                arena_printf(reader->arena, "%c%s", value_bool(it.value) ? '+' : '-', it.key),
                triggers, &inner)) {
            return config_refuse(reader, &member, true, "%s: %s", place->path, inner.message);
        }
    }
    return true;
}

bool
config_triggers(struct config_reader *reader, const struct config_key *key,
                const struct config_place *place, void *target)
{
    if (value_type(place->value) == VALUE_LIST) {
        memset(target, 0, N_FINDING_TYPES * sizeof(bool)); /* a list replaces the default */
        return add_words(reader, place, setting_triggers, target);
    }
    return config_want(reader, place, VALUE_OBJECT, key->type->text) &&
           triggers_from_object(reader, place, target);
}

bool
config_sources(struct config_reader *reader, const struct config_key *key,
               const struct config_place *place, void *target)
{
    struct member_sources sources = {.count = 0};

    if (!config_want(reader, place, VALUE_LIST, key->type->text) ||
        !add_words(reader, place, setting_sources, &sources)) {
        return false;
    }
    if (sources.count == 0) {
        sources.order[sources.count++] = SOURCE_STATUS;
    }
    *(struct member_sources *)target = sources;
    return true;
}

const struct config_type config_duration = {config_scalar, setting_duration, VALUE_STRING,
                                            "duration", SHAPE_DURATION};
const struct config_type config_choice = {config_scalar, setting_choice, VALUE_STRING, "string",
                                          SHAPE_CHOICE};
const struct config_type config_text = {config_scalar, setting_text, VALUE_STRING, "string",
                                        SHAPE_TEXT};
const struct config_type config_push_url = {config_scalar, setting_push_url, VALUE_STRING, "string",
                                            SHAPE_URL};
const struct config_type config_label_key = {config_scalar, setting_text, VALUE_STRING, "string",
                                             SHAPE_LABEL_KEY};
const struct config_type config_int = {config_scalar, setting_int, VALUE_INTEGER, "integer",
                                       SHAPE_INTEGER};
const struct config_type config_int64 = {config_scalar, setting_int64, VALUE_INTEGER, "integer",
                                         SHAPE_INTEGER};
const struct config_type config_bool = {config_scalar, setting_bool, VALUE_BOOL, "boolean",
                                        SHAPE_BOOL};
const struct config_type config_names = {config_words, .parse = setting_list,
                                         .text = "list of strings", .shape = SHAPE_NAMES};
const struct config_type config_kinds = {config_words, .parse = setting_kinds,
                                         .text = "list of strings", .shape = SHAPE_KINDS};
const struct config_type config_limit = {convert_limit, .text = "integer or percentage",
                                         .shape = SHAPE_LIMIT};
const struct config_type config_struct = {convert_struct, .text = "object", .shape = SHAPE_OBJECT};
