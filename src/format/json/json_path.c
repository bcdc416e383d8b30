/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSONPath template over one value: see json_path.h.
 */
#include "ballast/format/json_path.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/format/value_text.h"

#define NAME_MAX_LENGTH 256

struct path {
    const char *template; /* for messages */
    const char *at;       /* unread part */
    struct error *err;
    const struct json_path_visitor *visitor; /* NULL: none */
};

static void
visit(const struct path *path, const struct value *parent, const char *name, size_t index)
{
    if (path->visitor != NULL) {
        path->visitor->visit(path->visitor->context, parent, name, index);
    }
}

static bool
refuse(const struct path *path, const char *what)
{
    return error_set(path->err, ERROR_INVALID, "JSONPath \"%s\": %s", path->template, what);
}

static bool
is_missing(const struct path *path, const char *name)
{
    return error_set(path->err, ERROR_INVALID, "JSONPath \"%s\": %s is not found", path->template,
                     name);
}

static const struct value *
member(const struct path *path, const struct value *value, const char *name)
{
    const struct value *found = value != NULL ? value_get(value, name) : NULL;

    if (found == NULL) {
        is_missing(path, name);
    } else {
        visit(path, value, name, 0);
    }
    return found;
}

/* Reads ".name" from behind the dot. */
static const struct value *
read_member(struct path *path, const struct value *value)
{
    char name[NAME_MAX_LENGTH];
    size_t length = strcspn(path->at, ".,[]$@{}()\\*?'\" \t");

    if (length == 0 || length >= sizeof(name)) {
        refuse(path, "only members and indices are understood, such as {.a.b[0]}");
        return NULL;
    }
    memcpy(name, path->at, length);
    name[length] = '\0';
    path->at += length;
    return member(path, value, name);
}

/* Reads "'name']". */
static const struct value *
read_quoted(struct path *path, const struct value *value)
{
    char name[NAME_MAX_LENGTH];
    char quote = *path->at++;
    const char *end = strchr(path->at, quote);
    size_t length = end != NULL ? (size_t)(end - path->at) : 0;

    if (length == 0 || length >= sizeof(name) || end[1] != ']' ||
        memchr(path->at, '\\', length) != NULL) {
        refuse(path, "a name in brackets is not understood");
        return NULL;
    }
    memcpy(name, path->at, length);
    name[length] = '\0';
    path->at = end + 2;
    return member(path, value, name);
}

/* Reads "0]"; "-1]" counts from the end. */
static const struct value *
read_index(struct path *path, const struct value *value)
{
    char *end = NULL;
    long index = strtol(path->at, &end, 10);
    bool is_number = isdigit((unsigned char)path->at[0]) ||
                     (path->at[0] == '-' && isdigit((unsigned char)path->at[1]));

    if (!is_number || *end != ']') {
        refuse(path, "only members and indices are understood, such as {.a.b[0]}");
        return NULL;
    }
    if (value == NULL || value_type(value) != VALUE_LIST) {
        refuse(path, "an index into what is no list");
        return NULL;
    }
    size_t count = value_count(value);

    path->at = end + 1;
    if (index < 0 && index >= -(long)count) {
        index += (long)count;
    }
    if (index < 0 || (size_t)index >= count) {
        refuse(path, "the list is shorter than the index");
        return NULL;
    }
    visit(path, value, NULL, (size_t)index);
    return value_at(value, (size_t)index);
}

static const struct value *
read_step(struct path *path, const struct value *value)
{
    char first = *path->at++;

    if (first == '.') {
        return read_member(path, value);
    }
    if (first == '[' && (*path->at == '\'' || *path->at == '"')) {
        return read_quoted(path, value);
    }
    if (first == '[') {
        return read_index(path, value);
    }
    refuse(path, "only members and indices are understood, such as {.a.b[0]}");
    return NULL;
}

static bool
print(const struct path *path, const struct value *value, struct buf *out)
{
    switch (value_type(value)) {
    case VALUE_STRING:
        buf_append(out, value_string(value), value_string_length(value));
        return true;
    case VALUE_INTEGER:
        buf_printf(out, "%" PRId64, value_integer(value));
        return true;
    case VALUE_BOOL:
        buf_append_str(out, value_bool(value) ? "true" : "false");
        return true;
    case VALUE_REAL:
        text_write_real(value_real(value), out);
        return true;
    case VALUE_NULL:
    case VALUE_LIST:
    case VALUE_OBJECT:
        break;
    }
    return error_set(path->err, ERROR_INVALID, "JSONPath \"%s\": what it names is no text but %s",
                     path->template, value_type_name(value_type(value)));
}

/* Reads an action from behind its opening brace. */
static bool
print_action(struct path *path, const struct value *root, struct buf *out)
{
    const struct value *value = root;
    const char *begin;

    if (*path->at == '$' || *path->at == '@') {
        path->at++;
    }
    begin = path->at;
    while (*path->at != '}') {
        if (*path->at == '\0') {
            return refuse(path, "a brace is not closed");
        }
        value = read_step(path, value);
        if (value == NULL) {
            return false;
        }
    }
    if (path->at == begin || value == NULL) {
        return refuse(path, "braces without a path");
    }
    path->at++;
    return print(path, value, out);
}

static bool
print_template(struct path *path, const struct value *root, struct buf *out)
{
    if (strlen(path->template) > JSON_PATH_MAX) {
        return error_set(path->err, ERROR_INVALID, "a JSONPath of more than %d bytes",
                         JSON_PATH_MAX);
    }
    while (*path->at != '\0') {
        size_t text = strcspn(path->at, "{");

        buf_append(out, path->at, text);
        path->at += text;
        if (*path->at == '{') {
            path->at++;
            if (!print_action(path, root, out)) {
                return false;
            }
        }
    }
    return out->length <= JSON_PATH_MAX && !out->overflowed
               ? true
               : refuse(path, "what it names is too long for a label");
}

bool
json_path_print(const char *template, const struct value *root, struct buf *out, struct error *err)
{
    struct path path = {.template = template, .at = template, .err = err};

    return print_template(&path, root, out);
}

void
json_path_visit(const char *template, const struct value *root,
                const struct json_path_visitor *visitor)
{
    struct error ignored = ERROR_INIT;
    struct path path = {.template = template, .at = template, .err = &ignored, .visitor = visitor};
    struct buf unused;

    buf_init(&unused, JSON_PATH_MAX);
    print_template(&path, root, &unused);
    buf_release(&unused);
}
