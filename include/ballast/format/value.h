/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoded JSON and YAML values, read-only. A value lives in an arena, mostly that
 * of a document, and as long as the arena.
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

/* Parses one JSON text, whose first byte is in line `first_line` for errors. NULL with err. */
struct document *document_parse_json(const char *text, size_t length, size_t first_line,
                                     struct error *err);
/* Frees a document with all its values. NULL is fine. */
void document_free(struct document *document);
/* Overwrites all values of a document, which may be secrets, and frees it. NULL is fine. */
void document_free_wiped(struct document *document);
/* Returns the outermost value of a document. */
const struct value *document_root(const struct document *document);

/* Returns the type of a value; VALUE_NULL for NULL. */
enum value_type value_type(const struct value *value);
/* Returns the name of a type for messages: "integer", "string", "object", ... */
const char *value_type_name(enum value_type type);
/* True if the value is the boolean true. */
bool value_bool(const struct value *value);
/* Returns the number of an INTEGER; 0 for other values and NULL. */
int64_t value_integer(const struct value *value);
/* Returns the number of an INTEGER or a REAL; 0 for other values and NULL. */
double value_real(const struct value *value);
/* Returns the NUL-terminated text of a STRING; NULL for other values and NULL. */
const char *value_string(const struct value *value);
/* Returns the length of a STRING in bytes; 0 for other values and NULL. */
size_t value_string_length(const struct value *value);
/* Returns the number of items of a LIST or members of an OBJECT; 0 for other values and NULL. */
size_t value_count(const struct value *value);
/* Returns an item of a LIST; NULL if `list` is no list (or NULL) or too short. */
const struct value *value_at(const struct value *list, size_t index);
/* Returns a member of an OBJECT; NULL if `object` is no object (or NULL) or lacks the key. */
const struct value *value_get(const struct value *object, const char *key);
/* Returns the member if it is of the type, else NULL. */
static inline const struct value *
value_find(const struct value *object, const char *key, enum value_type type)
{
    const struct value *member = value_get(object, key);

    return member != NULL && value_type(member) == type ? member : NULL;
}
/* Returns the text of a string member; "" if there is none. */
static inline const char *
value_text(const struct value *object, const char *key)
{
    const struct value *member = value_find(object, key, VALUE_STRING);

    return member != NULL ? value_string(member) : "";
}

/* Members of an object in the order of the source:
 *
 *     for (struct value_iterator it = VALUE_ITERATOR(object); value_each(&it);) {
 */
struct value_iterator {
    const struct value *object;
    size_t next;
    const char *key; /* of the current member */
    const struct value *value;
};
/* Goes on to the next member. False at the end, or if `object` is no object (or NULL). */
bool value_each(struct value_iterator *it);
#define VALUE_ITERATOR(object_)                                                                    \
    {                                                                                              \
        .object = (object_), .next = 0                                                             \
    }

/* Gets the place of a value in its YAML text or, with `key`, of that member's name (both from 1).
 * False if the value is null or a boolean, lacks the member, or comes from no YAML text. */
bool value_position(const struct value *value, const char *key, size_t *ret_line,
                    size_t *ret_column);
/* True if two values have the same type and content, with members in any order. */
bool value_equal(const struct value *a, const struct value *b);
/* Returns the result of a JSON merge patch (RFC 7386) for `target` (NULL: absent). The result
 * shares nothing with them. */
struct document *document_merge(const struct value *target, const struct value *patch);

/* Appends compact JSON. With sorted keys, equal values give equal bytes. */
void value_write_json(const struct value *value, bool sort_keys, struct buf *out);

/* Returns the version of jansson in use: "2.14". */
const char *value_library_version(void);

#endif
