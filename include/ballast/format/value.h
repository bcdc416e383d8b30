/* SPDX-License-Identifier: Apache-2.0
 *
 * One decoded JSON or YAML value, read-only. Only this interface and its source
 * files know the JSON library, so that another one can replace it. A value lives
 * as long as its document, or as the stream says.
 *
 * Documents are untrusted: nesting is bounded (VALUE_DEPTH_MAX), texts must be
 * UTF-8 without NUL, integers fit int64, object keys are unique. Errors begin
 * with where in the text: "12:5: duplicate object key".
 */
#ifndef BALLAST_FORMAT_VALUE_H
#define BALLAST_FORMAT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"

#define VALUE_DEPTH_MAX 200

struct value;    /* opaque */
struct document; /* owns a tree of values */

enum value_type {
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_INTEGER,
    VALUE_REAL,
    VALUE_STRING,
    VALUE_LIST,
    VALUE_OBJECT,
};

/* Parses one JSON text, whose first byte is in line `first_line` for errors. Returns a document
 * that the caller frees; NULL with err if malformed. */
struct document *document_parse_json(const char *text, size_t length, size_t first_line,
                                     struct error *err);
/* Frees a document and its values. NULL is fine. */
void document_free(struct document *document);
/* Overwrites the strings of a document that may hold secrets, then frees it. NULL is fine. */
void document_free_wiped(struct document *document);
/* Returns the document's value. Never NULL. */
const struct value *document_root(const struct document *document);

/* Returns the type of a value, which is not NULL. */
enum value_type value_type(const struct value *value);
/* Returns the name of a type for messages: "integer", "string", "object", ... */
const char *value_type_name(enum value_type type);
/* True if the value is the boolean true. */
bool value_bool(const struct value *value);
/* Returns an INTEGER's value; 0 for other types. */
int64_t value_integer(const struct value *value);
/* Returns an INTEGER's or REAL's value; 0 for other types. */
double value_real(const struct value *value);
/* Returns a STRING's NUL-terminated text; NULL for other types. */
const char *value_string(const struct value *value);
/* Returns the bytes of a STRING's text; 0 for other types. */
size_t value_string_length(const struct value *value);
/* Returns the number of a LIST's items or an OBJECT's members; 0 for other types and NULL. */
size_t value_count(const struct value *value);
/* Returns an item of a LIST, from 0; NULL beyond its end, and for other types and NULL. */
const struct value *value_at(const struct value *list, size_t index);
/* Returns a member of an OBJECT; NULL without such a member, and for other types and NULL. */
const struct value *value_get(const struct value *object, const char *key);
/* Returns a member of that type; NULL without one. */
static inline const struct value *
value_find(const struct value *object, const char *key, enum value_type type)
{
    const struct value *member = value_get(object, key);

    return member != NULL && value_type(member) == type ? member : NULL;
}
/* Returns the text of a member that is a STRING; "" without one. */
static inline const char *
value_text(const struct value *object, const char *key)
{
    const struct value *member = value_find(object, key, VALUE_STRING);

    return member != NULL ? value_string(member) : "";
}

/* A walk over the members of an object, in the order of the source. */
struct value_iterator {
    void *state;
    const struct value *object;
};
/* Gives the next member of it->object. False after the last one, and if it is no object. */
bool value_each(struct value_iterator *it, const char **ret_key, const struct value **ret_value);
#define VALUE_ITERATOR(object_)                                                                    \
    {                                                                                              \
        .state = NULL, .object = (object_)                                                         \
    }

/* True if both values have equal types and contents, in whatever order members are. Neither is
 * NULL. */
bool value_equal(const struct value *a, const struct value *b);
/* Returns a document with `target` (NULL: absent) changed by a JSON merge patch (RFC 7386); the
 * caller frees it. Target and patch stay unchanged. */
struct document *document_merge(const struct value *target, const struct value *patch);

/* Appends the value as compact JSON. With sort_keys, equal values give equal bytes. */
void value_write_json(const struct value *value, bool sort_keys, struct buf *out);

/* Returns the version of the jansson in use: "2.14". */
const char *value_library_version(void);

#endif
