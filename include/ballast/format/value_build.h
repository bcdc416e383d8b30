/* SPDX-License-Identifier: Apache-2.0
 *
 * Building values: for the YAML reader and for merge patches only. What is
 * built is owned by whoever holds it until it is put into a list, an object or
 * a document.
 */
#ifndef BALLAST_FORMAT_VALUE_BUILD_H
#define BALLAST_FORMAT_VALUE_BUILD_H

#include "ballast/format/value.h"

/* As document_parse_json for a text that begins in the middle of a line, or of which `gap` lines
 * behind the line `gap_after` have been left out. With `depth_is_checked` the caller vouches that
 * brackets nest no deeper than VALUE_DEPTH_MAX. */
struct json_text {
    const char *bytes;
    size_t length;
    size_t first_line, first_column;
    size_t gap_after, gap;
    bool depth_is_checked;
};
struct document *document_parse_json_text(struct json_text *text, struct error *err);

struct value *value_new_null(void);
struct value *value_new_bool(bool b);
struct value *value_new_integer(int64_t integer);
struct value *value_new_real(double real); /* NULL when not finite */
/* NULL when the text is not UTF-8 or holds a NUL. */
struct value *value_new_string(const char *text, size_t length);
struct value *value_new_list(void);
struct value *value_new_object(void);
/* One more owner of the same value. */
struct value *value_share(const struct value *value);
void value_drop(struct value *value); /* NULL is fine */

/* Both take over `item`. The key must be UTF-8 without NUL (false otherwise, `item` is dropped). */
void value_append(struct value *list, struct value *item);
bool value_put(struct value *object, const char *key, struct value *item);
/* A member that is still being built; NULL when there is none. */
struct value *value_member(struct value *object, const char *key);
void value_delete(struct value *object, const char *key);
/* An object with the same members. */
struct value *value_copy_object(const struct value *object);

/* A document that owns `root`, and `extra` with it (freed by `free_extra`). */
struct document *document_new(struct value *root, void *extra, void (*free_extra)(void *extra));
void *document_extra(const struct document *document);

/* RFC 7386: the value that `target` (NULL: absent) becomes by `patch`. */
struct value *value_merge(const struct value *target, const struct value *patch);

#endif
