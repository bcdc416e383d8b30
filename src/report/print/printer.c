/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints lines for a terminal.
 */
#include "printer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "ballast/base/wide.h"

#define LINE_MAX_BYTES 8192
#define LABEL_MAX 24 /* columns of a label, including blanks */
#define HANG 2

/* All lines pass here, and the fleet's texts are made safe here. Safe texts do not change. */
void
print_row(const struct printer *printer, enum ink ink, const char *line)
{
    static const char *const codes[] = {
        [INK_NONE] = "",        [INK_BOLD] = "\x1b[1m",   [INK_DIM] = "\x1b[2m",
        [INK_RED] = "\x1b[31m", [INK_GREEN] = "\x1b[32m", [INK_YELLOW] = "\x1b[33m",
    };
    bool coloured = printer->colour && ink != INK_NONE;
    struct buf safe;

    buf_init(&safe, PRINT_LINE_MAX);
    text_append_line(&safe, line);
    const char *text = buf_text(&safe);

    if (printer->take != NULL) {
        printer->take(printer->context, ink, text);
    } else {
        fprintf(printer->stream, "%s%s%s\n", coloured ? codes[ink] : "", text,
                coloured ? "\x1b[0m" : "");
    }
    buf_release(&safe);
}

/* Returns the indent of continued lines: after the label, which two blanks end. Without a label: a
 * little more than the line's own indent. */
static size_t
hang_of(const char *text, size_t width)
{
    const size_t indent = strspn(text, " ");
    const char *gap = indent > 0 ? strstr(text + indent, "  ") : NULL;
    size_t hang = indent + HANG;

    if (gap != NULL && gap < text + LABEL_MAX) {
        hang = (size_t)(gap - text) + strspn(gap, " ");
    }
    return hang < width / 2 ? hang : 0;
}

/* Returns the bytes that fit. Breaks at the last blank after `least` columns, or at the next blank:
 * whole words can be copied. */
static size_t
fitting(const char *text, size_t least, size_t width)
{
    const size_t length = strlen(text);
    size_t columns = 0, end = 0;

    for (size_t at = 0, size = 0; at < length; at += size, columns++) {
        if (text[at] == ' ' && columns >= least && at > 0 && text[at - 1] != ' ') {
            end = at;
        }
        if (columns >= width && end > 0) {
            return end;
        }
        (void)text_decode(text + at, length - at, &size);
    }
    return length;
}

static void
print_wrapped(const struct printer *printer, enum ink ink, const char *text)
{
    if (printer->width == 0 || text_columns(text) <= printer->width) {
        print_row(printer, ink, text);
        return;
    }
    const size_t hang = hang_of(text, printer->width);
    size_t indent = 0, least = hang;
    struct buf line;

    buf_init(&line, PRINT_LINE_MAX);
    while (*text != '\0') {
        size_t length = fitting(text, least, printer->width - indent);

        buf_clear(&line);
        buf_printf(&line, "%*s", pin_width(indent), "");
        buf_append(&line, text, length);
        print_row(printer, ink, buf_text(&line));
        text += length + strspn(text + length, " ");
        indent = hang;
        least = 0;
    }
    buf_release(&line);
}

void
print_text(const struct printer *printer, enum ink ink, const char *text)
{
    struct buf safe;

    buf_init(&safe, PRINT_LINE_MAX);
    text_append_line(&safe, text); /* before measuring */
    print_wrapped(printer, ink, buf_text(&safe));
    buf_release(&safe);
}

void
print_line(const struct printer *printer, enum ink ink, const char *format, ...)
{
    char text[LINE_MAX_BYTES];
    va_list args;

    va_start(args, format);
    text_vprint(text, sizeof(text), format, args);
    va_end(args);
    print_text(printer, ink, text);
}

const char *
safe_text(struct arena *arena, const char *text)
{
    struct buf safe;

    if (text[text_plain_length(text)] == '\0') {
        return text;
    }
    buf_init(&safe, PRINT_LINE_MAX);
    text_append_line(&safe, text);
    const char *copy = arena_printf(arena, "%s", buf_text(&safe));

    buf_release(&safe);
    return copy;
}

const char *
health_word(enum cluster_standing standing)
{
    static const char *const texts[] = {
        [STANDING_WELL] = "ready",           [STANDING_UNHEALTHY] = "LOST",
        [STANDING_AGENT_DOWN] = "AgentDown", [STANDING_NOT_READY] = "not ready",
        [STANDING_SETTLING] = "settling",    [STANDING_FAILING] = "failing",
    };

    return texts[standing];
}
