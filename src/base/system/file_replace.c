/* SPDX-License-Identifier: Apache-2.0
 *
 * Write beside, sync, give it its name.
 */
#include "ballast/base/file_replace.h"
#include "ballast/base/wide.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
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

    return str_print("%.*s.%s.ballast-new", pin_width(directory), path, path + directory);
}

bool
file_sync_directory_of(const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL && slash > path ? (size_t)(slash - path) : 1;
    char *directory = str_print("%.*s", pin_width(length), slash != NULL ? path : ".");
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* some file systems cannot sync a directory: EINVAL */
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

bool
file_write_all(int fd, const char *bytes, size_t length)
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

struct content {
    const char *bytes;
    size_t length;
    mode_t mode;
    bool is_cut; /* the umask cuts the mode */
};

#define NAME_TRIES 8
#define LEFT_BEHIND 3600 /* seconds */

/* Returns a unique hidden name beside `path`: parallel writers each write their own file. */
static char *
unique_name(const char *path)
{
    char *stem = file_new_name(path);
    uint64_t random = 0;

    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
        random = (uint64_t)getpid();
    }
    char *name = str_print("%s-%016llx", stem, (unsigned long long)random);

    free(stem);
    return name;
}

/* Returns -1 with errno and no name if it fails. */
static int
open_new(const char *path, const struct content *content, char **ret_name)
{
    const mode_t first = content->is_cut ? content->mode : S_IRUSR | S_IWUSR;
    int fd = -1;

    *ret_name = NULL;
    for (int try = 0; fd < 0 && try < NAME_TRIES && (try == 0 || errno == EEXIST); try++) {
        free(*ret_name);
        *ret_name = unique_name(path);
        fd = open(*ret_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, first);
    }
    if (fd < 0) {
        int failure = errno;

        free(*ret_name);
        *ret_name = NULL;
        errno = failure;
    }
    return fd;
}

/* Returns the name of the new file, for free(); NULL with err. */
static char *
write_new(const char *path, const struct content *content, struct error *err)
{
    char *name;
    int fd = open_new(path, content, &name);

    if (fd < 0) {
        file_fail(err, "writing", path);
        return NULL;
    }
    bool done = file_write_all(fd, content->bytes, content->length) &&
                (content->is_cut || fchmod(fd, content->mode) == 0) && fsync(fd) == 0;

    if (!done) {
        file_fail(err, "writing", path);
    }
    if (close(fd) != 0 && done) {
        done = file_fail(err, "writing", path);
    }
    if (!done) {
        unlink(name);
        free(name);
        name = NULL;
    }
    return name;
}

/* Removes files of killed runs, an hour older than `path` by the file system's own clock. */
static void
sweep(const char *path)
{
    char *stem = file_new_name(path);
    char *slash = strrchr(stem, '/');
    const char *prefix = slash != NULL ? slash + 1 : stem;
    struct stat now, old;

    if (slash != NULL) {
        *slash = '\0';
    }
    DIR *directory = opendir(slash == NULL ? "." : slash == stem ? "/" : stem);
    const struct dirent *entry;

    while (directory != NULL && stat(path, &now) == 0 && (entry = readdir(directory)) != NULL) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
            fstatat(dirfd(directory), entry->d_name, &old, AT_SYMLINK_NOFOLLOW) == 0 &&
            old.st_mtim.tv_sec < now.st_mtim.tv_sec - LEFT_BEHIND) {
            unlinkat(dirfd(directory), entry->d_name, 0);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    free(stem);
}

static bool
take_place(const char *name, const char *path, struct error *err)
{
    return rename(name, path) == 0 || file_fail(err, "replacing", path);
}

static bool
fail_taken(struct error *err, const char *path)
{
    return error_set(err, ERROR_CONFLICT, "writing %s: it is there already", path);
}

/* Links the new file to `path`, unless that name is taken. */
static bool
take_new_name(const char *name, const char *path, struct error *err)
{
    if (link(name, path) == 0) {
        return unlink(name) == 0 || file_fail(err, "removing", name);
    }
    if (errno == EEXIST) {
        return fail_taken(err, path);
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) {
        return file_fail(err, "writing", path);
    }
    /* without hard links, two writers at once can both pass this check */
    return access(path, F_OK) == 0 ? fail_taken(err, path) : take_place(name, path, err);
}

static bool
put(const char *path, const struct content *content,
    bool (*take)(const char *name, const char *path, struct error *err), struct error *err)
{
    char *name = write_new(path, content, err);
    bool done = name != NULL;

    if (done && !take(name, path, err)) {
        unlink(name);
        done = false;
    }
    free(name);
    if (done) {
        sweep(path);
    }
    return done && file_sync_directory_of(path, err);
}

bool
file_replace(const char *path, const char *bytes, size_t length, mode_t mode, struct error *err)
{
    struct stat info;

    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return error_set(err, ERROR_IO, "writing %s: it is there, and is no regular file", path);
    }
    char *real = realpath(path, NULL); /* NULL: no file yet */
    const struct content content = {bytes, length, mode, .is_cut = false};
    bool done = put(real != NULL ? real : path, &content, take_place, err);

    free(real);
    return done;
}

bool
file_create(const char *path, const char *bytes, size_t length, mode_t mode, struct error *err)
{
    const struct content content = {bytes, length, mode, .is_cut = true};

    return put(path, &content, take_new_name, err);
}

bool
file_renew(const char *path, const char *bytes, size_t length, struct error *err)
{
    struct stat info;

    if (lstat(path, &info) != 0) {
        return file_fail(err, "replacing", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return error_set(err, ERROR_IO, "replacing %s: it is there, and is no regular file", path);
    }
    const struct content content = {bytes, length, info.st_mode & 07777, .is_cut = false};

    return put(path, &content, take_place, err);
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
        /* `most` may be far larger than the file */
        most = (uint64_t)info.st_size < most ? (size_t)info.st_size : most;
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
