/* SPDX-License-Identifier: Apache-2.0
 *
 * Error values.
 */
#include "ballast/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/text.h"

#define ERRNO_TEXT_MAX 64

bool
error_set(struct error *err, enum error_code code, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX]; /* the arguments may point into the old message */
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    err->code = code;
    err->request.status = 0;
    memcpy(err->message, text, sizeof(text));
    return false;
}

bool
error_set_errno(struct error *err, int errno_value, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX -
              ERRNO_TEXT_MAX]; /* leaves bytes for the reason behind a long path */
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    return error_set(err, ERROR_IO, "%s: %s", text, strerror(errno_value));
}

bool
error_wrap(struct error *err, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX];
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    int status = err->request.status;

    error_set(err, err->code, "%s: %s", text, err->message);
    err->request.status = status;
    return false;
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
