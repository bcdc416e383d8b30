/* SPDX-License-Identifier: Apache-2.0
 *
 * A region allocator: objects of one phase are allocated together and freed
 * together. Allocation never fails (exhausted memory ends the process). Not
 * thread-safe. Under AddressSanitizer every piece has a red zone and freed
 * regions are poisoned, so overruns are caught as with malloc.
 */
#ifndef BALLAST_BASE_ARENA_H
#define BALLAST_BASE_ARENA_H

#include <stddef.h>

struct arena;

/* An empty arena, to be released with arena_free. */
struct arena *arena_new(void);
/* Frees all of it. NULL is fine. */
void arena_free(struct arena *arena);
/* Forgets every allocation, but keeps the memory for the next ones. */
void arena_reset(struct arena *arena);
/* Bytes that its allocations take, with what is lost between them. */
size_t arena_used(const struct arena *arena);

/* `size` zeroed bytes, aligned for any type. size 0 gives a valid, unusable pointer. */
void *arena_alloc(struct arena *arena, size_t size);
/* count * size zeroed bytes, aligned for a type of that size; a product that overflows ends the
 * process. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);
/* A copy of `size` bytes, aligned for a type of which they are one or several; NULL for size 0. */
void *arena_memdup(struct arena *arena, const void *bytes, size_t size);
/* A NUL-terminated copy. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_calloc((arena), 1, sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))

#endif
