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

#include "ballast/base/file_open.h"
#include "ballast/base/file_replace.h"
#include "ballast/base/heap.h"

#define LOCK_TRIES 500
#define LOCK_PAUSE_NANOS 20000000L
#define COPY_LENGTH ((size_t)256 << 10)

/* Polls for the lock, so that a stop by a signal is seen. */
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

/* True if the open file still has its name: another writer may have replaced it. */
static bool
has_its_name(const struct file_swap *swap)
{
    struct stat open_file, named;

    return fstat(swap->source, &open_file) == 0 && stat(swap->path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

/* A rename needs rights on the directory only. This keeps the file's own write protection. */
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
        swap->source = file_open_regular(swap->path, path, err);
        if (swap->source < 0) {
            return false;
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

static bool
write_stored(void *context, const char *bytes, size_t length, struct error *err)
{
    struct file_swap *swap = context;

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

/* Removes a killed run's file: the holder of the lock is alone. */
static bool
open_target(struct file_swap *swap, struct error *err)
{
    char *temporary = file_new_name(swap->path);

    if (unlink(temporary) == 0 || errno == ENOENT) {
        swap->target = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                            S_IRUSR | S_IWUSR);
    }
    if (swap->target < 0) {
        file_fail(err, "writing", temporary);
        free(temporary);
        return false;
    }
    swap->temporary = temporary;
    return true;
}

bool
file_swap_begin(struct file_swap *swap, struct text_form form, struct error *err)
{
    struct stat info;

    if (!open_target(swap, err)) {
        return false;
    }
    if (fstat(swap->source, &info) != 0 || lseek(swap->source, 0, SEEK_SET) != 0) {
        return file_fail(err, "reading", swap->path);
    }
    swap->input = text_input_new(swap->source, swap->path, NULL);
    swap->output = text_output_new(form, write_stored, swap);
    if (fchown(swap->target, info.st_uid, info.st_gid) != 0 && errno != EPERM) {
        return file_fail(err, "writing", swap->temporary);
    }
    return fchmod(swap->target, info.st_mode & 07777) == 0 ||
           file_fail(err, "writing", swap->temporary);
}

bool
file_swap_write(struct file_swap *swap, const char *text, size_t length, struct error *err)
{
    return text_output_write(swap->output, text, length, err);
}

/* Passes the old text up to `end`; `copies`: appends it to the new text. */
static bool
pass_to(struct file_swap *swap, size_t end, bool copies, struct error *err)
{
    while (swap->at < end) {
        if (swap->piece_at == swap->piece_length) {
            swap->piece_at = 0;
            if (!text_input_read(swap->input, swap->piece, COPY_LENGTH, &swap->piece_length, err)) {
                return false;
            }
            if (swap->piece_length == 0) {
                return end == SIZE_MAX ||
                       error_set(err, ERROR_IO, "reading %s: it became shorter", swap->path);
            }
        }
        size_t length = swap->piece_length - swap->piece_at;

        length = length < end - swap->at ? length : end - swap->at;
        if (copies && !file_swap_write(swap, swap->piece + swap->piece_at, length, err)) {
            return false;
        }
        swap->piece_at += length;
        swap->at += length;
    }
    return true;
}

bool
file_swap_copy(struct file_swap *swap, size_t begin, size_t end, struct error *err)
{
    if (swap->piece == NULL) {
        swap->piece = heap_new(1, COPY_LENGTH);
    }
    return pass_to(swap, begin, false, err) && pass_to(swap, end, true, err);
}

bool
file_swap_commit(struct file_swap *swap, struct error *err)
{
    if (!text_output_end(swap->output, err)) {
        return false;
    }
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
    text_input_free(swap->input);
    text_output_free(swap->output);
    free(swap->piece);
    free(swap->path);
    *swap = (struct file_swap){.source = -1, .target = -1};
}
