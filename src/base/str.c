/* SPDX-License-Identifier: Apache-2.0
 *
 * Interned strings, and the nearest of known words.
 */
#include "ballast/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ballast/arena.h"
#include "ballast/error.h"
#include "ballast/map.h"

#define NEAREST_MAX 64 /* longer words are not looked at */

struct interner {
    struct arena *arena;
    struct map *map;
};

struct interner *
interner_new(void)
{
    struct interner *interner = malloc(sizeof(*interner));

    if (interner == NULL) {
        out_of_memory();
    }
    interner->arena = arena_new();
    interner->map = map_new();
    return interner;
}

void
interner_free(struct interner *interner)
{
    if (interner != NULL) {
        map_free(interner->map);
        arena_free(interner->arena);
        free(interner);
    }
}

const char *
intern(struct interner *interner, const char *text, size_t length)
{
    if (length == 0) {
        return "";
    }
    void **slot = map_get(interner->map, text, length);

    if (slot == NULL) {
        char *copy = arena_strndup(interner->arena, text, length);

        slot = map_put(interner->map, copy, length, NULL);
        *slot = copy;
    }
    return *slot;
}

const char *
intern_cstr(struct interner *interner, const char *text)
{
    return text == NULL ? "" : intern(interner, text, strlen(text));
}

size_t
interner_footprint(const struct interner *interner)
{
    return arena_used(interner->arena) + map_count(interner->map) * 4 * sizeof(void *);
}

char *
str_print(const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    int length = vasprintf(&text, format, args);

    va_end(args);
    if (length < 0) {
        out_of_memory();
    }
    return text;
}

static int
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static size_t
least(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;

    return m < c ? m : c;
}

/* Levenshtein's distance without regard to case. */
static size_t
edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[NEAREST_MAX + 1];

    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t above = row[j];
            size_t replace = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);

            row[j] = least(above + 1, row[j - 1] + 1, replace);
            diagonal = above;
        }
    }
    return row[b_length];
}

/* Whole words between dashes that both have in front, or at the end: what is compared is only the
 * rest, or a long word in common would make neighbours of --lease-namespace and --other-namespace. */
struct shared {
    size_t front, back;
};

static struct shared
shared_words(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t shorter = a_length < b_length ? a_length : b_length;
    struct shared shared = {0};

    for (size_t i = 0; i < shorter && lower(a[i]) == lower(b[i]); i++) {
        shared.front = a[i] == '-' ? i + 1 : shared.front;
    }
    for (size_t i = 1; i <= shorter - shared.front &&
                       lower(a[a_length - i]) == lower(b[b_length - i]);
         i++) {
        shared.back = a[a_length - i] == '-' ? i : shared.back;
    }
    return shared;
}

const char *
str_nearest(const char *text, const char *const *known, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(text);
    size_t best = SIZE_MAX;

    if (length == 0 || length > NEAREST_MAX) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        size_t known_length = strlen(known[i]);

        if (known_length > NEAREST_MAX) {
            continue;
        }
        struct shared shared = shared_words(text, length, known[i], known_length);
        size_t cut = shared.front + shared.back;
        size_t distance = edit_distance(text + shared.front, length - cut,
                                        known[i] + shared.front, known_length - cut);

        /* more than a quarter wrong is another word */
        if (distance <= (length - cut) / 4 + 1 && distance < best) {
            best = distance;
            nearest = known[i];
        }
    }
    return nearest;
}
