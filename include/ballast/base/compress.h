/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes made smaller, and back. Our own are in zlib's format (RFC 1950), which has
 * a checksum of its own; files of others may be in gzip's (RFC 1952). The library
 * is loaded when it is first wanted (library.h).
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

#define GZIP_MAGIC "\x1f\x8b" /* begins every file of gzip */

/* gzip, piece by piece. A step takes what it can of `in` and fills what it can of `out`: both are
 * what is left of them behind it. */
struct gzip;
struct gzip_piece {
    const char *in;
    size_t in_length;
    char *out;
    size_t out_length;
};

struct gzip *gunzip_new(void);
/* *ret_is_over: a member ends here, and the next step begins another one. false: this is no gzip.
 */
bool gunzip_step(struct gzip *gunzip, struct gzip_piece *piece, bool *ret_is_over);
void gunzip_free(struct gzip *gunzip); /* NULL is fine */

struct gzip *gzip_new(void);
/* `last`: nothing follows `in`. Returns whether that is all out; else once more, with room. */
bool gzip_step(struct gzip *gzip, struct gzip_piece *piece, bool last);
void gzip_free(struct gzip *gzip); /* NULL is fine */

#endif
