/* SPDX-License-Identifier: Apache-2.0
 *
 * Building values, in an arena. What is put into a list or an object is not
 * copied: it lives as long as the arena, and names do.
 */
#ifndef BALLAST_FORMAT_VALUE_BUILD_H
#define BALLAST_FORMAT_VALUE_BUILD_H

#include "ballast/base/arena.h"
#include "ballast/format/value.h"

/* JSON text that begins in the middle of a line, or that lacks `gap` lines behind the line
 * `gap_after`. `depth_is_checked`: the caller has checked VALUE_DEPTH_MAX. */
struct json_text {
    const char *bytes;
    size_t length;
    size_t first_line, first_column;
    size_t gap_after, gap;
    bool depth_is_checked;
};
/* Parses a text into values in the arena. NULL with err, which has the place in the whole text. */
const struct value *value_parse_json(struct arena *arena, struct json_text *text,
                                     struct error *err);
/* Makes a document of a value and its arena, which the document then owns. */
struct document *document_new(struct arena *arena, const struct value *root);

/* Makes a null, an empty list or an empty object. */
struct value *value_new(struct arena *arena, enum value_type type);
/* Makes a boolean. */
struct value *value_new_bool(struct arena *arena, bool b);
/* Makes an integer. */
struct value *value_new_integer(struct arena *arena, int64_t integer);
/* Makes a real number; NULL if it is not finite. */
struct value *value_new_real(struct arena *arena, double real);
/* Makes a string from a copy of the bytes; NULL if they are not UTF-8 or hold a NUL. */
struct value *value_new_string(struct arena *arena, const char *text, size_t length);
/* Copies a value with all its content, names too. */
struct value *value_copy(struct arena *arena, const struct value *value);

/* Appends an item to a list. */
void value_append(struct value *list, const struct value *item);
/* Sets a member of an object; a new member becomes the last one. NULL removes it. */
void value_put(struct value *object, const char *key, const struct value *item);
/* Sets a member to a copy of a text; a text that is not UTF-8 removes the member. */
void value_put_text(struct value *object, const char *key, const char *text);
/* Returns a member of an object under construction; NULL if there is none. */
struct value *value_member(struct value *object, const char *key);

/* Merges a JSON merge patch (RFC 7386) into `target` (NULL: absent). The result shares parts. */
const struct value *value_merge(struct arena *arena, const struct value *target,
                                const struct value *patch);

/* Records the place of a value in a text or, with `key`, of that member's name. */
void value_set_place(struct value *value, const char *key, size_t line, size_t column);

#endif
