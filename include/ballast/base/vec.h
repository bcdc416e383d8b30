/* SPDX-License-Identifier: Apache-2.0
 *
 * A growable array on the heap. Declare it with VEC_OF, start from zeroed memory,
 * end with vec_free(). Growing moves the items: keep indices, not pointers.
 * Exhausted memory ends the process.
 *
 *     VEC_OF(struct finding) found = VEC_INIT;
 *     struct finding *f = vec_push(&found);      // a zeroed new last item
 *     vec_free(&found);
 */
#ifndef BALLAST_BASE_VEC_H
#define BALLAST_BASE_VEC_H

#include <stddef.h>

#define VEC_OF(type)                                                                               \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

#define VEC_INIT                                                                                   \
    {                                                                                              \
        .items = NULL                                                                              \
    }

/* Makes memory for `more` items behind `count` items, and updates *capacity. Returns the items,
 * which may have moved. Call it through vec_reserve(). */
void *vec_grow(void *items, size_t count, size_t *capacity, size_t more, size_t item_size);
/* Frees the items. NULL is fine. Call it through vec_free(). */
void vec_release(void *items);

/* Makes memory for `more` items. */
#define vec_reserve(vec, more)                                                                     \
    ((vec)->items =                                                                                \
         vec_grow((vec)->items, (vec)->count, &(vec)->capacity, (more), sizeof(*(vec)->items)))

/* Adds a zeroed last item and gives a pointer to it. */
#define vec_push(vec)                                                                              \
    (vec_reserve((vec), 1), memset(&(vec)->items[(vec)->count], 0, sizeof(*(vec)->items)),         \
     &(vec)->items[(vec)->count++])

/* Adds a copy of `value` as the last item. */
#define vec_add(vec, value)                                                                        \
    do {                                                                                           \
        vec_reserve((vec), 1);                                                                     \
        (vec)->items[(vec)->count++] = (value);                                                    \
    } while (0)

/* Frees the items. The array is empty afterwards. */
#define vec_free(vec)                                                                              \
    do {                                                                                           \
        vec_release((vec)->items);                                                                 \
        (vec)->items = NULL;                                                                       \
        (vec)->count = (vec)->capacity = 0;                                                        \
    } while (0)

/* Copies the items to an arena (NULL if empty). */
#define vec_to_arena(vec, arena)                                                                   \
    arena_memdup((arena), (vec)->items, (vec)->count * sizeof(*(vec)->items))

#endif
