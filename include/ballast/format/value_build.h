/* SPDX-License-Identifier: Apache-2.0
 *
 * Building values, in an arena. What is put into a list or an object is not
 * copied: it lives as long as the arena, and names do.
 */
#ifndef BALLAST_FORMAT_VALUE_BUILD_H
#define BALLAST_FORMAT_VALUE_BUILD_H

#include "ballast/base/arena.h"
#include "ballast/format/value.h"

/* A JSON text that begins in the middle of a line, or of which `gap` lines behind the line
 * `gap_after` have been left out. With `depth_is_checked` the caller vouches that brackets nest no
 * deeper than VALUE_DEPTH_MAX. */
struct json_text {
    const char *bytes;
    size_t length;
    size_t first_line, first_column;
    size_t gap_after, gap;
    bool depth_is_checked;
};
/* Parses such a text into values in the arena; NULL with err, which says the place in the whole
 * text. */
const struct value *value_parse_json(struct arena *arena, struct json_text *text,
                                     struct error *err);
/* Makes a document of a value and the arena that it lives in, which the document then owns. */
struct document *document_new(struct arena *arena, const struct value *root);

/* Makes a null, an empty list or an empty object. */
struct value *value_new(struct arena *arena, enum value_type type);
/* Makes a boolean. */
struct value *value_new_bool(struct arena *arena, bool b);
/* Makes an integer. */
struct value *value_new_integer(struct arena *arena, int64_t integer);
/* Makes a real number; NULL when it is not finite. */
struct value *value_new_real(struct arena *arena, double real);
/* Makes a string of a copy of the bytes; NULL when they are not UTF-8 or hold a NUL. */
struct value *value_new_string(struct arena *arena, const char *text, size_t length);
/* Copies a value with all that is in it, names too. */
struct value *value_copy(struct arena *arena, const struct value *value);

/* Appends an item to a list. */
void value_append(struct value *list, const struct value *item);
/* Sets a member of an object: a new one behind all others. NULL removes it. */
void value_put(struct value *object, const char *key, const struct value *item);
/* Sets a member to a copy of a text; one that is not UTF-8 removes it. */
void value_put_text(struct value *object, const char *key, const char *text);
/* The member of an object that is still being built; NULL when there is none. */
struct value *value_member(struct value *object, const char *key);

/* The value that `target` (NULL: absent) becomes by a JSON merge patch (RFC 7386), parts of both
 * among its own. */
const struct value *value_merge(struct arena *arena, const struct value *target,
                                const struct value *patch);

/* Says where a value stands in a text or, with `key`, the name of its member. */
void value_set_place(struct value *value, const char *key, size_t line, size_t column);

#endif
