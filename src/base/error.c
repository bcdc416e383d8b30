/* SPDX-License-Identifier: Apache-2.0
 *
 * Error values.
 */
#include "ballast/error.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts at a character boundary and marks the cut, so that a long server message stays valid UTF-8.
 */
static void
mark_cut(char *text, size_t size)
{
    size_t end = size - 4;

    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) {
        end--;
    }
    memcpy(text + end, "...", 4);
}

__attribute__((format(printf, 3, 0))) static void
format_message(char *text, size_t size, const char *format, va_list args)
{
    int length = vsnprintf(text, size, format, args);

    if (length >= 0 && (size_t)length >= size) {
        mark_cut(text, size);
    }
}

bool
error_set(struct error *err, enum error_code code, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX]; /* the arguments may point into the old message */
    va_list args;

    va_start(args, format);
    format_message(text, sizeof(text), format, args);
    va_end(args);
    err->code = code;
    memcpy(err->message, text, sizeof(text));
    return false;
}

bool
error_set_errno(struct error *err, int errno_value, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX];
    va_list args;

    va_start(args, format);
    format_message(text, sizeof(text), format, args);
    va_end(args);
    return error_set(err, ERROR_IO, "%s: %s", text, strerror(errno_value));
}

bool
error_wrap(struct error *err, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX];
    va_list args;

    va_start(args, format);
    format_message(text, sizeof(text), format, args);
    va_end(args);
    return error_set(err, err->code, "%s: %s", text, err->message);
}

const char *
error_code_name(enum error_code code)
{
    switch (code) {
#define X(name, text)                                                                              \
    case ERROR_##name:                                                                             \
        return text;
        ERROR_CODES(X)
#undef X
    }
    return "unknown error";
}

void
bug_at(const char *file, int line, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "ballast: BUG at %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

void
out_of_memory(void)
{
    fputs("ballast: out of memory\n", stderr);
    exit(1);
}
