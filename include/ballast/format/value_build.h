/* SPDX-License-Identifier: Apache-2.0
 *
 * Building values: for the YAML reader and for merge patches only. The caller
 * owns a new value, until it puts it into a list, an object or a document, or
 * drops it.
 */
#ifndef BALLAST_FORMAT_VALUE_BUILD_H
#define BALLAST_FORMAT_VALUE_BUILD_H

#include "ballast/format/value.h"

/* A JSON text that is a part of a larger one. */
struct json_text {
    const char *bytes;
    size_t length;
    size_t first_line, first_column; /* of the first byte, for errors */
    size_t gap_after, gap;           /* `gap` lines behind line `gap_after` were left out */
    bool depth_is_checked;           /* brackets nest no deeper than VALUE_DEPTH_MAX */
};
/* Parses the text as document_parse_json() does. Errors name places in the larger text. */
struct document *document_parse_json_text(struct json_text *text, struct error *err);

/* Returns a new null. */
struct value *value_new_null(void);
/* Returns a new boolean. */
struct value *value_new_bool(bool b);
/* Returns a new integer. */
struct value *value_new_integer(int64_t integer);
/* Returns a new real; NULL if the number is not finite. */
struct value *value_new_real(double real);
/* Returns a new string; NULL if the text is not UTF-8 or holds a NUL. */
struct value *value_new_string(const char *text, size_t length);
/* Returns a new, empty list. */
struct value *value_new_list(void);
/* Returns a new, empty object. */
struct value *value_new_object(void);
/* Returns the value for one more owner, who drops it. Copies a value of a stream. */
struct value *value_share(const struct value *value);
/* Ends an ownership. The last owner frees the value. NULL is fine. */
void value_drop(struct value *value);

/* Appends an item to a list, and takes over the item. */
void value_append(struct value *list, struct value *item);
/* Sets a member of an object, and takes over the item. False if the key is not UTF-8: then the item
 * is dropped. */
bool value_put(struct value *object, const char *key, struct value *item);
/* Returns a member of an object under construction, which still owns it; NULL without one. */
struct value *value_member(struct value *object, const char *key);
/* Removes a member of an object, if there is one. */
void value_delete(struct value *object, const char *key);
/* Returns a new object with the members of `object`. */
struct value *value_copy_object(const struct value *object);

/* Returns a document that takes over `root`, and `extra`, which it frees with free_extra() (NULL:
 * never). */
struct document *document_new(struct value *root, void *extra, void (*free_extra)(void *extra));
/* Returns `extra` of document_new(), which the document still owns. */
void *document_extra(const struct document *document);

/* Returns the value that a merge patch (RFC 7386) makes of `target` (NULL: absent); the caller owns
 * it. Target and patch stay unchanged. */
struct value *value_merge(const struct value *target, const struct value *patch);

#endif
