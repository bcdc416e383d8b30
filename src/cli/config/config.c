/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads configuration objects by a table of keys, and names file, line and column of an error.
 */
#include "config.h"

#include "ballast/base/buf.h"
#include "ballast/base/text.h"
#include "config_key.h"

const char *
config_position(struct config_reader *reader, const struct config_place *place, bool at_key)
{
    size_t line = 1, column = 1;

    if (at_key || !value_position(place->value, NULL, &line, &column)) {
        value_position(place->parent, place->key, &line, &column);
    }
    return arena_printf(reader->arena, "%s:%zu:%zu", reader->file, line, column);
}

bool
config_refuse(struct config_reader *reader, const struct config_place *place, bool at_key,
              const char *format, ...)
{
    char message[ERROR_MESSAGE_MAX];
    va_list args;

    va_start(args, format);
    text_vprint(message, sizeof(message), format, args);
    va_end(args);
    return error_set(reader->err, ERROR_CONFIG, "%s: %s", config_position(reader, place, at_key),
                     message);
}

bool
config_want(struct config_reader *reader, const struct config_place *place, enum value_type type,
            const char *type_text)
{
    if (value_type(place->value) == type) {
        return true;
    }
    return config_refuse(reader, place, false, "%s: want %s, got %s", place->path, type_text,
                         value_type_name(value_type(place->value)));
}

struct config_place
config_member(struct config_reader *reader, const struct config_place *object, const char *key,
              const struct value *value)
{
    bool top = str_is_empty(object->path);

    return (struct config_place){
        value, object->value, key,
        arena_printf(reader->arena, "%s%s%s", object->path, top ? "" : ".", key)};
}

struct config_place
config_item(struct config_reader *reader, const struct config_place *list, size_t index)
{
    return (struct config_place){value_at(list->value, index), NULL, NULL,
                                 arena_printf(reader->arena, "%s[%zu]", list->path, index)};
}

static const struct config_key *
find_key(const struct config_key *table, const char *name)
{
    for (const struct config_key *key = table; key->name != NULL; key++) {
        if (str_eq(key->name, name)) {
            return key;
        }
    }
    return NULL;
}

static bool
refuse_unknown(struct config_reader *reader, const struct config_key *table,
               const struct config_place *place)
{
    return config_refuse(reader, place, true, "unknown field %s%s", place->path,
                         str_hint_row(reader->arena, place->key, table, sizeof(*table), ""));
}

static bool
check_required(struct config_reader *reader, const struct config_key *table,
               const struct config_place *place)
{
    for (const struct config_key *key = table; key->name != NULL; key++) {
        const struct value *value = value_get(place->value, key->name);

        if (key->required && (value == NULL || value_type(value) == VALUE_NULL)) {
            struct config_place missing = config_member(reader, place, key->name, value);

            return config_refuse(reader, place, false, "%s: required", missing.path);
        }
    }
    return true;
}

/* Sets the position of the value, or of each item. For objects, the position is their key's. */
static void
write_where(struct config_reader *reader, const struct config_place *place, void *target)
{
    const char **where = target;

    if (value_type(place->value) == VALUE_LIST) {
        where = ARENA_ARRAY(reader->arena, const char *, value_count(place->value));
        *(const char ***)target = where;
        for (size_t i = 0; i < value_count(place->value); i++) {
            struct config_place item = config_item(reader, place, i);

            where[i] = config_position(reader, &item, false);
        }
    } else {
        *where = config_position(reader, place, value_type(place->value) == VALUE_OBJECT);
    }
}

bool
config_object(struct config_reader *reader, const struct config_key *table,
              const struct config_place *place, void *base)
{

    if (!config_want(reader, place, VALUE_OBJECT, "object")) {
        return false;
    }
    for (struct value_iterator it = VALUE_ITERATOR(place->value); value_each(&it);) {
        const struct config_key *key = find_key(table, it.key);
        struct config_place member = config_member(reader, place, it.key, it.value);

        if (key == NULL) {
            return refuse_unknown(reader, table, &member);
        }
        if (value_type(it.value) != VALUE_NULL && key->where != 0) {
            write_where(reader, &member, (char *)base + key->where);
        }
        if (value_type(it.value) != VALUE_NULL &&
            !key->type->convert(reader, key, &member, (char *)base + key->offset)) {
            return false;
        }
    }
    return check_required(reader, table, place);
}
