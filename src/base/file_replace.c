/* SPDX-License-Identifier: Apache-2.0
 *
 * Write beside, sync, rename.
 */
#include "ballast/base/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"

bool
file_fail(struct error *err, const char *what, const char *path)
{
    int failure = errno;

    error_set_errno(err, failure, "%s %s", what, path);
    if (failure == ENOENT) {
        err->code = ERROR_NOT_FOUND;
    } else if (failure == EACCES || failure == EPERM || failure == EROFS) {
        err->code = ERROR_FORBIDDEN;
    }
    return false;
}

char *
file_new_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t directory = slash != NULL ? (size_t)(slash - path) + 1 : 0;

    return str_print("%.*s.%s.ballast-new", (int)directory, path, path + directory);
}

bool
file_sync_directory_of(const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL && slash > path ? (size_t)(slash - path) : 1;
    char *directory = str_print("%.*s", (int)length, slash != NULL ? path : ".");
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* some file systems cannot sync a directory, and say so */
    bool done = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);

    if (!done) {
        error_set_errno(err, errno, "syncing %s", directory);
    }
    if (fd >= 0) {
        close(fd);
    }
    free(directory);
    return done;
}

static bool
write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);

        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return true;
}

/* The mode is not the umask's to cut: others are to read it. */
static bool
write_new(const char *name, const char *bytes, size_t length, mode_t mode, struct error *err)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);

    if (fd < 0) {
        return error_set_errno(err, errno, "writing %s", name);
    }
    bool done = write_all(fd, bytes, length) && fchmod(fd, mode) == 0 && fsync(fd) == 0;

    if (!done) {
        error_set_errno(err, errno, "writing %s", name);
    }
    if (close(fd) != 0 && done) {
        done = error_set_errno(err, errno, "writing %s", name);
    }
    return done;
}

static bool
replace(const char *path, const char *bytes, size_t length, mode_t mode, struct error *err)
{
    char *name = file_new_name(path);
    bool done = write_new(name, bytes, length, mode, err);

    if (done && rename(name, path) != 0) {
        done = error_set_errno(err, errno, "replacing %s", path);
    }
    if (!done) {
        unlink(name);
    }
    free(name);
    return done && file_sync_directory_of(path, err);
}

bool
file_replace(const char *path, const char *bytes, size_t length, mode_t mode, struct error *err)
{
    struct stat info;

    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return error_set(err, ERROR_IO, "writing %s: it is there, and is no regular file", path);
    }
    char *real = realpath(path, NULL); /* NULL: there is none yet */
    bool done = replace(real != NULL ? real : path, bytes, length, mode, err);

    free(real);
    return done;
}

char *
file_read_head(const char *path, size_t most, size_t *ret_length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;

    if (fd < 0) {
        return NULL;
    }
    char *bytes = NULL;
    ssize_t got = -1;

    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        bytes = heap_new(1, most + 1);
        got = pread(fd, bytes, most, 0);
    }
    close(fd);
    if (got < 0) {
        free(bytes);
        return NULL;
    }
    bytes[got] = '\0';
    *ret_length = (size_t)got;
    return bytes;
}
