/* SPDX-License-Identifier: Apache-2.0
 *
 * Text that comes from outside, made fit for a terminal, a log line, JSON or
 * YAML. What cannot be shown safely is escaped, never passed through: control
 * characters (a terminal would obey them), bidirectional overrides (they make a
 * name look like another one) and malformed UTF-8.
 */
#ifndef BALLAST_BASE_TEXT_H
#define BALLAST_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"

#define TEXT_REPLACEMENT 0xFFFDu

/* The code point at text[0..length), length > 0; *ret_size bytes long. TEXT_REPLACEMENT and 1 for
 * what is not well-formed UTF-8. */
uint32_t text_decode(const char *text, size_t length, size_t *ret_size);

/* The byte that two hexadecimal digits of either case say; -1: they are none. A text that ends
 * before the second one is none, too. */
int text_hex_byte(const char *digits);

/* Appends `text` as one line: a newline or tab becomes a space, what is not plain "\u00XX". */
void text_append_line(struct buf *out, const char *text);

/* Appends `text` as a JSON string with its quotes; also a valid double-quoted YAML scalar. */
void text_append_quoted(struct buf *out, const char *text);

/* Appends `text` as a shell takes it for one word. */
void text_append_word(struct buf *out, const char *text);

#define INTEGER_TEXT_MAX 21

/* In decimal digits: where in `ret` they begin. */
const char *integer_format(int64_t value, char ret[INTEGER_TEXT_MAX]);

/* How many bytes at its beginning text_append_quoted() appends as they are. */
size_t text_plain_length(const char *text);

/* Columns that text_append_line gives, one a code point. */
size_t text_columns(const char *text);

/* What stands at the end of a text that was cut. */
#define TEXT_CUT_MARK "..."

/* How many bytes of text[0..length) to keep so that they are at most `most` and end between
 * characters; all of them where they are no more. */
size_t text_cut(const char *text, size_t length, size_t most);

/* Appends the text as it is; one of more than `most` bytes is cut, and with the mark as long. */
void text_append_cut(struct buf *out, const char *text, size_t most);

/* As snprintf, but that what does not fit is cut between characters and marked. `size` is more than
 * the mark's. */
void text_print(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_vprint(char *buffer, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
