/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines for a terminal.
 */
#include "printer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define LINE_MAX_BYTES 8192

void
print_text(const struct printer *printer, enum ink ink, const char *text)
{
    static const char *const codes[] = {
        [INK_NONE] = "",        [INK_BOLD] = "\x1b[1m",   [INK_DIM] = "\x1b[2m",
        [INK_RED] = "\x1b[31m", [INK_GREEN] = "\x1b[32m", [INK_YELLOW] = "\x1b[33m",
    };
    bool coloured = printer->colour && ink != INK_NONE;

    fprintf(printer->stream, "%s%s%s\n", coloured ? codes[ink] : "", text,
            coloured ? "\x1b[0m" : "");
}

void
print_line(const struct printer *printer, enum ink ink, const char *format, ...)
{
    char text[LINE_MAX_BYTES];
    struct buf safe;
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    buf_init(&safe, sizeof(text) * strlen("\\u0000"));
    text_append_line(&safe, text);
    print_text(printer, ink, buf_text(&safe));
    buf_release(&safe);
}

const char *
safe_text(struct arena *arena, const char *text)
{
    struct buf safe;

    buf_init(&safe, PRINT_LINE_MAX);
    text_append_line(&safe, text);
    const char *copy = arena_printf(arena, "%s", buf_text(&safe));

    buf_release(&safe);
    return copy;
}

const char *
number_text(int64_t number, char buffer[NUMBER_TEXT_MAX])
{
    char digits[NUMBER_TEXT_MAX];
    size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRId64, number);
    size_t at = 0;

    for (size_t i = 0; i < length; i++) {
        bool digit_before = i > 0 && digits[i - 1] != '-';

        if (digit_before && (length - i) % 3 == 0) {
            buffer[at++] = ',';
        }
        buffer[at++] = digits[i];
    }
    buffer[at] = '\0';
    return buffer;
}

const char *
plural(int64_t number, const char *one, const char *many)
{
    return number == 1 ? one : many;
}
