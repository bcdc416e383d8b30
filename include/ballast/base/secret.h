/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that nobody may see: every copy is owned by a struct secret or by a
 * text freed with secret_free_text, and is overwritten when it goes.
 */
#ifndef BALLAST_BASE_SECRET_H
#define BALLAST_BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/error.h"

/* A PEM text, a token, a password; data NULL when absent. */
struct secret {
    char *data;
    size_t length;
};

/* Always NUL-terminated behind `length`. What was in it before is wiped. */
void secret_set(struct secret *secret, const void *bytes, size_t length);
void secret_wipe(struct secret *secret);
/* Takes over *from, which is left empty. */
void secret_move(struct secret *secret, struct secret *from);
/* Wipes and frees; NULL is fine. */
void secret_free_text(char *text);

/* Standard base64 with padding; line ends are passed over, as in Go. */
bool secret_from_base64(const char *text, size_t length, struct secret *ret);
/* A whole text of at most `maximum` bytes, however it is stored (text_input.h). */
bool secret_read_text(int fd, const char *label, size_t maximum, struct secret *ret,
                      struct error *err);
/* Reads a file, or a pipe that has a writer (file_open.h). */
bool secret_read_file(const char *path, size_t maximum, struct secret *ret, struct error *err);
/* The bytes of what is read again while we run. A FIFO would give it once, and hold up whoever
 * opens it again: refused. */
bool secret_read_regular_file(const char *path, size_t maximum, struct secret *ret,
                              struct error *err);
/* Without white space at both ends, as client-go takes a token file. */
void secret_trim(struct secret *secret);
/* Whether it can stand in an HTTP header: no control characters. */
bool secret_fits_header(const char *text, size_t length);

#endif
