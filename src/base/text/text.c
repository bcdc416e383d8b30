/* SPDX-License-Identifier: Apache-2.0
 *
 * Escaping and cutting of text from outside.
 */
#include "ballast/base/text.h"
#include "ballast/base/wide.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define SEQUENCE_MAX 4 /* bytes of a character */

/* Returns the length of a UTF-8 sequence by its first byte; 0 if that cannot begin one. */
static size_t
sequence_length(unsigned char first)
{
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return 2;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        return 3;
    }
    return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

uint32_t
text_decode(const char *text, size_t length, size_t *ret_size)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t size = sequence_length(first);

    *ret_size = 1;
    if (size == 0 || size > length) {
        return TEXT_REPLACEMENT;
    }
    if (size == 1) {
        return first;
    }
    uint32_t code_point = first & (0xFFu >> (size + 1));

    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)text[i];

        if ((next & 0xC0) != 0x80) {
            return TEXT_REPLACEMENT;
        }
        code_point = code_point << 6 | (next & 0x3Fu);
    }
    if (code_point < smallest[size] || code_point > 0x10FFFF ||
        (code_point >= 0xD800 && code_point <= 0xDFFF)) {
        return TEXT_REPLACEMENT;
    }
    *ret_size = size;
    return code_point;
}

/* True if a code point may reach a terminal unchanged. */
static bool
text_is_plain(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
    } refused[] = {
        {0x0000, 0x001F}, {0x007F, 0x009F}, /* C0, DEL, C1 */
        {0x061C, 0x061C}, {0x200E, 0x200F}, /* bidirectional marks */
        {0x2028, 0x202E}, {0x2066, 0x2069}, /* separators, bidirectional overrides and isolates */
        {0xFEFF, 0xFEFF},                   /* byte order mark */
    };

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (code_point >= refused[i].first && code_point <= refused[i].last) {
            return false;
        }
    }
    return true;
}

static void
append_code_point(struct buf *out, const char *text, size_t size, uint32_t code_point)
{
    if (!text_is_plain(code_point)) {
        buf_printf(out, "\\u%04X", (unsigned)code_point);
    } else if (code_point == TEXT_REPLACEMENT) {
        buf_append_str(out, "\xEF\xBF\xBD");
    } else {
        buf_append(out, text, size);
    }
}

static int
hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;

    return at != NULL ? pin_int32(at - digits) % 16 : -1;
}

int
text_hex_byte(const char *digits)
{
    const int high = hex_digit(digits[0]);
    const int low = high >= 0 ? hex_digit(digits[1]) : -1;

    return low >= 0 ? high << 4 | low : -1;
}

void
text_append_line(struct buf *out, const char *text)
{
    size_t length = strlen(text);

    for (size_t at = 0, size = 0; at < length; at += size) {
        uint32_t code_point = text_decode(text + at, length - at, &size);

        if (code_point == '\n' || code_point == '\r' || code_point == '\t') {
            buf_append_char(out, ' ');
        } else {
            append_code_point(out, text + at, size, code_point);
        }
    }
}

/* Returns the one-letter escape of a code point; 0 if it has none. */
static char
short_escape(uint32_t code_point)
{
    switch (code_point) {
    case '"':
        return '"';
    case '\\':
        return '\\';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return '\0';
    }
}

/* Most texts need neither escapes nor decoding. */
size_t
text_plain_length(const char *text)
{
    size_t length = 0;

    while (text[length] >= ' ' && text[length] < 0x7F && text[length] != '"' &&
           text[length] != '\\') {
        length++;
    }
    return length;
}

void
text_append_quoted(struct buf *out, const char *text)
{
    size_t length = strlen(text);

    buf_append_char(out, '"');
    for (size_t at = 0, size = 0; at < length; at += size) {
        size = text_plain_length(text + at);
        if (size > 0) {
            buf_append(out, text + at, size);
            continue;
        }
        uint32_t code_point = text_decode(text + at, length - at, &size);
        char escape = short_escape(code_point);

        if (escape != '\0') {
            buf_append_char(out, '\\');
            buf_append_char(out, escape);
        } else {
            append_code_point(out, text + at, size, code_point);
        }
    }
    buf_append_char(out, '"');
}

size_t
text_columns(const char *text)
{
    size_t length = strlen(text);
    size_t columns = 0;

    for (size_t at = 0, size = 0; at < length; at += size) {
        uint32_t code_point = text_decode(text + at, length - at, &size);
        bool space = code_point == '\n' || code_point == '\r' || code_point == '\t';

        columns += text_is_plain(code_point) || space ? 1 : strlen("\\u0000");
    }
    return columns;
}

static bool
is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t
text_cut(const char *text, size_t length, size_t most)
{
    size_t end = most;

    if (length <= most) {
        return length;
    }
    while (end > 0 && most - end < SEQUENCE_MAX && is_continuation(text[end])) {
        end--;
    }
    return is_continuation(text[end]) ? most : end; /* else it is no UTF-8 */
}

void
text_append_cut(struct buf *out, const char *text, size_t most)
{
    size_t length = strnlen(text, most + 1);

    if (length <= most) {
        buf_append(out, text, length);
        return;
    }
    buf_append(out, text, text_cut(text, length, most - strlen(TEXT_CUT_MARK)));
    buf_append_str(out, TEXT_CUT_MARK);
}

void
text_append_word(struct buf *out, const char *text)
{
    bool is_plain = *text != '\0';

    for (const char *c = text; *c != '\0'; c++) {
        is_plain = is_plain && (isalnum((unsigned char)*c) || strchr("._/@:=+-", *c) != NULL);
    }
    if (is_plain) {
        buf_append_str(out, text);
        return;
    }
    buf_append_char(out, '\'');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            buf_append_str(out, "'\\''");
        } else {
            buf_append_char(out, *c);
        }
    }
    buf_append_char(out, '\'');
}

void
text_append_flag(struct buf *out, const char *flag, const char *value)
{
    if (value != NULL && *value != '\0') {
        buf_printf(out, " %s ", flag);
        text_append_word(out, value);
    }
}

const char *
integer_format(int64_t value, char ret[INTEGER_TEXT_MAX])
{
    char *at = &ret[INTEGER_TEXT_MAX - 1];
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

    *at = '\0';
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        *--at = '-';
    }
    return at;
}

void
text_vprint(char *buffer, size_t size, const char *format, va_list args)
{
    int length = vsnprintf(buffer, size, format, args);

    if (length >= 0 && (size_t)length >= size) {
        size_t end = text_cut(buffer, size - 1, size - sizeof(TEXT_CUT_MARK));

        memcpy(buffer + end, TEXT_CUT_MARK, sizeof(TEXT_CUT_MARK));
    }
}

void
text_print(char *buffer, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_vprint(buffer, size, format, args);
    va_end(args);
}
