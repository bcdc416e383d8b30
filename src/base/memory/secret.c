/* SPDX-License-Identifier: Apache-2.0
 *
 * Secrets in memory.
 */
#include "ballast/base/secret.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/file_open.h"
#include "ballast/base/heap.h"
#include "ballast/base/text_input.h"

void
secret_set(struct secret *secret, const void *bytes, size_t length)
{
    char *copy = heap_new(length + 1, 1);

    if (length > 0) {
        memcpy(copy, bytes, length);
    }
    secret_wipe(secret);
    *secret = (struct secret){.data = copy, .length = length};
}

void
secret_wipe(struct secret *secret)
{
    if (secret->data != NULL) {
        explicit_bzero(secret->data, secret->length);
    }
    free(secret->data);
    *secret = (struct secret){.data = NULL};
}

void
secret_move(struct secret *secret, struct secret *from)
{
    secret_wipe(secret);
    *secret = *from;
    *from = (struct secret){.data = NULL};
}

void
secret_free_text(char *text)
{
    if (text != NULL) {
        explicit_bzero(text, strlen(text));
    }
    free(text);
}

/* Returns 0..63, or -1. */
static int
base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool
base64_decode(const char *text, size_t length, char *out, size_t *ret_length)
{
    uint32_t bits = 0;
    size_t digits = 0, padding = 0, used = 0;

    for (size_t i = 0; i < length; i++) {
        int digit = base64_digit(text[i]);

        if (text[i] == '\n' || text[i] == '\r') {
            continue;
        }
        if (text[i] == '=') {
            padding++;
            continue;
        }
        if (digit < 0 || padding > 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        if (++digits % 4 != 1) { /* two digits give the first byte, each further digit one more */
            out[used++] = (char)(bits >> (2 * (3 - (digits - 1) % 4)) & 0xFF);
        }
    }
    *ret_length = used;
    return digits % 4 != 1 && padding == (4 - digits % 4) % 4;
}

bool
secret_from_base64(const char *text, size_t length, struct secret *ret)
{
    struct secret out = {.data = heap_new(length + 1, 1), .length = length};
    bool is_fine = base64_decode(text, length, out.data, &out.length);

    if (is_fine) {
        secret_set(ret, out.data, out.length);
    }
    out.length = length;
    secret_wipe(&out);
    return is_fine;
}

/* Reads up to `size` bytes: one more than a secret may have. */
static bool
read_bytes(int fd, const char *path, char *buffer, size_t size, size_t *ret_length,
           struct error *err)
{
    ssize_t got = 1;

    for (*ret_length = 0; *ret_length < size && got > 0; *ret_length += got > 0 ? (size_t)got : 0) {
        got = read(fd, buffer + *ret_length, size - *ret_length);
    }
    return got >= 0 || error_set_errno(err, errno, "%s", path);
}

static bool
read_text(int fd, const char *path, char *buffer, size_t size, size_t *ret_length,
          struct error *err)
{
    struct text_input *input = text_input_new(fd, path, NULL);
    size_t got = 1;
    bool done = true;

    for (*ret_length = 0; *ret_length < size && done && got > 0; *ret_length += done ? got : 0) {
        done = text_input_read(input, buffer + *ret_length, size - *ret_length + TEXT_PIECE_MIN,
                               &got, err);
    }
    text_input_free(input);
    return done;
}

static bool
read_open(int fd, const char *path, size_t maximum,
          bool (*read)(int fd, const char *path, char *buffer, size_t size, size_t *ret_length,
                       struct error *err),
          struct secret *ret, struct error *err)
{
    const size_t size = maximum + 1 + TEXT_PIECE_MIN;
    char *buffer = heap_new(size, 1);
    size_t length;
    bool done = read(fd, path, buffer, maximum + 1, &length, err) &&
                (length <= maximum ||
                 error_set(err, ERROR_LIMIT, "%s: larger than %zu bytes", path, maximum));

    if (done) {
        secret_set(ret, buffer, length);
    }
    /* The kernel makes no pages for unread bytes. A failed read may have left bytes uncounted. */
    explicit_bzero(buffer, done ? length + TEXT_PIECE_MIN : size);
    free(buffer);
    return done;
}

bool
secret_read_text(int fd, const char *label, size_t maximum, struct secret *ret, struct error *err)
{
    return read_open(fd, label, maximum, read_text, ret, err);
}

bool
secret_read_file(const char *path, size_t maximum, struct secret *ret, struct error *err)
{
    int fd = file_open_named(path, path, err);

    if (fd < 0) {
        return false;
    }
    bool is_read = secret_read_text(fd, path, maximum, ret, err);

    close(fd);
    return is_read;
}

bool
secret_read_regular_file(const char *path, size_t maximum, struct secret *ret, struct error *err)
{
    int fd = file_open_regular(path, path, err);

    if (fd < 0) {
        return false;
    }
    bool is_read = read_open(fd, path, maximum, read_bytes, ret, err);

    close(fd);
    return is_read;
}

static bool
is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void
secret_trim(struct secret *secret)
{
    size_t begin = 0, end = secret->length;

    while (end > begin && is_space(secret->data[end - 1])) {
        end--;
    }
    while (begin < end && is_space(secret->data[begin])) {
        begin++;
    }
    if (end - begin < secret->length) {
        struct secret trimmed = {.data = NULL};

        secret_set(&trimmed, secret->data + begin, end - begin);
        secret_move(secret, &trimmed);
    }
}

bool
secret_fits_header(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F) {
            return false;
        }
    }
    return true;
}
