/* SPDX-License-Identifier: Apache-2.0
 *
 * Values over jansson: a struct value is a json_t under another name, or a node
 * (see value_node.h), which is read only. jansson's own nesting limit (2048) is beyond
 * what our callers' recursion should see, so depth is checked on the text before
 * it is parsed.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/format/value_build.h"
#include "scan.h"
#include "value_node.h"

struct document {
    json_t *root;
    void *extra;
    void (*free_extra)(void *extra);
};

static const json_t *
as_json(const struct value *value)
{
    return (const json_t *)(const void *)value;
}

static json_t *
as_mutable_json(const struct value *value)
{
    union {
        const struct value *in;
        json_t *out;
    } pointer = {.in = value};

    return pointer.out;
}

static struct value *
as_value(json_t *json)
{
    if (json == NULL) {
        out_of_memory();
    }
    return (struct value *)(void *)json;
}

static bool
check_depth(struct json_text *text, struct error *err)
{
    struct scan scan;
    enum scan_stop stop;

    scan_init(&scan,
              (struct text_position){.line = text->first_line, .column = text->first_column});
    for (size_t done = 0; done < text->length && !scan.is_too_deep;) {
        done += scan_text(&scan, text->bytes + done, text->length - done, &stop);
    }
    if (!scan.is_too_deep) {
        return true;
    }
    return error_set(err, ERROR_PARSE, "%zu:%zu: nested more than %d deep", scan.too_deep.line,
                     scan.too_deep.column, VALUE_DEPTH_MAX);
}

static bool
fail_parse(struct json_text *text, json_error_t *json_error, struct error *err)
{
    size_t line = json_error->line > 0 ? (size_t)json_error->line : 1;
    size_t column = json_error->column > 0 ? (size_t)json_error->column : 1;

    if (line == 1) {
        column += text->first_column - 1;
    }
    for (char *c = json_error->text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ') {
            *c = ' ';
        }
    }
    line += text->first_line - 1;
    if (text->gap > 0 && line > text->gap_after) {
        line += text->gap;
    }
    return error_set(err, ERROR_PARSE, "%zu:%zu: %s", line, column, json_error->text);
}

struct document *
document_parse_json_text(struct json_text *text, struct error *err)
{
    json_error_t json_error;

    if (!text->depth_is_checked && !check_depth(text, err)) {
        return NULL;
    }
    json_t *root = json_loadb(text->bytes, text->length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY,
                              &json_error);

    if (root == NULL) {
        if (json_error_code(&json_error) == json_error_out_of_memory) {
            out_of_memory();
        }
        fail_parse(text, &json_error, err);
        return NULL;
    }
    return document_new(as_value(root), NULL, NULL);
}

struct document *
document_parse_json(const char *text, size_t length, size_t first_line, struct error *err)
{
    struct json_text whole = {
        .bytes = text, .length = length, .first_line = first_line, .first_column = 1};

    return document_parse_json_text(&whole, err);
}

struct document *
document_new(struct value *root, void *extra, void (*free_extra)(void *extra))
{
    struct document *document = heap_new(1, sizeof(*document));

    *document =
        (struct document){.root = as_mutable_json(root), .extra = extra, .free_extra = free_extra};
    return document;
}

void
document_free(struct document *document)
{
    if (document == NULL) {
        return;
    }
    json_decref(document->root);
    if (document->free_extra != NULL) {
        document->free_extra(document->extra);
    }
    free(document);
}

/* Depth is bounded by VALUE_DEPTH_MAX. */
static void
wipe(json_t *json)
{
    const char *key;
    json_t *item;
    size_t index;

    if (json_is_string(json)) {
        explicit_bzero((char *)json_string_value(json), json_string_length(json));
    }
    json_array_foreach(json, index, item)
    {
        wipe(item);
    }
    json_object_foreach(json, key, item)
    {
        wipe(item);
    }
}

void
document_free_wiped(struct document *document)
{
    if (document != NULL) {
        wipe(document->root);
    }
    document_free(document);
}

const struct value *
document_root(const struct document *document)
{
    return as_value(document->root);
}

void *
document_extra(const struct document *document)
{
    return document->extra;
}

enum value_type
value_type(const struct value *value)
{
    if (value_is_node(value)) {
        return node_type(as_node(value));
    }
    switch (json_typeof(as_json(value))) {
    case JSON_OBJECT:
        return VALUE_OBJECT;
    case JSON_ARRAY:
        return VALUE_LIST;
    case JSON_STRING:
        return VALUE_STRING;
    case JSON_INTEGER:
        return VALUE_INTEGER;
    case JSON_REAL:
        return VALUE_REAL;
    case JSON_TRUE:
    case JSON_FALSE:
        return VALUE_BOOL;
    case JSON_NULL:
    default:
        return VALUE_NULL;
    }
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
    return value_is_node(value) ? node_is(as_node(value), VALUE_BOOL) && as_node(value)->as.truth
                                : json_is_true(as_json(value));
}

int64_t
value_integer(const struct value *value)
{
    if (value_is_node(value)) {
        return node_is(as_node(value), VALUE_INTEGER) ? as_node(value)->as.integer : 0;
    }
    return json_integer_value(as_json(value));
}

double
value_real(const struct value *value)
{
    return value_is_node(value) ? (double)value_integer(value) : json_number_value(as_json(value));
}

const char *
value_string(const struct value *value)
{
    if (value_is_node(value)) {
        return node_is(as_node(value), VALUE_STRING) ? as_node(value)->as.text : NULL;
    }
    return json_string_value(as_json(value));
}

size_t
value_string_length(const struct value *value)
{
    if (value_is_node(value)) {
        return node_is(as_node(value), VALUE_STRING) ? as_node(value)->count : 0;
    }
    return json_string_length(as_json(value));
}

size_t
value_count(const struct value *value)
{
    if (value_is_node(value)) {
        enum value_type type = value_type(value);

        return type == VALUE_LIST || type == VALUE_OBJECT ? as_node(value)->count : 0;
    }
    return json_is_array(as_json(value)) ? json_array_size(as_json(value))
                                         : json_object_size(as_json(value));
}

const struct value *
value_at(const struct value *list, size_t index)
{
    if (value_is_node(list)) {
        return node_is(as_node(list), VALUE_LIST) && index < as_node(list)->count
                   ? node_value(&as_node(list)->as.items[index])
                   : NULL;
    }
    return (const struct value *)(const void *)json_array_get(as_json(list), index);
}

const struct value *
value_get(const struct value *object, const char *key)
{
    return value_is_node(object)
               ? node_get(as_node(object), key)
               : (const struct value *)(const void *)json_object_get(as_json(object), key);
}

bool
value_each(struct value_iterator *it, const char **ret_key, const struct value **ret_value)
{
    json_t *object = as_mutable_json(it->object);

    if (value_is_node(it->object)) {
        return node_each(it, ret_key, ret_value);
    }

    it->state =
        it->state == NULL ? json_object_iter(object) : json_object_iter_next(object, it->state);
    if (it->state == NULL) {
        return false;
    }
    *ret_key = json_object_iter_key(it->state);
    *ret_value = as_value(json_object_iter_value(it->state));
    return true;
}

struct value *
value_new_null(void)
{
    return as_value(json_null());
}

struct value *
value_new_bool(bool b)
{
    return as_value(json_boolean(b));
}

struct value *
value_new_integer(int64_t integer)
{
    return as_value(json_integer(integer));
}

struct value *
value_new_real(double real)
{
    return (struct value *)(void *)json_real(real);
}

struct value *
value_new_string(const char *text, size_t length)
{
    if (memchr(text, '\0', length) != NULL) {
        return NULL;
    }
    return (struct value *)(void *)json_stringn(text, length);
}

struct value *
value_new_list(void)
{
    return as_value(json_array());
}

struct value *
value_new_object(void)
{
    return as_value(json_object());
}

static struct value *
copy_scalar(const struct value *value)
{
    switch (value_type(value)) {
    case VALUE_BOOL:
        return value_new_bool(value_bool(value));
    case VALUE_INTEGER:
        return value_new_integer(value_integer(value));
    case VALUE_STRING:
        return value_new_string(value_string(value), value_string_length(value));
    default:
        return value_new_null();
    }
}

/* A node as jansson's. Depth is bounded by VALUE_DEPTH_MAX. */
static struct value *
copy_node(const struct value *value)
{
    struct value_iterator it = VALUE_ITERATOR(value);
    const struct value *member;
    struct value *copy;
    const char *key;

    if (value_type(value) == VALUE_LIST) {
        copy = value_new_list();
        for (size_t i = 0; i < value_count(value); i++) {
            value_append(copy, copy_node(value_at(value, i)));
        }
    } else if (value_type(value) == VALUE_OBJECT) {
        copy = value_new_object();
        while (value_each(&it, &key, &member)) {
            value_put(copy, key, copy_node(member));
        }
    } else {
        copy = copy_scalar(value);
    }
    return copy;
}

struct value *
value_share(const struct value *value)
{
    return value_is_node(value) ? copy_node(value) : as_value(json_incref(as_mutable_json(value)));
}

void
value_drop(struct value *value)
{
    json_decref(as_mutable_json(value));
}

void
value_append(struct value *list, struct value *item)
{
    if (json_array_append_new(as_mutable_json(list), as_mutable_json(item)) != 0) {
        out_of_memory();
    }
}

bool
value_put(struct value *object, const char *key, struct value *item)
{
    return json_object_set_new(as_mutable_json(object), key, as_mutable_json(item)) == 0;
}

struct value *
value_member(struct value *object, const char *key)
{
    return (struct value *)(void *)json_object_get(as_json(object), key);
}

void
value_delete(struct value *object, const char *key)
{
    json_object_del(as_mutable_json(object), key);
}

struct value *
value_copy_object(const struct value *object)
{
    return value_is_node(object) ? copy_node(object) : as_value(json_copy(as_mutable_json(object)));
}

bool
value_equal(const struct value *a, const struct value *b)
{
    struct value *x = value_share(a), *y = value_share(b);
    bool is_equal = json_equal(as_json(x), as_json(y)) != 0;

    value_drop(x);
    value_drop(y);
    return is_equal;
}

const char *
value_library_version(void)
{
    return jansson_version_str();
}
