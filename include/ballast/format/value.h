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

/* Parses one JSON text. `first_line` is the line number of its first byte, for errors. NULL with
 * err where the text is no JSON. */
struct document *document_parse_json(const char *text, size_t length, size_t first_line,
                                     struct error *err);
/* Frees a document with all its values. NULL is fine. */
void document_free(struct document *document);
/* Overwrites all values of a document before it frees them: for documents that hold secrets. NULL
 * is fine. */
void document_free_wiped(struct document *document);
/* The outermost value of a document. */
const struct value *document_root(const struct document *document);

/* What a value is; of NULL VALUE_NULL. */
enum value_type value_type(const struct value *value);
/* The name of a type for messages: "integer", "string", "object", ... */
const char *value_type_name(enum value_type type);
/* Whether a value is the boolean true. */
bool value_bool(const struct value *value);
/* The number of an INTEGER; 0 of any other value, and of NULL. */
int64_t value_integer(const struct value *value);
/* The number of an INTEGER or a REAL; 0 of any other value, and of NULL. */
double value_real(const struct value *value);
/* The text of a STRING with NUL behind it; NULL of any other value, and of NULL. */
const char *value_string(const struct value *value);
/* The bytes of a STRING; 0 of any other value, and of NULL. */
size_t value_string_length(const struct value *value);
/* The items of a LIST or the members of an OBJECT; 0 of any other value, and of NULL. */
size_t value_count(const struct value *value);
/* The item of a LIST; NULL when `list` is no list (or NULL), or the index is beyond its end. */
const struct value *value_at(const struct value *list, size_t index);
/* The member of an OBJECT; NULL when `object` is no object (or NULL) or has no such member. */
const struct value *value_get(const struct value *object, const char *key);
/* The member of an object, if it is of that type; NULL otherwise. */
static inline const struct value *
value_find(const struct value *object, const char *key, enum value_type type)
{
    const struct value *member = value_get(object, key);

    return member != NULL && value_type(member) == type ? member : NULL;
}
/* The text of a member; "" when it has none. */
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
    const char *key; /* of the member that value_each has come to */
    const struct value *value;
};
/* Goes on to the next member; false when there is no more, or when `object` is none (or NULL). */
bool value_each(struct value_iterator *it);
#define VALUE_ITERATOR(object_)                                                                    \
    {                                                                                              \
        .object = (object_), .next = 0                                                             \
    }

/* Where in its YAML text a value stands or, with `key`, the name of its member (both from 1).
 * False: it is null or a boolean, there is no such member, or it comes from elsewhere. */
bool value_position(const struct value *value, const char *key, size_t *ret_line,
                    size_t *ret_column);
/* Whether two values have the same type and content; the order of members does not count. */
bool value_equal(const struct value *a, const struct value *b);
/* Makes what a JSON merge patch (RFC 7386) makes of `target` (NULL: absent). Both stay as they
 * are, and the document outlives them. */
struct document *document_merge(const struct value *target, const struct value *patch);

/* Appends compact JSON; with sorted keys when asked (then equal values give equal bytes). */
void value_write_json(const struct value *value, bool sort_keys, struct buf *out);

/* The version of the jansson that is in use: "2.14". */
const char *value_library_version(void);

#endif
