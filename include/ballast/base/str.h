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

/* Returns an empty interner. The caller frees it with interner_free(). */
struct interner *interner_new(void);
/* Frees the interner and all its strings. NULL is fine. */
void interner_free(struct interner *interner);
/* Returns the interned copy of text[0..length), which holds no NUL; made if there is none. */
const char *intern(struct interner *interner, const char *text, size_t length);
/* Returns the interned copy of a NUL-terminated text; "" for NULL. */
const char *intern_cstr(struct interner *interner, const char *text);
/* Begins a round, for example of one member, whose texts hardly recur in other rounds. Texts that
 * are new in the round are found again only until interner_close(). Rounds do not nest. */
void interner_open(struct interner *interner);
/* Ends a round. The copies made in it stay; a later intern() of such a text makes another copy. */
void interner_close(struct interner *interner);
/* Returns the bytes that the interner takes, about. */
size_t interner_footprint(const struct interner *interner);

/* Copies of texts of which many are equal. A table of fixed size finds recent texts again. */
struct recent_texts;
/* Returns an empty table. The table and its texts live in the arena. */
struct recent_texts *recent_texts_new(struct arena *arena);
/* Returns a copy of the text in the table's arena: the one that the table has, or a new one. */
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

/* Formats a text as printf() does. Returns the text, which the caller frees with free(). */
char *str_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the entry of known[0..count) nearest to `text` by edit distance, ignoring case; NULL if
 * none is near enough, or `text` is empty or longer than 64 bytes. */
const char *str_nearest(const char *text, const char *const *known, size_t count);
struct arena;
/* Returns ": did you mean PREFIXx?" in `arena`. x is the entry of known[0..count) of which `text`
 * is the plural, else the only one that begins with `text`, else the nearest; "" if there is none.
 */
const char *str_hint(struct arena *arena, const char *text, const char *const *known, size_t count,
                     const char *prefix);
/* Returns the hint of str_hint() for the names of a table. Each row of row_size bytes begins with a
 * `const char *` name, which is NULL in the last row. */
const char *str_hint_row(struct arena *arena, const char *text, const void *rows, size_t row_size,
                         const char *prefix);

#endif
