/* SPDX-License-Identifier: Apache-2.0
 *
 * Secret bytes. Every copy is in a struct secret or in a text that
 * secret_free_text() frees, and is overwritten before its memory is freed.
 */
#ifndef BALLAST_BASE_SECRET_H
#define BALLAST_BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/error.h"

/* A PEM text, a token, a password. Start from zeroed memory; end with secret_wipe(). */
struct secret {
    char *data;    /* NUL-terminated; NULL: absent */
    size_t length; /* bytes */
};

/* Sets the secret to a copy of the bytes and wipes its old bytes, which may include `bytes`. */
void secret_set(struct secret *secret, const void *bytes, size_t length);
/* Overwrites and frees the bytes. The secret is absent afterwards. */
void secret_wipe(struct secret *secret);
/* Wipes `secret` and moves the bytes of `from` to it. `from` is absent afterwards. */
void secret_move(struct secret *secret, struct secret *from);
/* Overwrites and frees a NUL-terminated text on the heap. NULL is fine. */
void secret_free_text(char *text);

/* Decodes standard base64 with padding; skips line ends, as Go. False, *ret kept, if malformed. */
bool secret_from_base64(const char *text, size_t length, struct secret *ret);
/* Reads a text of at most `maximum` bytes in any encoding of text_input.h. False with err (LIMIT if
 * longer), which begins with `label`, *ret kept. */
bool secret_read_text(int fd, const char *label, size_t maximum, struct secret *ret,
                      struct error *err);
/* Reads a text as secret_read_text() from a path for file_open_named(). False with err, *ret
 * kept. */
bool secret_read_file(const char *path, size_t maximum, struct secret *ret, struct error *err);
/* Reads at most `maximum` bytes of a regular file as they are: for files that a run reads again.
 * False with err (LIMIT if larger), *ret kept. Refuses a FIFO, which gives its bytes only once. */
bool secret_read_regular_file(const char *path, size_t maximum, struct secret *ret,
                              struct error *err);
/* Removes white space at both ends, as client-go does with a token file. */
void secret_trim(struct secret *secret);
/* True if text[0..length) has no control characters, so that an HTTP header can hold it. */
bool secret_fits_header(const char *text, size_t length);

#endif
