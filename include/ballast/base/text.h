/* SPDX-License-Identifier: Apache-2.0
 *
 * Text from outside, made fit for a terminal, a log line, JSON or YAML. Unsafe
 * parts are escaped or replaced, never passed through: control characters (a
 * terminal would obey them), bidirectional overrides (they make a name look like
 * another one) and malformed UTF-8.
 */
#ifndef BALLAST_BASE_TEXT_H
#define BALLAST_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"

#define TEXT_REPLACEMENT 0xFFFDu

/* Returns the code point at the beginning of text[0..length), length > 0, and sets *ret_size to its
 * bytes. Returns TEXT_REPLACEMENT, and sets 1, if the UTF-8 is malformed. */
uint32_t text_decode(const char *text, size_t length, size_t *ret_size);

/* Returns the byte of two hexadecimal digits of either case; -1 if the text begins otherwise. */
int text_hex_byte(const char *digits);

/* Appends `text` as one line: line ends and tabs become spaces, other unsafe code points "\uXXXX",
 * malformed UTF-8 U+FFFD. */
void text_append_line(struct buf *out, const char *text);

/* Appends `text` as a JSON string with its quotes, which is also a valid YAML scalar. */
void text_append_quoted(struct buf *out, const char *text);

/* Appends `text` as one word of a shell command, in single quotes if necessary. */
void text_append_word(struct buf *out, const char *text);
/* Appends a flag and its value, as in " --context prod", for a shell. Appends nothing if the value
 * is NULL or empty. */
void text_append_flag(struct buf *out, const char *flag, const char *value);

#define INTEGER_TEXT_MAX 21

/* Writes the integer in decimal into `ret`. Returns the beginning of the text in `ret`. */
const char *integer_format(int64_t value, char ret[INTEGER_TEXT_MAX]);

/* Returns how many first bytes of `text` text_append_quoted() appends unchanged. */
size_t text_plain_length(const char *text);

/* Returns how many code points text_append_line() would append, one column each. */
size_t text_columns(const char *text);

/* End of a text that was cut. */
#define TEXT_CUT_MARK "..."

/* Returns how many bytes of text[0..length) to keep: at most `most`, ending between characters. */
size_t text_cut(const char *text, size_t length, size_t most);

/* Appends the text. Cuts a text of more than `most` bytes between characters, to at most `most`
 * bytes with TEXT_CUT_MARK at the end. `most` holds at least the mark. */
void text_append_cut(struct buf *out, const char *text, size_t most);

/* Formats a text into buffer[0..size) as snprintf() does. Cuts a longer text between characters and
 * ends it with TEXT_CUT_MARK. `size` holds at least the mark and a NUL. */
void text_print(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Formats as text_print() does, with the arguments as a va_list. */
void text_vprint(char *buffer, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
