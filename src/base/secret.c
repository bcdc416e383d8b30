/* SPDX-License-Identifier: Apache-2.0
 *
 * Secrets in memory.
 */
#include "ballast/base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/heap.h"

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

/* 0..63, or -1. */
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

/* The bytes of `text` into `out`, which has room for them; false when it is malformed. */
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
        if (++digits % 4 != 1) { /* two digits give the first byte, each further one another */
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

/* All that a descriptor gives, up to one byte over what `buffer` may hold. */
static ssize_t
read_all(int fd, char *buffer, size_t size)
{
    size_t length = 0;

    while (length < size) {
        ssize_t got = read(fd, buffer + length, size - length);

        if (got <= 0) { /* EINTR: a signal asks to stop, which a pipe may not hold up */
            return got < 0 ? -1 : (ssize_t)length;
        }
        length += (size_t)got;
    }
    return (ssize_t)length;
}

static bool
read_open_file(int fd, const char *path, size_t maximum, struct secret *ret, struct error *err)
{
    char *buffer = heap_new(maximum + 1, 1);
    ssize_t length = read_all(fd, buffer, maximum + 1);
    int why = errno;

    if (length < 0) {
        error_set_errno(err, why, "%s", path);
    } else if ((size_t)length > maximum) {
        error_set(err, ERROR_LIMIT, "%s: larger than %zu bytes", path, maximum);
    } else {
        secret_set(ret, buffer, (size_t)length);
    }
    explicit_bzero(buffer, length > 0 ? (size_t)length : 0);
    free(buffer);
    return length >= 0 && (size_t)length <= maximum;
}

bool
secret_read_file(const char *path, size_t maximum, struct secret *ret, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        return error_set_errno(err, errno, "%s", path);
    }
    bool is_read = read_open_file(fd, path, maximum, ret, err);

    close(fd);
    return is_read;
}

/* To open a FIFO waits for its writer unless told not to (O_NONBLOCK), and a signal ends that wait
 * only in the thread that it comes to. */
bool
secret_read_regular_file(const char *path, size_t maximum, struct secret *ret, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;

    if (fd < 0 || fstat(fd, &info) != 0) {
        error_set_errno(err, errno, "%s", path);
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    bool is_read = S_ISREG(info.st_mode)
                       ? read_open_file(fd, path, maximum, ret, err)
                       : error_set(err, ERROR_CONFIG, "%s: this is no regular file", path);

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
