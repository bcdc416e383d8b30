/* SPDX-License-Identifier: Apache-2.0
 *
 * Interned strings, and the nearest of known words.
 */
#include "ballast/base/str.h"
#include "ballast/base/heap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/base/hash.h"
#include "ballast/base/map.h"
#include "ballast/base/vec.h"

#define RECENT_TEXTS 512 /* a power of two */
#define NEAREST_MAX 64   /* longer words have no nearest word */
#define BEGINNING_MIN 3  /* letters of an unfinished word */

struct interner {
    struct arena *arena;
    struct map *map;
    struct map *passing; /* NULL: no open round */
};

struct interner *
interner_new(void)
{
    struct interner *interner = heap_new(1, sizeof(*interner));

    interner->arena = arena_new();
    interner->map = map_new();
    return interner;
}

void
interner_free(struct interner *interner)
{
    if (interner != NULL) {
        map_free(interner->map);
        map_free(interner->passing);
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
    struct map *here = interner->passing != NULL ? interner->passing : interner->map;
    void **slot = map_get(here, text, length);

    if (slot == NULL && here != interner->map) {
        slot = map_get(interner->map, text, length);
    }
    if (slot == NULL) {
        char *copy = arena_strndup(interner->arena, text, length);

        slot = map_put(here, copy, length, NULL);
        *slot = copy;
    }
    return *slot;
}

void
interner_open(struct interner *interner)
{
    interner->passing = map_new();
}

void
interner_close(struct interner *interner)
{
    map_free(interner->passing);
    interner->passing = NULL;
}

const char *
intern_cstr(struct interner *interner, const char *text)
{
    return text == NULL ? "" : intern(interner, text, strlen(text));
}

size_t
interner_footprint(const struct interner *interner)
{
    return arena_used(interner->arena) +
           (map_count(interner->map) +
            (interner->passing != NULL ? map_count(interner->passing) : 0)) *
               4 * sizeof(void *);
}

/* A table without chains: a text replaces the earlier text of its slot. */
struct recent_texts {
    struct arena *arena;
    struct hash_key key;
    const char *texts[RECENT_TEXTS]; /* NULL: none */
};

struct recent_texts *
recent_texts_new(struct arena *arena)
{
    struct recent_texts *recent = ARENA_NEW(arena, struct recent_texts);

    recent->arena = arena;
    recent->key = hash_key_of_process();
    return recent;
}

const char *
recent_text(struct recent_texts *recent, const char *text)
{
    size_t length = strlen(text);
    const char **place =
        &recent->texts[hash_bytes(&recent->key, text, length) & (RECENT_TEXTS - 1)];

    if (*place == NULL || !str_eq(*place, text)) {
        *place = arena_strndup(recent->arena, text, length);
    }
    return *place;
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

/* Levenshtein's distance, ignoring case; a swap is one step ("optimal string alignment"). */
static size_t
edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NEAREST_MAX + 1]; /* of a[0..i), by i modulo 3 */

    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        const size_t *above = rows[(i - 1) % 3];
        size_t *row = rows[i % 3];

        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);

            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], row[j], rows[(i + 1) % 3][j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

/* Length of the words between dashes that both share at either end. Only the other parts are
 * compared: else a long shared word makes neighbours of --lease-namespace and --other-namespace. */
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
    for (size_t i = 1;
         i <= shorter - shared.front && lower(a[a_length - i]) == lower(b[b_length - i]); i++) {
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
        size_t distance = edit_distance(text + shared.front, length - cut, known[i] + shared.front,
                                        known_length - cut);

        /* more than a quarter wrong is another word, less with a wrong first letter */
        bool begins_alike = lower(text[shared.front]) == lower(known[i][shared.front]);
        size_t most = begins_alike ? (length - cut) / 4 + 1 : (length - cut + 3) / 4;

        if (distance <= most && distance < best) {
            best = distance;
            nearest = known[i];
        }
    }
    return nearest;
}

/* Returns the only entry of `known` that begins with `text`; NULL if none or several do. */
static const char *
find_beginning(const char *text, const char *const *known, size_t count)
{
    const char *found = NULL;

    for (size_t i = 0; i < count; i++) {
        if (strlen(text) >= BEGINNING_MIN && strncmp(known[i], text, strlen(text)) == 0) {
            if (found != NULL) {
                return NULL;
            }
            found = known[i];
        }
    }
    return found;
}

/* Returns the entry of `known` whose plural is `text`: --names is no beginning of --namespace. */
static const char *
find_singular(const char *text, const char *const *known, size_t count)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < count && length > 1 && text[length - 1] == 's'; i++) {
        if (strlen(known[i]) == length - 1 && strncmp(known[i], text, length - 1) == 0) {
            return known[i];
        }
    }
    return NULL;
}

const char *
str_hint(struct arena *arena, const char *text, const char *const *known, size_t count,
         const char *prefix)
{
    const char *nearest = find_singular(text, known, count);

    if (nearest == NULL) {
        nearest = find_beginning(text, known, count);
    }
    if (nearest == NULL) {
        nearest = str_nearest(text, known, count);
    }
    return nearest != NULL ? arena_printf(arena, ": did you mean %s%s?", prefix, nearest) : "";
}

const char *
str_hint_row(struct arena *arena, const char *text, const void *rows, size_t row_size,
             const char *prefix)
{
    VEC_OF(const char *) known = VEC_INIT;
    const char *name;

    for (const char *row = rows; memcpy(&name, row, sizeof(name)), name != NULL; row += row_size) {
        vec_add(&known, name);
    }
    const char *hint = str_hint(arena, text, known.items, known.count, prefix);

    vec_free(&known);
    return hint;
}
