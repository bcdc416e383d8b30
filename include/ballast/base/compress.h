/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes made smaller, and back: zlib's format (RFC 1950), which has a checksum
 * of its own. The library is loaded when it is first wanted (library.h).
 */
#ifndef BALLAST_BASE_COMPRESS_H
#define BALLAST_BASE_COMPRESS_H

#include <stdbool.h>

#include "ballast/base/buf.h"

/* Appends them. */
void compress_append(struct buf *out, const void *bytes, size_t length);

/* What was compressed, if that is so many bytes: the caller's to free(), with a NUL behind them.
 * NULL: it is another number of bytes, or something is wrong with them. Memory is used for no more
 * than is there. */
char *decompress(const void *bytes, size_t length, size_t original_length);
/* Likewise, into so many bytes and one for the NUL; false: what is there is of no use. */
bool decompress_into(char *ret, const void *bytes, size_t length, size_t original_length);

#endif
