/* SPDX-License-Identifier: Apache-2.0
 *
 * Strings. Model strings are interned: a struct interner has one copy of each,
 * NUL-terminated and immutable, that lives as long as the interner. A string that
 * is absent in the source is "" in the model, never NULL.
 */
#ifndef BALLAST_BASE_STR_H
#define BALLAST_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;
struct interner;

/* Returns an empty interner. interner_free() frees it. */
struct interner *interner_new(void);
/* Frees the interner and all its strings. NULL is fine. */
void interner_free(struct interner *interner);
/* Returns the interned copy of text[0..length), which has no NUL; makes it if there is none. */
const char *intern(struct interner *interner, const char *text, size_t length);
/* Returns the interned copy of a NUL-terminated text; "" for NULL. */
const char *intern_cstr(struct interner *interner, const char *text);
/* Begins a round, for example of one member, whose texts hardly recur in other rounds. The interner
 * finds the round's new texts again only until interner_close(). Rounds do not nest. */
void interner_open(struct interner *interner);
/* Ends a round. Its copies stay; a later intern() of an equal text makes another copy. */
void interner_close(struct interner *interner);
/* Returns about how many bytes the interner takes. */
size_t interner_footprint(const struct interner *interner);

/* Copies of texts, many of them equal. A table of fixed size finds recent texts again. */
struct recent_texts;
/* Returns an empty table. The table and its texts live in the arena. */
struct recent_texts *recent_texts_new(struct arena *arena);
/* Returns a copy of the text in the table's arena: the table's own copy, or a new one. */
const char *recent_text(struct recent_texts *recent, const char *text);

/* True if both texts are equal; quick for two strings of one interner. Neither is NULL. */
static inline bool
str_eq(const char *a, const char *b)
{
    return a == b || strcmp(a, b) == 0;
}

static inline bool
str_is_empty(const char *text)
{
    return text[0] == '\0';
}

/* Formats a text as printf() does and returns it, for free(). */
char *str_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the entry of known[0..count) nearest to `text` by edit distance, ignoring case. NULL if
 * none is near, or if `text` is empty or longer than 64 bytes. */
const char *str_nearest(const char *text, const char *const *known, size_t count);
struct arena;
/* Returns ": did you mean PREFIXx?" in `arena`; "" without an x. x is the entry of known[0..count)
 * whose plural is `text`, else the only one that begins with `text`, else the nearest. */
const char *str_hint(struct arena *arena, const char *text, const char *const *known, size_t count,
                     const char *prefix);
/* Returns the hint of str_hint() for the names of a table. Each row of row_size bytes begins with a
 * `const char *` name. NULL ends the table. */
const char *str_hint_row(struct arena *arena, const char *text, const void *rows, size_t row_size,
                         const char *prefix);

#endif
