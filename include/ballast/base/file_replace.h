/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that others may read at any time, written in one step: a reader sees the
 * whole old content or the whole new content, also after a crash. Of several
 * writers at once, the last one wins. A write also removes new files older than
 * an hour that killed runs left beside the file.
 */
#ifndef BALLAST_BASE_FILE_REPLACE_H
#define BALLAST_BASE_FILE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "ballast/base/error.h"

/* Sets err by errno to NOT_FOUND, FORBIDDEN or IO and "WHAT PATH: <reason>". Returns false. */
bool file_fail(struct error *err, const char *what, const char *path);

/* Returns the hidden name beside `path` for new content, ".FILE.ballast-new", for free(). Writers
 * append random digits to it. */
char *file_new_name(const char *path);
/* Syncs the directory of `path`, so that a rename in it is on disk. False with err IO. */
bool file_sync_directory_of(const char *path, struct error *err);

/* Writes all bytes to the descriptor. False with errno. */
bool file_write_all(int fd, const char *bytes, size_t length);

/* Writes a file with that mode, or replaces a regular file; follows a symbolic link. False with err
 * NOT_FOUND, FORBIDDEN or IO. Fails with IO on other kinds of files. */
bool file_replace(const char *path, const char *bytes, size_t length, mode_t mode,
                  struct error *err);

/* Writes a new file; the umask cuts the mode. False with err: CONFLICT if the name is taken, else
 * NOT_FOUND, FORBIDDEN or IO. */
bool file_create(const char *path, const char *bytes, size_t length, mode_t mode,
                 struct error *err);
/* Replaces the content of a regular file and keeps its mode. False with err NOT_FOUND, FORBIDDEN or
 * IO. Fails with IO on other kinds of files, such as a symbolic link. */
bool file_renew(const char *path, const char *bytes, size_t length, struct error *err);

/* Returns up to `most` first bytes of a regular file with a NUL behind them, for free(). NULL if
 * there is no regular file or it cannot be read. */
char *file_read_head(const char *path, size_t most, size_t *ret_length);

#endif
