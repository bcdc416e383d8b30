/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes markup with escaped texts.
 */
#include "html.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"

#define TEXT_MAX ((size_t)1 << 20) /* bytes; longer texts are cut */

void
html_init(struct html *html, FILE *stream)
{
    html->stream = stream;
    buf_init(&html->text, TEXT_MAX);
}

void
html_release(struct html *html)
{
    buf_release(&html->text);
}

/* NULL: no escape. */
static const char *
escape_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* text_append_line first spells out control characters and changes of writing direction. */
static void
write_escaped(struct html *html, const char *text)
{
    buf_clear(&html->text);
    text_append_line(&html->text, text);
    for (const char *c = buf_text(&html->text); *c != '\0'; c++) {
        const char *escape = escape_of(*c);

        if (escape != NULL) {
            fputs(escape, html->stream);
        } else {
            putc(*c, html->stream);
        }
    }
    fputs(html->text.overflowed ? TEXT_CUT_MARK : "", html->stream);
}

/* Writes the conversion at *format, after its '%', and moves *format behind it. */
static void
write_conversion(struct html *html, const char **format, va_list *args)
{
    static const char wide[] = "lld", share[] = ".2f";

    if (**format == 's') {
        write_escaped(html, va_arg(*args, const char *));
    } else if (**format == 'd') {
        fprintf(html->stream, "%d", va_arg(*args, int));
    } else if (**format == 'u') {
        fprintf(html->stream, "%u", va_arg(*args, unsigned));
    } else if (strncmp(*format, wide, strlen(wide)) == 0) {
        fprintf(html->stream, "%lld", va_arg(*args, long long));
        *format += strlen(wide) - 1;
    } else if (strncmp(*format, share, strlen(share)) == 0) {
        fprintf(html->stream, "%.2f", va_arg(*args, double));
        *format += strlen(share) - 1;
    } else {
        putc('%', html->stream); /* "%%" */
    }
    *format += 1;
}

void
html_print(struct html *html, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");

        fwrite(format, 1, plain, html->stream);
        format += plain;
        if (*format == '%') {
            format++;
            write_conversion(html, &format, &args);
        }
    }
    va_end(args);
}

/* Writes letters, digits, "." and "-" as they are, others as "~" and their code. */
static void
write_id_part(struct html *html, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (isalnum((unsigned char)*c) || *c == '.' || *c == '-') {
            putc(*c, html->stream);
        } else {
            fprintf(html->stream, "~%02X", (unsigned)(unsigned char)*c);
        }
    }
}

void
html_id(struct html *html, const char *kind, const char *namespace_, const char *name)
{
    write_id_part(html, kind);
    putc('/', html->stream);
    if (!str_is_empty(namespace_)) {
        write_id_part(html, namespace_);
        putc('/', html->stream);
    }
    write_id_part(html, name);
}

void
html_cluster_link(struct html *html, const char *name)
{
    html_print(html, "<a href=\"#");
    html_id(html, "Cluster", "", name);
    html_print(html, "\">%s</a>", name);
}
