/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounded byte buffers.
 */
#include "ballast/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/error.h"

void
buf_init(struct buf *buf, size_t maximum)
{
    *buf = (struct buf){.maximum = maximum};
}

void
buf_release(struct buf *buf)
{
    free(buf->data);
    buf_init(buf, buf->maximum);
}

const char *
buf_take(struct buf *buf, struct arena *arena)
{
    const char *text = arena_strndup(arena, buf_text(buf), buf->length);

    buf_release(buf);
    return text;
}

void
buf_clear(struct buf *buf)
{
    buf->length = 0;
    buf->overflowed = false;
    if (buf->data != NULL) {
        buf->data[0] = '\0';
    }
}

const char *
buf_text(const struct buf *buf)
{
    return buf->data != NULL ? buf->data : "";
}

/* Makes memory for `more` bytes and a NUL. False past the maximum. */
static bool
make_room(struct buf *buf, size_t more)
{
    if (more > buf->maximum - buf->length) {
        buf->overflowed = true;
        return false;
    }
    size_t need = buf->length + more + 1;

    if (need > buf->capacity) {
        size_t wanted = buf->capacity * 2 + 64;
        size_t capacity = wanted < need ? need : wanted;
        char *data = realloc(buf->data, capacity);

        if (data == NULL) {
            out_of_memory();
        }
        buf->data = data;
        buf->capacity = capacity;
    }
    return true;
}

void
buf_append(struct buf *buf, const void *bytes, size_t length)
{
    if (length == 0 || !make_room(buf, length)) {
        return;
    }
    memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
}

void
buf_append_str(struct buf *buf, const char *text)
{
    buf_append(buf, text, strlen(text));
}

void
buf_append_char(struct buf *buf, char c)
{
    buf_append(buf, &c, 1);
}

/* Formats only once if the text fits, as it mostly does. */
void
buf_printf(struct buf *buf, const char *format, ...)
{
    size_t room = buf->data != NULL ? buf->capacity - buf->length : 0;
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(room > 0 ? buf->data + buf->length : NULL, room, format, args);

    va_end(args);
    if (length < 0) {
        BUG("bad format \"%s\"", format);
    }
    if (make_room(buf, (size_t)length)) {
        if ((size_t)length >= room) {
            vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
        }
        buf->length += (size_t)length;
    } else if (room > 0) {
        buf->data[buf->length] = '\0'; /* all of the text counts, or nothing */
    }
    va_end(again);
}
