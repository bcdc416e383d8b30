/* SPDX-License-Identifier: Apache-2.0
 *
 * The region allocator: a list of blocks, bumped through. In sanitizer builds
 * every piece is followed by a poisoned gap.
 */
#include "ballast/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define RED_ZONE ((size_t)16)
#define LEAST_ALIGNMENT ALIGNMENT /* AddressSanitizer poisons only aligned regions */
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define RED_ZONE ((size_t)0)
#define LEAST_ALIGNMENT ((size_t)1)
#endif

#define ALIGNMENT alignof(max_align_t) /* a power of two, as every alignment */
#define FIRST_BLOCK ((size_t)4096)
#define LARGEST_BLOCK ((size_t)1 << 20)
#define LARGE_PIECE (LARGEST_BLOCK / 16) /* a piece this large gets its own block */

struct block {
    struct block *next;
    size_t size; /* bytes behind the header */
    size_t used;
    alignas(max_align_t) unsigned char bytes[];
};

struct arena {
    struct block *current; /* serves small pieces; other blocks follow */
    size_t footprint;
};

struct arena *
arena_new(void)
{
    struct arena *arena = calloc(1, sizeof(*arena));

    if (arena == NULL) {
        out_of_memory();
    }
    return arena;
}

void
arena_free(struct arena *arena)
{
    if (arena == NULL) {
        return;
    }
    for (struct block *block = arena->current; block != NULL;) {
        struct block *next = block->next;

        ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
        free(block);
        block = next;
    }
    free(arena);
}

void
arena_free_wiped(struct arena *arena)
{
    for (struct block *block = arena->current; block != NULL; block = block->next) {
        ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
        explicit_bzero(block->bytes, block->size);
    }
    arena_free(arena);
}

static struct block *
largest_block(const struct arena *arena)
{
    struct block *largest = arena->current;

    for (struct block *block = largest; block != NULL; block = block->next) {
        largest = block->size > largest->size ? block : largest;
    }
    return largest;
}

/* The largest block is mostly enough for the next round. */
void
arena_reset(struct arena *arena)
{
    struct block *keep = largest_block(arena);

    if (keep == NULL) {
        return;
    }
    for (struct block *block = arena->current; block != NULL;) {
        struct block *next = block->next;

        if (block == keep) {
            block = next;
            continue;
        }
        arena->footprint -= sizeof(*block) + block->size;
        ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
        free(block);
        block = next;
    }
    arena->current = keep;
    keep->next = NULL;
    keep->used = 0;
    ASAN_POISON_MEMORY_REGION(keep->bytes, keep->size);
}

size_t
arena_used(const struct arena *arena)
{
    const struct block *current = arena->current;

    return arena->footprint - (current != NULL ? current->size - current->used : 0);
}

static struct block *
new_block(struct arena *arena, size_t size)
{
    struct block *block = malloc(sizeof(*block) + size);

    if (block == NULL) {
        out_of_memory();
    }
    block->size = size;
    block->used = 0;
    arena->footprint += sizeof(*block) + size;
    ASAN_POISON_MEMORY_REGION(block->bytes, block->size);
    return block;
}

/* A large piece gets its own block behind the current one, whose rest stays usable. */
static struct block *
add_block(struct arena *arena, size_t at_least)
{
    struct block *current = arena->current;
    size_t size = current == NULL ? FIRST_BLOCK : current->size * 2;

    if (current != NULL && at_least >= LARGE_PIECE) {
        struct block *block = new_block(arena, at_least);

        block->next = current->next;
        current->next = block;
        return block;
    }
    if (size > LARGEST_BLOCK) {
        size = LARGEST_BLOCK;
    }
    struct block *block = new_block(arena, size < at_least ? at_least : size);

    block->next = current;
    arena->current = block;
    return block;
}

/* Returns the bytes to skip for the alignment. A block's first byte is aligned for any type. */
static size_t
gap_before(const struct block *block, size_t alignment)
{
    return (~block->used + 1) & (alignment - 1); /* alignment is a power of two: no division */
}

static bool
has_room(const struct block *block, size_t size, size_t alignment)
{
    size_t gap = gap_before(block, alignment), left = block->size - block->used;

    return left >= gap && left - gap >= size;
}

static void *
place(struct arena *arena, size_t size, size_t alignment)
{
    if (size > SIZE_MAX / 2) {
        out_of_memory();
    }
    size_t piece = size + RED_ZONE;
    struct block *block = arena->current;

    alignment = alignment < LEAST_ALIGNMENT ? LEAST_ALIGNMENT : alignment;
    if (block == NULL || !has_room(block, piece, alignment)) {
        block = add_block(arena, piece);
    }
    block->used += gap_before(block, alignment);
    void *result = block->bytes + block->used;

    block->used += piece;
    ASAN_UNPOISON_MEMORY_REGION(result, size);
    memset(result, 0, size);
    return result;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
    return place(arena, size, ALIGNMENT);
}

/* The alignment of a type divides its size. */
static size_t
alignment_within(size_t size)
{
    size_t greatest = size & (~size + 1); /* greatest power of two that divides it */

    return greatest == 0 || greatest > ALIGNMENT ? ALIGNMENT : greatest;
}

void *
arena_calloc(struct arena *arena, size_t count, size_t size)
{
    size_t total;

    if (__builtin_mul_overflow(count, size, &total)) {
        out_of_memory();
    }
    return place(arena, total, alignment_within(size));
}

void *
arena_memdup(struct arena *arena, const void *bytes, size_t size)
{
    if (size == 0) {
        return NULL;
    }
    return memcpy(place(arena, size, alignment_within(size)), bytes, size);
}

char *
arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = place(arena, length + 1, 1);

    if (length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
    char small[256];
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(small, sizeof(small), format, args);

    va_end(args);
    if (length < 0) {
        BUG("bad format \"%s\"", format);
    }
    char *text = place(arena, (size_t)length + 1, 1);

    if ((size_t)length < sizeof(small)) {
        memcpy(text, small, (size_t)length + 1);
    } else {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}
