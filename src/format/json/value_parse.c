/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON texts into values: by our own reader, and by jansson where that refuses
 * one. jansson's own nesting limit (2048) is beyond what our callers' recursion
 * should see, so depth is checked on the text before it is parsed.
 */
#include <jansson.h>
#include <string.h>

#include "ballast/format/value_build.h"
#include "project.h"
#include "scan.h"
#include "value_form.h"

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

/* Overwrites the string in jansson's memory: it may be a secret. */
static struct value *
take_string(struct arena *arena, json_t *json)
{
    const size_t length = json_string_length(json);
    struct value *string = value_new_string(arena, json_string_value(json), length);

    explicit_bzero((char *)json_string_value(json), length);
    return string;
}

/* VALUE_DEPTH_MAX limits the recursion. */
static struct value *
take_value(struct arena *arena, json_t *json)
{
    struct value *value = NULL;
    const char *key;
    json_t *item;
    size_t index;

    switch (json_typeof(json)) {
    case JSON_OBJECT:
        value = value_with_room(arena, VALUE_OBJECT, json_object_size(json));
        json_object_foreach(json, key, item)
        {
            value_put(value, arena_strndup(arena, key, strlen(key)), take_value(arena, item));
        }
        return value;
    case JSON_ARRAY:
        value = value_with_room(arena, VALUE_LIST, json_array_size(json));
        json_array_foreach(json, index, item)
        {
            value_append(value, take_value(arena, item));
        }
        return value;
    case JSON_STRING:
        return take_string(arena, json);
    case JSON_INTEGER:
        return value_new_integer(arena, json_integer_value(json));
    case JSON_REAL:
        return value_new_real(arena, json_real_value(json));
    case JSON_NULL:
        return value_new(arena, VALUE_NULL);
    case JSON_TRUE:
    case JSON_FALSE:
    default:
        return value_new_bool(arena, json_is_true(json));
    }
}

const struct value *
value_parse_json(struct arena *arena, struct json_text *text, struct error *err)
{
    const struct value *value = project_whole(arena, text->bytes, text->length);
    json_error_t json_error;

    if (value != NULL || (!text->depth_is_checked && !check_depth(text, err))) {
        return value;
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
    value = take_value(arena, root);
    json_decref(root);
    return value;
}

struct document *
document_parse_json(const char *text, size_t length, size_t first_line, struct error *err)
{
    struct json_text whole = {
        .bytes = text, .length = length, .first_line = first_line, .first_column = 1};

    struct arena *arena = arena_new();
    const struct value *root = value_parse_json(arena, &whole, err);

    if (root == NULL) {
        arena_free(arena);
    }
    return root != NULL ? document_new(arena, root) : NULL;
}

const char *
value_library_version(void)
{
    return jansson_version_str();
}
