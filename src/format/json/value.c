/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be asked of a value.
 */
#include "ballast/format/value.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/format/wanted.h"
#include "value_form.h"

static bool
is_of_type(const struct value *value, enum value_type type)
{
    return value != NULL && value->type == type;
}

static bool
has_members(const struct value *value)
{
    return is_of_type(value, VALUE_LIST) || is_of_type(value, VALUE_OBJECT);
}

enum value_type
value_type(const struct value *value)
{
    return value != NULL ? value->type : VALUE_NULL;
}

const char *
value_type_name(enum value_type type)
{
    static const char *const names[] = {
        [VALUE_NULL] = "null",     [VALUE_BOOL] = "boolean",  [VALUE_INTEGER] = "integer",
        [VALUE_REAL] = "real",     [VALUE_STRING] = "string", [VALUE_LIST] = "list",
        [VALUE_OBJECT] = "object",
    };

    return names[type];
}

bool
value_bool(const struct value *value)
{
    return is_of_type(value, VALUE_BOOL) && value->as.truth;
}

int64_t
value_integer(const struct value *value)
{
    return is_of_type(value, VALUE_INTEGER) ? value->as.integer : 0;
}

double
value_real(const struct value *value)
{
    return is_of_type(value, VALUE_REAL) ? value->as.real : (double)value_integer(value);
}

const char *
value_string(const struct value *value)
{
    return is_of_type(value, VALUE_STRING) ? value->as.text : NULL;
}

size_t
value_string_length(const struct value *value)
{
    return is_of_type(value, VALUE_STRING) ? value->count : 0;
}

size_t
value_count(const struct value *value)
{
    return has_members(value) ? value->count : 0;
}

const struct value *
value_at(const struct value *list, size_t index)
{
    return is_of_type(list, VALUE_LIST) && index < list->count
               ? list->as.members->items[index].value
               : NULL;
}

const struct value *
value_get(const struct value *object, const char *key)
{
    const struct value_member *member = value_find_member(object, key);

    return member != NULL ? member->value : NULL;
}

bool
value_each(struct value_iterator *it)
{
    if (!is_of_type(it->object, VALUE_OBJECT) || it->next == it->object->count) {
        return false;
    }
    const struct value_member *member = &it->object->as.members->items[it->next++];

    it->key = member->name;
    it->value = member->value;
    return true;
}

static bool
members_are_equal(const struct value *a, const struct value *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct value_member *member = &a->as.members->items[i];
        const struct value *other =
            member->name != NULL ? value_get(b, member->name) : value_at(b, i);

        if (other == NULL || !value_equal(member->value, other)) {
            return false;
        }
    }
    return true;
}

/* VALUE_DEPTH_MAX limits the recursion. */
bool
value_equal(const struct value *a, const struct value *b)
{
    if (a == b || a->type != b->type || a->count != b->count) {
        return a == b;
    }
    switch (a->type) {
    case VALUE_NULL:
        return true;
    case VALUE_BOOL:
        return a->as.truth == b->as.truth;
    case VALUE_INTEGER:
        return a->as.integer == b->as.integer;
    case VALUE_REAL:
        return !(a->as.real < b->as.real) && !(a->as.real > b->as.real);
    case VALUE_STRING:
        return str_eq(a->as.text, b->as.text);
    case VALUE_LIST:
    case VALUE_OBJECT:
        break;
    }
    return members_are_equal(a, b);
}

bool
value_position(const struct value *value, const char *key, size_t *ret_line, size_t *ret_column)
{
    const struct value_member *member = key != NULL ? value_find_member(value, key) : NULL;
    struct value_place place = {.line = 0};

    if (member != NULL) {
        place = member->place;
    } else if (key == NULL && value_type(value) > VALUE_BOOL) {
        place = value->place;
    }
    if (place.line == 0) {
        return false;
    }
    *ret_line = place.line;
    *ret_column = place.column;
    return true;
}

struct value_memo *
value_memo(const struct value *value)
{
    return has_members(value) ? value->as.members->memo : NULL;
}
