/* SPDX-License-Identifier: Apache-2.0
 *
 * Strings. Model strings are interned: one copy of each in a struct interner,
 * NUL-terminated, immutable, alive as long as it. A string that is absent in
 * the source is "" in the model, never NULL.
 */
#ifndef BALLAST_BASE_STR_H
#define BALLAST_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;
struct interner;

struct interner *interner_new(void);
void interner_free(struct interner *interner); /* NULL is fine */
/* The interned copy of text[0..length). The bytes must hold no NUL. */
const char *intern(struct interner *interner, const char *text, size_t length);
/* As intern; NULL becomes "". */
const char *intern_cstr(struct interner *interner, const char *text);
/* Between these two, what is new is found again for as long: its copies stay, and one that is new
 * once more has another copy. For texts of one thing after the other that have few in common. */
void interner_open(struct interner *interner);
void interner_close(struct interner *interner);
size_t interner_footprint(const struct interner *interner);

/* Texts of which many are alike, in memory that does not grow with those that are not: what came
 * lately is kept once. It and its texts live in the arena. */
struct recent_texts;
struct recent_texts *recent_texts_new(struct arena *arena);
const char *recent_text(struct recent_texts *recent, const char *text);

/* Equality of contents; quick for two strings of one interner. Neither is NULL. */
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

/* As sprintf, into a text that is the caller's to free(). */
char *str_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The entry of `known[0..count)` nearest to `text` by edit distance, or NULL when none is near
 * enough to be what was meant. For "did you mean" messages. */
const char *str_nearest(const char *text, const char *const *known, size_t count);
/* ": did you mean PREFIXx?" for the nearest of them, or the only one that begins with `text`; ""
 * when there is none. In `arena`. */
struct arena;
const char *str_hint(struct arena *arena, const char *text, const char *const *known, size_t count,
                     const char *prefix);
/* The same of a table: its rows begin with a name, which is NULL in the last one. */
const char *str_hint_row(struct arena *arena, const char *text, const void *rows, size_t row_size,
                         const char *prefix);

#endif
