/* SPDX-License-Identifier: Apache-2.0
 *
 * Replacing a file in one step, under its lock. The lock is on the file itself
 * (flock), so there is no other file to be left behind; who waited for it looks
 * whether the file is still the one of that name, and else begins anew. The new
 * content is written beside it under a fixed hidden name, which a killed run
 * leaves and the next one overwrites, is synced, and takes the name.
 */
#ifndef BALLAST_DIRECTORY_FILE_SWAP_H
#define BALLAST_DIRECTORY_FILE_SWAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "ballast/base/error.h"
#include "ballast/base/text_input.h"

struct file_swap {
    char *path;      /* behind symbolic links */
    char *temporary; /* beside it; NULL: not begun */
    int source, target;
    struct text_input *input;   /* the old text, read in the order in which it stands */
    struct text_output *output; /* the new one */
    size_t at;                  /* in the old text */
    char *piece;                /* of it */
    size_t piece_at, piece_length;
};

/* Opens and locks. Errors: NOT_FOUND, FORBIDDEN, STOPPED when *stop becomes true while waiting,
 * UNAVAILABLE when another holds the lock for long, IO. Released by file_swap_close in any case. */
bool file_swap_open(struct file_swap *swap, const char *path, const atomic_bool *stop,
                    struct error *err);
/* The new file, empty, with the old one's mode and, if possible, owner. Its text will be stored in
 * that form. */
bool file_swap_begin(struct file_swap *swap, struct text_form form, struct error *err);
bool file_swap_write(struct file_swap *swap, const char *text, size_t length, struct error *err);
/* Copies bytes [begin, end) of the old text, and up to its end where `end` is SIZE_MAX; each call
 * begins where the one before ended, or behind it. */
bool file_swap_copy(struct file_swap *swap, size_t begin, size_t end, struct error *err);
/* The new file is on disk and has the old one's name when this returns true. */
bool file_swap_commit(struct file_swap *swap, struct error *err);
/* Unlocks; what was not committed is gone. */
void file_swap_close(struct file_swap *swap);

#endif
