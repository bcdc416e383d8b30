/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of files into text: bytes as they are stored, unpacked where they are
 * gzip, and in UTF-8 where they are UTF-16.
 */
#include "ballast/base/text_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/compress.h"
#include "ballast/base/heap.h"

#define PIECE_LENGTH ((size_t)64 << 10)
#define SIGN_LENGTH 4     /* bytes that show how a text is stored */
#define CHARACTER_BYTES 4 /* of UTF-8, at most */
#define HIGH_SURROGATE 0xD800u
#define LOW_SURROGATE 0xDC00u
#define BEHIND_SURROGATES 0xE000u
#define SECOND_PLANE 0x10000u

struct held {
    char bytes[PIECE_LENGTH];
    size_t at, length;
};

struct text_input {
    int fd;
    const char *label;
    const atomic_bool *stop;
    bool is_told; /* the form is known */
    bool is_over; /* the descriptor is at its end */
    struct text_form form;
    struct gzip *gunzip;
    bool is_packed; /* inside a gzip member */
    uint64_t taken, unpacked;
    struct held stored; /* as stored */
    struct held plain;  /* unpacked */
};

struct text_input *
text_input_new(int fd, const char *label, const atomic_bool *stop)
{
    struct text_input *input = heap_new(1, sizeof(*input));

    input->fd = fd;
    input->label = label;
    input->stop = stop;
    return input;
}

void
text_input_free(struct text_input *input)
{
    if (input != NULL) {
        gunzip_free(input->gunzip);
        explicit_bzero(input, sizeof(*input));
        free(input);
    }
}

struct text_form
text_input_form(const struct text_input *input)
{
    return input->form;
}

uint64_t
text_input_taken(const struct text_input *input)
{
    return input->taken;
}

static bool
read_stored(struct text_input *input, char *ret, size_t size, size_t *ret_length, struct error *err)
{
    ssize_t length = 0;

    do {
        if (input->stop != NULL && *input->stop) {
            return error_set(err, ERROR_STOPPED, "stopped by a signal");
        }
        length = input->is_over ? 0 : read(input->fd, ret, size);
    } while (length < 0 && errno == EINTR &&
             input->stop != NULL); /* without `stop`, a signal ends the read */
    if (length < 0) {
        return error_set_errno(err, errno, "%s", input->label);
    }
    input->is_over = length == 0;
    input->taken += (uint64_t)length;
    *ret_length = (size_t)length;
    return true;
}

static bool
hold_more(struct text_input *input, struct held *held,
          bool (*read)(struct text_input *input, char *ret, size_t size, size_t *ret_length,
                       struct error *err),
          struct error *err)
{
    size_t length = 0;

    held->length -= held->at;
    memmove(held->bytes, held->bytes + held->at, held->length);
    held->at = 0;
    if (!read(input, held->bytes + held->length, PIECE_LENGTH - held->length, &length, err)) {
        return false;
    }
    held->length += length;
    return true;
}

static size_t
take_held(struct held *held, char *ret, size_t size)
{
    size_t length = held->length - held->at;

    length = length < size ? length : size;
    memcpy(ret, held->bytes + held->at, length);
    held->at += length;
    return length;
}

/* gzip skips zeros behind a member too: they fill a block. */
static void
pass_zeros(struct text_input *input)
{
    struct held *stored = &input->stored;

    while (!input->is_packed && stored->at < stored->length && stored->bytes[stored->at] == '\0') {
        stored->at++;
    }
}

static bool /* NOLINTNEXTLINE(readability-non-const-parameter): zlib writes to `ret` */
unpack_some(struct text_input *input, char *ret, size_t size, size_t *ret_length, struct error *err)
{
    struct held *stored = &input->stored;
    struct gzip_piece piece = {stored->bytes + stored->at, stored->length - stored->at, ret, size};
    bool is_over;

    if (!gunzip_step(input->gunzip, &piece, &is_over)) {
        return error_set(err, ERROR_PARSE, "%s: malformed gzip data", input->label);
    }
    stored->at = stored->length - piece.in_length;
    input->is_packed = !is_over;
    *ret_length = size - piece.out_length;
    input->unpacked += *ret_length;
    return input->unpacked <= TEXT_UNPACKED_MAX ||
           error_set(err, ERROR_LIMIT,
                     "%s: gzip of more than %llu bytes: unpack it (gunzip) and read that",
                     input->label, (unsigned long long)TEXT_UNPACKED_MAX);
}

static bool
unpack(struct text_input *input, char *ret, size_t size, size_t *ret_length, struct error *err)
{
    struct held *stored = &input->stored;

    for (*ret_length = 0; *ret_length == 0;) {
        pass_zeros(input);
        if (stored->at == stored->length) {
            if (!hold_more(input, stored, read_stored, err)) {
                return false;
            }
            if (stored->length == 0) {
                return !input->is_packed ||
                       error_set(err, ERROR_PARSE, "%s: gzip data that breaks off", input->label);
            }
        } else if (!unpack_some(input, ret, size, ret_length, err)) {
            return false;
        }
    }
    return true;
}

static bool
read_plain(struct text_input *input, char *ret, size_t size, size_t *ret_length, struct error *err)
{
    if (input->gunzip != NULL) {
        return unpack(input, ret, size, ret_length, err);
    }
    *ret_length = take_held(&input->stored, ret, size);
    return *ret_length > 0 || read_stored(input, ret, size, ret_length, err);
}

/* --- the form --- */

static bool
begins_with(const struct held *held, const char *sign, size_t length)
{
    return held->length >= length && memcmp(held->bytes, sign, length) == 0;
}

/* Holds SIGN_LENGTH bytes, or all bytes of a shorter text. */
static bool
hold_sign(struct text_input *input, struct held *held,
          bool (*read)(struct text_input *input, char *ret, size_t size, size_t *ret_length,
                       struct error *err),
          struct error *err)
{
    size_t before;

    do {
        before = held->length;
        if (!hold_more(input, held, read, err)) {
            return false;
        }
    } while (held->length > before && held->length < SIGN_LENGTH);
    return true;
}

/* Without a byte order mark, a text begins with two ASCII characters, whose other bytes are 0. */
static bool
is_ascii_units(const struct held *held, size_t ascii)
{
    const char *bytes = held->bytes;

    return held->length >= SIGN_LENGTH && bytes[1 - ascii] == '\0' && bytes[3 - ascii] == '\0' &&
           bytes[ascii] > '\0' && bytes[2 + ascii] > '\0';
}

static bool
detect_units(struct text_input *input, struct error *err)
{
    const struct held *plain = &input->plain;

    if (begins_with(plain, "\xff\xfe\0\0", 4) || begins_with(plain, "\0\0\xfe\xff", 4)) {
        return error_set(err, ERROR_PARSE, "%s: this is UTF-32; want UTF-8 or UTF-16",
                         input->label);
    }
    if (begins_with(plain, "\xff\xfe", 2) || is_ascii_units(plain, 0)) {
        input->form.units = TEXT_UTF16_LE;
    } else if (begins_with(plain, "\xfe\xff", 2) || is_ascii_units(plain, 1)) {
        input->form.units = TEXT_UTF16_BE;
    }
    return true;
}

static bool
detect_form(struct text_input *input, struct error *err)
{
    if (!hold_sign(input, &input->stored, read_stored, err)) {
        return false;
    }
    if (begins_with(&input->stored, GZIP_MAGIC, strlen(GZIP_MAGIC))) {
        input->form.is_gzip = true;
        input->gunzip = gunzip_new();
    }
    input->is_told = true;
    return hold_sign(input, &input->plain, read_plain, err) && detect_units(input, err);
}

/* --- UTF-16 --- */

static uint32_t
unit_at(const struct text_input *input, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)input->plain.bytes + at;
    const size_t low = input->form.units == TEXT_UTF16_LE ? 0 : 1;

    return bytes[low] | (uint32_t)bytes[1 - low] << 8;
}

static size_t
put_character(char *ret, uint32_t code_point)
{
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const size_t size = code_point < 0x80           ? 1
                        : code_point < 0x800        ? 2
                        : code_point < SECOND_PLANE ? 3
                                                    : 4;

    for (size_t i = size - 1; i > 0; i--) {
        ret[i] = (char)(0x80 | (code_point & 0x3F));
        code_point >>= 6;
    }
    ret[0] = (char)(first[size > 1 ? size : 0] | code_point);
    return size;
}

/* Gets the next held character and its bytes; 0 bytes: it is incomplete. False if malformed. */
static bool
next_character(const struct text_input *input, uint32_t *ret, size_t *ret_size)
{
    const struct held *plain = &input->plain;
    const size_t left = plain->length - plain->at;

    *ret_size = left < 2 ? 0 : 2;
    if (*ret_size == 0) {
        return true;
    }
    *ret = unit_at(input, plain->at);
    if (*ret < HIGH_SURROGATE || *ret >= BEHIND_SURROGATES) {
        return true;
    }
    *ret_size = left < 4 ? 0 : 4;
    if (*ret_size == 0 || *ret >= LOW_SURROGATE) {
        return *ret < LOW_SURROGATE;
    }
    uint32_t low = unit_at(input, plain->at + 2);

    *ret = SECOND_PLANE + ((*ret - HIGH_SURROGATE) << 10) + (low - LOW_SURROGATE);
    return low >= LOW_SURROGATE && low < BEHIND_SURROGATES;
}

static bool
fail_utf16(const struct text_input *input, struct error *err)
{
    return error_set(err, ERROR_PARSE, "%s: malformed UTF-16", input->label);
}

static bool
read_utf16(struct text_input *input, char *ret, size_t size, size_t *ret_length, struct error *err)
{
    struct held *plain = &input->plain;

    for (*ret_length = 0; *ret_length + CHARACTER_BYTES <= size;) {
        const size_t before = plain->length - plain->at;
        uint32_t character;
        size_t length;

        if (!next_character(input, &character, &length)) {
            return fail_utf16(input, err);
        }
        if (length > 0) {
            *ret_length += put_character(ret + *ret_length, character);
            plain->at += length;
            continue;
        }
        if (*ret_length > 0) {
            return true;
        }
        if (!hold_more(input, plain, read_plain, err)) {
            return false;
        }
        if (plain->length == before) {
            return before == 0 || fail_utf16(input, err);
        }
    }
    return true;
}

bool
text_input_read(struct text_input *input, char *ret, size_t size, size_t *ret_length,
                struct error *err)
{
    if (!input->is_told && !detect_form(input, err)) {
        return false;
    }
    if (input->form.units != TEXT_UTF8) {
        return read_utf16(input, ret, size, ret_length, err);
    }
    *ret_length = take_held(&input->plain, ret, size);
    return *ret_length > 0 || read_plain(input, ret, size, ret_length, err);
}

bool
text_input_all(int fd, const char *label, struct buf *ret, struct error *err)
{
    struct text_input *input = text_input_new(fd, label, NULL);
    char *piece = heap_new(1, PIECE_LENGTH);
    size_t length = 0;
    bool done;

    do {
        done = text_input_read(input, piece, PIECE_LENGTH, &length, err);
        buf_append(ret, piece, done ? length : 0);
    } while (done && length > 0 && !ret->overflowed);
    explicit_bzero(piece, PIECE_LENGTH);
    free(piece);
    text_input_free(input);
    return done && (!ret->overflowed ||
                    error_set(err, ERROR_LIMIT, "%s: larger than %zu bytes", label, ret->maximum));
}
