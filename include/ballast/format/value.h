/* SPDX-License-Identifier: Apache-2.0
 *
 * One decoded JSON or YAML value, read-only. This interface and its source file
 * are the only places that know the JSON engine under it, so that it can be
 * swapped. A value lives until its document is freed.
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

/* One JSON text. `first_line` is the line number of its first byte, for errors. */
struct document *document_parse_json(const char *text, size_t length, size_t first_line,
                                     struct error *err);
void document_free(struct document *document); /* NULL is fine */
/* As document_free, and no text of it stays behind in memory: for documents that hold secrets. */
void document_free_wiped(struct document *document);
const struct value *document_root(const struct document *document);

enum value_type value_type(const struct value *value);
const char *value_type_name(enum value_type type); /* "integer", "string", "object", ... */
bool value_bool(const struct value *value);
int64_t value_integer(const struct value *value); /* of an INTEGER */
double value_real(const struct value *value);     /* of an INTEGER or REAL */
const char *value_string(const struct value *value);
size_t value_string_length(const struct value *value);
size_t value_count(const struct value *value); /* of a LIST or OBJECT, else 0 */
const struct value *value_at(const struct value *list, size_t index);
/* NULL when `object` is no object (or NULL) or has no such member. */
const struct value *value_get(const struct value *object, const char *key);
/* The same when the member is of another type. */
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

/* Members of an object in the order of the source. */
struct value_iterator {
    void *state;
    const struct value *object;
};
bool value_each(struct value_iterator *it, const char **ret_key, const struct value **ret_value);
#define VALUE_ITERATOR(object_)                                                                    \
    {                                                                                              \
        .state = NULL, .object = (object_)                                                         \
    }

/* The same type and content; the order of members does not count. */
bool value_equal(const struct value *a, const struct value *b);
/* What a JSON merge patch (RFC 7386) makes of `target` (NULL: absent). Both stay as they are. */
struct document *document_merge(const struct value *target, const struct value *patch);

/* Appends compact JSON; with sorted keys when asked (then equal values give equal bytes). */
void value_write_json(const struct value *value, bool sort_keys, struct buf *out);

/* Of the jansson that is in use: "2.14". */
const char *value_library_version(void);

#endif
