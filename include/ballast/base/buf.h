/* SPDX-License-Identifier: Apache-2.0
 *
 * A growable byte buffer with a stated maximum, so that no input can grow it
 * without bound. Appending past the maximum sets `overflowed` and drops the
 * bytes; who fills it checks once at the end. `data` is always NUL-terminated
 * once anything was appended.
 */
#ifndef BALLAST_BASE_BUF_H
#define BALLAST_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *data;
    size_t length;
    size_t capacity;
    size_t maximum;
    bool overflowed;
};

void buf_init(struct buf *buf, size_t maximum);
void buf_release(struct buf *buf);
void buf_clear(struct buf *buf); /* keeps the memory */
/* The text, "" while empty. */
const char *buf_text(const struct buf *buf);
void buf_append(struct buf *buf, const void *bytes, size_t length);
void buf_append_str(struct buf *buf, const char *text);
void buf_append_char(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
