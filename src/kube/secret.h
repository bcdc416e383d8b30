/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that nobody may see: every copy is owned by a struct kube_blob or by a
 * text freed with secret_free_text, and is overwritten when it goes.
 */
#ifndef BALLAST_KUBE_SECRET_H
#define BALLAST_KUBE_SECRET_H

#include "ballast/kube/kube_config.h"

/* Always NUL-terminated behind `length`. What was in it before is wiped. */
void secret_set(struct kube_blob *secret, const void *bytes, size_t length);
void secret_wipe(struct kube_blob *secret);
/* Takes over *from, which is left empty. */
void secret_move(struct kube_blob *secret, struct kube_blob *from);
/* Wipes and frees; NULL is fine. */
void secret_free_text(char *text);

/* Standard base64 with padding; line ends are passed over, as in Go. */
bool secret_from_base64(const char *text, size_t length, struct kube_blob *ret);
/* A whole file of at most `maximum` bytes. */
bool secret_read_file(const char *path, size_t maximum, struct kube_blob *ret, struct error *err);
/* Likewise what is read again while we run. A FIFO would give it once, and hold up whoever opens it
 * again: refused. */
bool secret_read_regular_file(const char *path, size_t maximum, struct kube_blob *ret,
                              struct error *err);
/* Without white space at both ends, as client-go takes a token file. */
void secret_trim(struct kube_blob *secret);
/* Whether it can stand in an HTTP header: no control characters. */
bool secret_fits_header(const char *text, size_t length);

#endif
