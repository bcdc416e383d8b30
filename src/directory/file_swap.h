/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces a file in one step, under its lock. The lock is on the file itself (flock), so no lock
 * file can be left behind. A process that waited for the lock checks that the file still has its
 * name, and else begins again. The new content is written beside it under a fixed hidden name,
 * synced, and renamed. The next run overwrites what a killed run left under that name.
 */
#ifndef BALLAST_DIRECTORY_FILE_SWAP_H
#define BALLAST_DIRECTORY_FILE_SWAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "ballast/base/error.h"
#include "ballast/base/text_input.h"

struct file_swap {
    char *path;      /* without symbolic links */
    char *temporary; /* hidden name; NULL: not begun */
    int source, target;
    struct text_input *input;   /* old text, read from beginning to end */
    struct text_output *output; /* new text */
    size_t at;                  /* position in the old text */
    char *piece;                /* part of the old text */
    size_t piece_at, piece_length;
};

/* Opens and locks a file; end with file_swap_close() in any case. False with err: NOT_FOUND,
 * FORBIDDEN, IO, STOPPED by *stop, UNAVAILABLE if another process holds the lock for long. */
bool file_swap_open(struct file_swap *swap, const char *path, const atomic_bool *stop,
                    struct error *err);
/* Creates the new, empty file in `form`, with the old mode and maybe owner. False with err. */
bool file_swap_begin(struct file_swap *swap, struct text_form form, struct error *err);
/* Appends to the new text. False with err. */
bool file_swap_write(struct file_swap *swap, const char *text, size_t length, struct error *err);
/* Copies bytes [begin, end) of the old text to the new one; end SIZE_MAX: up to its end. Each call
 * begins at or behind the last end. False with err. */
bool file_swap_copy(struct file_swap *swap, size_t begin, size_t end, struct error *err);
/* Syncs the new file and gives it the old one's name. False with err. */
bool file_swap_commit(struct file_swap *swap, struct error *err);
/* Unlocks the file and frees everything. Removes a new file that is not committed. */
void file_swap_close(struct file_swap *swap);

#endif
