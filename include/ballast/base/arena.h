/* SPDX-License-Identifier: Apache-2.0
 *
 * A region allocator: objects of one phase are allocated together and freed
 * together. Allocation never fails: exhausted memory ends the process. Not
 * thread-safe. Under AddressSanitizer every piece has a red zone and freed
 * regions are poisoned, so the sanitizer finds overruns as it does with malloc.
 */
#ifndef BALLAST_BASE_ARENA_H
#define BALLAST_BASE_ARENA_H

#include <stddef.h>

struct arena;

/* Returns an empty arena. The caller frees it with arena_free(). */
struct arena *arena_new(void);
/* Frees the arena and every allocation in it. NULL is fine. */
void arena_free(struct arena *arena);
/* Overwrites all allocations, then frees them with the arena: for secrets. */
void arena_free_wiped(struct arena *arena);
/* Frees every allocation. Keeps the largest block of memory for the next allocations. */
void arena_reset(struct arena *arena);
/* Returns the bytes that the arena's allocations take, with gaps and block headers. */
size_t arena_used(const struct arena *arena);

/* Returns `size` zeroed bytes, aligned for any type. Never NULL, even for size 0. */
void *arena_alloc(struct arena *arena, size_t size);
/* Returns count * size zeroed bytes, aligned for a type of `size`. An overflow ends the process. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);
/* Returns a copy of `size` bytes, aligned for a type whose array fills them; NULL for size 0. */
void *arena_memdup(struct arena *arena, const void *bytes, size_t size);
/* Returns a NUL-terminated copy of text[0..length). */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
/* Formats a text as printf() does. Returns the text, in the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_calloc((arena), 1, sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))

#endif
