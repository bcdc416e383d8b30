/* SPDX-License-Identifier: Apache-2.0
 *
 * A growable byte buffer with a maximum, so that no input can grow it without
 * bound. A call that would append past the maximum appends nothing and sets
 * `overflowed`; the caller checks that once at the end. `data` is NULL until
 * something is appended, and NUL-terminated from then on.
 */
#ifndef BALLAST_BASE_BUF_H
#define BALLAST_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "ballast/base/arena.h"

struct buf {
    char *data;
    size_t length;   /* bytes, without the NUL */
    size_t capacity; /* bytes in `data`, the NUL included */
    size_t maximum;  /* of `length` */
    bool overflowed;
};

/* Makes an empty buffer that takes at most `maximum` bytes. Allocates nothing yet. */
void buf_init(struct buf *buf, size_t maximum);
/* Frees the bytes. The buffer is empty again, with its old maximum. */
void buf_release(struct buf *buf);
/* Returns the text in `arena`, and releases the buffer. */
const char *buf_take(struct buf *buf, struct arena *arena);
/* Empties the buffer and resets `overflowed`. Keeps the memory. */
void buf_clear(struct buf *buf);
/* Returns the NUL-terminated text, "" while empty. It is valid until the next change. */
const char *buf_text(const struct buf *buf);
/* Appends bytes from outside the buffer. Past the maximum, only sets `overflowed`. */
void buf_append(struct buf *buf, const void *bytes, size_t length);
/* Appends a NUL-terminated text as buf_append() does. */
void buf_append_str(struct buf *buf, const char *text);
/* Appends one byte as buf_append() does. */
void buf_append_char(struct buf *buf, char c);
/* Appends a text formatted as by printf(), whole or, past the maximum, not at all. */
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
