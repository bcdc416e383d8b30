/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that others read at any time, written in one step: whoever opens it
 * sees the old content or the new one, whole, also after a crash, and also where
 * several write it at once: then one of them is the last. What killed runs left
 * beside it goes with a later write.
 */
#ifndef BALLAST_BASE_FILE_REPLACE_H
#define BALLAST_BASE_FILE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "ballast/base/error.h"

/* "WHAT PATH: " and why, by errno: NOT_FOUND, FORBIDDEN or IO. Returns false. */
bool file_fail(struct error *err, const char *what, const char *path);

/* The hidden name beside `path` that new content has before it takes its place; where several may
 * write at once, only how such names begin. The caller's to free(). */
char *file_new_name(const char *path);
/* A rename is on disk only when its directory is. */
bool file_sync_directory_of(const char *path, struct error *err);

/* All of the bytes, however many writes it takes; false with errno. */
bool file_write_all(int fd, const char *bytes, size_t length);

/* Makes the file with these bytes and that mode, in the place of one that is there, also behind a
 * symbolic link. What is there and is no regular file is left alone: an error. */
bool file_replace(const char *path, const char *bytes, size_t length, mode_t mode,
                  struct error *err);

/* Makes the file where nothing of that name is: one that is there is an error (CONFLICT), and stays
 * as it is. The umask cuts the mode. */
bool file_create(const char *path, const char *bytes, size_t length, mode_t mode,
                 struct error *err);
/* Puts other content into what file_create made: the mode stays, and what is no regular file
 * itself, such as a symbolic link, is left alone: an error. */
bool file_renew(const char *path, const char *bytes, size_t length, struct error *err);

/* The first `most` bytes of a regular file, at most; the caller's to free(), with a NUL behind
 * them. NULL where there is none, or it cannot be read. */
char *file_read_head(const char *path, size_t most, size_t *ret_length);

#endif
