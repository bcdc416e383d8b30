/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON's tokens. Eight bytes are looked at at a time: nearly all that is read
 * is the inside of strings.
 */
#include "token.h"

#include <string.h>

#include "ballast/base/text.h"

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define HIGH_BITS (EACH_BYTE << 7)
#define SAFE_DIGITS 18 /* any integer of this length fits */
#define MARK_FACTOR UINT64_C(0x9E3779B97F4A7C15)

static uint64_t
load(const char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* Not zero if a byte is zero. Bits behind the first zero byte may be wrong on a little-endian
 * machine, bits before it on others. */
static uint64_t
zero_bytes(uint64_t word)
{
    return (word - EACH_BYTE) & ~word & HIGH_BITS;
}

const char *
token_pass_space(struct token_text *text, const char *at)
{
    const char *end = text->end;

    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        if (*at++ == '\n') {
            text->lines++;
            text->line_start = at;
        }
        while (end - at >= 8 && load(at) == EACH_BYTE * ' ') {
            at += 8;
        }
    }
    return at;
}

/* Passes bytes other than quotes, escapes, control characters and non-ASCII bytes. */
static const char *
pass_plain(const char *at, const char *end)
{
    for (; end - at >= 8; at += 8) {
        uint64_t word = load(at);

        if ((zero_bytes(word ^ EACH_BYTE * '"') | zero_bytes(word ^ EACH_BYTE * '\\') |
             ((word - EACH_BYTE * ' ') & ~word & HIGH_BITS) | (word & HIGH_BITS)) != 0) {
            break;
        }
    }
    while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= ' ' &&
           (unsigned char)*at < 0x80) {
        at++;
    }
    return at;
}

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the code point of four hexadecimal digits; 0 if malformed. */
static uint32_t
hex_code(const char *digits)
{
    uint32_t code = 0;

    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(digits[i]);

        if (digit < 0) {
            return 0;
        }
        code = code << 4 | (uint32_t)digit;
    }
    return code;
}

/* Starts behind a backslash. jansson reads NUL and surrogates. */
static const char *
pass_escape(const char *at, const char *end)
{
    if (at == end) {
        return NULL;
    }
    if (*at == 'u') {
        uint32_t code = end - at > 4 ? hex_code(at + 1) : 0;

        return code == 0 || (code >= 0xD800 && code <= 0xDFFF) ? NULL : at + 5;
    }
    return *at != '\0' && strchr("\"\\/bfnrt", *at) != NULL ? at + 1 : NULL;
}

const char *
token_pass_string(const char *at, const char *end, bool *ret_escaped)
{
    *ret_escaped = false;
    for (;;) {
        at = pass_plain(at, end);
        if (at == end) {
            return NULL;
        }
        if (*at == '"') {
            return at + 1;
        }
        if (*at == '\\') {
            *ret_escaped = true;
            at = pass_escape(at + 1, end);
        } else {
            size_t size = 0;

            at = text_decode(at, (size_t)(end - at), &size) < 0x80 || size < 2 ? NULL : at + size;
        }
        if (at == NULL) {
            return NULL;
        }
    }
}

static size_t
append_utf8(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

size_t
token_unescape(const char *text, size_t length, char *out)
{
    static const char meaning[128] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                      ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    size_t used = 0;

    for (size_t i = 0; i < length;) {
        const char *backslash = memchr(text + i, '\\', length - i);
        size_t plain = backslash != NULL ? (size_t)(backslash - text) - i : length - i;

        memcpy(out + used, text + i, plain);
        used += plain;
        i += plain;
        if (i == length) {
            break;
        }
        if (text[i + 1] == 'u') {
            used += append_utf8(hex_code(text + i + 2), out + used);
            i += 6;
        } else {
            out[used++] = meaning[(unsigned char)text[i + 1] & 0x7F];
            i += 2;
        }
    }
    return used;
}

static const char *
pass_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9') {
        at++;
    }
    return at;
}

static const char *
pass_fraction(const char *at, const char *end)
{
    const char *digits = at;

    at = pass_digits(digits, end);
    return at == digits ? NULL : at;
}

/* jansson reads exponents and numbers that may be too large. */
const char *
token_pass_number(const char *at, const char *end, bool *ret_real, int64_t *ret)
{
    bool is_negative = at < end && *at == '-';
    const char *digits = at + (is_negative ? 1 : 0);
    int64_t integer = 0;

    at = pass_digits(digits, end);
    if (at == digits || at - digits > SAFE_DIGITS || (*digits == '0' && at - digits > 1)) {
        return NULL;
    }
    for (const char *c = digits; c < at; c++) {
        integer = integer * 10 + (*c - '0');
    }
    *ret = is_negative ? -integer : integer;
    *ret_real = at < end && *at == '.';
    if (*ret_real) {
        at = pass_fraction(at + 1, end);
    }
    return at == NULL || at == end || *at == 'e' || *at == 'E' ? NULL : at;
}

const char *
token_pass_word(const char *at, const char *end, const char *word, size_t length)
{
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

uint64_t
token_mark(const char *text, size_t length)
{
    uint64_t mark = length * MARK_FACTOR, word = 0;

    for (; length >= 8; length -= 8, text += 8) {
        mark = (mark ^ load(text)) * MARK_FACTOR;
        mark ^= mark >> 32;
    }
    if (length > 0) {
        memcpy(&word, text, length);
        mark = (mark ^ word) * MARK_FACTOR;
        mark ^= mark >> 32;
    }
    return mark;
}
