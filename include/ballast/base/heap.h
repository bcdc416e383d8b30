/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is freed piece by piece, with free(). Exhausted memory ends the
 * process, so nothing here returns NULL.
 */
#ifndef BALLAST_BASE_HEAP_H
#define BALLAST_BASE_HEAP_H

#include <stddef.h>

/* Returns count * size zeroed bytes, for free(); one item for count 0. */
void *heap_new(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
/* Returns a copy of the text, for free(). */
char *heap_text(const char *text) __attribute__((malloc, returns_nonnull));
/* Gives the whole pages in part[0..length) back to the system. The part is undefined then. */
void heap_let_go(char *part, size_t length);

#endif
