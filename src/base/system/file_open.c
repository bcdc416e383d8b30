/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening what is to be read.
 */
#include "ballast/base/file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITER_MILLISECONDS 3000

static int
fail(int fd, const char *label, struct error *err)
{
    int failure = errno;

    error_set_errno(err, failure, "%s", label);
    if (failure == ENOENT || failure == ENOTDIR) {
        err->code = ERROR_NOT_FOUND;
    } else if (failure == EACCES || failure == EPERM) {
        err->code = ERROR_FORBIDDEN;
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

static int
open_at_once(const char *path, const char *label, struct stat *ret_info, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    return fd >= 0 && fstat(fd, ret_info) == 0 ? fd : fail(fd, label, err);
}

int
file_open_regular(const char *path, const char *label, struct error *err)
{
    struct stat info;
    int fd = open_at_once(path, label, &info, err);

    if (fd >= 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return fail(fd, label, err);
    }
    if (fd >= 0 && !S_ISREG(info.st_mode)) {
        close(fd);
        error_set(err, ERROR_IO, "%s: this is no regular file", label);
        return -1;
    }
    return fd;
}

/* True if a pipe has a writer, or bytes that one left. tee() copies a byte into another pipe
 * without taking it: 0 without writer and bytes, EAGAIN with a silent writer. */
static bool
has_writer(int fd)
{
    int other[2];

    if (pipe2(other, O_CLOEXEC | O_NONBLOCK) != 0) {
        return true;
    }
    ssize_t copied = tee(fd, other[1], 1, SPLICE_F_NONBLOCK);

    close(other[0]);
    close(other[1]);
    return copied != 0;
}

/* Waits for data. A silent writer counts too. */
static bool
wait_for_writer(int fd)
{
    struct pollfd data = {.fd = fd, .events = POLLIN};

    (void)poll(&data, 1, WRITER_MILLISECONDS);
    return has_writer(fd);
}

int
file_open_named(const char *path, const char *label, struct error *err)
{
    struct stat info;
    int fd = open_at_once(path, label, &info, err);

    if (fd < 0 || S_ISREG(info.st_mode)) {
        return fd;
    }
    if (S_ISFIFO(info.st_mode) && !wait_for_writer(fd)) {
        close(fd);
        error_set(err, ERROR_IO, "%s: this is a pipe into which nobody writes", label);
        return -1;
    }
    /* from here on, reads block as on standard input */
    return fcntl(fd, F_SETFL, 0) == 0 ? fd : fail(fd, label, err);
}
