/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads one message into the value of its JSON form. Recursion follows the tables, which do not
 * contain themselves: no input makes it deeper.
 */
#include "protobuf_message.h"

#include <string.h>

#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/protobuf_wire.h"
#include "ballast/kinds/protobuf.h"

/* The place in an object, innermost first; written out only for an error. */
struct message_spot {
    const char *name; /* NULL: item `index` of the outer place */
    size_t index;
    const struct message_spot *outer; /* NULL: the object */
};

struct protobuf_reader {
    struct arena *arena; /* of the values */
    uint32_t n_values;
    struct buf text; /* of a string under repair */
    struct error *err;
};

static void
write_path(struct buf *out, const struct message_spot *spot)
{
    if (spot->outer != NULL) {
        write_path(out, spot->outer);
    }
    if (spot->name == NULL) {
        buf_printf(out, "[%zu]", spot->index);
    } else if (*spot->name != '\0') {
        buf_printf(out, "%s%s", out->length > 0 ? "." : "", spot->name);
    }
}

static bool
fail(struct protobuf_reader *reader, const struct message_spot *spot, const char *message)
{
    struct buf path, line;

    buf_init(&path, ERROR_MESSAGE_MAX);
    buf_init(&line, ERROR_MESSAGE_MAX);
    write_path(&path, spot);
    text_append_line(&line, buf_text(&path)); /* keys of maps are untrusted */
    error_set(reader->err, ERROR_INVALID, "%s%s%s", buf_text(&line), line.length > 0 ? ": " : "",
              message);
    buf_release(&line);
    buf_release(&path);
    return false;
}

static bool
count_value(struct protobuf_reader *reader, const struct message_spot *spot)
{
    return ++reader->n_values <= PROTOBUF_VALUES_MAX ||
           fail(reader, spot, "the object holds too many values");
}

/* Replaces each byte that is no UTF-8 by U+FFFD, as Go's JSON encoder does. */
static const char *
mend(struct protobuf_reader *reader, const char *bytes, size_t length)
{
    static const char replacement[] = "\xef\xbf\xbd";

    buf_clear(&reader->text);
    for (size_t at = 0, size; at < length; at += size) {
        uint32_t c = text_decode(bytes + at, length - at, &size);

        if (c == TEXT_REPLACEMENT && size == 1) {
            buf_append_str(&reader->text, replacement);
        } else {
            buf_append(&reader->text, bytes + at, size);
        }
    }
    return buf_text(&reader->text);
}

static struct value *
read_text(struct protobuf_reader *reader, const struct message_spot *spot, const char *bytes,
          size_t length)
{
    if (length > 0 && memchr(bytes, '\0', length) != NULL) {
        fail(reader, spot, "the text holds a NUL");
        return NULL;
    }
    struct value *value = value_new_string(reader->arena, length > 0 ? bytes : "", length);

    if (value == NULL) {
        const char *mended = mend(reader, bytes, length);

        value = value_new_string(reader->arena, mended, reader->text.length);
    }
    if (value == NULL) {
        fail(reader, spot, "the text is not UTF-8");
    }
    return value;
}

static struct value *
read_integer(struct protobuf_reader *reader, const struct message_spot *spot,
             enum protobuf_type type, uint64_t integer)
{
    int64_t number = (int64_t)integer;

    if (type == PROTOBUF_BOOL) {
        return value_new_bool(reader->arena, integer != 0);
    }
    if (type == PROTOBUF_INT32 && (number < INT32_MIN || number > INT32_MAX)) {
        fail(reader, spot, "the number has more than 32 bits");
        return NULL;
    }
    return value_new_integer(reader->arena, number);
}

/* Finds the last field of that number and type in a small message; all zero: none. */
static bool
find_last(struct protobuf_reader *reader, const struct message_spot *spot,
          const struct wire_field *message, uint32_t number, enum wire_type type,
          struct wire_field *ret)
{
    struct wire wire = wire_of(message->bytes, message->length);
    struct wire_field field;

    *ret = (struct wire_field){.number = 0, .bytes = "", .length = 0};
    while (wire_next(&wire, &field)) {
        if (field.number == number && field.type != type) {
            return fail(reader, spot, "a field is of the wrong wire type");
        }
        if (field.number == number) {
            *ret = field;
        }
    }
    return wire.fault == NULL || fail(reader, spot, wire.fault);
}

/* metav1.Time: {seconds = 1, nanos = 2}. Go ignores the nanos, too. */
static bool
read_time(struct protobuf_reader *reader, const struct message_spot *spot,
          const struct wire_field *field, struct value **ret)
{
    char text[TIMESTAMP_TEXT_MAX];
    struct wire_field seconds;
    int64_t nanos;

    *ret = NULL;
    if (field->length == 0) {
        return true;
    }
    if (!find_last(reader, spot, field, 1, WIRE_VARINT, &seconds)) {
        return false;
    }
    if (__builtin_mul_overflow((int64_t)seconds.integer, NANOS_PER_SECOND, &nanos)) {
        nanos = (int64_t)seconds.integer < 0 ? INT64_MIN + 1 : INT64_MAX;
    }
    timestamp_format(nanos, text);
    *ret = value_new_string(reader->arena, text, strlen(text));
    return true;
}

/* resource.Quantity: {string = 1}. */
static struct value *
read_quantity(struct protobuf_reader *reader, const struct message_spot *spot,
              const struct wire_field *field)
{
    struct wire_field text;

    if (!find_last(reader, spot, field, 1, WIRE_BYTES, &text)) {
        return NULL;
    }
    return text.number == 0 ? value_new_string(reader->arena, "0", 1)
                            : read_text(reader, spot, text.bytes, text.length);
}

static struct value *
read_template(struct protobuf_reader *reader, const struct message_spot *spot,
              const struct wire_field *field)
{
    const char *fault = NULL;
    struct value *value = protobuf_pod_template(reader->arena, field->bytes, field->length, &fault);

    if (value == NULL) {
        fail(reader, spot, fault);
    }
    return value;
}

static bool read_message(struct protobuf_reader *reader, const struct message_spot *spot,
                         const struct field *message, const char *bytes, size_t length,
                         struct value *object);

static enum wire_type
wire_type_of(enum protobuf_type type)
{
    return type == PROTOBUF_INT32 || type == PROTOBUF_INT64 || type == PROTOBUF_BOOL ? WIRE_VARINT
                                                                                     : WIRE_BYTES;
}

/* Reads one value of a row's type. *ret stays NULL for a value that JSON leaves out. */
static bool
read_value(struct protobuf_reader *reader, const struct message_spot *spot, const struct field *row,
           const struct wire_field *field, struct value **ret)
{
    *ret = NULL;
    if (!count_value(reader, spot)) {
        return false;
    }
    if (field->type != wire_type_of(row->wire)) {
        return fail(reader, spot, "the field is of the wrong wire type");
    }
    switch (row->wire) {
    case PROTOBUF_STRING:
        *ret = read_text(reader, spot, field->bytes, field->length);
        break;
    case PROTOBUF_TIME:
        return read_time(reader, spot, field, ret);
    case PROTOBUF_QUANTITY:
        *ret = read_quantity(reader, spot, field);
        break;
    case PROTOBUF_TEMPLATE:
        *ret = read_template(reader, spot, field);
        break;
    case PROTOBUF_MESSAGE:
        *ret = value_new(reader->arena, VALUE_OBJECT);
        return read_message(reader, spot, row->table, field->bytes, field->length, *ret);
    default:
        *ret = read_integer(reader, spot, row->wire, field->integer);
        break;
    }
    return *ret != NULL;
}

/* Returns the list or map that collects a row's fields. */
static struct value *
collection(struct protobuf_reader *reader, struct value *object, const struct field *row)
{
    struct value *found = value_member(object, row->name);

    if (found == NULL) {
        found = value_new(reader->arena, row->form == PRUNE_LIST ? VALUE_LIST : VALUE_OBJECT);
        value_put(object, row->name, found);
    }
    return found;
}

static bool
read_item(struct protobuf_reader *reader, const struct message_spot *spot, const struct field *row,
          const struct wire_field *field, struct value *list)
{
    struct message_spot item = {.index = value_count(list), .outer = spot};
    struct value *value;

    if (!read_value(reader, &item, row, field, &value)) {
        return false;
    }
    if (value != NULL) {
        value_append(list, value);
    }
    return true;
}

static bool
read_list(struct protobuf_reader *reader, const struct message_spot *spot, const struct field *row,
          const struct wire_field *field, struct value *list)
{
    bool is_packed = wire_type_of(row->wire) == WIRE_VARINT && field->type == WIRE_BYTES;
    struct wire wire = wire_of(field->bytes, field->length);
    struct wire_field item = {.number = field->number, .type = WIRE_VARINT, .bytes = ""};

    if (!is_packed) {
        return read_item(reader, spot, row, field, list);
    }
    while (wire_next_integer(&wire, &item.integer)) {
        if (!read_item(reader, spot, row, &item, list)) {
            return false;
        }
    }
    return wire.fault == NULL || fail(reader, spot, wire.fault);
}

/* Reads an entry of a map, {key = 1, value = 2}. An empty key or value may be left out. */
static bool
read_entry(struct protobuf_reader *reader, const struct message_spot *spot, const struct field *row,
           const struct wire_field *field, struct value *map)
{
    struct wire_field key_field, value_field;
    struct value *value = NULL;

    if (field->type != WIRE_BYTES) {
        return fail(reader, spot, "the field is of the wrong wire type");
    }
    if (!find_last(reader, spot, field, 1, WIRE_BYTES, &key_field) ||
        !find_last(reader, spot, field, 2, WIRE_BYTES, &value_field)) {
        return false;
    }
    value_field.type = WIRE_BYTES;
    struct value *key = read_text(reader, spot, key_field.bytes, key_field.length);

    if (key == NULL) {
        return false;
    }
    struct message_spot inner = {.name = value_string(key), .outer = spot};

    if (!read_value(reader, &inner, row, &value_field, &value)) {
        return false;
    }
    value_put(map, inner.name, value);
    return true;
}

static bool
read_one(struct protobuf_reader *reader, const struct message_spot *spot, const struct field *row,
         const struct wire_field *field, struct value *object)
{
    struct value *value = row->wire == PROTOBUF_MESSAGE ? value_member(object, row->name) : NULL;

    if (value != NULL) { /* a message given twice is merged */
        if (field->type != WIRE_BYTES) {
            return fail(reader, spot, "the field is of the wrong wire type");
        }
        return read_message(reader, spot, row->table, field->bytes, field->length, value);
    }
    if (!read_value(reader, spot, row, field, &value)) {
        return false;
    }
    value_put(object, row->name, value);
    return true;
}

static bool
read_inline(struct protobuf_reader *reader, const struct message_spot *spot,
            const struct field *row, const struct wire_field *field, struct value *object)
{
    return field->type == WIRE_BYTES
               ? read_message(reader, spot, row->table, field->bytes, field->length, object)
               : fail(reader, spot, "the field is of the wrong wire type");
}

static bool
read_field(struct protobuf_reader *reader, const struct message_spot *spot, const struct field *row,
           const struct wire_field *field, struct value *object)
{
    struct message_spot inner = {.name = row->name, .outer = spot};

    if (row->wire == PROTOBUF_INLINE) {
        return read_inline(reader, spot, row, field, object);
    }
    switch (row->form) {
    case PRUNE_LIST:
        return read_list(reader, &inner, row, field, collection(reader, object, row));
    case PRUNE_MAP:
    case PRUNE_CHOSEN:
        return read_entry(reader, &inner, row, field, collection(reader, object, row));
    default:
        return read_one(reader, &inner, row, field, object);
    }
}

/* Returns the row of that number, or the last row. Starts at the previous field's row: items of a
 * list follow each other, and fields mostly come in the table's order. */
static const struct field *
find_row(const struct field *table, const struct field *from, uint32_t number)
{
    const struct field *row = from;

    while (row->name != NULL && row->number != number) {
        row++;
    }
    for (const struct field *early = table; row->name == NULL && early < from; early++) {
        if (early->number == number) {
            return early;
        }
    }
    return row;
}

static bool
read_message(struct protobuf_reader *reader, const struct message_spot *spot,
             const struct field *message, const char *bytes, size_t length, struct value *object)
{
    struct wire wire = wire_of(bytes, length);
    const struct field *row = message;
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        row = find_row(message, row, field.number);

        if (row->name != NULL && !read_field(reader, spot, row, &field, object)) {
            return false;
        }
    }
    return wire.fault == NULL || fail(reader, spot, wire.fault);
}

struct value *
protobuf_message_read(struct arena *arena, const struct field *message, const size_t *index,
                      const char *bytes, size_t length, struct error *err)
{
    const struct message_spot items = {.name = index == NULL ? "" : "items", .outer = NULL};
    const struct message_spot item = {.index = index == NULL ? 0 : *index, .outer = &items};
    struct protobuf_reader reader = {.arena = arena, .err = err};
    struct value *object = value_new(arena, VALUE_OBJECT);

    buf_init(&reader.text, 3 * (size_t)STREAM_OBJECT_MAX);
    if (!read_message(&reader, index == NULL ? &items : &item, message, bytes, length, object)) {
        object = NULL;
    }
    buf_release(&reader.text);
    return object;
}
