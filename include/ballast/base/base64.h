/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as base64 text. secret_from_base64() decodes such a text.
 */
#ifndef BALLAST_BASE_BASE64_H
#define BALLAST_BASE_BASE64_H

#include <stddef.h>

#include "ballast/base/buf.h"

/* Appends the bytes as base64 (RFC 4648, section 4), padded and without line ends. `length` is at
 * most INT_MAX / 4 * 3. */
void base64_append(struct buf *out, const void *bytes, size_t length);

#endif
