/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks a kind's table over a value, keeps the path for messages, and converts the plain types.
 */
#include "field.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/model/selector.h"

/* The common head of all lists in the model. */
struct any_list {
    const void *items;
    uint32_t count;
    bool present;
};

/* A path as text, cut to fit. */
struct path_text {
    char text[FIELD_PATH_MAX];
    size_t length;
};

static void
add_text(struct path_text *path, const char *text)
{
    size_t before = path->length;
    size_t most = sizeof(path->text) - sizeof(TEXT_CUT_MARK);
    size_t length = strlen(text);

    if (before > most) {
        return;
    }
    size_t kept = text_cut(text, length, most - before);

    memcpy(path->text + before, text, kept);
    path->text[before + kept] = '\0';
    path->length = before + kept;
    if (kept < length) {
        memcpy(path->text + before + kept, TEXT_CUT_MARK, sizeof(TEXT_CUT_MARK));
        path->length = sizeof(path->text) - 1;
    }
}

static void
write_path(const struct decoder *decoder, struct path_text *ret)
{
    char index[32];

    *ret = (struct path_text){.length = 0};
    for (size_t i = 0; i < decoder->path_length && i < PATH_STEPS_MAX; i++) {
        const struct path_step *step = &decoder->path[i];

        if (step->name == NULL) {
            snprintf(index, sizeof(index), "[%zu]", step->index);
        } else if (ret->length > 0) {
            add_text(ret, ".");
        }
        add_text(ret, step->name != NULL ? step->name : index);
    }
}

static size_t
push(struct decoder *decoder, const char *name, size_t index)
{
    size_t before = decoder->path_length++;

    if (before < PATH_STEPS_MAX) {
        decoder->path[before] = (struct path_step){name, index};
    }
    return before;
}

size_t
decoder_push_name(struct decoder *decoder, const char *name)
{
    return push(decoder, name, 0);
}

size_t
decoder_push_index(struct decoder *decoder, size_t index)
{
    return push(decoder, NULL, index);
}

void
decoder_pop(struct decoder *decoder, size_t length_before)
{
    decoder->path_length = length_before;
}

bool
decode_fail(struct decoder *decoder, const char *format, ...)
{
    char message[ERROR_MESSAGE_MAX + 1]; /* one byte longer: error_set marks the cut */
    struct path_text path;
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    error_set(decoder->err, ERROR_INVALID, "%s", message);
    if (decoder->path_length > 0) {
        write_path(decoder, &path);
        error_wrap(decoder->err, "%s", path.text);
    }
    return false;
}

bool
decode_fail_type(struct decoder *decoder, const char *want, const struct value *got)
{
    return decode_fail(decoder, "want %s, got %s", want, value_type_name(value_type(got)));
}

static void
preset_table(const struct field *table, char *target)
{
    for (const struct field *field = table; field->name != NULL; field++) {
        if (field->convert == convert_string) {
            *(const char **)(void *)(target + field->offset) = "";
        } else if (field->convert == convert_time) {
            *(int64_t *)(void *)(target + field->offset) = TIME_NONE;
        } else if (field->convert == convert_struct) {
            preset_table(field->table, target + field->offset);
        }
    }
}

static bool
value_is_container(const struct value *value)
{
    return value_type(value) == VALUE_LIST || value_type(value) == VALUE_OBJECT;
}

static bool
is_within_bounds(struct decoder *decoder, const struct field *field, const struct value *value)
{
    size_t most = field->flags >> FIELD_MOST_SHIFT;

    return most == 0 || !value_is_container(value) || value_count(value) <= most ||
           decode_fail(decoder, "want at most %zu entries, got %zu", most, value_count(value));
}

static bool
decode_field(struct decoder *decoder, const struct field *field, const struct value *object,
             char *target)
{
    const struct value *value = value_get(object, field->name);
    bool absent = value == NULL || value_type(value) == VALUE_NULL;

    if (absent && (field->flags & FIELD_REQUIRED) == 0) {
        return true;
    }
    size_t before = decoder_push_name(decoder, field->name);
    bool done = absent ? decode_fail(decoder, "required")
                       : is_within_bounds(decoder, field, value) &&
                             field->convert(decoder, field, value, target + field->offset);

    decoder_pop(decoder, before);
    return done;
}

/* Expects presets in the target. */
static bool
decode_fields(struct decoder *decoder, const struct field *table, const struct value *value,
              char *target)
{
    if (value_type(value) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", value);
    }
    for (const struct field *field = table; field->name != NULL; field++) {
        if (field->convert != NULL && !decode_field(decoder, field, value, target)) {
            return false;
        }
    }
    return true;
}

bool
decode_object(struct decoder *decoder, const struct field *table, const struct value *value,
              void *target)
{
    preset_table(table, target);
    return decode_fields(decoder, table, value, target);
}

bool
decode_text(struct decoder *decoder, const struct field *field, const struct value *value,
            text_keeper *keep, void *target)
{
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "string", value);
    }
    if ((field->flags & FIELD_NON_EMPTY) != 0 && value_string_length(value) == 0) {
        return decode_fail(decoder, "must not be empty");
    }
    const char *text = keep(decoder, value_string(value), value_string_length(value));

    memcpy(target, &text, sizeof(text));
    return true;
}

static const char *
intern_text(struct decoder *decoder, const char *text, size_t length)
{
    return intern(decoder->strings, text, length);
}

bool
convert_string(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    return decode_text(decoder, field, value, intern_text, target);
}

bool
convert_bool(struct decoder *decoder, const struct field *field, const struct value *value,
             void *target)
{
    (void)field;
    if (value_type(value) != VALUE_BOOL) {
        return decode_fail_type(decoder, "boolean", value);
    }
    *(bool *)target = value_bool(value);
    return true;
}

static bool
read_integer(struct decoder *decoder, const struct value *value, int64_t low, int64_t high,
             int64_t *ret)
{
    if (value_type(value) != VALUE_INTEGER) {
        return decode_fail_type(decoder, "integer", value);
    }
    int64_t integer = value_integer(value);

    if (integer < low || integer > high) {
        return decode_fail(decoder, "want integer from %" PRId64 " to %" PRId64 ", got %" PRId64,
                           low, high, integer);
    }
    *ret = integer;
    return true;
}

bool
convert_int32(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    int64_t integer = 0;

    (void)field;
    if (!read_integer(decoder, value, INT32_MIN, INT32_MAX, &integer)) {
        return false;
    }
    *(int32_t *)target = pin_int32(integer);
    return true;
}

bool
convert_count32(struct decoder *decoder, const struct field *field, const struct value *value,
                void *target)
{
    int64_t integer = 0;

    (void)field;
    if (!read_integer(decoder, value, 0, INT32_MAX, &integer)) {
        return false;
    }
    *(int32_t *)target = pin_int32(integer);
    return true;
}

bool
convert_int64(struct decoder *decoder, const struct field *field, const struct value *value,
              void *target)
{
    (void)field;
    return read_integer(decoder, value, INT64_MIN, INT64_MAX, target);
}

bool
convert_count64(struct decoder *decoder, const struct field *field, const struct value *value,
                void *target)
{
    int64_t count = 0;

    (void)field;
    if (!read_integer(decoder, value, INT64_MIN, INT64_MAX, &count)) {
        return false;
    }
    *(int64_t *)target = count;
    return count >= 0 || decode_fail(decoder, "want integer from 0, got %" PRId64, count);
}

bool
convert_time(struct decoder *decoder, const struct field *field, const struct value *value,
             void *target)
{
    (void)field;
    if (value_type(value) != VALUE_STRING) {
        return decode_fail_type(decoder, "RFC 3339 time", value);
    }
    if (!timestamp_parse(value_string(value), target)) {
        return decode_fail(decoder, "want RFC 3339 time, got \"%s\"", value_string(value));
    }
    return true;
}

/* null is "", as in Go */
static bool
decode_item_text(struct decoder *decoder, const struct value *value, text_keeper *keep,
                 const char **ret)
{
    static const struct field plain = {.flags = FIELD_OPTIONAL};

    *ret = "";
    return value_type(value) == VALUE_NULL || decode_text(decoder, &plain, value, keep, ret);
}

bool
convert_string_list(struct decoder *decoder, const struct field *field, const struct value *value,
                    void *target)
{
    size_t count = value_count(value);
    struct str_list *list = target;

    (void)field;
    if (value_type(value) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", value);
    }
    const char **items = ARENA_ARRAY(decoder->arena, const char *, count);

    for (size_t i = 0; i < count; i++) {
        size_t before = decoder_push_index(decoder, i);

        if (!decode_item_text(decoder, value_at(value, i), intern_text, &items[i])) {
            return false;
        }
        decoder_pop(decoder, before);
    }
    *list = (struct str_list){
        .items = items,
        .count = pin_uint32(count),
        .present = true,
        .by_name = name_index_new(decoder->arena, items, sizeof(*items), pin_uint32(count)),
    };
    return true;
}

bool
decode_string_map(struct decoder *decoder, const struct value *value, text_keeper *keep,
                  struct label_list *ret)
{
    uint32_t count = 0;

    if (value_type(value) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", value);
    }
    struct label *labels = ARENA_ARRAY(decoder->arena, struct label, value_count(value));

    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        size_t before = decoder_push_name(decoder, it.key);

        if (!decode_item_text(decoder, it.value, keep, &labels[count].value)) {
            return false;
        }
        decoder_pop(decoder, before);
        labels[count++].key = intern_cstr(decoder->strings, it.key);
    }
    labels_sort(labels, count);
    *ret = (struct label_list){.items = labels, .count = count, .present = true};
    return true;
}

bool
convert_string_map(struct decoder *decoder, const struct field *field, const struct value *value,
                   void *target)
{
    (void)field;
    return decode_string_map(decoder, value, intern_text, target);
}

bool
convert_struct(struct decoder *decoder, const struct field *field, const struct value *value,
               void *target)
{
    /* decode_object has set the presets of nested structs: absent members need them, too */
    return decode_fields(decoder, field->table, value, target);
}

bool
convert_if_object(struct decoder *decoder, const struct field *field, const struct value *value,
                  void *target)
{
    return value_type(value) != VALUE_OBJECT || decode_object(decoder, field->table, value, target);
}

bool
convert_struct_pointer(struct decoder *decoder, const struct field *field,
                       const struct value *value, void *target)
{
    void *item = arena_alloc(decoder->arena, field->item_size);

    if (!decode_object(decoder, field->table, value, item)) {
        return false;
    }
    memcpy(target, &item, sizeof(item));
    return true;
}

static bool
decode_item(struct decoder *decoder, const struct field *field, const struct value *value,
            char *item)
{
    if (value_type(value) == VALUE_NULL) {
        preset_table(field->table, item);
        return true;
    }
    return decode_object(decoder, field->table, value, item);
}

bool
convert_list(struct decoder *decoder, const struct field *field, const struct value *value,
             void *target)
{
    size_t count = value_count(value);

    if (value_type(value) != VALUE_LIST) {
        return decode_fail_type(decoder, "list", value);
    }
    char *items = arena_calloc(decoder->arena, count, field->item_size);
    const void *first = items;
    uint32_t count32 = pin_uint32(count);

    for (size_t i = 0; i < count; i++) {
        size_t before = decoder_push_index(decoder, i);

        if (!decode_item(decoder, field, value_at(value, i), items + i * field->item_size)) {
            return false;
        }
        decoder_pop(decoder, before);
    }
    memcpy((char *)target + offsetof(struct any_list, items), &first, sizeof(first));
    memcpy((char *)target + offsetof(struct any_list, count), &count32, sizeof(count32));
    return true;
}

bool
convert_list_present(struct decoder *decoder, const struct field *field, const struct value *value,
                     void *target)
{
    *((bool *)target + offsetof(struct any_list, present)) = true;
    return convert_list(decoder, field, value, target);
}

bool
convert_presence(struct decoder *decoder, const struct field *field, const struct value *value,
                 void *target)
{
    (void)decoder;
    (void)field;
    (void)value;
    *(bool *)target = true;
    return true;
}
