/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is freed one by one, with free(). What is exhausted ends the
 * process, so nothing here returns NULL.
 */
#ifndef BALLAST_BASE_HEAP_H
#define BALLAST_BASE_HEAP_H

#include <stddef.h>

/* Zeroed; of a count of 0, too, there is something to free. */
void *heap_new(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
char *heap_text(const char *text) __attribute__((malloc, returns_nonnull));
/* Gives back the pages that lie wholly in a part of a piece that is read no more, while the piece
 * stays: what the part holds then is undefined. */
void heap_let_go(char *part, size_t length);

#endif
