/* SPDX-License-Identifier: Apache-2.0
 *
 * Lock, write beside, sync, rename.
 */
#include "file_swap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ballast/base/file_replace.h"
#include "ballast/base/heap.h"

#define LOCK_TRIES 500
#define LOCK_PAUSE_NANOS 20000000L
#define COPY_LENGTH ((size_t)256 << 10)

/* Waits for a lock by asking again, so that a signal's wish to stop is seen. */
static bool
lock(struct file_swap *swap, const atomic_bool *stop, struct error *err)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NANOS};

    for (int i = 0; i < LOCK_TRIES; i++) {
        if (*stop) {
            return error_set(err, ERROR_STOPPED, "stopped before %s was written", swap->path);
        }
        if (flock(swap->source, LOCK_EX | LOCK_NB) == 0) {
            return true;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return file_fail(err, "locking", swap->path);
        }
        nanosleep(&pause, NULL);
    }
    return error_set(err, ERROR_UNAVAILABLE, "locking %s: another process holds the lock",
                     swap->path);
}

/* Whether the open file still has its name: another writer may have put a new one there. */
static bool
has_its_name(const struct file_swap *swap)
{
    struct stat open_file, named;

    return fstat(swap->source, &open_file) == 0 && stat(swap->path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

/* A rename asks only the directory: the file's own write protection is to be kept, too. */
static bool
may_write(const struct file_swap *swap, struct error *err)
{
    return faccessat(AT_FDCWD, swap->path, W_OK, AT_EACCESS) == 0 ||
           file_fail(err, "writing", swap->path);
}

bool
file_swap_open(struct file_swap *swap, const char *path, const atomic_bool *stop, struct error *err)
{
    *swap = (struct file_swap){.source = -1, .target = -1};
    swap->path = realpath(path, NULL);
    if (swap->path == NULL) {
        return file_fail(err, "opening", path);
    }
    for (;;) {
        swap->source = open(swap->path, O_RDONLY | O_CLOEXEC);
        if (swap->source < 0) {
            return file_fail(err, "opening", path);
        }
        if (!lock(swap, stop, err)) {
            return false;
        }
        if (has_its_name(swap)) {
            return may_write(swap, err);
        }
        close(swap->source);
    }
}

bool
file_swap_begin(struct file_swap *swap, struct error *err)
{
    char *temporary = file_new_name(swap->path);
    struct stat info;

    swap->target =
        open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (swap->target < 0) {
        file_fail(err, "writing", temporary);
        free(temporary);
        return false;
    }
    swap->temporary = temporary;
    if (fstat(swap->source, &info) != 0) {
        return file_fail(err, "reading", swap->path);
    }
    if (fchown(swap->target, info.st_uid, info.st_gid) != 0 && errno != EPERM) {
        return file_fail(err, "writing", temporary);
    }
    return fchmod(swap->target, info.st_mode & 07777) == 0 || file_fail(err, "writing", temporary);
}

bool
file_swap_write(struct file_swap *swap, const char *bytes, size_t length, struct error *err)
{
    while (length > 0) {
        ssize_t written = write(swap->target, bytes, length);

        if (written < 0 && errno != EINTR) {
            return file_fail(err, "writing", swap->temporary);
        }
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return true;
}

static bool
copy_pieces(struct file_swap *swap, size_t begin, size_t end, char *piece, struct error *err)
{
    while (begin < end) {
        size_t want = end - begin < COPY_LENGTH ? end - begin : COPY_LENGTH;
        ssize_t got = pread(swap->source, piece, want, (off_t)begin);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return file_fail(err, "reading", swap->path);
        }
        if (got == 0) {
            return end == SIZE_MAX ||
                   error_set(err, ERROR_IO, "reading %s: it became shorter", swap->path);
        }
        if (!file_swap_write(swap, piece, (size_t)got, err)) {
            return false;
        }
        begin += (size_t)got;
    }
    return true;
}

bool
file_swap_copy(struct file_swap *swap, size_t begin, size_t end, struct error *err)
{
    char *piece = heap_new(1, COPY_LENGTH);

    bool done = copy_pieces(swap, begin, end, piece, err);

    free(piece);
    return done;
}

bool
file_swap_copy_rest(struct file_swap *swap, size_t begin, struct error *err)
{
    return file_swap_copy(swap, begin, SIZE_MAX, err);
}

bool
file_swap_commit(struct file_swap *swap, struct error *err)
{
    if (fsync(swap->target) != 0) {
        return file_fail(err, "writing", swap->temporary);
    }
    if (rename(swap->temporary, swap->path) != 0) {
        return file_fail(err, "replacing", swap->path);
    }
    free(swap->temporary);
    swap->temporary = NULL;
    return file_sync_directory_of(swap->path, err);
}

void
file_swap_close(struct file_swap *swap)
{
    if (swap->temporary != NULL) {
        unlink(swap->temporary);
        free(swap->temporary);
    }
    if (swap->target >= 0) {
        close(swap->target);
    }
    if (swap->source >= 0) {
        close(swap->source);
    }
    free(swap->path);
    *swap = (struct file_swap){.source = -1, .target = -1};
}
