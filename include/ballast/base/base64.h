/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes in the place of which a text is wanted; the way back, which wipes what
 * it leaves, is secret_from_base64.
 */
#ifndef BALLAST_BASE_BASE64_H
#define BALLAST_BASE_BASE64_H

#include <stddef.h>

#include "ballast/base/buf.h"

/* RFC 4648, chapter 4: with padding, and without line ends. At most INT_MAX bytes. */
void base64_append(struct buf *out, const void *bytes, size_t length);

#endif
